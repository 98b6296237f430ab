import OSC
import Surface
import System

/// `pipit record`: asks the running instrument to record its output into a file, and prints the result.
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
      try record.printOutcome(after: before) { try !record.file().isEmpty }
    case "stop":
      if !isOn { throw CommandError("record: nothing is being recorded") }
      try instrument.ask("/record", [.int(0)])
      try record.printOutcome(after: before)
    default:
      try instrument.ask("/record/last")
      try record.printOutcome(after: before)
    }
  }

  /// The number of finished recordings, and the result of the last one.
  private struct Outcome {
    let number: Double?
    let text: String
    let failed: Bool
  }

  /// The maximum time to finish a file, in seconds, even on a slow disk.
  private static let timeout = 60.0

  /// Prints the result of the recording, or the name of its file once it `hasBegun`.
  private func printOutcome(after before: Outcome, orOnce hasBegun: () throws -> Bool = { false }) throws {
    if let outcome = try outcome(after: before, orUntil: hasBegun) {
      return Console.print(outcome.text + "\n")
    }
    guard try hasBegun() else { throw CommandError("record: the file is not finished yet") }
    Console.print("recording into \(try file())\n")
  }

  /// Waits for a recording to finish after `before`, and returns its result; nil if `isEnough` or the time limit
  /// comes first. Throws if the recording has failed.
  private func outcome(after before: Outcome, orUntil isEnough: () throws -> Bool = { false }) throws
    -> Outcome?
  {
    let end = monotonic() + Int64(clamping: Record.timeout * 1e9)
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

  /// The name of the file that is being written; empty if there is none.
  private func file() throws -> String { try instrument.words("/record/file") }
}
