import Parameters

/// Knobs that are shown together, whose addresses begin with the same words. An envelope is a separate section.
struct KnobSection {
  /// The beginning of the addresses, as `/filter`; empty for the mixer strip of a part.
  let stem: String
  let kind: Kind
  /// Its rows, in the order of the table.
  let rows: [Parameter]

  /// All sections; each row of the table is in one.
  static let all: [KnobSection] = {
    var stems: [String] = []
    for row in Table.rows where !stems.contains(row.stem) { stems.append(row.stem) }
    return stems.flatMap { stem in
      let rows = Table.rows.filter { $0.stem == stem }
      let envelope = stages.compactMap { stage in rows.first { $0.leaf == stage } }
      if envelope.count < stages.count {
        let kind: Kind = stem == "/arp" ? .modes : .unison
        let leaves = stem == "/arp" ? modes : stem.hasPrefix("/osc/") ? details : []
        let others = leaves.compactMap { leaf in rows.first { $0.leaf == leaf } }
        let plain = rows.filter { row in !others.contains { $0.address == row.address } }
        return [
          KnobSection(stem: stem, kind: .plain, rows: plain),
          KnobSection(stem: stem, kind: kind, rows: others),
        ].filter { !$0.rows.isEmpty }
      }
      let more = rows.filter { turns.contains($0.leaf) }
      let rest = rows.filter { !stages.contains($0.leaf) && !turns.contains($0.leaf) }
      return [
        KnobSection(stem: stem, kind: .plain, rows: rest),
        KnobSection(stem: stem, kind: .envelope, rows: envelope + more),
      ].filter { !$0.rows.isEmpty }
    }
  }()

  /// The kind of a section: its share of the rows whose addresses have one stem.
  enum Kind {
    case plain
    /// The rows of an envelope: attack, decay, sustain and release first.
    case envelope
    /// The less common rows of an oscillator: unison and phase.
    case unison
    /// The choices of the arpeggiator that have few names.
    case modes
  }

  private static let details = [
    "unison", "detune", "spread", "blend", "random", "drift", "feedback", "ratio", "shift", "pm", "sync",
  ]
  private static let modes = ["order", "velocity", "start", "retrigger", "latch", "pedal"]
  private static let stages = ["attack", "decay", "sustain", "release"]
  private static let turns = ["delay", "hold", "curve", "speed", "loop", "retrigger"]

  /// The heading.
  var title: String {
    if let band = KnobSection.bands[stem] { return band }
    let words = stem.split(separator: "/").filter { $0 != "master" }.map {
      KnobSection.words[String($0)] ?? $0.uppercased()
    }
    let more: [String] =
      switch kind {
      case .plain: []
      case .envelope: stem == "/env/3" ? [] : ["ENVELOPE"]
      case .unison: ["UNISON"]
      case .modes: ["MODES"]
      }
    return (words + more).joined(separator: " ")
  }

  private static let bands = [
    "/eq/low": "LOW SHELF", "/eq/1": "BELL 1", "/eq/2": "BELL 2", "/eq/3": "BELL 3", "/eq/high": "HIGH SHELF",
  ]
  private static let words = [
    "osc": "OSCILLATOR", "amp": "AMPLIFIER", "sub": "SUB OSCILLATOR", "ring": "RING", "noise": "NOISE",
    "eq": "EQUALIZER", "key": "KEYS", "hear": "HEARS", "env": "ENVELOPE",
    "macro": "MACROS", "arp": "ARPEGGIATOR", "rack": "EFFECTS", "lfo-steps": "LFO STEPS",
  ]

  /// The colour of each kind of section; those not listed are effects.
  var color: Color {
    switch stem.split(separator: "/").first {
    case "osc", "ring", "sub", "noise": .amber
    case "filter", "morph": .cyan
    case "amp", "arp", "chord", "sequence": .coral
    case "lfo", "lfo-steps", "tempo": .violet
    case "env": .pink
    case "play", "macro": .green
    case "key", "velocity", "hear", "click": .silver
    case "mod": .violet
    default: stem.isEmpty || stem == "/master" ? .silver : .pink
    }
  }

  /// Its page; the page of effects for unknown sections.
  var page: PageKind {
    switch stem {
    case "/osc/1", "/osc/2", "/osc/3", "/ring", "/sub", "/noise": .oscillators
    case "/filter", "/amp": .filter
    case "/lfo/1", "/lfo/2", "/lfo/3", "/lfo-steps", "/env/3", "/tempo": .modulation
    case "/arp", "/arp/step", "/chord", "/sequence": .arp
    case "/play", "/macro": .play
    case "", "/master": .mixer
    case "/key", "/velocity", "/hear": .parts
    case "/master/eq", "/click": .master
    case "/morph": .stage
    default: stem.hasPrefix("/mod/") ? .matrix : .effects
    }
  }

  enum PageKind {
    case oscillators, filter, modulation, matrix, effects, arp, master, mixer, parts, play, stage
  }

  /// The section of a kind whose addresses begin with `stem`; nil if there is none.
  static func named(_ stem: String, _ kind: Kind = .plain) -> KnobSection? {
    all.first { $0.stem == stem && $0.kind == kind }
  }

  /// The section of a row.
  static func of(_ row: Parameter) -> KnobSection? {
    all.first { $0.rows.contains { $0.address == row.address } }
  }

  /// The sections of a page.
  static func of(_ page: PageKind) -> [KnobSection] { all.filter { $0.page == page } }
}

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
