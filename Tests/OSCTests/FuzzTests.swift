import Control
import Glibc
import Parameters
import Scenes
import Scratch
import Surface
import System
import Testing
@testable import OSC
@testable import OSCPackets

/// Datagrams that nobody meant, made from the corpus by chance. `.ci/full` runs more of them under AddressSanitizer:
/// `PIPIT_INPUTS=50000 swift test --sanitize=address --filter FuzzTests`.
struct FuzzTests {
  private var seed: UInt64 { SeededRandom.chosenSeed ?? 1 }
  private var inputs: Int { getenv("PIPIT_INPUTS").flatMap { Int(String(cString: $0)) } ?? 10_000 }

  @Test("Whatever comes in, nothing ends, no knob leaves its range, and questions are answered")
  func inputsByChance() throws {
    var random = SeededRandom(seed)
    var (garbage, taken, left) = (0, 0, inputs)
    // A new instrument now and then, because each peer is kept for minutes and told of changes.
    while left > 0 {
      let instrument = try ServedInstrument()
      taken += receive(min(left, 20_000), instrument, &random)
      let tablet = try Tablet(instrument)
      #expect(tablet.ask("/filter/cutoff") != nil)
      garbage += Int(instrument.server.garbage)
      left -= 20_000
    }
    print("fuzzing: seed \(seed), \(inputs) datagrams, \(garbage) no OSC, \(taken) events played")
    // It is not all refused at the door.
    #expect(garbage > inputs / 10 && garbage < inputs * 9 / 10 && taken > inputs / 1_000)
  }

  /// Lets an instrument receive so many datagrams. Returns the number of events that it played.
  private func receive(_ count: Int, _ instrument: ServedInstrument, _ random: inout SeededRandom) -> Int {
    var (taken, now) = (0, monotonic())
    for index in 0..<count {
      let bytes = input(&random)
      // A piece of memory of its own, so that a byte too far is found.
      let datagram = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
      datagram.copyBytes(from: bytes)
      let source = Peer(
        host: 0x7F00_0001 + .random(in: 0..<20, using: &random), port: .random(in: 1...65_535, using: &random)
      )
      // A hundred at about one moment: what all these peers are told in the time that a sanitizer needs for a datagram
      // takes longer than the datagram.
      now += 10_000
      instrument.receive(datagram, from: source, now: now)
      datagram.deallocate()
      while instrument.link.control.peek() != nil {
        instrument.link.control.drop()
        taken += 1
      }
      if index % 100 == 99 {
        instrument.loop.round(limit: 0)
        check(instrument)
        now = max(now, monotonic())
      }
    }
    check(instrument)
    return taken
  }

  private func check(_ instrument: ServedInstrument) {
    let scene = instrument.control.stage.scene
    for knob in ParameterID.all where !Table.rows[knob.row].kind.range.contains(scene[knob]) {
      Issue.record("\(knob.address) is \(scene[knob])")
    }
    #expect((0..<Limits.parts).contains(instrument.control.focus))
  }

  private func input(_ random: inout SeededRandom) -> [UInt8] {
    var bytes = seedInput(&random)
    for _ in 0..<Int.random(in: 0...2, using: &random) { change(&bytes, &random) }
    if random.chance(0.2) {
      let other = seedInput(&random)
      // A time tag of now, of soon, of never, or of chance.
      let now = TimeTag.now
      let time: [(UInt32, UInt32)] = [
        (0, 1), (now.seconds, .max), (now.seconds &+ 1, 0), (.max, .max), (random.word, random.word),
      ]
      bytes = Corpus.bundle([bytes, other], time: time[.random(in: 0..<time.count, using: &random)])
      if random.chance(0.3) { change(&bytes, &random) }
    }
    return Array(bytes.prefix(65_507))
  }

  private func seedInput(_ random: inout SeededRandom) -> [UInt8] {
    if random.chance(0.03) {
      return (0..<Int.random(in: 0...300, using: &random)).map { _ in .random(in: 0...255, using: &random) }
    }
    return Corpus.all[.random(in: 0..<Corpus.all.count, using: &random)]
  }

  private func change(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
    guard !bytes.isEmpty else { return }
    let place = Int.random(in: 0..<bytes.count, using: &random)
    let aligned = place & ~3
    switch Int.random(in: 0..<8, using: &random) {
    case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 1: bytes[place] = .random(in: 0...255, using: &random)
    case 2: bytes.removeLast(bytes.count - (random.chance(0.3) ? place : aligned))
    case 3: bytes.insert(contentsOf: Corpus.word(random.word), at: aligned)
    case 4 where aligned + 4 <= bytes.count:
      let words: [UInt32] = [0, 1, .max, 0x7FFF_FFFF, 0x8000_0000, 0x7F80_0000, 0x7FC0_0000, 4, 60]
      bytes.replaceSubrange(
        aligned..<aligned + 4, with: Corpus.word(words.randomElement(using: &random) ?? 0))
    case 5: bytes.removeSubrange(aligned..<min(aligned + 4, bytes.count))
    case 6: bytes.append(contentsOf: bytes[aligned...])
    default:
      guard random.chance(0.02) else { return }
      bytes.insert(contentsOf: Array(repeating: bytes[place], count: 40_000), at: place)
    }
  }
}

extension SeededRandom {
  fileprivate var word: UInt32 { mutating get { UInt32(truncatingIfNeeded: next()) } }
}
