import Glibc
import OSC
import Song
import Surface
import System
import Playback

/// `pipit play`: makes the running instrument play a MIDI file, until it ends or a signal is received.
struct Play {
  private let instrument: RunningInstrument
  /// The program order of the song.
  private let programs: String

  /// The number of bytes of a song in one message, where each byte is two hexadecimal digits.
  private static let piece = 30_000

  static func run(_ arguments: CommandArguments) throws {
    let song = arguments.operands[0]
    let configured = try Configuration.adding([.oscPort], to: arguments)
    let play = Play(
      instrument: RunningInstrument(command: "play", port: configured.number(.oscPort)),
      programs: arguments[.programs] ?? "auto")
    let isStrict = arguments[.strict] != nil
    // A name that is not a file here is looked up by the instrument. A folder is not a file, and may have the name of
    // a song.
    if song != "-", !song.contains("/"), !isFile(song) {
      if isStrict { try Play.check(play.instrument.export(song), named: song, strict: true) }
      try play.begin { try play.instrument.ask("/song/play", [.string(song), .string(play.programs)]) }
    } else {
      let bytes = try read(song, strict: isStrict)
      try play.begin {
        try play.send(bytes, named: song.split(separator: "/").last.map(String.init) ?? song)
      }
    }
    try play.wait()
  }

  /// Reads a song. Its warnings are printed here and not in the log of the service.
  private static func read(_ path: String, strict: Bool) throws -> [UInt8] {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try readFile(path == "-" ? "/dev/stdin" : path, limit: SongPlayer.maxBytes)
    } catch { throw CommandError("play: \(error)") }
    try check(bytes, named: path, strict: strict)
    return bytes
  }

  private static func check(_ bytes: [UInt8], named name: String, strict: Bool) throws {
    do throws(SongError) {
      for warning in try Song(bytes, strict: strict).warnings {
        Console.log(.warning("play: \(name): \(warning)"))
      }
    } catch { throw CommandError("play: cannot read \(name): \(error)") }
  }

  /// Whether a path exists and is not a folder.
  private static func isFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFDIR
  }

  /// Starts a song unless another one is playing.
  private func begin(_ start: () throws -> Void) throws {
    if try instrument.number("/song/playing") == 1 {
      throw CommandError(
        "play: \"\(try instrument.words("/song/name"))\" is being played; /song/stop over OSC ends it, or Ctrl-C where "
          + "'pipit play' plays it")
    }
    Signals.block()
    try start()
  }

  private func send(_ bytes: [UInt8], named name: String) throws {
    for start in stride(from: 0, to: bytes.count, by: Self.piece) {
      let text = Hexadecimal.text(bytes[start..<min(start + Self.piece, bytes.count)])
      try instrument.ask("/song/data", [.int(start), .string(text)])
    }
    try instrument.ask("/song/load", [.string(name), .string(programs)])
    try instrument.ask("/song/play")
  }

  /// Waits for the end of the song, and stops the song if the command is interrupted. Throws if another song has
  /// replaced it.
  private func wait() throws {
    defer { Signals.unblock() }
    let name = try instrument.words("/song/name")
    while try instrument.number("/song/playing") == 1 {
      if try instrument.words("/song/name") != name {
        throw CommandError("play: another song has taken its place")
      }
      sleep(until: monotonic() + 100_000_000)
      if Signals.pending != nil {
        try instrument.ask("/song/stop")
        return
      }
    }
  }
}
