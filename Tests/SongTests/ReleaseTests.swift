import MIDI
import Scenes
import Song
import Testing
@testable import Song

@Suite("What a song holds")
struct ReleaseTests {
  /// The last and the first key of two words of bits, on the first and the last channel, and three pedals.
  private static let held: [UInt8] = [
    0, 0x90, 0, 1, 0, 63, 1, 0, 64, 1, 0, 127, 1, 0, 0x9F, 5, 1, 0, 0x90, 5, 1, 0, 0x80, 5, 0,
    // Down at 64, not at 63; the soft pedal holds nothing.
    0, 0xB0, 64, 64, 0, 66, 127, 0, 67, 127, 0, 0xBF, 69, 100, 0, 0xB1, 64, 63,
    // One that is up again.
    0, 0xB2, 64, 127, 0, 64, 0,
  ]

  /// As `1:60` for a key that comes up and `1/64` for a pedal, with the channel from 1.
  private static let letGo = ["1:0", "1:63", "1:64", "1:127", "16:5", "1/64", "1/66", "16/69"]

  private func word(_ channel: UInt8, _ message: MIDIMessage) -> String {
    switch message {
    case .noteOff(let note, MIDIValue(64, bits: 7)): "\(channel + 1):\(note)"
    case .controller(let number, MIDIValue(0, bits: 7)): "\(channel + 1)/\(number)"
    default: "other"
    }
  }

  /// What the song does after `seconds`, a word each.
  private func after(_ seconds: Double, _ song: Song) -> [String] {
    song.messages.filter { $0.seconds > seconds }.map { word($0.channel, $0.message) }
  }

  @Test("is let go where a track breaks off: keys and pedals, at that moment")
  func broken() throws {
    // A second track goes on for two seconds more.
    let other: [UInt8] = [0x83, 0x00, 0x92, 60, 1] + end
    let song = try Song(midi(tracks: [Self.held + [0x60, 0xB0, 1, 5, 0x60, 0x90, 60], other]))
    #expect(song.warnings.map(\.kind) == [.broken])
    let late = song.messages.filter { $0.seconds > 0.5 }
    #expect(late.dropLast().map { word($0.channel, $0.message) } == Self.letGo)
    // At the time of the message that is not whole, not at the end of the song.
    #expect(late.dropLast().allSatisfy { $0.seconds == 1 } && late.last?.seconds == 2)
  }

  @Test("is let go where a file is cut off between two events")
  func cutOff() throws {
    let tail: [UInt8] = [0x60, 0xB0, 1, 5, 0x60, 0xB0, 1, 6, 0x60, 0xB0, 1, 7] + end
    let whole = midi(tracks: [Self.held + tail])
    let song = try Song(Array(whole.dropLast(8)))
    #expect(song.warnings.map(\.kind) == [.chunks])
    #expect(after(0.5, song) == ["other"] + Self.letGo && song.length == 1)
    // A track that lacks its end alone is held to the end of the song.
    let open = try Song(midi(tracks: [Self.held + [0x60, 0xB0, 1, 5], [0x83, 0x00, 0x92, 60, 1] + end]))
    #expect(after(0.5, open).count == 1 && open.warnings.isEmpty)
  }

  @Test("is let go where there is room for no more messages")
  func full() throws {
    let tail: [UInt8] = [0x60, 0xB0, 1, 5, 0x60, 0xB0, 1, 6] + end
    let count = try Song(midi(tracks: [Self.held])).messages.count
    let song = try Song(midi(tracks: [Self.held + tail]), strict: false, maxMessages: count + 1)
    #expect(song.warnings.map(\.kind) == [.messages])
    #expect(after(0.5, song) == Self.letGo)
  }

  @Test("is let go at the end of each pattern of format 2")
  func patterns() throws {
    let first = Self.held + [0x60] + end.dropFirst()
    let song = try Song(midi(format: 2, tracks: [first, [0x60, 0x92, 60, 1] + end]))
    let middle = song.messages.filter { $0.seconds == 0.5 }
    #expect(middle.map { word($0.channel, $0.message) } == Self.letGo)
    #expect(song.messages.last?.seconds == 1)
  }

  @Test("is let go at its end, by whoever plays it")
  func ended() throws {
    let song = try Song(midi(tracks: [Self.held + [0x60] + end.dropFirst()]))
    #expect(song.messages.allSatisfy { $0.seconds == 0 })
    let last = song.events(rate: 1_000, source: 9).filter { $0.frame > 0 }
    #expect(last.allSatisfy { $0.frame == 500 && $0.source == 9 })
    let (keys, pedals) = (Array(last.prefix(5)), Array(last.dropFirst(5)))
    #expect(keys.allSatisfy { $0.kind == .noteOff })
    #expect(keys.map { "\($0.target + 1):\($0.note)" } == Array(Self.letGo.prefix(5)))
    #expect(pedals.map(\.kind) == [.sustain, .sostenuto, .sustain2])
    #expect(pedals.map(\.target) == [0, 0, 15])
    #expect(pedals.allSatisfy { $0.value == 0 })
  }

  @Test("counts a key twice when it is struck twice, and is let go once")
  func twice() throws {
    var held = HeldNotes()
    #expect(held.releases.isEmpty)
    for _ in 0..<2 { held.take(ChannelMessage(3, .noteOn(note: 60, velocity: MIDIValue(1, bits: 7)))) }
    #expect(held.releases.map(\.channel) == [3])
    held.take(ChannelMessage(4, .noteOff(note: 60, velocity: MIDIValue(0, bits: 7))))
    held.take(ChannelMessage(3, .noteOff(note: 61, velocity: MIDIValue(0, bits: 7))))
    #expect(held.releases.count == 1)
    held.take(ChannelMessage(3, .noteOff(note: 60, velocity: MIDIValue(0, bits: 7))))
    #expect(held.releases.isEmpty)
  }
}
