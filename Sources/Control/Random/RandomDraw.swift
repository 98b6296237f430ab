import Glibc
import Parameters
import Scenes

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

/// The rules of random sounds: the knobs that are never drawn, and the limits of every drawn sound.
enum RandomRules {
  /// Knobs that are never drawn: the level; the bend range and the play mode, on which the player relies; vintage,
  /// which detunes voices; and the freeze of the reverb, which holds a sound for ever.
  private static let kept: Set<String> = [
    "/amp/level", "/play/bend", "/play/mode", "/play/vintage", "/reverb/freeze",
  ]
  /// The tuning of the oscillators, by the last words of the addresses.
  private static let tuning: Set<String> = ["octave", "semitone", "fine", "ratio", "shift"]

  /// The rows of a section, or of the whole sound, that are drawn while the sections in `locked` are locked.
  static func rows(of section: SoundSection?, locked: Set<String> = []) -> [Int] {
    let free = SoundSection.base.filter {
      !SoundSection.ofNotes.contains($0.name) && !locked.contains($0.name)
    }
    let rows = free.flatMap { $0.knobs.map(\.row) }.filter { row in
      let address = Table.rows[row].address
      return !kept.contains(address)
        && !(address.split(separator: "/").last.map { tuning.contains("\($0)") } ?? false)
    }
    guard let section else { return rows }
    let own = Set(section.knobs.map(\.row))
    return rows.filter(own.contains)
  }

  // Limits of drawn sounds.
  private static let leastSource: Float = 0.5
  private static let longestAttack: Float = 1.99
  private static let lowestCutoff: Float = 201
  private static let mostFeedback: Float = 0.79

  /// Moves the knobs of `rows` that are outside the limits into them: a source at 50 % or more, an attack under 2 s,
  /// a cutoff over 200 Hz, and feedbacks under 80 %.
  static func settle(_ sound: inout Patch, _ rows: [Int]) {
    for row in rows {
      let knob = Table.rows[row]
      if knob.address == "/amp/attack" { sound[knob] = min(sound[knob], longestAttack) }
      if knob.address == "/filter/cutoff" { sound[knob] = max(sound[knob], lowestCutoff) }
      if knob.address.hasSuffix("/feedback") { sound[knob] = min(sound[knob], mostFeedback) }
    }
    let drawn = Set(rows)
    let levels = sources.map { (row: $0, level: sound[Table.rows[$0]]) }
    let loudest = levels.filter { drawn.contains($0.row) }.max { $0.level < $1.level }
    guard let loudest, levels.allSatisfy({ $0.level < leastSource }) else { return }
    sound[Table.rows[loudest.row]] = leastSource
  }

  private static let sources: [Int] = Table.rows.indices.filter {
    ["/osc/1/level", "/osc/2/level", "/osc/3/level", "/sub/level", "/noise/level"].contains(
      Table.rows[$0].address)
  }
}

/// Random numbers that follow from a seed: SplitMix64 by Sebastiano Vigna.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// A generator that starts from a seed.
  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number of 0..<1.
  mutating func unit() -> Float { Float.random(in: 0..<1, using: &self) }

  /// A number of the normal distribution with mean 0 and deviation 1, by the method of Box and Muller.
  mutating func normal() -> Float {
    let (one, other) = (1 - unit(), unit())
    return sqrt(-2 * log(one)) * cos(2 * .pi * other)
  }
}
