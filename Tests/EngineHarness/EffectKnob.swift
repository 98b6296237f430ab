import Parameters
import Synth

/// A knob of an effect as it is moved to be measured: its row, the knobs that make it heard, and the values between which it
/// goes. All of them come from the table, so that none is forgotten.
public struct EffectKnob: CustomStringConvertible, Sendable {
  public let row: Int
  public let others: [(String, Float)]
  /// The ends of one that is turned, all values of one that is switched.
  public let values: [Float]
  /// True when what it moves swings, so that it is loud now and then.
  public var swings: Bool { address.hasPrefix("/chorus/") }
  /// True when it takes a while until the sound is what it stays: echoes, or a room.
  public var rings: Bool { address.hasPrefix("/delay/") || address.hasPrefix("/reverb/") }
  /// Values that are loudest for `KnobExcess.hertz`: of a frequency that itself, of a delay a whole number of its periods.
  public var loudest: [Float] {
    switch address {
    case "/delay/time": [Self.inPhase]
    // All phases: those of its even places are one.
    case "/reverb/predelay": [0.001, 0.002, 0.003, 0.004]
    case "/chorus/on", "/chorus/depth", "/chorus/rate": [1]
    case "/chorus/mix": [0.5]
    case "/chorus/mode": [3]
    case _ where Table.rows[row].kind.unit == .hertz: [KnobExcess.hertz]
    default: []
    }
  }
  private static let inPhase: Float = 2 / KnobExcess.hertz
  public var address: String { Table.rows[row].address }
  public var description: String { address + others.dropFirst().map { " \($0.0) \($0.1)" }.joined() }
  /// True when it is switched, not turned.
  public var isSwitched: Bool { Table.rows[row].kind.isDiscrete }

  /// Every knob of every effect.
  public static let all: [EffectKnob] = knobs { $0[0] }

  /// The same among all sets of knobs that make them heard: each curve of the drive, each mode of the chorus.
  public static let allWays: [EffectKnob] =
    sets.values.map(\.count).max().map { most in
      (0..<most).flatMap { way in knobs { $0.count > way ? $0[way] : nil } }
    } ?? []

  /// The first words of the addresses, and what makes an effect heard. Only what is the same for all comes first: that it is on.
  private static let sets: [String: [[(String, Float)]]] = [
    "drive": (0..<4).map { shape in
      [("/drive/on", 1), ("/drive/shape", Float((shape + 1) % 4)), ("/drive/gain", 18)]
    },
    "eq": [[("/eq/on", 1), ("/eq/mix", 1)]],
    "chorus": [0, 3].map { [("/chorus/on", 1), ("/chorus/mode", $0)] },
    "delay": [0, 1].map {
      [("/delay/on", 1), ("/delay/change", $0), ("/delay/time", inPhase), ("/delay/mix", 0.5)]
    },
    "reverb": [[("/reverb/on", 1), ("/reverb/decay", 0.2), ("/reverb/mix", 0.5)]],
  ]

  private static func knobs(_ set: ([[(String, Float)]]) -> [(String, Float)]?) -> [EffectKnob] {
    Table.rows.indices.compactMap { row in
      let (address, kind) = (Table.rows[row].address, Table.rows[row].kind)
      let words = address.split(separator: "/").map(String.init)
      guard let sets = sets[words[0]], var others = set(sets) else { return nil }
      // A band of the equalizer is heard when it is not at 0 dB.
      if words.count == 3 { others.append(("/eq/\(words[1])/gain", 12)) }
      others.removeAll { $0.0 == address }
      let range = kind.range
      let values =
        kind.isDiscrete
        ? (0...Int(range.upperBound)).map(Float.init) : [range.lowerBound, range.upperBound]
      return EffectKnob(row: row, others: others, values: values)
    }
  }
}
