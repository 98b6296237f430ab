import EngineHarness
import Glibc
import Parameters
import Scenes
import Synth

/// What is played.
enum Shape: String {
  case chord, parts, edits, storm, scatter, arps
  case drive, eq, compressor, phaser, flanger, chorus, rotary, delay, reverb, rack, racks

  /// Blocks from one change of the scene to the next: 15 are 20 ms.
  var interval: Int { self == .edits ? 1 : 15 }

  /// Whether the keys are shared out to the eight parts.
  var usesAllParts: Bool { self == .parts || self == .edits || self == .racks || self == .arps }

  /// What switches its effects on, as addresses and values; every band of the equalizer does something.
  var effects: [(String, Float)] {
    let bands: [(String, Float)] = ["low", "1", "2", "3", "high"].map { ("/eq/\($0)/gain", 3) }
    switch self {
    case .chord, .parts, .edits, .storm, .scatter, .arps: return []
    case .eq: return [("/eq/on", 1)] + bands
    case .rack, .racks: return ["drive", "eq", "chorus", "delay", "reverb"].map { ("/\($0)/on", 1) } + bands
    default: return [("/\(rawValue)/on", 1)]
    }
  }
}

/// An engine that plays a workload block by block.
final class Workload {
  private let shape: Shape
  private let notes: Int
  private let player: Player
  private var scene = Scene.initial
  private var block = 0

  /// An engine at 48 kHz with `notes` keys down, and with some knobs of part 1 turned.
  init(_ shape: Shape, notes: Int, _ knobs: [(String, Float)] = []) {
    self.shape = shape
    self.notes = notes
    for part in 0..<8 {
      scene[part].patch = .bench
      // By addresses: older engines know no effects.
      if part == 0 || shape == .racks { scene.turn(shape.effects, part: part) }
      scene[part].strip.on = 1
    }
    if shape == .arps {
      for part in 0..<8 { scene.turn([("/arp/on", 1), ("/arp/sync", 18)], part: part) }
    }
    scene.turn(knobs)
    player = Player(scene, running: true)
    if shape == .arps {
      for part in 0..<8 {
        for key in [60, 64, 67] { play(.noteOn, key: key, target: Event.part(part)) }
      }
    }
    if shape != .scatter { for index in 0..<notes { play(.noteOn, index) } }
  }

  /// The next blocks: what they cost and how much sounded.
  @discardableResult
  func render(blocks: Int) -> (noteSamples: Int, nanoseconds: Int, peak: Float) {
    var (noteSamples, nanoseconds, peak): (Int, Int, Float) = (0, 0, 0)
    let end = block + blocks
    while block < end {
      // Publishing a scene is another thread's work and not in the time.
      if block % shape.interval == 0 { change(block / shape.interval) }
      let begin = processorNanoseconds()
      repeat {
        player.render(64)
        noteSamples += player.voices * 64
        block += 1
      } while block < end && block % shape.interval != 0
      nanoseconds += processorNanoseconds() - begin
      for i in 0..<64 { peak = max(peak, abs(player.block.left[i])) }
    }
    return (noteSamples, nanoseconds, peak)
  }

  private func change(_ index: Int) {
    switch shape {
    case .chord, .parts, .arps, .drive, .eq, .compressor, .phaser, .flanger, .chorus, .rotary, .delay,
      .reverb, .rack,
      .racks:
      return
    case .edits: scene[index % 8].patch.filter.cutoff = Float(400 + index % 100)
    case .storm, .scatter: recall(index)
    }
    player.link.scene.publish(scene)
    player.link.scene.service()
  }

  private func recall(_ index: Int) {
    // A second sound that costs the same.
    scene[0].patch.filter.cutoff = index % 2 == 0 ? 500 : 400
    scene[0].generation &+= 1
    if shape == .scatter { strikeChord(index) } else { playAbove(index) }
  }

  private func strikeChord(_ index: Int) {
    let chords = notes / 8
    guard index < chords || index % 4 == 0 else { return }
    let first = (index < chords ? index : index / 4 % chords) * 8
    for key in first..<first + 8 {
      if index >= chords { play(.noteOff, key) }
      play(.noteOn, key)
    }
  }

  /// The next of the notes that run above the held ones.
  private func playAbove(_ index: Int) {
    guard index % 4 == 0 else { return }
    play(.noteOff, key: 100 + (index / 4 + 11) % 12, source: 3)
    play(.noteOn, key: 100 + index / 4 % 12, source: 3)
  }

  /// Two keyboards, for keys that are held twice in one part.
  private func play(_ kind: Event.Kind, _ index: Int) {
    if shape.usesAllParts {
      // The arpeggiator leaves the keys of a song alone.
      let source = shape == .arps ? Limits.songSource : 0
      play(kind, key: 36 + index / 8 * 3 + index % 8, source: source, target: Event.part(index % 8))
    } else {
      play(kind, key: 36 + index % 64, source: index / 64)
    }
  }

  private func play(_ kind: Event.Kind, key: Int, source: Int = 0, target: UInt8 = Event.part(0)) {
    player.send(kind, source: source, target: target, note: key, value: 0.8)
  }
}

private func processorNanoseconds() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

// Names that a counter outside finds among the program's symbols.

/// Renders the blocks that count, and prints what they were.
@_silgen_name("measured") @inline(never)
func measured(_ workload: Workload, _ blocks: Int) {
  let cost = workload.render(blocks: blocks)
  print("\(cost.noteSamples) \(cost.nanoseconds) \(cost.peak)")
}

/// Nothing: what comes after it does not count.
@_silgen_name("measurement_is_over") @inline(never)
func measurementIsOver() {}
