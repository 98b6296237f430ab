import Parameters

// The appearance of a knob of the table.

extension Parameter {
  /// The address without its last word.
  var stem: String {
    if address == "/tempo" { return address }
    if field.scope == .master && address.dropFirst().allSatisfy({ $0 != "/" }) { return "/master" }
    return String(address[..<(address.lastIndex(of: "/") ?? address.endIndex)])
  }
  /// The last word of the address.
  var leaf: String { String(address[(address.lastIndex(of: "/") ?? address.startIndex)...].dropFirst()) }

  /// The names of a choice; empty for other kinds.
  var choices: [String] {
    if case .choice(let names) = kind { return names }
    // A layout is the same for all players.
    if case .names(let fixed, _) = kind { return fixed }
    return []
  }

  /// The words of its radio buttons. Seven waveforms in a line of a phone leave room for eight letters.
  var radioWords: [String] { choices.map { $0 == "wavetable" ? "TABLE" : $0.uppercased() } }

  /// Whether it is a choice with few names, shown as radio buttons.
  var isRadio: Bool { !choices.isEmpty && !isGrid }

  /// Whether it is a choice with many or long names, shown as a field that opens a grid of them. The start of an
  /// oscillator is one too, beside the wavetable: a phone has no room for another line of radio buttons.
  var isGrid: Bool {
    choices.count > 8 || choices.count > 4 && choices.contains { $0.count > 12 }
      || leaf == "start" && stem.hasPrefix("/osc/")
  }

  var isToggle: Bool {
    if case .toggle = kind { return true }
    return false
  }

  /// The width of its fader relative to the others; the most used knob is widest.
  var weight: Double {
    switch (address, leaf) {
    case ("/filter/cutoff", _): 2.2
    case ("/filter/resonance", _): 1.4
    case (_, "attack"), (_, "decay"), (_, "sustain"), (_, "release"): 1.3
    default: 1
    }
  }

  /// Whether it is the most used knob of its section.
  var isMain: Bool { weight > 2 }

  /// Its name on the screen.
  var caption: String { Parameter.captions[address] ?? Parameter.words[leaf] ?? leaf.uppercased() }

  // Names for addresses whose last word is too long or too short.
  private static let captions = [
    "/play/bend": "BEND RANGE", "/tempo": "BPM", "/play/restrike": "AGAIN", "/phaser/frequency": "FREQ",
  ]
  private static let words = [
    "semitone": "SEMI", "unison": "VOICES", "random": "PHASE", "feedback": "FDBK", "highpass": "HIPASS",
    "pingpong": "PING", "threshold": "THRESH", "saturation": "SAT", "modulation": "MOD", "predelay": "PRE",
    "retrigger": "RETRIG", "glidemode": "GLIDE BY", "glidewhen": "GLIDES",
  ]

  /// The length of its longest value as text.
  var characters: Int {
    if let longest = choices.map(\.count).max() { return longest }
    let (low, high) = (kind.range.lowerBound, kind.range.upperBound)
    return [low, high, initial, (low + high) / 2].map { kind.text(value: $0).count }.max() ?? 0
  }
}
