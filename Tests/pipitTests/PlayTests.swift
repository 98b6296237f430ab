import Glibc
import OSC
import Scratch
import Surface
import Testing

/// `pipit play` and `/song` with a real service, which plays by the clock.
@Suite("pipit play", .serialized) struct PlayTests {
  /// Two notes of a second each at 96 quarter notes a minute, which the song says, and a third that it never lets go.
  private static let song: [UInt8] = {
    let tempo: [UInt8] = [0, 0xFF, 0x51, 3, 0x09, 0x89, 0x68]
    let notes: [UInt8] = [0, 0x90, 60, 100, 0x81, 0x1A, 60, 0, 0, 64, 100, 0x81, 0x1A, 64, 0, 0, 67, 90]
    let rest: [UInt8] = [0x30, 0xFF, 0x2F, 0]
    let track = tempo + notes + rest
    let head: [UInt8] = [0, 0, 0, 6, 0, 0, 0, 1, 0, 96]
    return Array("MThd".utf8) + head + Array("MTrk".utf8) + [0, 0, 0, UInt8(track.count)] + track
  }()

  private let service: Service
  private let port: Int

  init() throws {
    let (descriptor, port) = try #require(boundPort())
    close(descriptor)
    self.port = port
    service = Service(port)
    #expect(service.waits(for: "blocks") { (Int($0) ?? 0) > 0 })
  }

  private func ask(_ address: String, _ values: [OSCValue] = []) -> OSCArgument? {
    Question.ask(address, values, port: port)?.first?.value
  }

  private func waits(_ isSo: () -> Bool) -> Bool {
    for _ in 0..<300 {
      if isSo() { return true }
      usleep(20_000)
    }
    return false
  }

  private var playing: Bool { ask("/song/playing")?.number == 1 }

  @Test(
    "plays a file through the running instrument, with its tempo; interrupted, it stops, and goes on over OSC"
  )
  func plays() {
    let path = service.folder.file("two notes.mid", Self.song)
    let process = start(
      ["play", path, "--osc-port", "\(port)"], environment: ["HOME=/nowhere"],
      output: service.folder.path + "/o", errors: service.folder.path + "/e")
    #expect(waits { playing })
    #expect(ask("/song/name") == .string("two notes.mid") && ask("/song/length")?.number == 3)
    #expect(service.waits(for: "voices") { $0 == "1" })
    #expect(waits { ask("/tempo/bpm")?.number.map { abs($0 - 96) < 0.01 } ?? false })
    kill(process, SIGINT)
    #expect(end(of: process) == 128 + SIGINT && !playing)
    #expect(text(service.folder.path + "/e").isEmpty)
    #expect(service.waits(for: "voices") { $0 == "0" })

    // Without the note that began before; the last is let go at the end, though the file does not.
    _ = Question.ask("/song/position", [.float(1.9)], port: port)
    #expect(ask("/song/position")?.number == 1)
    _ = Question.ask("/song/play", port: port)
    #expect(waits { !playing } && ask("/song/position")?.number == 2)
    #expect(service.waits(for: "voices") { $0 == "0" })
  }

  @Test("ends with the song, and says what is wrong with a file")
  func ends() {
    let broken = service.folder.file("broken.mid", Array(Self.song.dropLast(16)))
    let run = Run(["play", broken, "--osc-port", "\(port)"])
    #expect(run.status == 0 && run.errors.contains("played up to there"), "\(run.errors)")
    #expect(!playing)
    #expect(Run(["play", broken, "--strict", "--osc-port", "\(port)"]).status == 1)
    let text = service.folder.file("text.mid", Array("no song".utf8))
    #expect(Run(["play", text, "--osc-port", "\(port)"]).errors.contains("not a Standard MIDI File"))
    #expect(service.stop() == 0)
    let lonely = Run(["play", broken, "--osc-port", "\(port)"])
    #expect(lonely.status == 2 && lonely.errors.contains("no pipit answers"))
  }

  @Test("is not needed for songs in the state folder: /song/play has their names")
  func names() {
    service.folder.file("songs/Duo.mid", Self.song)
    _ = Question.ask("/song/play", [.string("du")], port: port)
    #expect(waits { playing } && ask("/song/name") == .string("Duo"))
    _ = Question.ask("/song/stop", port: port)
    #expect(!playing)
    for (address, value) in [("/song/play", "nobody"), ("/song/data", "xy"), ("/song/load", "none")] {
      let answers = Question.ask(address, [.string(value)], port: port)
      #expect(answers?.first?.address == "/error", "\(address)")
    }
    #expect(ask("/song/name") == .string("Duo"))
  }
}
