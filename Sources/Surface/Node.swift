import Control

/// One address of the tree: its arguments, its value, its effect and its description. One row declares all of it;
/// dispatch, patterns, feedback and the reference read the rows.
public final class Node: Sendable {
  /// The owner of a node.
  public enum Owner: Sendable {
    /// The whole instrument.
    case instrument
    /// A part. The bare address means the part in focus; with `/part/1` … `/part/8` before it, it names a part.
    case part
    /// The sound of a part, or its keyboard input. Its addresses are as those of a part, but only clients that have
    /// used the part's own addresses receive its feedback there.
    case sound
    /// A detail of the sound of a part, of which there are many: only clients that have used the part's own address of a
    /// detail receive their feedback there.
    case detail
  }

  /// The access to a node's value, numbered as in OSCQuery.
  public enum Access: Int, Sendable {
    case none, read, write, both
  }

  /// The cause of changes to a node's value, for feedback.
  enum Origin: Sendable {
    /// It has no feedback.
    case none
    /// A row of the table, as a fader position or text.
    case knob(row: Int)
    /// A row of the table in its unit. Its feedback is sent as a fader position and as text only.
    case unit
    /// State of the instrument, such as presets, focus and notices.
    case state
    /// Status, which changes by itself.
    case health
    /// Output meters, which move while something sounds.
    case levels
    /// Peaks of parts and outputs, which move while something sounds and the monitor has viewers. They are sent over
    /// lossless transports only.
    case peaks
    /// The beat and the transport, which change with each beat.
    case beat
    /// The snapshots of a part and its morph.
    case snapshots
  }

  typealias Read = @Sendable (_ instrument: Instrument, _ part: Int, _ number: Int) -> OSCValue
  typealias Write = @Sendable (Request) throws -> Void
  typealias Ask = @Sendable (_ instrument: Instrument, _ arguments: [OSCArgument]) throws -> [OSCMessage]
  typealias Reply = (Result<[OSCMessage], any Error>) -> Void
  typealias Inquire = @Sendable (_ query: LateQuery, _ reply: @escaping Reply) throws -> Void
  typealias List = @Sendable (_ instrument: Instrument) -> [OSCMessage]

  /// The address; `<n>` stands for a number.
  public let path: String
  /// The range of `<n>`; nil if the address has none.
  public let numbers: ClosedRange<Int>?
  /// The owner of the node.
  public let owner: Owner
  /// Its arguments, of messages to it and from it.
  public let arguments: [ArgumentType]
  /// A description for users, one or two sentences.
  public let about: String
  /// True for a button: it acts on the press, and ignores 0, the release.
  public let isTrigger: Bool
  /// True for a button that also acts on the release: how long it was held matters.
  let hearsRelease: Bool
  /// A peer that reads it gets an answer, but becomes no client.
  let isQuery: Bool
  /// Whether its messages change something.
  let changes: Bool
  let origin: Origin
  /// Its answer without arguments stays the same until the library changes.
  let isOfLibrary: Bool
  /// Answers a query with arguments; the sender becomes no client.
  let ask: Ask?
  /// Begins to answer a query whose answer takes a while, as from files; the sender becomes no client.
  let inquire: Inquire?
  /// The value of a part (the one in focus for a bare address) and a number; nil if it cannot be read.
  let read: Read?
  /// Answers a query with several messages.
  let list: List?
  /// Carries out a message; throws a `Refusal`, or an error that is a sentence. Nil for a read-only node.
  let write: Write?

  init(
    _ path: String, numbers: ClosedRange<Int>? = nil, _ owner: Owner, _ arguments: [ArgumentType],
    _ about: String, origin: Origin = .none, isTrigger: Bool = false, hearsRelease: Bool = false,
    isQuery: Bool = false, changes: Bool = false, isOfLibrary: Bool = false, ask: Ask? = nil,
    inquire: Inquire? = nil, read: Read? = nil, list: List? = nil, write: Write? = nil
  ) {
    (self.path, self.numbers, self.owner, self.arguments) = (path, numbers, owner, arguments)
    (self.about, self.origin, self.isTrigger) = (about, origin, isTrigger)
    self.hearsRelease = hearsRelease
    (self.isOfLibrary, self.ask, self.changes) = (isOfLibrary, ask, changes || write != nil)
    self.inquire = inquire
    (self.isQuery, self.read, self.list, self.write) = (isQuery, read, list, write)
  }

  /// The access to its value.
  public var access: Access {
    read == nil ? (write == nil ? .none : .write) : (write == nil ? .read : .both)
  }

