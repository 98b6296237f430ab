import EngineHarness
import Glibc
import MIDI
import Scenes
import Testing
@testable import Song

/// Songs with system exclusive messages, rendered: the level and the pitch of a note that sounds after them.
@Suite("A song's system exclusive message") struct ExclusiveSongTests {
  /// A packet of F0 with its length.
  private static func packet(_ bytes: [UInt8], _ status: UInt8 = 0xF0) -> [UInt8] {
    [0, status, UInt8(bytes.count)] + bytes
  }

  /// A message of GS with its checksum.
  private static func gs(_ data: [UInt8], wrong: UInt8 = 0) -> [UInt8] {
    let sum = data.reduce(0) { $0 + Int($1) }
    return packet([0x41, 0x10, 0x42, 0x12] + data + [UInt8((128 - sum & 127) & 127) ^ wrong, 0xF7])
  }

  /// What is heard of an A after some events: decibels below the same without them, and cents from 440 Hz.
  private func hear(
    _ events: [UInt8], key: UInt8 = 69, channel: UInt8 = 0
  ) throws -> (level: Double, cents: Double) {
    let (own, plain) = (try play(events, key, channel), try play([], key, channel))
    let level = 10 * log10(own.reduce(0) { $0 + Double($1 * $1) } / plain.reduce(0) { $0 + Double($1 * $1) })
    let hertz = 440 * exp2((Double(key) - 69) / 12)
    return (level, 1_200 * log2(own.pitch(rate: 48_000) / hertz))
  }

  private func play(_ events: [UInt8], _ key: UInt8, _ channel: UInt8) throws -> [Float] {
    let track = events + [4, 0x90 | channel, key, 100, 0x81, 0x40, 0x80 | channel, key, 0] + end
    let song = try Song(midi(tracks: [track]))
    var scene = Scene.with([("/osc/1/wave", 0), ("/filter/cutoff", 20_000), ("/amp/sustain", 1)])
    scene[0].strip.channel = 0
    let player = Player(scene)
    for event in song.events(rate: 48_000, source: UInt8(Limits.songSource), generalMIDI: false)
    where !event.kind.isForControl {
      player.link.midi.push(event)
    }
    player.play(14_400)
    player.left = []
    player.play(12_000)
    return player.left
  }

  @Test("sets the master volume, by the universal message, GS and XG")
  func volume() throws {
    let messages: [[UInt8]] = [
      Self.packet([0x7F, 0x7F, 4, 1, 0, 32, 0xF7]), Self.gs([0x40, 0, 4, 32]),
      Self.packet([0x43, 0x10, 0x4C, 0, 0, 4, 32, 0xF7]),
    ]
    for message in messages {
      let level = try hear(message).level
      #expect(abs(level + 23.95) < 0.1, "\(level)")
    }
    // A checksum that is wrong.
    #expect(abs(try hear(Self.gs([0x40, 0, 4, 32], wrong: 1)).level) < 0.01)
  }

  @Test("tunes the whole song, fine and coarse")
  func tuning() throws {
    let messages: [([UInt8], Double)] = [
      (Self.packet([0x7F, 0x7F, 4, 3, 0, 96, 0xF7]), 50),
      (Self.packet([0x7F, 0x7F, 4, 4, 0, 67, 0xF7]), 300),
      (Self.gs([0x40, 0, 0, 0, 3, 12, 0]), -6.4), (Self.gs([0x40, 0, 5, 0x3E]), -200),
      (Self.packet([0x43, 0x10, 0x4C, 0, 0, 6, 0x41, 0xF7]), 100),
    ]
    for (message, cents) in messages {
      let heard = try hear(message).cents
      #expect(abs(heard - cents) < 0.5, "\(heard) instead of \(cents)")
    }
  }

  @Test("tunes keys and tones by the tuning standard and by GS")
  func keys() throws {
    let octave = (0..<12).map { UInt8($0 == 9 ? 90 : 64) }
    let bulk: [UInt8] = (0..<128).flatMap { [$0, 32, 0] as [UInt8] }
    let messages: [([UInt8], Double)] = [
      (Self.packet([0x7F, 0, 8, 2, 0, 1, 69, 69, 64, 0, 0xF7]), 50),
      (Self.packet([0x7E, 0, 8, 8, 0, 0, 1] + octave + [0xF7]), 26),
      (Self.gs([0x40, 0x11, 0x40] + octave), 26), (Self.gs([0x40, 0x11, 0x49, 44]), -20),
      ([0, 0xF0, 0x83, 0x17, 0x7E, 0, 8, 1, 0] + [UInt8](repeating: 32, count: 16) + bulk + [0, 0xF7], 25),
    ]
    for (message, cents) in messages {
      let heard = try hear(message).cents
      #expect(abs(heard - cents) < 0.5, "\(heard) instead of \(cents)")
    }
    // Another channel, and another tone.
    #expect(abs(try hear(Self.gs([0x40, 0x12, 0x49, 44])).cents) < 0.5)
    #expect(abs(try hear(Self.gs([0x40, 0x11, 0x48, 44])).cents) < 0.5)
  }

