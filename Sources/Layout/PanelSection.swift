import Parameters

/// A section of the panel in a browser: knobs that are shown together, in three ranks by how often they are turned.
public struct PanelSection: Sendable {
  /// A picture of the sound that a section draws from its knobs.
  public enum Picture: String, Sendable {
    case wave, filter, envelope, lfo, drive, eq, compressor, phaser, flanger, chorus, rotary
    case delay, reverb, rhythm
  }

  /// A page of the panel.
  public enum Page: String, Sendable {
    case oscillators, filter, modulation, matrix, effects, arp, play, mixer, parts, master
  }

  /// A word that identifies it.
  public let id: String
  /// The heading.
  public let title: String
  // The beginning of its addresses.
  fileprivate let stem: String
  /// The name of its colour in `Color`.
  public let hue: String
  /// Its page.
  public let page: Page
  /// Its picture; nil if it has none.
  public let picture: Picture?
  /// Its width and height on a wide screen, in twelfths of the width, and in rows.
  public let span: (width: Int, height: Int)
  /// The address of the knob that switches it on; nil if it always is.
  public private(set) var `switch`: String?
  /// The addresses of its knobs in three ranks: the most turned, the usual and the seldom turned.
  public private(set) var ranks: [[String]]

  /// All addresses, with the switch.
  public var addresses: [String] { (self.switch.map { [$0] } ?? []) + ranks.flatMap { $0 } }

  fileprivate init(
    _ id: String, _ title: String, _ hue: String, _ page: Page, _ stem: String, picture: Picture? = nil,
    _ most: String, _ usual: String = "", _ seldom: String = "", switch leaf: String? = nil,
    span: (Int, Int) = (3, 1)
  ) {
    (self.id, self.title, self.stem, self.hue) = (id, title, stem, hue)
    (self.page, self.picture, self.span) = (page, picture, span)
    self.switch = leaf.map { stem + "/" + $0 }
    ranks = [most, usual, seldom].map { words in words.split(separator: " ").map { stem + "/" + $0 } }
  }
}

extension PanelSection {
  private static let stages = "attack decay sustain release"
  private static let rhythm = (1...16).map { "step/\($0)" }.joined(separator: " ")
  private static let sixteen = (1...16).map { "\($0)" }.joined(separator: " ")
  private static let envelope = "delay hold curve speed loop retrigger"

  /// All sections; each knob of the table is in one, except those of the matrix.
  public static let all = listed.adding(Table.rows)

  // swift-format-ignore
  private static let listed: [PanelSection] = [
    PanelSection("osc-1", "Oscillator 1", "amber", .oscillators, "/osc/1", picture: .wave, "wave level", "table octave semitone fine width", "unison detune spread blend start random drift feedback pm ratio shift", span: (5, 3)),
    PanelSection("osc-2", "Oscillator 2", "amber", .oscillators, "/osc/2", picture: .wave, "wave level", "table octave semitone fine width", "unison detune spread blend start random drift feedback pm sync ratio shift", span: (5, 3)),
    PanelSection("osc-3", "Oscillator 3", "amber", .oscillators, "/osc/3", picture: .wave, "wave level", "table octave semitone fine width", "unison detune spread blend start random drift feedback ratio shift", span: (5, 3)),
    PanelSection("sub", "Sub oscillator", "amber", .oscillators, "/sub", "wave level", "octave", span: (2, 1)),
    PanelSection("ring", "Ring modulator", "amber", .oscillators, "/ring", "level", span: (2, 1)),
    PanelSection("noise", "Noise", "amber", .oscillators, "/noise", "level", "color", span: (2, 1)),
    PanelSection("filter", "Filter", "cyan", .filter, "/filter", picture: .filter, "cutoff resonance", "mode amount drive track", "slope character highpass velocity fm", span: (7, 2)),
    PanelSection("filter-envelope", "Filter envelope", "cyan", .filter, "/filter", picture: .envelope, stages, "", envelope, span: (5, 1)),
    PanelSection("amp", "Amplifier", "coral", .filter, "/amp", picture: .envelope, stages, "level velocity", envelope, span: (5, 1)),
    PanelSection("lfo-1", "LFO 1", "violet", .modulation, "/lfo/1", picture: .lfo, "wave rate", "sync mode pitch cutoff level", "wheel phase delay fade", span: (4, 1)),
    PanelSection("lfo-2", "LFO 2", "violet", .modulation, "/lfo/2", picture: .lfo, "wave rate", "sync mode", "phase delay fade", span: (4, 1)),
    PanelSection("lfo-3", "LFO 3", "violet", .modulation, "/lfo/3", picture: .lfo, "wave rate", "sync mode", "phase delay fade", span: (4, 1)),
    PanelSection("lfo-steps", "LFO steps", "violet", .modulation, "/lfo-steps", sixteen, span: (8, 1)),
    PanelSection("env-3", "Envelope 3", "pink", .modulation, "/env/3", picture: .envelope, stages, "pitch", envelope, span: (4, 1)),
    PanelSection("morph", "Morph", "cyan", .play, "/morph", "position from to", "time quantize", span: (5, 1)),
    PanelSection("drive", "Drive", "pink", .effects, "/drive", picture: .drive, "shape gain mix", "tilt tone", switch: "on", span: (3, 1)),
    PanelSection("eq", "Equalizer", "pink", .effects, "/eq", picture: .eq, "mix", "low/frequency low/gain 1/frequency 1/gain 1/q 2/frequency 2/gain 2/q 3/frequency 3/gain 3/q high/frequency high/gain", switch: "on", span: (6, 1)),
    PanelSection("compressor", "Compressor", "pink", .effects, "/compressor", picture: .compressor, "threshold ratio mix", "attack release source", switch: "on", span: (3, 1)),
    PanelSection("phaser", "Phaser", "pink", .effects, "/phaser", picture: .phaser, "rate depth mix", "sync frequency feedback", "stages spread", switch: "on", span: (6, 1)),
    PanelSection("flanger", "Flanger", "pink", .effects, "/flanger", picture: .flanger, "rate depth mix", "delay feedback", "spread", switch: "on", span: (6, 1)),
    PanelSection("chorus", "Chorus", "pink", .effects, "/chorus", picture: .chorus, "mode mix", "rate depth", switch: "on", span: (3, 1)),
    PanelSection("rotary", "Rotary speaker", "pink", .effects, "/rotary", picture: .rotary, "speed horn mix", "rate inertia spread", switch: "on", span: (3, 1)),
    PanelSection("delay", "Delay", "pink", .effects, "/delay", picture: .delay, "time mix", "sync feedback ratio pingpong", "highpass lowpass saturation change", switch: "on", span: (6, 1)),
    PanelSection("reverb", "Reverb", "pink", .effects, "/reverb", picture: .reverb, "decay mix", "size predelay freeze", "low high modulation width", switch: "on", span: (6, 1)),
    PanelSection("rack", "Order of the effects", "pink", .effects, "/rack", "order", span: (6, 1)),
    PanelSection("arp", "Arpeggiator", "coral", .arp, "/arp", "mode sync gate octaves", "rate swing order velocity latch pedal", "fixed accent repeat chance lock length start retrigger", switch: "on", span: (6, 2)),
    PanelSection("rhythm", "Rhythm", "coral", .arp, "/arp", picture: .rhythm, "steps", rhythm, span: (6, 2)),
    PanelSection("chord", "Chord memory", "coral", .arp, "/chord", "1 2 3 4 5 6 7", "strum", switch: "on", span: (12, 1)),
    PanelSection("sequence", "Sequence", "coral", .arp, "/sequence", "mode length", span: (12, 2)),
    PanelSection("macros", "Macros", "green", .play, "/macro", "1 2 3 4", span: (4, 1)),
    PanelSection("play", "Play", "green", .play, "/play", "mode glide", "bend curve", "priority glidemode glidewhen restrike vintage", span: (8, 1)),
    PanelSection("strip", "Part", "silver", .mixer, "", "level pan", "mute channel", switch: "on"),
    PanelSection("keys", "Keys", "silver", .parts, "/key", "low high", "transpose"),
    PanelSection("velocity", "Velocity", "silver", .parts, "/velocity", "low high", "curve dynamics"),
    PanelSection("hears", "Hears", "silver", .parts, "/hear", "bend wheel pedal pressure program"),
    PanelSection("master", "Master", "silver", .master, "/master", "level tune"),
    PanelSection("tempo", "Tempo", "violet", .master, "", "tempo"),
    PanelSection("click", "Click", "silver", .master, "/click", "level beats", "count-in output record", switch: "on"),
    PanelSection("master-eq", "Master equalizer", "silver", .master, "/master/eq", picture: .eq, "frequency gain q", switch: "bypass"),
  ]
}

