import Parameters
import Scenes
import Synth

/// A knob of an effect, prepared for measurement: its row, the knobs that make it audible, and the values between
/// which it moves. They come from the table, so that none is forgotten.
public struct EffectKnob: CustomStringConvertible, Sendable {
  /// The index in `Table.rows`.
  public let row: Int
  /// The knobs that make the measured knob audible, with their values.
  public let others: [(String, Float)]
  /// The two ends of a continuous knob, or all values of a switch.
  public let values: [Float]
  /// True if the output level of the effect oscillates.
  public var swings: Bool {
    ["/chorus/", "/phaser/", "/flanger/", "/rotary/"].contains { address.hasPrefix($0) }
  }
  /// True if the sound needs time to become steady: echoes, or a reverb.
  public var rings: Bool { ["/delay/", "/reverb/", "/rack/"].contains { address.hasPrefix($0) } }
  /// The loudest values for a tone of `KnobExcess.hertz`: this frequency, or a delay of a whole number of its
  /// periods.
  public var loudest: [Float] {
    switch address {
    case "/delay/time": [Self.inPhase]
    // Several phases, because all evenly spaced values have one phase.
    case "/reverb/predelay": [0.001, 0.002, 0.003, 0.004]
    case "/chorus/on", "/chorus/depth", "/chorus/rate": [1]
    case "/chorus/mix": [0.5]
    case "/chorus/mode": [3]
    // The level changes in the course of a sweep.
    case "/phaser/frequency": values + [KnobExcess.hertz]
    // One and two periods.
    case "/flanger/delay": values + [1 / KnobExcess.hertz, 2 / KnobExcess.hertz]
    case _ where ["/phaser/", "/flanger/", "/rotary/"].contains { address.hasPrefix($0) }:
      values + [Table.rows[row].initial]
    case _ where Table.rows[row].kind.unit == .hertz: [KnobExcess.hertz]
    default: []
    }
  }
  private static let inPhase: Float = 2 / KnobExcess.hertz
  public var address: String { Table.rows[row].address }
  public var description: String { address + others.dropFirst().map { " \($0.0) \($0.1)" }.joined() }
  /// True for a switch, false for a continuous knob.
  public var isSwitched: Bool { Table.rows[row].kind.isDiscrete }

  /// Every knob of every effect.
  public static let all: [EffectKnob] = knobs { $0[0] }

  /// Every knob with each set of other knobs that makes it audible: each curve of the drive, each mode of the chorus.
  public static let allWays: [EffectKnob] =
    sets.values.map(\.count).max().map { most in
      (0..<most).flatMap { way in knobs { $0.count > way ? $0[way] : nil } }
    } ?? []

  /// The first words of the addresses, and the knobs that make an effect audible, where more than its switch must be
  /// set. The switch comes first, because it is equal in all sets.
  private static let sets: [String: [[(String, Float)]]] = [
    "drive": (0..<5).map { shape in
      [("/drive/on", 1), ("/drive/shape", Float((shape + 1) % 5)), ("/drive/gain", 18)]
    },
    "eq": [[("/eq/on", 1), ("/eq/mix", 1)]],
    "compressor": [
      [("/compressor/on", 1), ("/compressor/threshold", -30), ("/compressor/release", 0.02)]
    ],
    "phaser": [[("/phaser/on", 1), ("/phaser/rate", 2), ("/phaser/feedback", 0.6)]],
    "flanger": [[("/flanger/on", 1), ("/flanger/rate", 2), ("/flanger/feedback", 0.6)]],
    "rotary": [[("/rotary/on", 1), ("/rotary/speed", 2)]],
    "chorus": [0, 3].map { [("/chorus/on", 1), ("/chorus/mode", $0)] },
    "delay": [0, 1].map {
      [("/delay/on", 1), ("/delay/change", $0), ("/delay/time", inPhase), ("/delay/mix", 0.5)]
    },
    "reverb": [[("/reverb/on", 1), ("/reverb/decay", 0.2), ("/reverb/mix", 0.5)]],
    "rack": [
      [
        ("/eq/on", 1), ("/eq/1/gain", 6), ("/delay/on", 1), ("/delay/time", inPhase), ("/drive/on", 1),
        ("/drive/gain", 12),
      ]
    ],
  ]

  private static func knobs(_ set: ([[(String, Float)]]) -> [(String, Float)]?) -> [EffectKnob] {
    Table.rows.indices.compactMap { row in
      let (address, kind) = (Table.rows[row].address, Table.rows[row].kind)
      let words = address.split(separator: "/").map(String.init)
      let effect = RackEffect.all.first { $0.name == words[0] }
      guard let sets = sets[words[0]] ?? effect.map({ [$0.knobs] }), var others = set(sets) else {
        return nil
      }
      // A band of the equalizer is audible if its gain is not 0 dB.
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
