import OSC
import Surface

/// The running instrument, as a command asks it.
struct RunningInstrument {
  /// The name of the command, which its errors begin with.
  let command: String
  /// The OSC port of the instrument.
  let port: Int

  /// What the instrument answers to a message. Throws what it refuses, or that there is none.
  @discardableResult
  func ask(_ address: String, _ values: [OSCValue] = []) throws -> [LocalQuery.Answer] {
    guard let answers = LocalQuery.ask(address, values, port: port) else {
      throw CommandError.noInstrument(command, port)
    }
    guard let error = answers.first(where: { $0.address == "/error" }) else { return answers }
    let text = error.value.words
    // The refusal begins with the address, which whoever types a command has not written.
    throw CommandError(
      "\(command): " + (text.hasPrefix(address + " ") ? text.dropFirst(address.count + 1) : text[...]))
  }

  /// The first value that it answers, as a number.
  func number(_ address: String) throws -> Double? { try ask(address).first?.value.number }

  /// The first value that it answers, in words; empty when there is none.
  func words(_ address: String) throws -> String { try ask(address).first?.value.words ?? "" }
}
