import Parameters
import Synth

/// Draws random sounds from a present one: near it, or far from it, between two other sounds. Pure, any thread.
public struct RandomDraw: Sendable {
  /// The region in which sounds are drawn.
  public enum Reach: Sendable {
    /// Around the present sound: each knob moves by a normally distributed step in fader units. Choices stay.
    case near
    /// Between two sounds: each knob takes a position between their two, and choices are those of one of them. The
    /// present sound moves towards them by the amount.
    case far(Patch, Patch)
  }

  /// The deviation of a step at the full amount, in fader units.
  static let deviation: Float = 0.15

  /// The rows of the table that move.
  public let rows: [Int]
  let reach: Reach
  let amount: Float

  /// Draws that move `rows` by an amount of 0…1.
  public init(_ rows: [Int], _ reach: Reach, amount: Float) {
    (self.rows, self.reach, self.amount) = (rows, reach, amount)
  }

  /// A sound drawn from `patch`, within the rules.
  public func sound(from patch: Patch, _ generator: inout SeededGenerator) -> Patch {
    var sound = patch
    switch reach {
    case .near:
      for row in rows where !Table.rows[row].kind.isDiscrete {
        let kind = Table.rows[row].kind
        let step = generator.normal() * RandomDraw.deviation * amount
        move(&sound, row, to: kind.fader(value: patch[Table.rows[row]]) + step)
      }
    case .far(let one, let other):
      // The choices of one section come from one sound, so that source and target of a slot belong together.
      var sides: [Substring: (isOther: Bool, moves: Bool)] = [:]
      for row in rows {
        let knob = Table.rows[row]
        if knob.kind.isDiscrete {
          let stem = knob.address[..<(knob.address.lastIndex(of: "/") ?? knob.address.startIndex)]
          let side = sides[stem] ?? (generator.unit() < 0.5, generator.unit() < amount)
          sides[stem] = side
          if side.moves { sound[knob] = side.isOther ? other[knob] : one[knob] }
        } else {
          let faders = [patch, one, other].map { knob.kind.fader(value: $0[knob]) }
          let goal = faders[1] + (faders[2] - faders[1]) * generator.unit()
          move(&sound, row, to: faders[0] + (goal - faders[0]) * amount)
        }
      }
    }
    RandomRules.settle(&sound, rows)
    return sound
  }

  private func move(_ sound: inout Patch, _ row: Int, to fader: Float) {
    let knob = Table.rows[row]
    if let value = knob.kind.value(fader: fader) { sound[knob] = value }
  }
}
