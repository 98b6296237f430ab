import Scenes

/// A section of the sound: knobs that are set together, such as an oscillator, an envelope, an effect or the matrix. All
/// sections follow from the addresses of the table.
public struct SoundSection: Sendable {
  /// Its name, such as `osc-1`, `filter` or `amp-envelope`.
  public let name: String
  /// Its name in capital letters with spaces, as on a layout.
  public var title: String { String(name.uppercased().map { $0 == "-" ? " " : $0 }) }
  /// Its kind: a section can be pasted into another of its kind.
  public let kind: String
  /// Its knobs: the ends of their addresses, and their rows in the table.
  public let knobs: [(leaf: String, row: Int)]
  /// Whether it is one of the sections that together are the whole sound, each knob in one of them.
  public let isBase: Bool

  private init(_ name: String, kind: String? = nil, _ stem: String, _ rows: [Int], isBase: Bool) {
    (self.name, self.kind, self.isBase) = (name, kind ?? name, isBase)
    knobs = rows.map { (String(Table.rows[$0].address.dropFirst(stem.count)), $0) }
  }

  /// All sections.
  public static let all: [SoundSection] = families + envelopes + [effects]

  /// The sections that decide which notes are played. Random sounds keep them.
  public static let ofNotes: Set<String> = ["arp", "chord", "sequence"]

  /// The sections that together are the whole sound.
  public static let base: [SoundSection] = all.filter(\.isBase)

  private static let rows: [Int] = Table.rows.indices.filter { Table.rows[$0].field.scope == .patch }

  /// One section for the first word of the addresses; if a number follows it in all of them, also one for each number.
  private static let families: [SoundSection] = {
    // Each address is split only once, because the start of pipit waits for this.
    let slash = UInt8(ascii: "/")
    let words = rows.map { Table.rows[$0].address.utf8.split(separator: slash).map(Substring.init) }
    var families: [Substring] = []
    var indices: [Substring: [Int]] = [:]
    for (index, words) in words.enumerated() {
      if indices[words[0]] == nil { families.append(words[0]) }
      indices[words[0], default: []].append(index)
    }
    func knobs(_ indices: [Int]) -> [Int] { indices.map { rows[$0] } }
    return families.flatMap { family in
      let members = indices[family] ?? []
      guard members.allSatisfy({ words[$0].count == 3 && Int(words[$0][1]) != nil }) else {
        return [SoundSection("\(family)", "/\(family)", knobs(members), isBase: true)]
      }
      let numbers = Set(members.compactMap { Int(words[$0][1]) }).sorted()
      // The slots of the matrix are one section together.
      let isMatrix = family == "mod"
      let each = numbers.map { number in
        SoundSection(
          "\(family)-\(number)", kind: family == "env" ? envelope : "\(family)-1", "/\(family)/\(number)",
          knobs(members.filter { Int(words[$0][1]) == number }), isBase: !isMatrix)
      }
      return each.count == 1
        ? each : [SoundSection("\(family)", "/\(family)", knobs(members), isBase: isMatrix)] + each
    }
  }()

  private static let envelope = "envelope"
  private static let stages = ["/attack", "/decay", "/sustain", "/release"]

  /// The envelopes within other sections: the knobs that they share with the free envelope.
  private static let envelopes: [SoundSection] = {
    guard let free = families.first(where: { $0.kind == envelope }) else { return [] }
    let leaves = Set(free.knobs.map(\.leaf))
    return families.filter { family in
      family.kind != envelope && stages.allSatisfy { stage in family.knobs.contains { $0.leaf == stage } }
    }.map { family in
      SoundSection(
        family.name + "-envelope", kind: envelope, "/" + family.name,
        family.knobs.filter { leaves.contains($0.leaf) }.map(\.row), isBase: false)
    }
  }()

  /// All effects.
  private static let effects: SoundSection = {
    let addresses = Set(Table.effects.map(\.address))
    return SoundSection(
      "effects", "", rows.filter { addresses.contains(Table.rows[$0].address) }, isBase: false)
  }()
}

// MARK: - By its name

extension SoundSection {
  /// The section with a name as people write it: `osc 1`, `Oscillator 1`, `osc/1` and `osc-1` are the same. Nil if
  /// there is none.
  public static func named(_ words: some StringProtocol) -> SoundSection? {
    var spaced = ""
    for letter in words.lowercased() {
      if letter.isNumber, spaced.last?.isLetter ?? false { spaced += "-" }
      spaced.append(letter)
    }
    var parts = spaced.split { !$0.isLetter && !$0.isNumber }.map { synonyms[String($0)] ?? String($0) }
    if parts.count > 1, parts.last == "env" { parts[parts.count - 1] = envelope }
    let name = parts.joined(separator: "-")
    return all.first { $0.name == name }
  }

  private static let synonyms = [
    "oscillator": "osc", "oscillators": "osc", "envelope": "env", "lfos": "lfo", "matrix": "mod",
    "slot": "mod", "equalizer": "eq", "equaliser": "eq", "amplifier": "amp", "macros": "macro",
    "arpeggiator": "arp", "effect": "effects", "suboscillator": "sub",
  ]
}

// MARK: - Its values

extension SoundSection {
  /// Whether the values of another section can be pasted into it.
  public func fits(_ other: SoundSection) -> Bool { kind == other.kind }

  /// Sets its knobs in a sound to the values of a fitting section in another sound. Knobs that only one of the
  /// sections has stay unchanged.
  public func paste(_ other: SoundSection, of source: Patch, into patch: inout Patch) {
    for (leaf, row) in knobs {
      guard let from = other.knobs.first(where: { $0.leaf == leaf }) else { continue }
      patch[Table.rows[row]] = source[Table.rows[from.row]]
    }
    if name == SoundSection.sequence, other.name == name { patch.sequence = source.sequence }
  }

  /// The name of the section that includes the steps of the sequence.
  private static let sequence = "sequence"
}
