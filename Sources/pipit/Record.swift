import OSC
import Surface
import System

/// `pipit record`: asks the running instrument to write what is heard into a file, and says what has become of it.
struct Record {
  private let instrument: RunningInstrument

  static func run(_ arguments: CommandArguments) throws {
    let configured = try Configuration.adding([.oscPort], to: arguments)
    let verb = arguments.operands[0]
    guard ["start", "stop", "last"].contains(verb) else {
      throw CommandError.usage("record: takes start, stop or last, not '\(verb)'", "pipit record --help")
    }
    let instrument = RunningInstrument(command: "record", port: configured.number(.oscPort))
    let record = Record(instrument: instrument)
    let before = try record.outcome()
    let isOn = try instrument.number("/record") == 1
    switch verb {
    case "start":
      if isOn {
        throw CommandError("record: \(try record.file()) is being recorded; 'pipit record stop' ends it")
      }
      try instrument.ask("/record", [.int(1)])
      try record.tell(after: before) { try !record.file().isEmpty }
    case "stop":
      if !isOn { throw CommandError("record: nothing is being recorded") }
      try instrument.ask("/record", [.int(0)])
      try record.tell(after: before)
    default:
      try instrument.ask("/record/last")
      try record.tell(after: before)
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

  /// Says what has become of the recording, or which file it goes into once it `hasBegun`.
  private func tell(after before: Outcome, orOnce hasBegun: () throws -> Bool = { false }) throws {
    if let outcome = try outcome(after: before, orUntil: hasBegun) {
      return Console.print(outcome.text + "\n")
    }
    guard try hasBegun() else { throw CommandError("record: the file is not finished yet") }
    Console.print("recording into \(try file())\n")
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
    let answers = try instrument.ask("/record/outcome")
    func value(_ address: String) -> OSCArgument? { answers.first { $0.address == address }?.value }
    return Outcome(
      number: value("/record/outcome")?.number, text: value("/record/outcome/text")?.words ?? "",
      failed: value("/record/outcome/failed")?.number == 1)
  }

  /// The name of the file that is written; empty before there is one.
  private func file() throws -> String { try instrument.words("/record/file") }
}
