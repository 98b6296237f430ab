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
