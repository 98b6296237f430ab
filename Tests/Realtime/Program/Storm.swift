import Control
import Parameters
import Synth

/// Two busy hands and a busy tablet: chords with stealing, every kind of event, every knob of every part.
/// The same storm each time.
struct Storm {
  private(set) var notes = 0
  private(set) var edits = 0
  private var random = Xorshift()

  /// Turns a few knobs, and now and then recalls the initial sound, so that notes go on being heard.
  mutating func edit(_ stage: inout Stage) {
    for _ in 0..<4 {
      let row = Int.random(in: Table.rows.indices, using: &random)
      let knob = Knob(row: row, part: Int.random(in: 0..<Limits.parts, using: &random))
      if stage.set(knob, to: Float.random(in: Table.rows[row].kind.range, using: &random)) { edits += 1 }
    }
    if Int.random(in: 0..<10, using: &random) == 0 {
      stage.recall(.initial, part: Int.random(in: 0..<Limits.parts, using: &random))
    }
  }

  /// Plays into both rings, also what makes no sense: frames long past, numbers out of range.
  mutating func play(_ link: Link, at frame: Int64) {
    for ring in [link.midi, link.control] {
      for _ in 0..<6 {
        let any = Event.Kind(rawValue: UInt8.random(in: 0...13, using: &random))
        let kind = Bool.random(using: &random) ? .noteOn : any ?? .noteOn
        if kind == .noteOn { notes += 1 }
        ring.push(
          Event(
            frame: frame + Int64.random(in: -100...1024, using: &random), kind: kind,
            source: .random(in: 0...255, using: &random), target: .random(in: 0...30, using: &random),
            note: .random(in: 0...255, using: &random), value: .random(in: -1...1, using: &random)))
      }
    }
  }
}

/// Marsaglia's xorshift: random numbers that are the same each time.
private struct Xorshift: RandomNumberGenerator {
  private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}
