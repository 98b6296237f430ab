import Control
import Parameters

/// One address of the tree: its arguments, its value, its effect and its description. One row declares all of it;
/// dispatch, patterns, feedback and the reference read the rows.
public final class Node: Sendable {
  /// The owner of a node.
  public enum Owner: Sendable {
    /// The whole instrument.
    case instrument
    /// A part. The bare address means the part in focus; with `/part/1` … `/part/8` before it, it names a part.
    case part
    /// The sound of a part, or its keyboard input. It has the addresses of a part, but only clients that have used
    /// the part's own addresses receive its feedback there.
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
    /// A row of the table. The feedback of a value in its unit is sent as a fader position and as text only.
    case knob(SpelledKnob)
    /// The value in its unit of a control that is not a row of the table, such as the volume of the sound card. Its
    /// feedback, too, is sent as a fader position and as text only.
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

  // The address; for the unit or the text of a knob, the address of its fader position.
  private let stem: String
  /// The owner of the node.
  public let owner: Owner
  let origin: Origin
  // Nil for a knob: there are many knobs, and the table describes them.
  private let definition: Definition?

  /// The definition of a node that is not a knob.
  private final class Definition: Sendable {
    let numbers: ClosedRange<Int>?
    let arguments: [ArgumentType]
    let about: String
    let isTrigger, actsOnRelease, isQuery, changes, isOfLibrary: Bool
    let ask: Ask?
    let inquire: Inquire?
    let read: Read?
    let list: List?
    let write: Write?

    init(
      _ numbers: ClosedRange<Int>?, _ arguments: [ArgumentType], _ about: String, isTrigger: Bool,
      actsOnRelease: Bool, isQuery: Bool, changes: Bool, isOfLibrary: Bool, ask: Ask?, inquire: Inquire?,
      read: Read?, list: List?, write: Write?
    ) {
      (self.numbers, self.arguments, self.about) = (numbers, arguments, about)
      (self.isTrigger, self.actsOnRelease, self.isQuery) = (isTrigger, actsOnRelease, isQuery)
      (self.changes, self.isOfLibrary) = (changes, isOfLibrary)
      (self.ask, self.inquire, self.read, self.list, self.write) = (ask, inquire, read, list, write)
    }
  }

  init(
    _ path: String, numbers: ClosedRange<Int>? = nil, _ owner: Owner, _ arguments: [ArgumentType],
    _ about: String, origin: Origin = .none, isTrigger: Bool = false, actsOnRelease: Bool = false,
    isQuery: Bool = false, changes: Bool = false, isOfLibrary: Bool = false, ask: Ask? = nil,
    inquire: Inquire? = nil, read: Read? = nil, list: List? = nil, write: Write? = nil
  ) {
    (stem, self.owner, self.origin) = (path, owner, origin)
    definition = Definition(
      numbers, arguments, about, isTrigger: isTrigger, actsOnRelease: actsOnRelease, isQuery: isQuery,
      changes: changes || write != nil, isOfLibrary: isOfLibrary, ask: ask, inquire: inquire, read: read,
      list: list, write: write)
  }

  /// A node of a knob, whose fader position has the address `stem`.
  init(_ knob: SpelledKnob, _ stem: String) {
    (self.stem, owner, origin, definition) = (stem, knob.owner, .knob(knob), nil)
  }

  /// The knob and its spelling; nil for a node that is not a knob.
  private var knob: SpelledKnob? {
    if case .knob(let knob) = origin { knob } else { nil }
  }

  /// The address; `<n>` stands for a number.
  public var path: String { knob.map { stem + $0.leaf } ?? stem }
  /// The range of `<n>`; nil if the address has none.
  public var numbers: ClosedRange<Int>? { definition?.numbers }
  /// Its arguments, of messages to it and from it.
  public var arguments: [ArgumentType] { definition?.arguments ?? knob.map { [$0.type] } ?? [] }
  /// A description for users, one or two sentences.
  public var about: String { definition?.about ?? knob?.about(stem) ?? "" }
  /// True for a button: it acts on the press, and ignores 0, the release.
  public var isTrigger: Bool { definition?.isTrigger ?? false }
  /// True for a button that also acts on the release, because the length of the press matters.
  var actsOnRelease: Bool { definition?.actsOnRelease ?? false }
  /// True for a query: a peer that reads it gets an answer, but does not become a client.
  var isQuery: Bool { definition?.isQuery ?? false }
  /// Whether its messages change something.
  var changes: Bool { definition?.changes ?? isWritable }
  /// True if the answer to a message without arguments changes only with the library.
  var isOfLibrary: Bool { definition?.isOfLibrary ?? false }
  /// Answers a query with arguments; the sender does not become a client.
  var ask: Ask? { definition?.ask }
  /// Begins to answer a query whose answer takes a while, as from files; the sender does not become a client.
  var inquire: Inquire? { definition?.inquire }
  /// Whether it has a value that can be read.
  var isReadable: Bool { definition.map { $0.read != nil } ?? true }
  /// Whether it takes messages; false if it is read-only.
  var isWritable: Bool { definition.map { $0.write != nil } ?? (knob?.spelling != .text) }
  /// Answers a query with several messages.
  var list: List? { definition?.list }

