import Parameters

/// Rows of the table that belong together: those whose addresses begin alike, and an envelope for itself.
struct Section {
  /// What the addresses begin with, as `/filter`; empty for the strip of a part.
  let stem: String
  /// Four rows: attack, decay, sustain and release.
  let isEnvelope: Bool
  /// In the order of the table.
  let rows: [Row]

  /// Every row of the table is in one of these.
  static let all: [Section] = {
    var stems: [String] = []
    for row in Table.rows where !stems.contains(row.stem) { stems.append(row.stem) }
    return stems.flatMap { stem in
      let rows = Table.rows.filter { $0.stem == stem }
      let envelope = stages.compactMap { stage in rows.first { $0.leaf == stage } }
      if envelope.count < stages.count { return [Section(stem: stem, isEnvelope: false, rows: rows)] }
      let rest = rows.filter { !stages.contains($0.leaf) }
      return [
        Section(stem: stem, isEnvelope: false, rows: rest),
        Section(stem: stem, isEnvelope: true, rows: envelope),
      ].filter { !$0.rows.isEmpty }
    }
  }()

  private static let stages = ["attack", "decay", "sustain", "release"]

  /// What stands over it.
  var title: String {
    let words = stem.split(separator: "/").filter { $0 != "master" }.map {
      Section.words[String($0)] ?? $0.uppercased()
    }
    return (words + (isEnvelope ? ["ENVELOPE"] : [])).joined(separator: " ")
  }

  private static let words = ["osc": "OSCILLATOR", "amp": "AMPLIFIER", "eq": "EQUALIZER"]

  /// The same for the same thing everywhere; what is new is an effect.
  var color: Color {
    switch stem.split(separator: "/").first {
    case "osc": .amber
    case "filter": .cyan
    case "amp": .coral
    case "lfo": .violet
    case "play": .green
    default: stem.isEmpty || stem == "/master" ? .silver : .pink
    }
  }

  /// The page that it stands on. What no page expects stands with the effects.
  var home: Home {
    switch (stem, isEnvelope) {
    case ("/osc/1", false), ("/osc/2", false), ("/filter", _), ("/amp", _), ("/lfo", false): .sound
    case ("/play", false): .play
    case ("", false), ("/master", false): .mixer
    default: .effects
    }
  }

  enum Home { case sound, effects, mixer, play }

  /// All of a page.
  static func of(_ home: Home) -> [Section] { all.filter { $0.home == home } }
}

extension Row {
  /// The address without its last word.
  var stem: String { String(address[..<(address.lastIndex(of: "/") ?? address.endIndex)]) }
  /// The last word of the address.
  var leaf: String { String(address[(address.lastIndex(of: "/") ?? address.startIndex)...].dropFirst()) }

  /// How wide its fader is beside the others: what a player reaches for first is largest.
  var weight: Double {
    switch address {
    case "/filter/cutoff": 2.2
    case "/filter/resonance": 1.4
    default: 1
    }
  }

  /// Whether it is what a player looks for first.
  var isMain: Bool { weight > 2 }

  /// The word for it on the glass.
  var caption: String { Row.captions[address] ?? leaf.uppercased() }

  // Where the last word of the address is too long, or says too little.
  private static let captions = [
    "/play/bend": "BEND RANGE", "/osc/1/semitone": "SEMI", "/osc/2/semitone": "SEMI",
  ]

  /// The most letters that its value takes as text.
  var letters: Int {
    let (low, high) = (kind.range.lowerBound, kind.range.upperBound)
    return [low, high, initial, (low + high) / 2].map { kind.text(value: $0).count }.max() ?? 0
  }
}
