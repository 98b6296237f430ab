import Parameters
import Scenes
import Storage
import Tuning

/// The state that one recall in a show sets: the whole sound, input and mixer strip of each part, the tempo, and the
/// master equalizer. It does not hold master level, concert pitch, click, card, devices, bindings, wheels and pedals.
public struct Setup: Sendable {
  /// The eight parts.
  public var parts: [SetupPart]
  /// The tempo, beats a minute.
  public var tempo: Float
  /// The master equalizer.
  public var equalizer: EqualizerKnobs
  /// The description.
  public var about = SetupAbout()

  /// The state of a scene, without presets and with equal temperament.
  public init(_ scene: Scene) {
    parts = (0..<Limits.parts).map { SetupPart(scene[$0]) }
    (tempo, equalizer) = (scene.master.tempo, scene.master.equalizer)
  }
}

/// A part in a setup.
public struct SetupPart: Sendable {
  /// The sound, in full: a later change of its preset does not change the setup.
  public var patch: Patch
  /// The settings of the morph: its two snapshots, its time and its quantization. The position is ignored.
  public var morph: MorphKnobs
  /// Its snapshots.
  public var snapshots = Snapshots()
  /// On, channel, level, pan and mute.
  public var strip: Strip
  /// Ranges, transposition, velocity curve and the controllers that it receives.
  public var input: PartInput
  /// The preset from which the sound came; nil without one.
  public var preset: PresetReference?
  /// The tuning.
  public var tuning = TuningChoice()

  /// The sound, strip and input of a part.
  public init(_ part: Part) {
    (patch, strip, input, morph) = (part.patch, part.strip, part.input, part.morph)
  }
}

/// A preset by its name and its slot.
public struct PresetReference: Sendable, Equatable {
  /// The slot; nil for a preset outside the banks.
  public var slot: Slot?
  /// The name.
  public var name: String

  /// A reference to the preset of a name in a slot.
  public init(slot: Slot?, name: String) { (self.slot, self.name) = (slot, name) }
}

extension Library {
  /// The preset of a reference: the one of its name in its slot, or else the one of its name. Nil if it is missing.
  public func preset(of reference: PresetReference) -> Preset? {
    if let preset = reference.slot.flatMap({ self[$0] }), preset.name == reference.name { return preset }
    return named(reference.name)
  }
}

/// The description of a setup, which overwriting does not change.
public struct SetupAbout: Sendable, Equatable {
  /// The category, any word; empty without one.
  public var category = ""
  /// Notes for the player, in one or several lines.
  public var notes = ""
  /// The parts of the state that a recall leaves alone.
  public var keep = RecallExclusions()

  /// An empty description.
  public init() {}
}

/// The parts of the state that the recall of a setup leaves alone.
public struct RecallExclusions: Sendable, Equatable, CustomStringConvertible {
  /// The tempo.
  public var tempo = false
  /// Level, pan and mute of all parts, and the master equalizer.
  public var mixer = false
  /// The tunings of all parts.
  public var tuning = false
  /// Parts 0…7 that are left alone as a whole.
  public var parts: Set<Int> = []

  /// Nothing.
  public init() {}

  /// The expected words.
  public static let expected = "tempo, mixer, tuning, part 1…\(Limits.parts), with commas between"

  /// Reads words as `tempo, mixer, part 3`; nil for any other word.
  public init?(_ words: some StringProtocol) {
    for word in words.split(separator: ",") {
      let word = word.split(separator: " ").joined(separator: " ")
      switch word {
      case "": break
      case "tempo": tempo = true
      case "mixer": mixer = true
      case "tuning": tuning = true
      default:
        guard word.hasPrefix("part "), let part = Int(word.dropFirst(5)), (1...Limits.parts).contains(part)
        else { return nil }
        parts.insert(part - 1)
      }
    }
  }

  /// The words, as `tempo, mixer, part 3`; empty for nothing.
  public var description: String {
    var words: [String] = []
    if tempo { words.append("tempo") }
    if mixer { words.append("mixer") }
    if tuning { words.append("tuning") }
    words += parts.sorted().map { "part \($0 + 1)" }
    return words.joined(separator: ", ")
  }
}