  @Test("may be cut into packets, and need not end")
  func packets() throws {
    let messages: [[UInt8]] = [
      Self.packet([0x7F, 0x7F]) + Self.packet([4, 1, 0], 0xF7) + Self.packet([32, 0xF7], 0xF7),
      Self.packet([0x7F, 0x7F, 4, 1, 0, 32]), Self.packet([0xF0, 0x7F, 0x7F, 4, 1, 0, 32, 0xF7], 0xF7),
    ]
    for message in messages {
      let level = try hear(message).level
      #expect(abs(level + 23.95) < 0.1, "\(level)")
    }
    // A packet of F7 without a beginning, and a message that another breaks off.
    #expect(abs(try hear(Self.packet([0x7F, 0x7F, 4, 1, 0, 32, 0xF7], 0xF7)).level) < 0.01)
    let broken = Self.packet([0x7F, 0x7F, 4, 1]) + Self.packet([0x7F, 0x7F, 4, 3, 0, 96, 0xF7])
    #expect(abs(try hear(broken).cents - 50) < 0.5)
  }

  @Test("resets what the song has set before: GM, GM 2, GS and XG")
  func resets() throws {
    let set: [UInt8] =
      Self.packet([0x7F, 0x7F, 4, 1, 0, 32, 0xF7]) + Self.packet([0x7F, 0x7F, 4, 3, 0, 96, 0xF7])
      + [0, 0xB0, 7, 20, 0, 0xE0, 0, 100]
    let resets: [[UInt8]] = [
      Self.packet([0x7E, 0x7F, 9, 1, 0xF7]), Self.packet([0x7E, 0x7F, 9, 3, 0xF7]),
      Self.packet([0x43, 0x10, 0x4C, 0, 0, 0x7E, 0, 0xF7]), Self.gs([0x40, 0, 0x7F, 0]),
    ]
    for reset in resets {
      let heard = try hear(set + reset)
      // The volume is 100.
      #expect(abs(heard.level - 40 * log10(100.0 / 127)) < 0.05 && abs(heard.cents) < 0.5, "\(heard)")
    }
  }

  @Test("sets the level, the key and the bend range of a part, by GS and XG")
  func parts() throws {
    let wheel: [UInt8] = [0, 0xE0, 127, 127]
    let messages: [([UInt8], level: Double, cents: Double)] = [
      (Self.gs([0x40, 0x11, 0x19, 64]), -11.9, 0),
      (Self.packet([0x43, 0x10, 0x4C, 8, 0, 0x0B, 64, 0xF7]), -11.9, 0),
      (Self.gs([0x40, 0x12, 0x19, 64]), 0, 0), (Self.gs([0x40, 0x11, 0x16, 0x40 - 3]), 0, -300),
      (Self.packet([0x43, 0x10, 0x4C, 8, 0, 8, 0x40 + 2, 0xF7]), 0, 200),
      (Self.gs([0x40, 0x21, 0x10, 0x40 + 7]) + wheel, 0, 700),
      (Self.packet([0x43, 0x10, 0x4C, 8, 0, 0x23, 0x40 + 5, 0xF7]) + wheel, 0, 500),
    ]
    for (message, level, cents) in messages {
      let heard = try hear(message)
      #expect(abs(heard.level - level) < 0.2 && abs(heard.cents - cents) < 0.5, "\(heard) \(message)")
    }
    // Silence.
    #expect(try hear(Self.gs([0x40, 0x11, 0x19, 0])).level < -80)
  }

  @Test("makes a part play drums, or melodies, by GS and XG")
  func rhythm() throws {
    let messages: [([UInt8], String)] = [
      (Self.gs([0x40, 0x10, 0x15, 0]), "9 0"), (Self.gs([0x40, 0x11, 0x15, 1]), "0 1"),
      (Self.gs([0x40, 0x19, 0x15, 2]), "8 1"), (Self.gs([0x40, 0x1A, 0x15, 1]), "10 1"),
      (Self.gs([0x40, 0x1F, 0x15, 1]), "15 1"), (Self.gs([0x40, 0x11, 0x15, 1], wrong: 2), ""),
      (Self.packet([0x43, 0x10, 0x4C, 8, 10, 7, 1, 0xF7]), "10 1"),
    ]
    for (message, words) in messages {
      let events = try Song(midi(tracks: [message + end])).events(rate: 48_000).filter { $0.kind == .rhythm }
      #expect(events.map { "\($0.target) \(Int($0.value))" }.joined() == words, "\(words)")
    }
  }

  @Test("is in its place between messages of one moment")
  func order() throws {
    let volume = Self.packet([0x7F, 0x7F, 4, 1, 0, 32, 0xF7])
    let system = Self.packet([0x7E, 0x7F, 9, 1, 0xF7])
    let track = [[0, 0xB0, 7, 90], volume, [0, 0xB0, 11, 80], system, end]
    let kinds = try Song(midi(tracks: [Array(track.joined())])).events(rate: 48_000).map(\.kind)
    #expect(kinds == [.volume, .masterVolume, .expression, .setUp])
  }
}
