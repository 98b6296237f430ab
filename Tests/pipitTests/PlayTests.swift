import Foundation
import Glibc
import OSC
import Scratch
import Surface
import Testing

/// `pipit play` and `/song` with a real service, which plays by the clock.
@Suite("pipit play", .serialized) struct PlayTests {
  /// At 96 quarter notes a minute, which the song says, a note of so many ticks, one of 154, which is a second, and a
  /// third that it never lets go.
  private static func song(_ ticks: [UInt8]) -> [UInt8] {
    let tempo: [UInt8] = [0, 0xFF, 0x51, 3, 0x09, 0x89, 0x68]
    let strike: [UInt8] = [0, 0x90, 60, 100]
    let first: [UInt8] = strike + ticks + [60, 0]
    let others: [UInt8] = [0, 64, 100, 0x81, 0x1A, 64, 0, 0, 67, 90]
    let rest: [UInt8] = [0x30, 0xFF, 0x2F, 0]
    let track: [UInt8] = [tempo, first, others, rest].flatMap { $0 }
    let head: [UInt8] = [0, 0, 0, 6, 0, 0, 0, 1, 0, 96]
    let length: [UInt8] = [0, 0, 0, UInt8(track.count)]
    var file: [UInt8] = Array("MThd".utf8)
    for part in [head, Array("MTrk".utf8), length, track] { file += part }
    return file
  }

  /// The first note is 104 s long, so that there is time to look.
  private static let long = song([0xFD, 0])
  private static let short = song([0x81, 0x1A])

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
    let path = service.folder.file("notes.mid", Self.long)
    let process = start(
      ["play", path, "--osc-port", "\(port)"], environment: ["HOME=/nowhere"],
      output: service.folder.path + "/o", errors: service.folder.path + "/e")
    #expect(waits { playing })
    #expect(ask("/song/name") == .string("notes.mid") && ask("/song/length")?.number == 106)
    #expect(service.waits(for: "voices") { $0 == "1" })
    #expect(waits { ask("/tempo/bpm")?.number.map { abs($0 - 96) < 0.01 } ?? false })
    kill(process, SIGINT)
    #expect(end(of: process) == 128 + SIGINT && !playing)
    #expect(text(service.folder.path + "/e").isEmpty)
    #expect(service.waits(for: "voices") { $0 == "0" })

    // Without the note that began before; the last is let go at the end, though the file does not.
    _ = Question.ask("/song/position", [.float(104.9)], port: port)
    #expect(ask("/song/position")?.number == 104)
    _ = Question.ask("/song/play", port: port)
    #expect(waits { !playing } && ask("/song/position")?.number == 105)
    #expect(service.waits(for: "voices") { $0 == "0" })
  }

  @Test("ends with the song, and says what is wrong with a file")
  func ends() {
    let broken = service.folder.file("broken.mid", Array(Self.short.dropLast(16)))
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
    service.folder.file("songs/Duo.mid", Self.long)
    service.folder.file("songs/Cut.mid", Array(Self.long.dropLast(8)))
    _ = Question.ask("/song/play", [.string("du")], port: port)
    #expect(waits { playing } && ask("/song/name") == .string("Duo"))
    _ = Question.ask("/song/stop", port: port)
    #expect(!playing)
    for (address, value) in [("/song/play", "nobody"), ("/song/data", "xy"), ("/song/load", "none")] {
      let answers = Question.ask(address, [.string(value)], port: port)
      #expect(answers?.first?.address == "/error", "\(address)")
    }
    #expect(ask("/song/name") == .string("Duo"))
    _ = Question.ask("/song/play", [.string("Cut")], port: port)
    #expect(service.waits(forLog: "song Cut: byte 22: track 1 claims "))
    // What ends every note of everyone ends the song's.
    #expect(service.waits(for: "voices") { $0 == "1" })
    _ = Question.ask("/panic", port: port)
    #expect(service.waits(for: "voices") { $0 == "0" } && playing)
  }

  @Test(
    "has General MIDI's programs where a song says so, pipit's where it does not, and says what nothing plays"
  )
  func programs() throws {
    let (descriptor, port) = try #require(boundPort())
    close(descriptor)
    let factory = service.folder.path + "/factory"
    for (number, name) in ["One", "Two", "Three"].enumerated() {
      service.folder.file("factory/0\(number + 1)-x.txt", "pipit preset 1\nname \(name)\n")
    }
    service.folder.file("factory/gm.txt", "pipit programs 1\n2 Three\ndrums One\n")
    let live = Service(port, ["--presets", factory])
    #expect(live.waits(for: "blocks") { (Int($0) ?? 0) > 0 })
    let systemOn: [UInt8] = [0, 0xF0, 5, 0x7E, 0x7F, 9, 1, 0xF7]
    let asked: [UInt8] = [0, 0xC0, 1, 0, 0x90, 60, 100, 0, 0x99, 36, 100, 96, 0x80, 60, 0, 0, 0xFF, 0x2F, 0]
    // As those that come with pipit: on its own channel, in a bank.
    let own: [UInt8] = [0, 0xB0, 0, 0, 0, 0xC0, 1, 0, 0x90, 60, 100, 96, 0x80, 60, 0, 0, 0xFF, 0x2F, 0]
    for (name, track, preset) in [("Plain", own, "Two"), ("Told", systemOn + asked, "Three")] {
      let head: [UInt8] = Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 0, 96]
      let length: [UInt8] = [0, 0, 0, UInt8(track.count)]
      live.folder.file("songs/\(name).mid", head + Array("MTrk".utf8) + length + track)
      _ = Question.ask("/song/play", [.string(name)], port: port)
      let isSo = waits {
        Question.ask("/part/1/preset/name", [], port: port)?.first?.value == .string(preset)
      }
      #expect(isSo, "\(name)")
      _ = Question.ask("/song/stop", port: port)
    }
    #expect(live.waits(forLog: "song Told: no part answers to channel 10"))
    #expect(live.log.components(separatedBy: "no part answers").count == 2, "\(live.log)")
  }
}