/// Setups as text: lines as in a session, with `category`, `notes`, `keep`, and the name of each part's preset; at
/// the end the snapshots.
public enum SetupText {
  /// Whether a setup holds the knob of a row.
  static func isStored(_ row: Parameter) -> Bool {
    switch row.field.scope {
    case .patch, .strip, .input: true
    // The position of the morph is played live, like that of a wheel.
    case .morph: row.address != "/morph/position"
    case .master: row.address == "/tempo" || row.address.hasPrefix("/master/eq/")
    }
  }

  // The word of the line that marks an earlier version as edits that a recall has dropped.
  private static let dropped = "dropped"

  /// The text of a setup, marked as edits that a recall of another setup has dropped.
  public static func markDropped(_ text: String) -> String {
    TextFormat.adding([dropped], to: text, kind: "setup")
  }

  /// Whether a text is marked as dropped edits.
  public static func isDropped(_ text: String) -> Bool {
    text.prefix(64).split(whereSeparator: \.isNewline).dropFirst().first == dropped[...]
  }

  /// The text without the mark of dropped edits.
  public static func unmarked(_ text: String) -> String {
    isDropped(text) ? TextFormat.removing([dropped], from: text) : text
  }

  /// Writes a setup as text, which reads back to the same bits. Knobs at their initial values have no line.
  /// - Parameter names: The names that the numbers of the sounds mean.
  public static func write(_ setup: Setup, names: NameRegister) -> String {
    var text = TextFormat.head("setup") + setup.about.lines.joined()
    for (part, stored) in setup.parts.enumerated() {
      if let preset = stored.preset {
        let slot = preset.slot.map { "\($0.bank) \($0.program)" } ?? "- -"
        text += "preset \(part + 1) \(slot) \(preset.name)\n"
      }
      if stored.tuning.scale != TuningChoice.equal { text += "tuning \(part + 1) \(stored.tuning.scale)\n" }
      if stored.tuning.map != TuningChoice.auto { text += "keymap \(part + 1) \(stored.tuning.map)\n" }
    }
    let scene = setup.scene
    for knob in ParameterID.all where isStored(Table.rows[knob.row]) {
      if scene[knob].bitPattern == Scene.initial[knob].bitPattern { continue }
      let row = Table.rows[knob.row]
      let part = row.field.scope == .master ? "" : "/part/\(knob.part + 1)"
      text += KnobLine.write(part, row, scene[knob], names)
    }
    for (part, stored) in setup.parts.enumerated() {
      text += SequenceLine.write("/part/\(part + 1)", stored.patch.sequence)
    }
    for (part, stored) in setup.parts.enumerated() {
      text += SnapshotLines.write("\(part + 1) ", stored.snapshots, over: stored.patch, names)
    }
    return text
  }

  /// Reads a text. Unknown lines are ignored and numbers out of range are clamped, with a warning. Throws for a text
  /// that is not a setup, or too long.
  /// - Parameter names: Learns the names that the text holds.
  public static func read(
    _ text: String, names: NameRegister
  ) throws(TextRefusal) -> (setup: Setup, warnings: [TextWarning]) {
    var scene = Scene.initial
    var about = SetupAbout()
    var presets = [PresetReference?](repeating: nil, count: Limits.parts)
    var tunings = [TuningChoice](repeating: TuningChoice(), count: Limits.parts)
    var snapshots = PartSnapshotLines(names)
    let warnings = try TextFormat.read(text, kind: "setup", limit: DocumentKind.setup.textBytes) {
      word, rest in
      switch word {
      case "name", "key", SetupText.dropped: return nil
      case "category", "notes", "keep": return about.take(word, rest)
      case "preset":
        guard let (part, preset) = preset(rest) else {
          return "expected a part, a bank, a program and a name"
        }
        presets[part] = preset
        return nil
      case "tuning", "keymap":
        guard let (part, name) = numbered(rest), TuningChoice.isName(name) else {
          return "expected a part and a name"
        }
        if word == "tuning" { tunings[part].scale = String(name) } else { tunings[part].map = String(name) }
        return nil
      case SnapshotLines.word: return snapshots.begin(rest, over: scene)
      default:
        if let taken = snapshots.take(word, rest) { return taken.problem }
        return knob(word, rest, &scene, names)
      }
    }
    var setup = Setup(scene)
    setup.about = about
    for part in 0..<Limits.parts {
      (setup.parts[part].preset, setup.parts[part].tuning) = (presets[part], tunings[part])
      setup.parts[part].snapshots = snapshots.snapshots[part]
    }
    return (setup, warnings)
  }

