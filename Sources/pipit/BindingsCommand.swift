import OSC
import Parameters
import Surface
import System

/// `pipit bindings`: lists and changes the bindings of keyboards' controls in the running instrument.
enum BindingsCommand {
  /// The actions besides listing, with their numbers of operands.
  static let actions = ["add": 2, "set": 3, "remove": 1]

  static func run(_ arguments: CommandArguments) throws {
    let port = try Configuration.adding([.oscPort], to: arguments).number(.oscPort)
    let instrument = RunningInstrument(command: "bindings", port: port)
    guard let action = arguments.operands.first else { return try list(instrument, arguments) }
    guard let count = actions[action] else {
      throw CommandError.unknown(action, of: "bindings", among: actions.keys.sorted())
    }
    let words = Array(arguments.operands.dropFirst())
    guard words.count == count else {
      let what = [
        "add": "a device, and a control with what it moves", "set": "a number, what to set, and a value",
      ]
      throw CommandError.usage(
        "bindings: '\(action)' takes \(what[action] ?? "a number")", "pipit bindings --help")
    }
    for answer in try instrument.ask("/bindings/\(action)", words.map { .string($0) }) {
      Console.print(answer.value.words + "\n")
    }
    try instrument.finish()
  }

  private static func list(_ instrument: RunningInstrument, _ arguments: CommandArguments) throws {
    var table = [["No.", "Device", "Control", "Moves", "How", "Way"]]
    for answer in try instrument.ask("/bindings").dropFirst() {
      let cells = answer.value.words.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      if cells.count == table[0].count { table.append(cells) }
    }
    if table.count == 1 {
      Console.log("nothing is bound: press LEARN on the tablet, touch a fader, and turn a knob")
    }
    Lists.print(table + builtIn(beside: table), arguments)
  }

  /// The default targets of controllers that are not bound for every device. They have no number, because they cannot
  /// be changed.
  private static func builtIn(beside bound: [[String]]) -> [[String]] {
    let taken = bound.filter { $0[1] == "any" }.map { $0[2] }
    return Table.rows.compactMap { row in
      guard let controller = row.controller, !taken.contains("cc \(controller)") else { return nil }
      return ["", "any", "cc \(controller)", row.address, "built in", ""]
    }
  }
}
