import OSC
import Surface

/// `pipit record`: asks the running instrument to write what is heard into a file.
enum Record {
  static func run(_ arguments: CommandArguments) throws {
    let configured = try Configuration.adding([.oscPort], to: arguments)
    let port = configured.number(.oscPort)
    let messages: [String: (String, [OSCValue])] = [
      "start": ("/record", [.int(1)]), "stop": ("/record", [.int(0)]), "last": ("/record/last", []),
    ]
    let verb = arguments.operands[0]
    guard let (address, values) = messages[verb] else {
      throw CommandError.usage("record: takes start, stop or last, not '\(verb)'", "pipit record --help")
    }
    guard let answers = Question.ask(address, values, port: port) else {
      throw CommandError("record: no pipit answers for OSC port \(port)", status: 2)
    }
    for answer in answers where answer.address == "/error" {
      if case .string(let text) = answer.value { throw CommandError("record: \(text)") }
    }
  }
}
