import OSC
import Surface
import System

/// The running instrument, as seen by a command.
struct RunningInstrument {
  /// The name of the command, at the beginning of its error messages.
  let command: String
  /// The OSC port of the instrument.
  let port: Int

  /// The answers of the instrument to a message. Throws if the message is refused, or if no instrument answers within
  /// `seconds`.
  @discardableResult
  func ask(_ address: String, _ values: [OSCValue] = [], within seconds: Double = 5) throws
    -> [LocalQuery.Answer]
  {
    guard let answers = LocalQuery.ask(address, values, port: port, within: seconds) else {
      throw CommandError.noInstrument(command, port)
    }
    guard let error = answers.first(where: { $0.address == "/error" }) else { return answers }
    let text = error.value.words
    // The refusal begins with the address, which the user of a command has not typed.
    throw CommandError(
      "\(command): " + (text.hasPrefix(address + " ") ? text.dropFirst(address.count + 1) : text[...]))
  }

  /// The address that answers with the number of saves that are not on the disk yet.
  static let waiting = "/presets/waiting"
  /// The maximum time for the instrument to write, in seconds.
  private static let timeout = 5.0

  /// Waits until all that was changed is on the disk. Throws if it is not after five seconds, or nothing is stored.
  func finish() throws {
    let end = monotonic() + Int64(clamping: RunningInstrument.timeout * 1e9)
    while true {
      let waiting = try number(RunningInstrument.waiting) ?? 0
      if waiting == 0 { return }
      if waiting < 0 { throw CommandError("\(command): done, but this pipit stores nothing on the disk") }
      if monotonic() >= end {
        throw CommandError("\(command): done, but not on the disk yet: \(try words("/notice"))")
      }
      sleep(until: monotonic() + 20_000_000)
    }
  }

  /// Sends a file in pieces, for a later message that uses it.
  func send(_ bytes: [UInt8]) throws {
    for start in stride(from: 0, to: bytes.count, by: RunningInstrument.piece) {
      let piece = bytes[start..<min(start + RunningInstrument.piece, bytes.count)]
      try ask("/file/write", [.int(start), .string(Hexadecimal.text(piece))])
    }
  }

  /// The bytes of a song of the instrument, found by its name or the beginning of the name.
  func export(_ song: String) throws -> [UInt8] {
    try ask("/songs/export", [.string(song)], within: 60)
    return try receive()
  }

  /// Receives the file that the instrument has prepared.
  func receive() throws -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let text = try ask("/file/read", [.int(bytes.count)]).first?.value.words ?? ""
      guard let piece = Hexadecimal.bytes(text) else { throw CommandError("\(command): pipit sent no file") }
      if piece.isEmpty { return bytes }
      bytes += piece
    }
  }

  /// The bytes of a file in one message, where each byte is two hexadecimal digits.
  private static let piece = 30_000

  /// The first value of the answer, as a number.
  func number(_ address: String) throws -> Double? { try ask(address).first?.value.number }

  /// The first value of the answer, as text; empty if there is none.
  func words(_ address: String) throws -> String { try ask(address).first?.value.words ?? "" }
}