  /// Whether it also exists under `/part/1` … `/part/8`.
  public var isPerPart: Bool { owner != .instrument }
  /// Whether its value belongs to the sound of a part.
  public var isOfSound: Bool { owner == .sound || owner == .detail }

  /// Whether clients receive its value whenever it changes.
  public var hasFeedback: Bool {
    switch origin {
    case .none, .unit: false
    case .knob, .state, .health, .levels, .peaks, .beat, .snapshots: true
    }
  }

  /// The row of the table whose fader position it is; nil for every other node.
  public var row: Int? {
    guard case .knob(let row) = origin, read != nil, write != nil else { return nil }
    return row
  }

  /// Whether lists of the tree for programs include it: everything with a value or an effect, but of a knob only the
  /// fader position, and no queries.
  public var isListed: Bool {
    switch origin {
    case .knob: write != nil
    case .unit: false
    case .none, .state, .health, .levels, .peaks, .beat, .snapshots:
      ask == nil && list == nil && access != .none && !path.hasPrefix("/debug/")
    }
  }

  /// Whether its value moves only while the monitor has viewers.
  public var isMonitored: Bool {
    if case .peaks = origin { true } else { false }
  }

  /// Whether it is a row of the table: a fader position, a value in a unit, or a text.
  var isKnob: Bool {
    switch origin {
    case .knob, .unit: true
    case .none, .state, .health, .levels, .peaks, .beat, .snapshots: false
    }
  }

  /// Whether clients can set its value, so that a client whose message was lost may show a wrong one.
  var isSettable: Bool { read != nil && write != nil && !isTrigger }

  /// Its arguments in words.
  public var takes: String {
    if hearsRelease { return "none, or 1 and 0" }
    if isTrigger && arguments.first?.tag == .int { return "none, or 1 (0 is ignored)" }
    if write == nil && ask == nil && inquire == nil || arguments.isEmpty { return "none" }
    return arguments.map(\.words).joined(separator: ", ")
  }

  /// Arguments, with strings that hold a number replaced by it if the node takes a number there. Knobs read strings
  /// themselves: the names of some choices are numbers.
  func numbered(_ given: [OSCArgument]) -> [OSCArgument] {
    if isKnob { return given }
    return given.enumerated().map { index, argument in
      guard index < arguments.count, arguments[index].tag != .string, case .string(let text) = argument,
        let number = Double(text), number.isFinite
      else { return argument }
      return .number(number)
    }
  }

  /// The address with a number for `<n>`.
  func address(number: Int) -> String {
    if numbers == nil { return path }
    return path.split(separator: "/").map { "/" + ($0 == "<n>" ? "\(number)" : $0) }.joined()
  }
}

extension Node {
  /// A command, which has no value.
  static func command(
    _ path: String, numbers: ClosedRange<Int>? = nil, _ owner: Owner, _ arguments: [ArgumentType],
    _ about: String, write: @escaping Write
  ) -> Node {
    Node(path, numbers: numbers, owner, arguments, about, write: write)
  }

  /// A button: it acts on the press, which is a number other than 0 or no argument, and not on the release.
  static func trigger(
    _ path: String, numbers: ClosedRange<Int>? = nil, _ owner: Owner, _ about: String,
    _ arguments: [ArgumentType] = [.int(0...1, optional: true)], write: @escaping Write
  ) -> Node {
    Node(path, numbers: numbers, owner, arguments, about, isTrigger: true, write: write)
  }

  /// A value that clients receive and cannot set.
  static func display(
    _ path: String, numbers: ClosedRange<Int>? = nil, _ owner: Owner, _ type: ArgumentType, _ about: String,
    read: @escaping Read
  ) -> Node {
    Node(path, numbers: numbers, owner, [type], about, origin: .state, read: read)
  }

  /// A value that clients receive and can set.
  static func setting(
    _ path: String, numbers: ClosedRange<Int>? = nil, _ owner: Owner, _ type: ArgumentType, _ about: String,
    read: @escaping Read, write: @escaping Write
  ) -> Node {
    Node(path, numbers: numbers, owner, [type], about, origin: .state, read: read, write: write)
  }

  /// All nodes but the knobs, in the order of the reference.
  public static let commands: [Node] =
    playing + clock + arps + sequences + input + tuning + wavetables + editing + presets + snapshots + typing
    + library + setups + sets + shows + card + devices + learning + recording + songs + songMix + files
    + backups + transfer + doctor + lock + session + status

  /// All nodes.
  static let all: [Node] = commands + faults + knobs
}
