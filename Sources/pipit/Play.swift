import Glibc
import OSC
import Song
import Surface
import System

/// `pipit play`: has the running instrument play a MIDI file, until it ends or a signal comes.
struct Play {
  private let port: Int
  /// What the programs of the song mean.
  private let programs: String

  /// Bytes of a song in one message, of two digits each.
  private static let piece = 30_000

  static func run(_ arguments: CommandArguments) throws {
    let path = arguments.operands[0]
    let configured = try Configuration.adding([.oscPort], to: arguments)
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try readFile(path == "-" ? "/dev/stdin" : path, limit: SongLink.maxBytes)
    } catch { throw CommandError("play: \(error)") }
    // What is wrong with it is said here, not in the log of the service.
    do throws(SongError) {
      let song = try Song(bytes, strict: arguments[.strict] != nil)
      for warning in song.warnings { Console.log(.warning("play: \(path): \(warning)")) }
    } catch { throw CommandError("play: cannot read \(path): \(error)") }
    let play = Play(port: configured.number(.oscPort), programs: arguments[.programs] ?? "auto")
    Signals.block()
    try play.send(bytes, named: path.split(separator: "/").last.map(String.init) ?? path)
    try play.wait()
  }

  private func send(_ bytes: [UInt8], named name: String) throws {
    let digits = Array("0123456789abcdef".utf8)
    for start in stride(from: 0, to: bytes.count, by: Self.piece) {
      var text: [UInt8] = []
      for byte in bytes[start..<min(start + Self.piece, bytes.count)] {
        text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
      try ask("/song/data", [.int(start), .string(String(decoding: text, as: UTF8.self))])
    }
    try ask("/song/load", [.string(name), .string(programs)])
    try ask("/song/play")
  }

  /// Waits for the end; what ends the command stops the song.
  private func wait() throws {
    while try ask("/song/playing").first?.value.number == 1 {
      sleep(until: monotonic() + 100_000_000)
      if Signals.pending != nil {
        try ask("/song/stop")
        return Signals.unblock()
      }
    }
    Signals.unblock()
  }

  /// What the instrument answers; throws what it refuses.
  @discardableResult
  private func ask(_ address: String, _ values: [OSCValue] = []) throws -> [Question.Answer] {
    guard let answers = Question.ask(address, values, port: port) else {
      throw CommandError("play: no pipit answers for OSC port \(port)", status: 2)
    }
    for answer in answers where answer.address == "/error" {
      if case .string(let text) = answer.value { throw CommandError("play: \(text)") }
    }
    return answers
  }
}
