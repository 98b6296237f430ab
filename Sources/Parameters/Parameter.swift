import Synth

/// A parameter of the instrument, one row of the table: everything that pipit knows about it.
public struct Parameter: Sendable {
  /// The OSC address below its scope, as `/filter/cutoff`.
  public let address: String
  /// Where its value lies.
  public let field: Field
  /// Range, curve and unit, or choices.
  public let kind: Kind
  /// The value to start from, in the unit of the scene.
  public let initial: Float
  /// The MIDI controller that moves it unless the player says otherwise.
  public let controller: UInt8?
  /// One sentence for people.
  public let about: String
}

/// Which of the scene's structs a knob belongs to, and where in it.
public struct Field: Sendable {
  /// What there is one of.
  public enum Scope: Sendable {
    /// The sound of a part: what presets hold. Bare addresses mean the part in focus.
    case patch
    /// The mixer strip of a part. Bare addresses mean the part in focus.
    case strip
    /// What a part takes from the keyboards. Bare addresses mean the part in focus.
    case input
    /// The master, once.
    case master
  }

  /// The struct.
  public let scope: Scope
  /// Bytes from the start of the struct.
  public let offset: Int

  init(_ path: WritableKeyPath<Patch, Float>) { self.init(.patch, MemoryLayout<Patch>.offset(of: path)) }
  init(_ path: WritableKeyPath<Strip, Float>) { self.init(.strip, MemoryLayout<Strip>.offset(of: path)) }
  init(_ path: WritableKeyPath<PartInput, Float>) {
    self.init(.input, MemoryLayout<PartInput>.offset(of: path))
  }
  init(_ path: WritableKeyPath<Master, Float>) { self.init(.master, MemoryLayout<Master>.offset(of: path)) }

  private init(_ scope: Scope, _ offset: Int?) {
    guard let offset else { preconditionFailure("a row must name a stored property") }
    self.scope = scope
    self.offset = offset
  }
}

/// Names one parameter of the running instrument: its row in the table, and one of the eight parts (0 for the master).
public struct ParameterID: Hashable, Sendable {
  /// Index into `Table.rows`.
  public let row: Int
  /// 0…7.
  public let part: Int

  /// A knob; the part of a master row is always 0.
  public init(row: Int, part: Int) {
    self.row = row
    self.part = Table.rows[row].field.scope == .master ? 0 : part
  }

  /// All knobs of the instrument.
  public static let all: [ParameterID] = Table.rows.indices.flatMap { row in
    let parts = Table.rows[row].field.scope == .master ? 1 : Limits.parts
    return (0..<parts).map { ParameterID(row: row, part: $0) }
  }

  /// The knob's full address, as `/part/1/filter/cutoff` or `/master/level`.
  public var address: String {
    let row = Table.rows[row]
    return row.field.scope == .master ? row.address : "/part/\(part + 1)" + row.address
  }
}
