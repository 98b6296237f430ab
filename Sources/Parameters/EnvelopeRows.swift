import Synth

// The knobs of the three envelopes, which have equal rows.

extension Table {
  private static let attack = Kind.exponential(0.001...10, .seconds)
  private static let fall = Kind.exponential(0.005...20, .seconds)
  private static let wait = Kind.cubic(0...10, .seconds)

  /// The initial stages of an envelope, and the controllers of its knobs.
  private struct Start {
    let attack: Float
    let sustain: Float
    var controllers: [UInt8?] = [nil, nil, nil, nil]
  }

  /// The rows of all envelopes.
  static let envelopes: [Parameter] =
    rows("/filter", \.filter.envelope, "the filter's envelope", Start(attack: 0.001, sustain: 0))
    + rows(
      "/amp", \.amplifier.envelope, "the sound's envelope",
      Start(attack: 0.003, sustain: 1, controllers: [73, 75, 79, 72]))
    + [
      knob(
        "/env/3/pitch", path(\.envelope3.pitch), .linear(-48...48, .semitones), 0,
        "Depth of the third envelope on the pitch.")
    ] + rows("/env/3", \.envelope3.envelope, "the third envelope", Start(attack: 0.001, sustain: 0))

  private static func rows(
    _ stem: String, _ knobs: WritableKeyPath<Patch, EnvelopeKnobs>, _ name: String, _ start: Start
  ) -> [Parameter] {
    func row(
      _ leaf: String, _ field: WritableKeyPath<EnvelopeKnobs, Float>, _ kind: Kind, _ initial: Float,
      cc controller: UInt8? = nil, _ about: String
    ) -> Parameter {
      knob(stem + "/" + leaf, path(knobs.appending(path: field)), kind, initial, cc: controller, about)
    }
    let cc = start.controllers
    return [
      row("attack", \.attack, attack, start.attack, cc: cc[0], "Time for \(name) to reach its peak."),
      row(
        "decay", \.decay, fall, 0.5, cc: cc[1],
        "Time for \(name) to fall by 60 dB towards its sustain level."),
      row("sustain", \.sustain, percent, start.sustain, cc: cc[2], "Level of \(name) while the key is held."),
      row(
        "release", \.release, fall, 0.3, cc: cc[3],
        "Time for \(name) to fall by 60 dB after the key is released."),
      row("delay", \.delay, wait, 0, "Time before \(name) begins."),
      row("hold", \.hold, wait, 0, "Time for which \(name) stays at its peak."),
      row(
        "curve", \.curve, .linear(-1...1, .percent), 0,
        "Curve of \(name): -50 linear, 0 analogue, above 0 steeper."),
      row(
        "speed", \.speed, .linear(-4...4, .octaves), 0,
        "Depth of velocity on the speed of \(name)."),
      row("loop", \.loop, .toggle, 0, "Whether \(name) repeats while the key is held."),
      row(
        "retrigger", \.retrigger, .toggle, 1, "Whether a legato note restarts \(name)."),
    ]
  }
}
