import Parameters
import Scenes
import Synth

/// A move of a knob of a sound, and other knobs that make it audible.
public struct KnobMove: CustomStringConvertible, Sendable {
  /// The address of the moved knob.
  public let address: String
  /// The value at the start, in the unit of the scene.
  public let from: Float
  /// The value at the end, in the unit of the scene.
  public let to: Float
  /// The knobs that make the move audible, with their values.
  public let others: [(String, Float)]
  /// True if the move also changes the mean of the tone: then components near 0 Hz belong to the tone.
  public let movesMean: Bool
  public var description: String {
    "\(address) \(from)...\(to)" + others.map { " \($0.0) \($0.1)" }.joined()
  }

  public init(
    _ address: String, _ from: Float, _ to: Float, _ others: [(String, Float)] = [], movesMean: Bool = false
  ) {
    (self.address, self.from, self.to, self.others) = (address, from, to, others)
    self.movesMean = movesMean
  }

  /// The row of the knob in the table.
  public var row: Int { Table.rows.firstIndex { $0.address == address } ?? 0 }

  /// A move of each continuous knob of a sound that neither changes the pitch nor adds noise.
  public static let all: [KnobMove] =
    chosen
    + derived(
      Table.rows,
      besides: Set((chosen + effects).map(\.address) + (without + effectsWithout).flatMap(\.addresses)))

  // Moves of knobs that need others to be audible, or move in a particular range.
  private static let chosen: [KnobMove] = [
    oscillators(1), oscillators(2), oscillators(3), mixer, filter, envelope("/amp", []),
    envelope("/filter", [("/filter/cutoff", 500), ("/filter/amount", 4)]),
    envelope("/env/3", slot(8, "envelope-3", "amp-level", 0.5)), lfo("/lfo/1", [("/lfo/1/level", 0.5)]),
    lfo("/lfo/2", slot(8, "lfo-2", "amp-level", 0.25)), lfo("/lfo/3", slot(8, "lfo-3", "amp-level", 0.25)),
    macros, slots, steps,
  ].flatMap { $0 }

  /// Moves through the whole range of each continuous knob of a sound, besides the `known` addresses. The effect that a
  /// knob belongs to is on.
  public static func derived(_ rows: [Parameter], besides known: Set<String>) -> [KnobMove] {
    rows.compactMap { row in
      switch row.kind {
      case .linear, .exponential, .cubic: break
      case .steps, .choice, .names, .toggle: return nil
      }
      if row.field.scope != .patch || known.contains(row.address) { return nil }
      let stem = row.address.split(separator: "/").first.map { "/\($0)" } ?? ""
      let on: [(String, Float)] = rows.contains { $0.address == stem + "/on" } ? [(stem + "/on", 1)] : []
      return KnobMove(row.address, row.kind.range.lowerBound, row.kind.range.upperBound, on)
    }
  }

  /// The knobs that the chosen moves leave out, and the reasons why.
  public static let without: [(reason: String, addresses: [String])] = [
    (
      "moves the pitch",
      ["fine", "drift", "detune", "ratio", "shift"].flatMap { leaf in (1...3).map { "/osc/\($0)/\(leaf)" } }
        + ["/env/3/pitch", "/lfo/1/pitch", "/lfo/1/wheel", "/play/vintage"]
    ),
    ("makes noise", ["/noise/level", "/noise/color"]),
    (
      "acts on notes to come",
      ["/osc/1/random", "/osc/2/random", "/osc/3/random", "/play/glide", "/play/curve"]
    ),
    (
      "decides which notes are played",
      ["/arp/rate", "/arp/gate", "/arp/swing", "/arp/accent", "/arp/chance", "/chord/strum"]
    ),
  ]

  private static func oscillators(_ number: Int) -> [KnobMove] {
    let own = "/osc/\(number)/"
    let silent = (1...3).filter { $0 != number }.map { ("/osc/\($0)/level", Float(0)) }
    let alone: [(String, Float)] = silent + [(own + "level", 0.5)]
    let voices: [(String, Float)] = [(own + "unison", 7), (own + "detune", 10)]
    let pulse: [(String, Float)] = [(own + "wave", 3), ("/filter/cutoff", 1_000)]
    let unison = alone + voices
    return [
      KnobMove(own + "level", 0, 1, silent),
      KnobMove(own + "width", 0.5, 0.05, alone + pulse),
      KnobMove(own + "feedback", 0, 1, alone, movesMean: true),
      KnobMove(own + "spread", 0, 1, unison), KnobMove(own + "blend", 0, 1, unison),
    ]
  }

  private static let mixer: [KnobMove] = [
    KnobMove("/osc/1/pm", 0, 3, movesMean: true),
    KnobMove("/osc/2/pm", 0, 3, [("/osc/1/level", 0), ("/osc/2/level", 0.5)], movesMean: true),
    KnobMove("/filter/fm", 0, 3, [("/filter/cutoff", 1_500)], movesMean: true),
    KnobMove("/ring/level", 0, 1, [("/osc/1/level", 0), ("/osc/2/octave", 1)]),
    KnobMove("/sub/level", 0, 1, [("/osc/1/level", 0), ("/osc/1/octave", 1)]),
  ]

