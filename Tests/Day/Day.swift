import CTestCard
import EngineHarness
import Glibc
import Parameters
import Scenes
import Scratch
import TestCard

/// Hours of playing. A key each half second at any moment, to be heard alone on the left; beside it a chord of another
/// part on the right, knobs turned and sounds recalled. The card runs 80 millionths too fast and the audio thread is woken late
/// at random. Prints a line for each hour.
final class Day {
  /// Whether all was as it should be.
  private(set) var isRight = true

  private static let (rate, period) = (48_000, 256)
  private static let fast = 80.0
  private static let second: Int64 = 1_000_000_000
  /// The earliest and the latest key of an hour lie no further apart than this, microseconds.
  private static let spread = 1_000.0
  private static let chords = [[48, 60, 64], [45, 57, 60], [41, 57, 60], [43, 55, 59]]

  private let card = TestCard(bytes: 8 * rate)
  private let played: PlayedCard
  private var random = SeededRandom(1)
  private let keys: Onsets
  private var stage = Scene.initial
  private var chord: [Int] = []
  // Frames of the card that were looked at.
  private var frames = 0

  init() throws {
    card.card.pointee.formats = 1 << 14  // float
    card.card.pointee.fast = Self.fast
    stage = Scene.with([
      ("/osc/1/wave", 2), ("/osc/2/level", 0), ("/amp/attack", 0), ("/amp/release", 0.02),
      ("/filter/amount", 0),
      ("/filter/cutoff", 8_000), ("/pan", -1),
    ])
    stage[0].strip.channel = 1
    stage[1].strip.on = 1
    stage[1].strip.pan = 1
    played = try PlayedCard(card, scene: stage, rate: Self.rate, period: Self.period)
    keys = Onsets()
  }

  func play(hours: Int) {
    let begin = played.now
    var (next, release, change, hour) = (
      begin + Self.second, Int64.max, begin + Self.second, begin + 3600 * Self.second
    )
    var rows: [Parameter] = []
    rows.reserveCapacity(hours)
    played.run(seconds: Double(hours) * 3600) { [self] in
      let now = played.now
      listen()
      // In the order of their moments, as the MIDI thread sends them: one behind a later one would wait for it.
      while let moment = [next, release, change].min(), moment <= now {
        if moment == release {
          send(.noteOff, 60, at: moment)
          release = .max
        } else if moment == next {
          keys.pressed(moment)
          send(.noteOn, 60, at: moment)
          release = moment + 100_000_000
          next += Int64.random(in: 400_000_000...600_000_000, using: &random)
        } else {
          changeSound(at: moment)
          change += Self.second
        }
      }
      if hour <= now {
        rows.append(row())
        print("\(rows.count) h: \(rows[rows.count - 1])")
        fflush(nil)
        hour += 3600 * Self.second
      }
      // Usually in time, sometimes late by most of a block.
      let isLate = Int.random(in: 0..<20, using: &random) == 0
      card.card.pointee.late = Int64.random(in: 0...(isLate ? 4_000_000 : 100_000), using: &random)
    }
    judge(rows)
  }

  private func send(_ kind: Event.Kind, _ note: Int, target: UInt8 = 0, at moment: Int64) {
    played.link.midi.push(
      Event(
        frame: played.link.clock.frame(at: moment), kind: kind, source: 1, target: target, note: UInt8(note),
        value: 0.8))
  }

  /// What is to the right: another chord, a knob, and the sound recalled.
  private func changeSound(at moment: Int64) {
    for note in chord { send(.noteOff, note, target: 1, at: moment) }
    chord = Self.chords.randomElement(using: &random) ?? []
    for note in chord { send(.noteOn, note, target: 1, at: moment) }
    stage[ParameterID(row: Self.row("/filter/cutoff"), part: 1)] = Float.random(
      in: 500...5_000, using: &random)
    var part = stage[1]
    part.generation &+= 1
    stage[1] = part
    played.link.scene.publish(stage)
  }

  /// Looks at what the card was given since the last time.
  private func listen() {
    guard let sound = card.card.pointee.sound else { return }
    let count = Int(card.card.pointee.sound_bytes) / 8
    let speed = Double(Self.rate) * (1 + Self.fast * 1e-6) * 1e-9
    for frame in 0..<count {
      let left = UnsafeRawPointer(sound).loadUnaligned(fromByteOffset: frame * 8, as: Float.self)
      if keys.hears(left) {
        keys.heard(Double(card.card.pointee.started) + Double(frames + frame) / speed)
      }
    }
    frames += count
    card.card.pointee.sound_bytes = 0
  }

  /// An hour's figures.
  struct Parameter: CustomStringConvertible {
    let latency: Onsets.Latency
    let xruns: UInt64
    let heap: UInt64
    let resident: Int
    let lines: Int

    var description: String {
      "\(latency), \(xruns) xruns, \(heap) bytes of heap, \(resident) KiB resident, \(lines) lines logged"
    }
  }

  private func row() -> Parameter {
    Parameter(
      latency: keys.takeLatency(), xruns: played.link.meters[.xruns], heap: test_card_heap(),
      resident: Self.residentKiB(), lines: played.lines.count)
  }

  private func judge(_ rows: [Parameter]) {
    // What is printed takes its memory with the first row.
    guard let first = rows.dropFirst().first ?? rows.first, let last = rows.last else { return }
    let meters = played.link.meters
    played.link.scene.service()
    let blocks = Double(meters[.frames]) / Double(Self.rate)
    let drift = last.latency.mean - first.latency.mean
    print(
      "\(meters[.frames]) frames (\(Int(blocks)) s of sound), drift of a key \(Int(drift * 1000)) ns, heap "
        + "\(Int(last.heap) - Int(first.heap)) bytes more than after the second hour, \(keys.missing) keys not heard, "
        + "\(keys.strange) sounds that were no key's, a key \(meters[.lateKey]) frames too late for its block at worst"
    )
    expect(last.xruns == 0, "a block came too late")
    expect(keys.missing == 0 && keys.strange == 0, "keys and sounds do not match")
    expect(abs(drift) < 5, "keys drift, microseconds: \(drift)")
    expect(rows.allSatisfy { $0.latency.spread < Self.spread }, "keys are not in time")
    expect(last.heap <= first.heap + 4096 && last.resident <= first.resident + 64, "memory grows")
    expect(last.lines == first.lines, "the log grows: \(played.lines.suffix(5))")
    // By as much as a row of late wake-ups leads the filter astray, a key is heard early or comes late for its block.
    expect(
      Double(meters[.lateKey]) * 1e6 / Double(Self.rate) < Self.spread, "keys came too late for their block")
    expect(
      played.link.midi.dropped == 0 && meters[.faults] == 0, "events are lost, or the sound was no number")
    expect(played.link.scene.retiredCount == 0, "old scenes are not freed")
  }

  private func expect(_ holds: Bool, _ otherwise: String) {
    if holds { return }
    print("WRONG: " + otherwise)
    isRight = false
  }

  private static func row(_ address: String) -> Int {
    guard let row = Table.rows.firstIndex(where: { $0.address == address }) else { fatalError(address) }
    return row
  }

  private static func residentKiB() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    guard fgets(&line, 256, file) != nil else { return 0 }
    let words = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(
      separator: " ")
    return words.count > 1 ? (Int(words[1]) ?? 0) * 4 : 0
  }
}
