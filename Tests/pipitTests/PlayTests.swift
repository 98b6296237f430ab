import Foundation
import Glibc
import OSC
import Scratch
import Surface
import Testing

/// `pipit play` and `/song` with a real service, which plays by the clock.
@Suite("pipit play", .serialized) struct PlayTests {
  /// At 96 quarter notes a minute, which the song says, a note of twice so many ticks, with the wheel moved in the middle,
  /// one of 154, which is a second, and a third that it never lets go.
  private static func song(_ ticks: [UInt8]) -> [UInt8] {
    let tempo: [UInt8] = [0, 0xFF, 0x51, 3, 0x09, 0x89, 0x68]
    let strike: [UInt8] = [0, 0x90, 60, 100]
    let first = Array([strike, ticks, [0xB0, 1, 0], ticks, [0x90, 60, 0]].joined())
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
  private static let long = song([0xBE, 0x40])
  private static let short = song([0x4D])

  private let service: Service
  private let port: Int

  init() throws {
    let port = try #require(freePort())
    self.port = port
    service = Service(port)
    #expect(service.waits(for: "blocks") { (Int($0) ?? 0) > 0 })
  }

  private func ask(_ address: String, _ values: [OSCValue] = []) -> OSCArgument? {
    LocalQuery.ask(address, values, port: port, within: 60)?.first?.value
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
    #expect(eventually { playing })
    #expect(ask("/song/name") == .string("notes.mid") && ask("/song/length")?.number == 106)
    #expect(service.waits(for: "voices") { $0 == "1" })
    #expect(eventually { ask("/tempo/bpm")?.number.map { abs($0 - 96) < 0.01 } ?? false })
    kill(process, SIGINT)
    #expect(end(of: process) == 128 + SIGINT && !playing)
    #expect(text(service.folder.path + "/e").isEmpty)
    #expect(service.waits(for: "voices") { $0 == "0" })

    // Without the note that began before; the last is let go at the end, though the file does not.
    _ = LocalQuery.ask("/song/position", [.float(104.9)], port: port, within: 60)
    #expect(abs((ask("/song/position")?.number ?? 0) - 104.9) < 0.001)
    _ = LocalQuery.ask("/song/play", port: port, within: 60)
    #expect(eventually { !playing } && Int(ask("/song/position")?.number ?? 0) == 105)
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
    #expect(lonely.status == 3 && lonely.errors.contains("no pipit answers"))
  }

  @Test("is not needed for songs in the state folder: /song/play has their names")
  func names() {
    service.folder.file("songs/Duo.mid", Self.long)
    service.folder.file("songs/Cut.mid", Array(Self.long.dropLast(8)))
    _ = LocalQuery.ask("/song/play", [.string("du")], port: port, within: 60)
    #expect(eventually { playing } && ask("/song/name") == .string("Duo"))
    _ = LocalQuery.ask("/song/stop", port: port, within: 60)
    #expect(!playing)
    for (address, value) in [("/song/play", "nobody"), ("/song/data", "xy"), ("/song/load", "none")] {
      let answers = LocalQuery.ask(address, [.string(value)], port: port, within: 60)
      #expect(answers?.first?.address == "/error", "\(address)")
    }
    #expect(ask("/song/name") == .string("Duo"))
    _ = LocalQuery.ask("/song/play", [.string("Cut")], port: port, within: 60)
    #expect(service.waits(forLog: "song Cut: byte 22: track 1 claims "))
    // What ends every note of everyone ends the song's.
    #expect(service.waits(for: "voices") { $0 == "1" })
    _ = LocalQuery.ask("/panic", port: port, within: 60)
    #expect(service.waits(for: "voices") { $0 == "0" } && playing)
  }

  @Test("finds songs by their names as /song/play does, also those that come with pipit; a second is refused")
  func named() throws {
    let port = try #require(freePort())
    let presets = service.folder.path + "/factory"
    service.folder.file("factory/songs/Shipped.mid", Self.short)
    let live = Service(port, ["--presets", presets])
    #expect(live.waits(for: "blocks") { (Int($0) ?? 0) > 0 })
    live.folder.file("songs/Long.mid", Self.long)
    func play(_ song: String, _ more: [String] = []) -> Run {
      Run(["play", song, "--osc-port", "\(port)"] + more)
    }
    for name in ["shipped", "Shipped.mid", "ship"] {
      let run = play(name)
      #expect(run.status == 0 && run.errors.isEmpty && run.output.isEmpty, "\(name): \(run)")
    }
    #expect(LocalQuery.ask("/song/name", port: port, within: 60)?.first?.value == .string("Shipped"))
    let none = play("no-such-song")
    #expect(none.status == 1, "\(none)")
    #expect(none.errors.hasPrefix("pipit: play: no song begins with \"no-such-song\""), "\(none.errors)")
    #expect(play("shipped", ["--strict"]).status == 0)
    live.folder.file("songs/Cut.mid", Array(Self.short.dropLast(16)))
    let cut = play("cut", ["--strict"])
    #expect(cut.status == 1 && cut.errors.contains("cannot read cut: "), "\(cut)")
    // A folder that is named like a song is none.
    let here = Run(
      ["play", "shipped.mid", "--osc-port", "\(port)"],
      shell: "cd \(live.folder.path) && mkdir shipped.mid")
    #expect(here.status == 0, "\(here)")

    let process = start(
      ["play", "lo", "--osc-port", "\(port)"], environment: ["HOME=/nowhere"],
      output: live.folder.path + "/o", errors: live.folder.path + "/e")
    func isPlaying() -> Bool {
      LocalQuery.ask("/song/playing", port: port, within: 60)?.first?.value.number == 1
    }
    #expect(eventually { isPlaying() })
    for song in ["shipped", presets + "/songs/Shipped.mid"] {
      let second = play(song)
      #expect(second.status == 1 && second.errors.contains("\"Long\" is being played"), "\(second)")
    }
    #expect(isPlaying())
    // Another song from the tablet takes its place, and this command does not wait for that one.
    _ = LocalQuery.ask("/song/play", [.string("shipped")], port: port, within: 60)
    #expect(end(of: process) == 1)
    #expect(text(live.folder.path + "/e").contains("another song has taken its place"))
  }

  /// A file of one track; 96 ticks are half a second.
  private static func file(_ track: [UInt8]) -> [UInt8] {
    let head: [UInt8] = [0, 0, 0, 6, 0, 0, 0, 1, 0, 96]
    let whole = track + [0x60, 0xFF, 0x2F, 0]
    let length: [UInt8] = [0, 0, UInt8(whole.count >> 8), UInt8(whole.count & 0xFF)]
    var file: [UInt8] = Array("MThd".utf8)
    for part in [head, Array("MTrk".utf8), length, whole] { file += part }
    return file
  }

  /// A service with three presets, a kit, and a bank gm that has the third for program 2.
  private func small() throws -> (live: Service, port: Int) {
    let port = try #require(freePort())
    let factory = service.folder.path + "/factory"
    for (number, name) in ["One", "Two", "Three"].enumerated() {
      service.folder.file("factory/0\(number + 1)-x.txt", "pipit preset 1\nname \(name)\n")
    }
    service.folder.file("factory/kit.txt", "pipit preset 1\nname Kit\n/amp/sustain/percent 100\n")
    service.folder.file("factory/gm.txt", "pipit programs 1\n1 Two\n2 Three\ndrums Kit\n")
    let live = Service(port, ["--presets", factory])
    #expect(live.waits(for: "blocks") { (Int($0) ?? 0) > 0 })
    return (live, port)
  }

  private static let systemOn: [UInt8] = [0, 0xF0, 5, 0x7E, 0x7F, 9, 1, 0xF7]
  /// The text of songs for pipit.
  private static let mark: [UInt8] = [0, 0xFF, 1, 5] + Array("pipit".utf8)
  /// Program 2 for channel 1, as those songs choose it that come with pipit.
  private static let own: [UInt8] = mark + [0, 0xB0, 0, 0, 0, 0xC0, 1]
  /// A key on each of these channels from 0, of which the first is let go after a minute and a half, so that there is
  /// time to look; or after a second.
  private static func keys(_ channels: [UInt8], isShort: Bool = false) -> [UInt8] {
    var track: [UInt8] = []
    for channel in channels { track += [0, 0x90 | channel, 60, 100] }
    track += (isShort ? [0x81, 0x40] : [0x81, 0x87, 0x00]) + [0x80 | channels[0], 60, 0]
    return track
  }

  @Test("has General MIDI's programs where a song or the command says so, on parts as pipit render has them")
  func programs() throws {
    let (live, port) = try small()
    func first(_ part: Int) -> OSCArgument? {
      LocalQuery.ask("/part/\(part)/preset/name", [], port: port, within: 60)?.first?.value
    }
    let plain = Self.file(Self.own + Self.keys([0], isShort: true))
    live.folder.file("songs/Plain.mid", plain)
    live.folder.file("songs/Told.mid", Self.file(Self.systemOn + [0, 0xC0, 1] + Self.keys([0, 9, 2])))
    _ = LocalQuery.ask("/song/play", [.string("Plain")], port: port, within: 60)
    #expect(eventually { first(1) == .string("Two") })
    _ = LocalQuery.ask("/song/play", [.string("Told")], port: port, within: 60)
    // The channels in order on the parts from the first on; channel 3 has asked for nothing.
    let wanted: [OSCArgument?] = [.string("Three"), .string("Two"), .string("Kit")]
    #expect(eventually { (1...3).map { first($0) } == wanted })
    #expect(live.waits(for: "voices") { $0 == "3" })
    _ = LocalQuery.ask("/song/stop", port: port, within: 60)
    // None of the parts is on that was off.
    for part in 2...3 {
      #expect(LocalQuery.ask("/part/\(part)/on", port: port, within: 60)?.first?.value.number == 0)
    }
    let path = live.folder.file("plain.mid", plain)
    for (word, preset) in [("gm", "Three"), ("pipit", "Two"), ("auto", "Two")] {
      let run = Run(["play", path, "--programs", word, "--osc-port", "\(port)"])
      // The part has its own preset again, and undo brings back that of the song.
      #expect(run.status == 0 && first(1) == .string("One"), "\(word): \(run.errors)")
      _ = LocalQuery.ask("/setup/undo", port: port, within: 60)
      #expect(first(1) == .string(preset), "\(word)")
      _ = LocalQuery.ask("/setup/redo", port: port, within: 60)
    }
    _ = LocalQuery.ask("/song/play", [.string("Plain"), .string("gm")], port: port, within: 60)
    #expect(eventually { first(1) == .string("Three") })
    let wrong = LocalQuery.ask("/song/play", [.string("Plain"), .string("gs")], port: port, within: 60)
    #expect(wrong?.first?.address == "/error")
  }

  @Test(
    "plays the parts that answer to its channels alone; the others leave it, and nothing of them is changed")
  func cast() throws {
    let (live, port) = try small()
    func name(_ part: Int) -> OSCArgument? {
      LocalQuery.ask("/part/\(part)/preset/name", [], port: port, within: 60)?.first?.value
    }
    // Part 1 hears every channel, part 2 channel 2, part 5 that of drums.
    for (address, value) in [("/part/2/on", 1), ("/part/5/on", 1), ("/part/5/channel", 10)]
      as [(String, Float)]
    {
      _ = LocalQuery.ask(address, [.float(value)], port: port, within: 60)
    }
    let second: [UInt8] = Self.mark + [0, 0xB1, 0, 0, 0, 0xC1, 2]
    live.folder.file("songs/Second.mid", Self.file(second + Self.keys([1])))
    live.folder.file("songs/Drums.mid", Self.file(Self.systemOn + Self.keys([9])))
    live.folder.file("songs/Silent.mid", Self.file(Self.mark + Self.keys([1])))
    let before = (1...8).map { name($0) }
    _ = LocalQuery.ask("/song/play", [.string("Second")], port: port, within: 60)
    #expect(eventually { name(2) == .string("Three") } && live.waits(for: "voices") { $0 == "1" })
    _ = LocalQuery.ask("/song/play", [.string("Drums")], port: port, within: 60)
    #expect(eventually { name(5) == .string("Kit") } && live.waits(for: "voices") { $0 == "1" })
    for part in [1, 3, 4, 6, 7, 8] { #expect(name(part) == before[part - 1]) }
    _ = LocalQuery.ask("/song/stop", port: port, within: 60)
    // A song for pipit that chooses no sounds is a keyboard, which part 1 hears too.
    _ = LocalQuery.ask("/song/play", [.string("Silent")], port: port, within: 60)
    #expect(live.waits(for: "voices") { $0 == "2" })
    _ = LocalQuery.ask("/song/stop", port: port, within: 60)
    let strips = ["/part/1/channel", "/part/2/channel", "/part/5/channel"].map {
      LocalQuery.ask($0, port: port, within: 60)?.first?.value.number
    }
    #expect(strips == [0, 2, 10])
  }

  @Test("plays sixteen channels, eight of them on parts that only songs use, beside a player, until a panic")
  func sixteen() throws {
    let (live, port) = try small()
    var track = Self.own
    for channel: UInt8 in 0...15 { track += [0, 0x90 | channel, 60, 100] }
    // A minute and a half.
    live.folder.file("songs/Many.mid", Self.file(track + [0x81, 0x87, 0x00, 0x80, 60, 0]))
    _ = LocalQuery.ask("/song/play", [.string("Many"), .string("gm")], port: port, within: 60)
    #expect(live.waits(for: "voices") { $0 == "16" })
    // A player's key sounds on part 1, in the sound that channel 1 has there.
    _ = LocalQuery.ask("/part/1/note", [.int(64), .float(1)], port: port, within: 60)
    #expect(live.waits(for: "voices") { $0 == "17" })
    _ = LocalQuery.ask("/panic", [.int(1)], port: port, within: 60)
    #expect(live.waits(for: "voices") { $0 == "0" })
    // It goes on, and its end lets the parts go.
    _ = LocalQuery.ask("/song/stop", port: port, within: 60)
    _ = LocalQuery.ask("/song/position", [.int(0)], port: port, within: 60)
    _ = LocalQuery.ask("/song/play", port: port, within: 60)
    #expect(live.waits(for: "voices") { $0 == "16" })
    _ = LocalQuery.ask("/song/stop", port: port, within: 60)
    #expect(live.waits(for: "voices") { $0 == "0" })
  }
}
