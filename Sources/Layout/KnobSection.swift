import Parameters

/// Knobs that are shown together: those whose addresses begin alike; an envelope is a section of its own.
struct KnobSection {
  /// How the addresses begin, as `/filter`; empty for the mixer strip of a part.
  let stem: String
  /// Whether the rows are those of an envelope, attack, decay, sustain and release first.
  let isEnvelope: Bool
  /// Whether the rows are those of an oscillator that fewer sounds need: its unison, and how its phase goes.
  var isDetail = false
  /// In the order of the table.
  let rows: [Row]

  /// All sections; each row of the table is in one.
  static let all: [KnobSection] = {
    var stems: [String] = []
    for row in Table.rows where !stems.contains(row.stem) { stems.append(row.stem) }
    return stems.flatMap { stem in
      let rows = Table.rows.filter { $0.stem == stem }
      let envelope = stages.compactMap { stage in rows.first { $0.leaf == stage } }
      if envelope.count < stages.count {
        let details = stem.hasPrefix("/osc/") ? rows.filter { Self.details.contains($0.leaf) } : []
        let plain = rows.filter { row in !details.contains { $0.address == row.address } }
        return [
          KnobSection(stem: stem, isEnvelope: false, rows: plain),
          KnobSection(stem: stem, isEnvelope: false, isDetail: true, rows: details),
        ].filter { !$0.rows.isEmpty }
      }
      let more = rows.filter { turns.contains($0.leaf) }
      let rest = rows.filter { !stages.contains($0.leaf) && !turns.contains($0.leaf) }
      return [
        KnobSection(stem: stem, isEnvelope: false, rows: rest),
        KnobSection(stem: stem, isEnvelope: true, rows: envelope + more),
      ].filter { !$0.rows.isEmpty }
    }
  }()

  private static let details = [
    "random", "drift", "feedback", "unison", "detune", "spread", "blend", "pm", "sync",
  ]
  private static let stages = ["attack", "decay", "sustain", "release"]
  private static let turns = ["delay", "hold", "curve", "speed", "loop", "retrigger"]

  /// The heading.
  var title: String {
    let words = stem.split(separator: "/").filter { $0 != "master" }.map {
      KnobSection.words[String($0)] ?? $0.uppercased()
    }
    return (words + (isEnvelope && stem != "/env3" ? ["ENVELOPE"] : isDetail ? ["UNISON"] : [])).joined(
      separator: " ")
  }

  private static let words = [
    "osc": "OSCILLATOR", "amp": "AMPLIFIER", "sub": "SUB OSCILLATOR", "ring": "RING", "noise": "NOISE",
    "eq": "EQUALIZER", "env3": "ENVELOPE 3", "lfo2": "LFO 2",
  ]

  /// One colour for each kind of section; what is not listed here is an effect.
  var color: Color {
    switch stem.split(separator: "/").first {
    case "osc", "ring", "sub", "noise": .amber
    case "filter": .cyan
    case "amp": .coral
    case "lfo", "lfo2": .violet
    case "env3": .pink
    case "play", "macro": .green
    case "mod": .violet
    default: stem.isEmpty || stem == "/master" ? .silver : .pink
    }
  }

  /// The page that it stands on. What no page expects stands with the effects.
  var page: PageKind {
    switch (stem, isEnvelope) {
    case ("/osc/1", false) where isDetail, ("/osc/2", false) where isDetail: .oscillators
    case ("/ring", false), ("/sub", false), ("/noise", false): .oscillators
    case ("/osc/1", false), ("/osc/2", false), ("/filter", _), ("/amp", _), ("/lfo", false): .sound
    case ("/play", false): .play
    case ("/env3", _), ("/lfo2", false): .modulation
    case ("/macro", false): .matrix
    case (let stem, false) where stem.hasPrefix("/mod/"): .matrix
    case ("", false), ("/master", false): .mixer
    default: .effects
    }
  }

  enum PageKind { case sound, oscillators, modulation, matrix, effects, mixer, play }

  /// The sections of a page.
  static func of(_ page: PageKind) -> [KnobSection] { all.filter { $0.page == page } }
}
