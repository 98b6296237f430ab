import Control
import Parameters
import Synth

/// An address that a client is kept up to date about: a fader, a label, a lamp. Every knob of a part has four:
/// its way and its text, under the part's own address and, for the part in focus, under the bare one.
struct Face: Sendable {
  let address: String
  let content: Content

  enum Content: Sendable {
    /// A row of the table in a part; nil is the part in focus.
    case knob(row: Int, part: Int?, Address.Spelling)
    /// A command that has something to show.
    case command(Command.Verb, part: Int?, number: Int?)
  }

  /// The part whose sound it shows under the part's own address. There are so many of these, and so few tablets
  /// that show them, that only those are told who have spoken of them.
  let sound: Int?
  /// It is a figure that changes by itself, like a meter. It calls for no round of everything else.
  let isPassing: Bool

  init(_ address: String, _ content: Content) {
    self.address = address
    self.content = content
    isPassing = address.hasPrefix("/status/")
    if case .knob(let row, let part?, _) = content, Table.rows[row].field.scope == .patch {
      sound = part
    } else {
      sound = nil
    }
  }

  /// What it shows now.
  func shown(_ control: Control) -> Shown {
    switch content {
    case .knob(let row, let part, let spelling):
      let knob = Knob(row: row, part: part ?? control.focus)
      return Face.shown(control.stage.scene[knob], Table.rows[row].kind, spelling)
    case .command(let verb, let part, let number):
      return verb.shown(control, part: part ?? control.focus, number: number) ?? .string("")
    }
  }

  /// A value in one of the three spellings.
  static func shown(_ value: Float, _ kind: Kind, _ spelling: Address.Spelling) -> Shown {
    switch spelling {
    case .text: return .string(kind.text(value: value))
    case .unit: return .float(kind.number(value: value))
    case .fader:
      if case .choice = kind { return .int(Int(value)) }
      return .float(kind.fader(value: value))
    }
  }

  // MARK: - All of them

  /// Every face, those under bare addresses first: they are what a player looks at.
  static let all: [Face] = {
    var faces: [Face] = []
    for part in [nil] + (0..<Limits.parts).map({ $0 }) {
      for command in Command.all where command.isShown {
        if part != nil && !command.perPart { continue }
        for (address, number) in command.addresses {
          faces.append(Face(prefix(part) + address, .command(command.verb, part: part, number: number)))
        }
      }
      for (index, row) in Table.rows.enumerated() {
        if part != nil && row.field.scope == .master { continue }
        let address = prefix(part) + row.address
        faces.append(Face(address, .knob(row: index, part: part, .fader)))
        faces.append(Face(address + "/text", .knob(row: index, part: part, .text)))
      }
    }
    return faces
  }()

  /// What an address begins with: `/part/3`, or nothing for the part in focus.
  static func prefix(_ part: Int?) -> String { part.map { "/part/\($0 + 1)" } ?? "" }
}

/// Which faces a change may alter, by index into `Face.all`.
struct Faces {
  private var bare: [[Int]]
  private var named: [[[Int]]]
  private var commands: [Int] = []
  private var figures: [Int] = []

  init() {
    bare = Array(repeating: [], count: Table.rows.count)
    named = Array(repeating: bare, count: Limits.parts)
    for (index, face) in Face.all.enumerated() {
      switch face.content {
      case .knob(let row, nil, _): bare[row].append(index)
      case .knob(let row, let part?, _): named[part][row].append(index)
      case .command(.figure, _, _), .command(.figureText, _, _): figures.append(index)
      case .command: commands.append(index)
      }
    }
  }

  /// Calls `mark` for every face that a change may have altered. Too many do no harm: what shows the same is
  /// not sent.
  func altered(by change: Change, focus: Int, _ mark: (Int) -> Void) {
    switch change {
    case .knob(let knob):
      if knob.part == focus || Table.rows[knob.row].field.scope == .master { bare[knob.row].forEach(mark) }
      named[knob.part][knob.row].forEach(mark)
    case .sound(let part):
      if part == focus { bare.forEach { $0.forEach(mark) } }
      named[part].forEach { $0.forEach(mark) }
      commands.forEach(mark)
    case .preset, .notice, .page: commands.forEach(mark)
    case .health: figures.forEach(mark)
    case .focus:
      bare.forEach { $0.forEach(mark) }
      commands.forEach(mark)
    }
  }
}
