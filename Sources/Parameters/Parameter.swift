import Synth

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
