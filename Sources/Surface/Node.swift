import Control

/// One address of the tree: what it takes, how it is read and written, and what it means. Everything that is said of
/// it is said in the row that makes it; dispatch, patterns, feedback and the reference walk these rows.
public final class Node: Sendable {
  /// What it belongs to.
  public enum Owner: Sendable {
    /// The whole instrument.
    case instrument
    /// A part; the bare address means the part in focus, `/part/1` … `/part/8` before it one that is named.
    case part
    /// The sound of a part, or what it takes from the keyboards. Its addresses are the same; under a part's own, only who
    /// has spoken of the part is told.
    case sound
  }

  /// What may be done with its value, as OSCQuery counts it.
  public enum Access: Int, Sendable {
    case none, read, write, both
  }

  /// What may change its value, so that clients are told of it.
  enum Origin: Sendable {
    /// Nothing that clients are told of.
    case none
    /// A row of the table.
    case knob(row: Int)
    /// A row of the table in its unit: clients are told of it as a fader and as text.
    case unit
    /// Presets, the focus, notices.
    case state
    /// It changes by itself: how the instrument is.
    case health
    /// It moves while something sounds: the meters of what goes out.
    case levels
  }

  typealias Read = @Sendable (_ instrument: Instrument, _ part: Int, _ number: Int) -> OSCValue
  typealias Write = @Sendable (Request) throws -> Void
  typealias Ask = @Sendable (_ instrument: Instrument, _ arguments: [OSCArgument]) throws -> [OSCMessage]
  typealias List = @Sendable (_ instrument: Instrument) -> [OSCMessage]

  /// The address; `<n>` stands for a number.
  public let path: String
  /// What `<n>` may be.
  public let numbers: ClosedRange<Int>?
  /// What it belongs to.
  public let owner: Owner
  /// What it takes, and what it sends.
  public let arguments: [ArgumentType]
  /// One sentence for people.
  public let about: String
  /// True for what a button does: it acts when it is pressed, and 0 is its release.
  public let isTrigger: Bool
  /// Answers who only asks without keeping them up to date from then on.
  let isQuestion: Bool
  /// What is said to it changes something: it is written to, or does what it is asked.
  let changes: Bool
  let origin: Origin
  /// Asked without arguments, it answers the same until the library changes.
  let isOfLibrary: Bool
  /// Answers what is asked with arguments, without keeping the asker up to date.
  let ask: Ask?
  /// The value in a part (the one in focus for a bare address) and at a number; nil when there is none to read.
  let read: Read?
  /// What it answers, where that is more than one message.
  let list: List?
  /// Does what a message says; throws a `Refusal`, or an error that is a sentence. Nil when it is only read.
  let write: Write?

  init(
    _ path: String, numbers: ClosedRange<Int>? = nil, _ owner: Owner, _ arguments: [ArgumentType],
    _ about: String, origin: Origin = .none, isTrigger: Bool = false,
    isQuestion: Bool = false, changes: Bool = false, isOfLibrary: Bool = false, ask: Ask? = nil,
    read: Read? = nil, list: List? = nil, write: Write? = nil
  ) {
    (self.path, self.numbers, self.owner, self.arguments) = (path, numbers, owner, arguments)
    (self.about, self.origin, self.isTrigger) = (about, origin, isTrigger)
    (self.isOfLibrary, self.ask, self.changes) = (isOfLibrary, ask, changes || write != nil)
    (self.isQuestion, self.read, self.list, self.write) = (isQuestion, read, list, write)
  }

  /// What may be done with its value.
  public var access: Access {
    read == nil ? (write == nil ? .none : .write) : (write == nil ? .read : .both)
  }

  /// True when it also exists under `/part/1` … `/part/8`.
  public var isPerPart: Bool { owner != .instrument }

  /// True when clients are told of its value whenever it changes.
  public var isTold: Bool {
    switch origin {
    case .none, .unit: false
    case .knob, .state, .health, .levels: true
    }
  }

  /// Whether it is a row of the table, in any spelling.
  var isKnob: Bool {
    switch origin {
    case .knob, .unit: true
    case .none, .state, .health, .levels: false
    }
  }

  /// A hand can move it, so a message from a client that got lost can make it show what is not so.
  var isMovable: Bool { read != nil && write != nil && !isTrigger }

  /// What it takes, in words.
  public var takes: String {
    if isTrigger && arguments.first?.tag == .int { return "none, or 1 (0 is ignored)" }
    if write == nil && ask == nil || arguments.isEmpty { return "none" }
    return arguments.map(\.words).joined(separator: ", ")
  }

  /// What was given, with a number in the place of each word that is one where numbers are taken. The table's rows read
  /// words themselves: some of their choices are called by numbers.
  func numbered(_ given: [OSCArgument]) -> [OSCArgument] {
    if isKnob { return given }
    return given.enumerated().map { index, argument in
      guard index < arguments.count, arguments[index].tag != .string, case .string(let text) = argument,
        let number = Double(text), number.isFinite
      else { return argument }
      return .number(number)
    }
  }

  /// The address with a number in the place of `<n>`.
  func address(number: Int) -> String {
    if numbers == nil { return path }
    return path.split(separator: "/").map { "/" + ($0 == "<n>" ? "\(number)" : $0) }.joined()
  }
}

extension Node {
  /// What does something and has no value of its own.
  static func command(
    _ path: String, numbers: ClosedRange<Int>? = nil, _ owner: Owner, _ arguments: [ArgumentType],
    _ about: String, write: @escaping Write
  ) -> Node {
    Node(path, numbers: numbers, owner, arguments, about, write: write)
  }

  /// What a button does: acts on the press, a number that is not 0 or none at all, and not on the release.
  static func trigger(
    _ path: String, numbers: ClosedRange<Int>? = nil, _ owner: Owner, _ about: String,
    _ arguments: [ArgumentType] = [.int(0...1, optional: true)], write: @escaping Write
  ) -> Node {
    Node(path, numbers: numbers, owner, arguments, about, isTrigger: true, write: write)
  }

  /// What clients are told of and cannot set.
  static func display(
    _ path: String, numbers: ClosedRange<Int>? = nil, _ owner: Owner, _ type: ArgumentType, _ about: String,
    read: @escaping Read
  ) -> Node {
    Node(path, numbers: numbers, owner, [type], about, origin: .state, read: read)
  }

  /// What clients are told of and can set.
  static func setting(
    _ path: String, _ owner: Owner, _ type: ArgumentType, _ about: String, read: @escaping Read,
    write: @escaping Write
  ) -> Node {
    Node(path, owner, [type], about, origin: .state, read: read, write: write)
  }

  /// Every node that is no knob, in the order of the reference.
  public static let commands: [Node] =
    playing + input + tuning + presets + library + card + devices + learning + recording + songs + session
    + status

  /// Every node.
  static let all: [Node] = commands + faults + knobs
}
