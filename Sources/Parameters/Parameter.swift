import Scenes

/// A parameter of the instrument: one row of the table, with everything that pipit knows about it.
public struct Parameter: Sendable {
  /// The OSC address below its scope, such as `/filter/cutoff`.
  public let address: String
  /// The field of the scene that holds the value.
  public let field: Field
  /// The range, curve and unit, or the choices.
  public let kind: Kind
  /// The initial value, in the unit of the scene.
  public let initial: Float
  /// The MIDI controller that sets the parameter by default; nil if there is none.
  public let controller: UInt8?
  /// A description of one sentence.
  public let about: String
  /// Whether it is one of many of its kind, whose values a client receives at a part's own addresses only once it has
  /// used one of them there.
  public let isDetail: Bool
}

/// The field of a knob: the struct of the scene that holds it, and its offset in the struct.
public struct Field: Sendable {
  /// The struct that a knob belongs to.
  public enum Scope: Sendable {
    /// The sound of a part: the content of a preset. Addresses without a part mean the part in focus.
    case patch
    /// The mixer strip of a part. Addresses without a part mean the part in focus.
    case strip
    /// The input of a part from the keyboards. Addresses without a part mean the part in focus.
    case input
    /// The morph between the snapshots of a part. Addresses without a part mean the part in focus.
    case morph
    /// The master, which exists once.
    case master
  }

  /// The struct that holds the knob.
  public let scope: Scope
  /// The offset from the start of the struct in bytes.
  public let offset: Int

  init(_ path: WritableKeyPath<Patch, Float>) { self.init(.patch, MemoryLayout<Patch>.offset(of: path)) }
  init(_ path: WritableKeyPath<Strip, Float>) { self.init(.strip, MemoryLayout<Strip>.offset(of: path)) }
  init(_ path: WritableKeyPath<PartInput, Float>) {
    self.init(.input, MemoryLayout<PartInput>.offset(of: path))
  }
  init(_ path: WritableKeyPath<MorphKnobs, Float>) {
    self.init(.morph, MemoryLayout<MorphKnobs>.offset(of: path))
  }
  init(_ path: WritableKeyPath<Master, Float>) { self.init(.master, MemoryLayout<Master>.offset(of: path)) }

  private init(_ scope: Scope, _ offset: Int?) {
    guard let offset else { preconditionFailure("a row must name a stored property") }
    self.scope = scope
    self.offset = offset
  }
}

/// Identifies a parameter of the running instrument: its row in the table, and one of the eight parts (0 for the
/// master).
public struct ParameterID: Hashable, Sendable {
  /// The index into `Table.rows`.
  public let row: Int
  /// The part, 0…7.
  public let part: Int

  /// Creates the id of a knob; the part of a master row is always 0.
  public init(row: Int, part: Int) {
    self.row = row
    self.part = Table.rows[row].field.scope == .master ? 0 : part
  }

  /// All knobs of the instrument.
  public static let all: [ParameterID] = Table.rows.indices.flatMap { row in
    let parts = Table.rows[row].field.scope == .master ? 1 : Limits.parts
    return (0..<parts).map { ParameterID(row: row, part: $0) }
  }

  /// The full address of the knob, such as `/part/1/filter/cutoff` or `/master/level`.
  public var address: String {
    let row = Table.rows[row]
    return row.field.scope == .master ? row.address : "/part/\(part + 1)" + row.address
  }
}

extension Parameter {
  /// Its name within its section, such as "Key track".
  public var title: String {
    let leaf = String(address[(address.lastIndex(of: "/") ?? address.startIndex)...].dropFirst())
    return Parameter.titles[address] ?? Parameter.titles[leaf] ?? leaf.prefix(1).uppercased()
      + leaf.dropFirst()
  }

  // Names by address or by its last word, where the last word itself is no name.
  private static let titles = [
    "semitone": "Semitones", "pm": "Phase mod", "/filter/fm": "Osc 2 mod", "unison": "Voices",
    "random": "Random phase",
    "track": "Key track",
    "highpass": "High-pass", "lowpass": "Low-pass", "pingpong": "Ping-pong", "predelay": "Pre-delay",
    "q": "Q",
    "glidemode": "Glide by", "glidewhen": "Glides", "/filter/amount": "Env amount",
    "/play/bend": "Bend range",
    "/macro/1": "Macro 1", "/macro/2": "Macro 2", "/macro/3": "Macro 3",
    "/macro/4": "Macro 4", "/play/curve": "Velocity curve",
    "/master/tune": "Concert pitch",
    "/reverb/low": "Low decay", "/reverb/high": "High decay", "on": "On",
  ]
}

// A range of a part consists of two knobs: the lowest and the highest key or velocity that it plays.

extension ParameterID {
  /// The knob at the other end of this knob's range, and whether the other end is the high one; nil if this knob is
  /// not the end of a range.
  public var otherEnd: (knob: ParameterID, isHigh: Bool)? {
    ParameterID.ends[row].map { (ParameterID(row: $0.row, part: part), $0.isHigh) }
  }

  private static let ends: [Int: (row: Int, isHigh: Bool)] = {
    var ends: [Int: (row: Int, isHigh: Bool)] = [:]
    for (low, row) in Table.rows.enumerated() where row.field.scope == .input && row.address.hasSuffix("/low")
    {
      let other = row.address.dropLast(3) + "high"
      guard let high = Table.rows.firstIndex(where: { $0.address == other }) else { continue }
      ends[low] = (high, true)
      ends[high] = (low, false)
    }
    return ends
  }()
}
