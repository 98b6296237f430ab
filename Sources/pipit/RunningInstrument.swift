import OSC
import Surface

/// The running instrument, as seen by a command.
struct RunningInstrument {
  /// The name of the command, at the beginning of its error messages.
  let command: String
  /// The OSC port of the instrument.
  let port: Int

  /// The answers of the instrument to a message. Throws if the message is refused, or if no instrument answers.
  @discardableResult
  func ask(_ address: String, _ values: [OSCValue] = []) throws -> [LocalQuery.Answer] {
    guard let answers = LocalQuery.ask(address, values, port: port) else {
      throw CommandError.noInstrument(command, port)
    }
    guard let error = answers.first(where: { $0.address == "/error" }) else { return answers }
    let text = error.value.words
    // The refusal begins with the address, which the user of a command has not typed.
    throw CommandError(
      "\(command): " + (text.hasPrefix(address + " ") ? text.dropFirst(address.count + 1) : text[...]))
  }

  /// The first value of the answer, as a number.
  func number(_ address: String) throws -> Double? { try ask(address).first?.value.number }

  /// The first value of the answer, as text; empty if there is none.
  func words(_ address: String) throws -> String { try ask(address).first?.value.words ?? "" }
}
