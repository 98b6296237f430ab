import OSC
import Surface
import System

/// `pipit record`: asks the running instrument to write what is heard into a file, and says what has become of it.
struct Record {
  private let port: Int

  static func run(_ arguments: CommandArguments) throws {
    let configured = try Configuration.adding([.oscPort], to: arguments)
    let record = Record(port: configured.number(.oscPort))
    let before = try record.outcome()
    switch arguments.operands[0] {
    case "start":
      try record.ask("/record", [.int(1)])
      _ = try record.outcome(after: before) { try !record.length().isEmpty }
    case "stop":
      if try record.ask("/record").first?.value.number == 0 { return Console.print("nothing is recorded\n") }
      try record.ask("/record", [.int(0)])
      try record.tell(after: before)
    case "last":
      try record.ask("/record/last")
      try record.tell(after: before)
    case let verb:
      throw CommandError.usage("record: takes start, stop or last, not '\(verb)'", "pipit record --help")
    }
  }

  /// How many recordings have come to an end, and what became of the last.
  private struct Outcome {
    let number: Double?
    let text: String
    let failed: Bool
  }

  /// Seconds in which a file is finished, be the disk ever so slow.
  private static let patience = 60.0

  private func tell(after before: Outcome) throws {
    guard let outcome = try outcome(after: before) else {
      throw CommandError("record: the file is not finished yet")
    }
    Console.print(outcome.text + "\n")
  }

  /// What became of the recording that ended after another; nil when none has before `isEnough`, or before the patience
  /// ends. Throws when it has failed.
  private func outcome(after before: Outcome, orUntil isEnough: () throws -> Bool = { false }) throws
    -> Outcome?
  {
    let end = monotonic() + Int64(Record.patience * 1e9)
    repeat {
      let now = try outcome()
      if now.number != before.number {
        if now.failed { throw CommandError("record: \(now.text)") }
        return now
      }
      if try isEnough() { return nil }
      sleep(until: monotonic() + 50_000_000)
    } while monotonic() < end
    return nil
  }

  private func outcome() throws -> Outcome {
    let answers = try ask("/record/outcome")
    func value(_ address: String) -> OSCArgument? { answers.first { $0.address == address }?.value }
    return Outcome(
      number: value("/record/outcome")?.number, text: value("/record/outcome/text")?.words ?? "",
      failed: value("/record/outcome/failed")?.number == 1)
  }

  /// The length so far; empty before there is a file.
  private func length() throws -> String { try ask("/record/text").first?.value.words ?? "" }

  /// What the instrument answers; throws what it refuses.
  @discardableResult
  private func ask(_ address: String, _ values: [OSCValue] = []) throws -> [Question.Answer] {
    guard let answers = Question.ask(address, values, port: port) else {
      throw CommandError("record: no pipit answers for OSC port \(port)", status: 2)
    }
    for answer in answers where answer.address == "/error" {
      if case .string(let text) = answer.value { throw CommandError("record: \(text)") }
    }
    return answers
  }
}