  private static func knob(
    _ word: Substring, _ rest: Substring, _ scene: inout Scene, _ names: NameRegister
  ) -> String? {
    if let (part, address) = Table.part(word), let step = SequenceLine.step(address) {
      return SequenceLine.read(rest, step, &scene[part].patch.sequence)
    }
    guard let address = Address(word, focus: 0) else { return "no such knob" }
    guard isStored(Table.rows[address.knob.row]) else { return "not a knob of a setup" }
    let line = KnobLine.read(address, rest, names)
    if let value = line.value { scene[address.knob] = value }
    return line.problem
  }

  /// The part, 0…7, and the rest of a line.
  private static func numbered(_ rest: Substring) -> (part: Int, rest: Substring)? {
    let number = rest.prefix { $0 != " " }
    guard let part = Int(number), (1...Limits.parts).contains(part) else { return nil }
    return (part - 1, TextFormat.trimmed(rest.dropFirst(number.count)))
  }

  private static func preset(_ rest: Substring) -> (part: Int, preset: PresetReference)? {
    guard let (part, rest) = numbered(rest) else { return nil }
    let words = rest.split(separator: " ", maxSplits: 2)
    guard words.count == 3, let name = Document.name(String(words[2])) else { return nil }
    let isOutside = words[0] == "-"
    let slot = Int(words[0]).flatMap { bank in Int(words[1]).flatMap { Slot(bank: bank, program: $0) } }
    if slot == nil && !isOutside { return nil }
    return (part, PresetReference(slot: slot, name: name))
  }
}

extension Setup {
  /// A scene with the knobs of the setup, and the initial values elsewhere.
  var scene: Scene {
    var scene = Scene.initial
    for (index, part) in parts.enumerated() {
      scene[index].patch = part.patch
      scene[index].strip = part.strip
      scene[index].input = part.input
      scene[index].morph = part.morph
    }
    scene.master.tempo = tempo
    scene.master.equalizer = equalizer
    return scene
  }
}

extension SetupAbout {
  /// The longest notes, characters.
  static let noteLetters = 2_000

  /// The lines of the text, each with its newline.
  var lines: [String] {
    var lines: [String] = []
    if !category.isEmpty { lines.append("category \(category)\n") }
    if !notes.isEmpty {
      lines += notes.split(separator: "\n", omittingEmptySubsequences: false).map { "notes \($0)\n" }
    }
    if keep != RecallExclusions() { lines.append("keep \(keep)\n") }
    return lines
  }

  /// Reads the rest of a line. Returns the expected input if it is invalid.
  mutating func take(_ word: Substring, _ rest: Substring) -> String? {
    switch word {
    case "category":
      guard let category = Document.name(String(rest)) else { return "expected a word" }
      self.category = category
    case "notes":
      let line = TextFormat.printable(rest, length: 200)
      if notes.count + line.count > Self.noteLetters { return "expected \(Self.noteLetters) letters at most" }
      notes += (notes.isEmpty ? "" : "\n") + line
    default:
      guard let keep = RecallExclusions(rest) else { return "expected " + RecallExclusions.expected }
      self.keep = keep
    }
    return nil
  }

  /// Sets `category`, `notes` or `keep`; without words it is removed.
  public mutating func set(_ field: String, _ words: String) throws(DocumentError) {
    guard ["category", "notes", "keep"].contains(field) else {
      throw DocumentError(description: "takes category, notes or keep, and its words")
    }
    var changed = self
    if field == "category" { changed.category = "" }
    if field == "notes" { changed.notes = "" }
    if field == "keep" { changed.keep = RecallExclusions() }
    for line in words.split(whereSeparator: \.isNewline) {
      if let why = changed.take(Substring(field), TextFormat.trimmed(line)) {
        throw DocumentError(description: why)
      }
    }
    self = changed
  }
}