  private static let filter: [KnobMove] = [
    KnobMove("/filter/cutoff", 500, 4_000), KnobMove("/filter/cutoff", 500, 4_000, [("/filter/mode", 2)]),
    KnobMove("/filter/resonance", 0, 0.85, [("/filter/cutoff", 1_500)]),
    KnobMove("/filter/resonance", 0.6, 1, [("/filter/cutoff", 2_000)]),
    KnobMove("/filter/mode", 0, 1, [("/filter/cutoff", 1_500)]),
    KnobMove("/filter/mode", 0, 4, [("/filter/cutoff", 1_500)]), KnobMove("/filter/drive", 0, 24),
    KnobMove("/filter/drive", 0, 24, [("/filter/mode", 0.5), ("/filter/cutoff", 3_000)]),
    KnobMove("/filter/highpass", 20, 2_000), KnobMove("/filter/highpass", 20, 100),
    KnobMove("/filter/track", 0, 1, [("/filter/cutoff", 500)]),
    KnobMove("/filter/amount", 0, 3, [("/filter/cutoff", 500), ("/filter/sustain", 1)]),
    KnobMove("/filter/velocity", 0, 4, [("/filter/cutoff", 500)]), KnobMove("/amp/level", -20, 0),
  ]

  /// Knobs of an envelope other than the sustain must be inaudible while it holds. The sustain moves at the speed of
  /// the decay.
  private static func envelope(_ stem: String, _ others: [(String, Float)]) -> [KnobMove] {
    let sustain: [(String, Float)] = [(stem + "/sustain", 0.5)]
    let held = others + sustain
    let ways: [(String, Float, Float)] = [
      ("/attack", 0.001, 10), ("/decay", 0.005, 20), ("/release", 0.005, 20), ("/delay", 0, 10),
      ("/hold", 0, 10),
      ("/curve", -1, 1), ("/speed", -4, 4), ("/sustain", 0.1, 1),
    ]
    return ways.map { KnobMove(stem + $0.0, $0.1, $0.2, held) }
  }

  /// Moves of an LFO that hardly moves, except when its rate changes.
  private static func lfo(_ stem: String, _ others: [(String, Float)]) -> [KnobMove] {
    let slow: [(String, Float)] = [(stem + "/rate", 0.02), (stem + "/phase", 0.25)]
    let shared: [(String, Float)] = [(stem + "/mode", 2), (stem + "/rate", 0.02)]
    return [
      KnobMove(stem + "/rate", 0.5, 40, others), KnobMove(stem + "/phase", 0, 0.25, others + slow),
      KnobMove(stem + "/phase", 0, 0.75, others + shared),
      KnobMove(stem + "/delay", 0, 1, others + slow), KnobMove(stem + "/fade", 0, 10, others + slow),
    ]
  }

  /// Depths that every sound has, and the macros.
  private static let macros: [KnobMove] = [
    KnobMove(
      "/lfo/1/cutoff", 0, 3, [("/filter/cutoff", 500), ("/lfo/1/rate", 0.02), ("/lfo/1/phase", 0.25)]),
    KnobMove("/lfo/1/level", 0, 1, [("/lfo/1/rate", 0.02), ("/lfo/1/phase", 0.75)]),
    KnobMove("/macro/1", 0, 1, slot(8, "macro-1", "amp-level", -0.9)),
    KnobMove("/macro/2", 0, 1, slot(8, "macro-2", "amp-level", -0.9)),
    KnobMove("/macro/3", 0, 1, slot(8, "macro-3", "amp-level", -0.9)),
    KnobMove("/macro/4", 0, 1, slot(8, "macro-4", "amp-level", -0.9)),
  ]

  private static let slots: [KnobMove] = (1...Limits.slots).map {
    KnobMove("/mod/\($0)/amount", 0, -0.9, slot($0, "constant", "amp-level", 0))
  }

  private static let steps: [KnobMove] = (1...16).map {
    KnobMove(
      "/lfo-steps/\($0)", 0, 0.9,
      slot(8, "lfo-2", "amp-level", -1) + [
        ("/lfo/2/wave", Float(LFOWave.allCases.firstIndex(of: .steps) ?? 0)), ("/lfo/2/rate", 0.02),
        ("/lfo/2/phase", (Float($0) - 0.9) / 16),
      ])
  }

  private static func slot(
    _ number: Int, _ source: String, _ target: String, _ amount: Float
  ) -> [(String, Float)] {
    [
      ("/mod/\(number)/source", Float(ModulationSource.names.firstIndex(of: source) ?? 0)),
      ("/mod/\(number)/target", Float(ModulationTarget.names.firstIndex(of: target) ?? 0)),
      ("/mod/\(number)/amount", amount),
    ]
  }
}
