import Parameters
import Scenes
import Scratch
import Synth
import Testing
@testable import Control

/// A keyboard and two tablets are played while all that decides which part plays what is changed at random. In the end every
/// key is let go, each once, and nothing may sound on.
struct KeyboardHuntTests {
  private struct Hand: Hashable {
    let source: Int
    /// Nil is the part in focus.
    let part: Int?
    let key: Int
  }

  @Test("Nothing hangs, whatever is changed under held keys", arguments: 0..<4)
  func hunt(seed: Int) throws {
    let link = Link(.initial)
    let instrument = Instrument(link: link, library: .none, log: { _ in })
    var engine = Engine(rate: 48_000, link: link)
    var random = SeededRandom(UInt64(seed))
    var now: Int64 = 0
    var (struck, tapped): (Set<Hand>, Set<Hand>) = ([], [])
    var most: UInt64 = 0
    let block = UnsafeMutablePointer<Float>.allocate(capacity: 2 * 512)
    defer { block.deallocate() }
    func set(_ address: String, _ part: Int, _ value: Float) throws {
      instrument.set(try #require(Address("/part/\(part + 1)" + address, focus: 0)).knob, to: value)
    }
    for part in 0..<Limits.parts {
      try set("/amp/release", part, 0.01)
      try set("/play/mode", part, Float(part % 3))
    }
    func midi(_ kind: Event.Kind, _ key: Int, _ value: Float) {
      let event = Event(frame: 0, kind: kind, note: UInt8(key), value: value)
      link.midi.push(event)
      if kind == .noteOn, link.keyWatch.isOn { link.commands.push(event) }
    }
    func tap(_ hand: Hand, _ value: Float) {
      instrument.performance.handle(
        value > 0 ? .noteOn : .noteOff, source: hand.source, part: hand.part, note: hand.key, value: value)
    }
    for _ in 0..<1_000 {
      now += 300_000_000
      let part = Int.random(in: 0..<3, using: &random)
      let key = Int.random(in: 40..<80, using: &random)
      let velocity = Float.random(in: 0.01...1, using: &random)
      let hand = Hand(
        source: Limits.surfaceSources + Int.random(in: 0...1, using: &random),
        part: Bool.random(using: &random) ? nil : part, key: key)
      switch Int.random(in: 0..<24, using: &random) {
      case 0..<5:
        midi(.noteOn, key, velocity)
        struck.insert(Hand(source: 0, part: nil, key: key))
      case 5..<8:
        if let hand = struck.randomElement(using: &random) {
          midi(.noteOff, hand.key, 0)
          struck.remove(hand)
        }
      case 8..<12:
        tap(hand, velocity)
        tapped.insert(hand)
      case 12..<15:
        if let hand = tapped.randomElement(using: &random) {
          tap(hand, 0)
          tapped.remove(hand)
        }
      case 15: instrument.ranges.split(at: key)
      case 16: instrument.ranges.layer()
      case 17: instrument.ranges.playSingle()
      case 18: instrument.ranges.learnKeys(part: part, now: now)
      case 19: instrument.ranges.learnSplit(now: now)
      case 20: instrument.focus = part
      case 21: try set("/key/transpose", part, Float.random(in: -48...48, using: &random))
      case 22: try set(["/key/low", "/velocity/high", "/channel", "/on"][key % 4], part, Float(key % 3))
      default:
        midi(.sustain, 0, Float(key % 2))
        try set("/hear/pedal", part, Float(key / 2 % 2))
      }
      _ = instrument.update(now)
      engine.render(left: block, right: block + 512, frames: Int.random(in: 1...32, using: &random))
      most = max(most, link.meters[.voices])
    }
    #expect(most > 5)
    for hand in struck { midi(.noteOff, hand.key, 0) }
    for hand in tapped { tap(hand, 0) }
    midi(.sustain, 0, 0)
    for _ in 0..<200 where link.meters[.voices] > 0 {
      engine.render(left: block, right: block + 512, frames: 512)
    }
    #expect(link.meters[.voices] == 0)
  }
}
