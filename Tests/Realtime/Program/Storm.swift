import Control
import Parameters
import Scenes

/// Busy hands, or a busy tablet: every kind of event, every knob of every part, also to its ends.
struct Storm {
  private var random: Xorshift

  init(seed: UInt64) { random = Xorshift(state: 0x9E37_79B9_7F4A_7C15 &* seed) }

  /// True once in a while.
  var isRare: Bool { mutating get { Int.random(in: 0..<50, using: &random) == 0 } }

  /// Turns a few knobs, and now and then recalls the initial sound, so that notes go on being heard.
  mutating func edit(_ stage: inout Stage) {
    for _ in 0..<4 {
      let row = Int.random(in: Table.rows.indices, using: &random)
      let range = Table.rows[row].kind.range
      let knob = ParameterID(row: row, part: Int.random(in: 0..<Limits.parts, using: &random))
      let ends = [range.lowerBound, range.upperBound]
      stage.scene[knob] = ends.randomElement(using: &random) ?? 0
      if !isRare { stage.scene[knob] = Float.random(in: range, using: &random) }
    }
    if Int.random(in: 0..<10, using: &random) == 0 {
      stage.recall(.initial, part: Int.random(in: 0..<Limits.parts, using: &random))
    }
  }

  /// Plays into a ring, mostly notes, also what makes no sense: frames long past, numbers out of range. Panic and
  /// what else ends every voice is rare.
  mutating func play(_ ring: EventRing, count: Int, at frame: Int64) {
    for _ in 0..<count {
      var kind = Event.Kind.noteOn
      if Int.random(in: 0..<4, using: &random) == 0 {
        kind = Event.Kind(rawValue: UInt8.random(in: 0...5, using: &random)) ?? .noteOn
      }
      if isRare { kind = Event.Kind(rawValue: UInt8.random(in: 0...13, using: &random)) ?? .panic }
      ring.push(
        Event(
          frame: frame + Int64.random(in: -100...1024, using: &random), kind: kind,
          source: .random(in: 0...40, using: &random), target: .random(in: 0...30, using: &random),
          note: .random(in: 0...160, using: &random), value: .random(in: -0.2...1, using: &random)))
    }
  }
}

/// Marsaglia's xorshift: random numbers that are the same each time.
private struct Xorshift: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}