  /// The value of a part (the one in focus for a bare address) and a number; nil if it cannot be read.
  func value(_ instrument: Instrument, part: Int, number: Int) -> OSCValue? {
    guard let definition else { return knob?.value(instrument, part: part) }
    return definition.read?(instrument, part, number)
  }

  /// Carries out a message; throws a `Refusal`, or an error that is a sentence. Only for a node that `isWritable`.
  func perform(_ request: Request) throws {
    if let definition { try definition.write?(request) } else { try knob?.set(by: request) }
  }

  /// The access to its value.
  public var access: Access {
    isReadable ? (isWritable ? .both : .read) : (isWritable ? .write : .none)
  }

  /// Whether it also exists under `/part/1` … `/part/8`.
  public var isPerPart: Bool { owner != .instrument }
  /// Whether its value belongs to the sound of a part.
  public var isOfSound: Bool { owner == .sound || owner == .detail }

  /// Whether clients receive its value whenever it changes.
  public var hasFeedback: Bool {
    switch origin {
    case .none, .unit: false
    case .knob(let knob): knob.spelling != .unit
    case .state, .health, .levels, .peaks, .beat, .snapshots: true
    }
  }

  /// The row of the table whose fader position it is; nil for every other node.
  public var row: Int? {
    knob.flatMap { $0.spelling == .fader ? $0.row : nil }
  }

  /// Whether it is a knob's unit or text, which follow its fader position in the tree.
  var isBesideFader: Bool { knob != nil && row == nil }

  /// Whether lists of the tree for programs include it: everything with a value or an effect, but of a knob only the
  /// fader position, and no queries.
  public var isListed: Bool {
    switch origin {
    case .knob(let knob): knob.spelling == .fader
    case .unit: false
    case .none, .state, .health, .levels, .peaks, .beat, .snapshots:
      ask == nil && list == nil && access != .none && !path.hasPrefix("/debug/")
    }
  }

  /// Whether its value moves only while the monitor has viewers.
  public var isMonitored: Bool {
    if case .peaks = origin { true } else { false }
  }

  /// Whether it belongs to a row of the table, as a fader position, a value in its unit or a text; or is the value in
  /// its unit of another control.
  var isKnob: Bool {
    switch origin {
    case .knob, .unit: true
    case .none, .state, .health, .levels, .peaks, .beat, .snapshots: false
    }
  }

  /// Whether clients can set its value, so that a client whose message was lost may show a wrong one.
  var isSettable: Bool { isReadable && isWritable && !isTrigger }

  /// Its arguments in words.
  public var takes: String {
    if actsOnRelease { return "none, or 1 and 0" }
    if isTrigger && arguments.first?.tag == .int { return "none, or 1 (0 is ignored)" }
    if !isWritable && ask == nil && inquire == nil || arguments.isEmpty { return "none" }
    return arguments.words
  }

  /// Why a message with `given` arguments is refused; nil if that number is right. Where none is expected, one is taken,
  /// since buttons send one.
  func refusal(of given: Int) -> Refusal? {
    let refusal = arguments.refusal(of: arguments.isEmpty ? max(0, given - 1) : given)
    return refusal.map { isTrigger ? Refusal("takes \(takes)") : $0 }
  }

  /// The arguments, in which a string that spells a number is replaced by the number where the node takes one. Knobs
  /// read strings themselves, because the names of some choices are numbers.
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
    guard numbers != nil, let mark = stem.firstIndex(of: "<") else { return path }
    return "\(stem[..<mark])\(number)\(stem[mark...].dropFirst(3))"
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