extension [PanelSection] {
  /// The sections with the knobs that none of them lists. Such a knob is added to the section of its address as a
  /// seldom one or, if there is no such section, to a new one on the page of effects.
  func adding(_ rows: [Parameter]) -> [PanelSection] {
    var sections = self
    let known = Set(flatMap(\.addresses))
    for row in rows where !known.contains(row.address) && !row.address.hasPrefix("/mod/") {
      let index = sections.firstIndex { $0.stem == row.stem } ?? sections.count
      if index == sections.count { sections.append(PanelSection(of: row)) }
      // Seldom in a listed section, and usual in a new one, which has no other knobs.
      sections[index].add(row, rank: index < count ? 2 : 1)
    }
    return sections
  }
}

extension PanelSection {
  /// An empty section for the knobs whose addresses begin like that of a row.
  fileprivate init(of row: Parameter) {
    let words = row.stem.split(separator: "/").joined(separator: "-")
    self.init(
      words, words.prefix(1).uppercased() + words.dropFirst(), "pink", .effects, row.stem, "", span: (6, 1))
  }

  /// Adds a knob; one that switches the section on is its switch.
  fileprivate mutating func add(_ row: Parameter, rank: Int) {
    if row.leaf == "on" { self.switch = row.address } else { ranks[rank].append(row.address) }
  }
}

/// The controls of the browser's matrix beside the knobs of its slots.
public enum PanelMatrix {
  /// The number of slots.
  public static let slots = Table.rows.count { $0.address.hasPrefix("/mod/") && $0.leaf == "source" }

  /// The colour of a source: that of its section, or green for the controllers that the player moves.
  public static func hue(ofSource name: String) -> String {
    PanelSection.all.first {
      name == $0.id || name == $0.id + "-envelope" || name == "envelope-3" && $0.id == "env-3"
    }?
    .hue ?? "green"
  }

  /// The knob that a target moves; nil for a target that has no knob, as the pitch of all oscillators.
  public static func address(ofTarget name: String) -> String? {
    if let named = named[name] { return named }
    let words = name.split(separator: "-").map { $0 == "envelope" ? "env" : $0 }
    let path = "/" + words.joined(separator: "/")
    return [path, "/filter/" + name, path + "/level"].first { path in
      Table.rows.contains { $0.address == path }
    }
  }

  private static let named = [
    "pm": "/osc/1/pm", "glide-speed": "/play/glide", "osc-1-pitch": "/osc/1/fine",
    "osc-2-pitch": "/osc/2/fine", "osc-3-pitch": "/osc/3/fine",
  ]
}
