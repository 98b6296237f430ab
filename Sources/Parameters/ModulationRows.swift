import Scenes

// The knobs of the modulation matrix: four for each slot.

extension Table {
  /// The slots of a patch, in order.
  public static var slots: [WritableKeyPath<Patch, SlotKnobs>] {
    [
      \.slot1, \.slot2, \.slot3, \.slot4, \.slot5, \.slot6, \.slot7, \.slot8,
      \.slot9, \.slot10, \.slot11, \.slot12, \.slot13, \.slot14, \.slot15, \.slot16,
    ]
  }

  /// The rows of all slots.
  static let modulation: [Parameter] = {
    // The slots share the names.
    let (sources, targets) = (Kind.choice(ModulationSource.names), Kind.choice(ModulationTarget.names))
    return slots.enumerated().flatMap { slot($0.offset, $0.element, sources, targets) }
  }()

  private static func slot(
    _ index: Int, _ slot: WritableKeyPath<Patch, SlotKnobs>, _ sources: Kind, _ targets: Kind
  ) -> [Parameter] {
    let (number, isDetail) = (index + 1, index >= 8)
    return [
      knob(
        "/mod/\(number)/source", path(slot.appending(path: \.source)), sources, 0,
        isDetail: isDetail, "Source of slot \(number)."),
      knob(
        "/mod/\(number)/target", path(slot.appending(path: \.target)), targets, 0,
        isDetail: isDetail, "Target of slot \(number). The mix of an effect follows the note struck last."),
      knob(
        "/mod/\(number)/amount", path(slot.appending(path: \.amount)), .linear(-1...1, .percent), 0,
        isDetail: isDetail, "Depth of slot \(number); 100 is the whole range of the target."),
      knob(
        "/mod/\(number)/scale", path(slot.appending(path: \.scale)), sources, 0,
        isDetail: isDetail, "Second source, multiplied with the first; off for none."),
    ]
  }
}

// The knobs of the LFOs, and the depths by which the first moves targets without the matrix.

extension Table {
  /// The rows of all LFOs.
  // swift-format-ignore
  static let lfos: [Parameter] = rows("/lfo/1", \.lfo.shape, "the first LFO", rate: 76, delay: 78) + [
    knob("/lfo/1/pitch",  path(\.lfo.pitch),  .linear(0...1_200, .cents), 0,  cc: 77, "Vibrato: depth of the first LFO on the pitch, up and down."),
    knob("/lfo/1/cutoff", path(\.lfo.cutoff), .linear(0...4, .octaves),   0,          "Depth of the first LFO on the cutoff, up and down."),
    knob("/lfo/1/level",  path(\.lfo.level),  percent,                    0,  cc: 92, "Tremolo: depth of the first LFO on the level."),
    knob("/lfo/1/wheel",  path(\.lfo.wheel),  .linear(0...200, .cents),   30,         "Vibrato that the modulation wheel adds at its maximum."),
  ] + rows("/lfo/2", \.lfo2, "the second LFO") + rows("/lfo/3", \.lfo3, "the third LFO") + lfoSteps

  private static let lfoSteps: [Parameter] = SixteenSteps.all.enumerated().map { index, step in
    let steps: WritableKeyPath<Patch, SixteenSteps> = \.lfoSteps
    // A staircase, so that the wave is audible before a step is set.
    return knob(
      "/lfo-steps/\(index + 1)", path(steps.appending(path: step)), .linear(-1...1, .percent),
      Float(index) / 7.5 - 1, isDetail: true, "Step \(index + 1) of LFOs whose wave is steps.")
  }

  private static func rows(
    _ stem: String, _ knobs: WritableKeyPath<Patch, LFOShapeKnobs>, _ name: String,
    rate: UInt8? = nil, delay: UInt8? = nil
  ) -> [Parameter] {
    func row(
      _ leaf: String, _ field: WritableKeyPath<LFOShapeKnobs, Float>, _ kind: Kind, _ initial: Float,
      cc: UInt8? = nil, _ about: String
    ) -> Parameter {
      knob(stem + "/" + leaf, path(knobs.appending(path: field)), kind, initial, cc: cc, about)
    }
    return [
      row("wave", \.wave, .choice(LFOWave.allCases.map(\.rawValue)), 0, "Waveform of \(name)."),
      row("rate", \.rate, .exponential(0.02...40, .hertz), 5, cc: rate, "Speed of \(name)."),
      row(
        "sync", \.sync, .choice(NoteLength.names), 0,
        "Period of \(name) as a note length, or off."),
      row(
        "mode", \.mode, .choice(LFOMode.allCases.map(\.rawValue)), 0,
        "Restarted by each note (voice), not restarted (free), shared (all), or one period (once)."
      ),
      row("phase", \.phase, .linear(0...1, .percent), 0, "Start phase of \(name)."),
      row("delay", \.delay, .cubic(0...10, .seconds), 0, cc: delay, "Time before \(name) begins."),
      row(
        "fade", \.fade, .cubic(0...10, .seconds), 0,
        "Time for \(name) to reach its full depth after the delay."),
    ]
  }
}

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
