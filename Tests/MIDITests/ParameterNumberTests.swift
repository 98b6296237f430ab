import MIDI
import Scenes
import Testing

/// What a keyboard plays, in words: the kind of each event and its value.
final class Played {
  let decoder = MIDIDecoder()

  /// What controllers and their values do on channel 1 of a source.
  func controllers(_ pairs: [(UInt8, UInt8)], source: UInt8 = 0) -> [String] {
    pairs.flatMap { events([0xB0, $0.0, $0.1], source: source) }
  }

  func events(_ bytes: [UInt8], source: UInt8 = 0) -> [String] {
    messages(bytes).compactMap { decoder.event($0, source: source, frame: 0).map(Self.words) }
  }

  func events(_ message: MIDIMessage, source: UInt8 = 0) -> [String] {
    [decoder.event(ChannelMessage(0, message), source: source, frame: 0).map(Self.words)].compactMap { $0 }
  }

  private static func words(_ event: Event) -> String {
    let hundredths = Int((event.value * 100).rounded())
    return "\(event.kind) \(hundredths)"
  }
}

/// Controllers 6, 38 and 96 to 101. Values are hundredths of a semitone.
@Suite("A parameter number") struct ParameterNumberTests {
  private static let range: [(UInt8, UInt8)] = [(101, 0), (100, 0)]

  // swift-format-ignore
  @Test("moves what it is the number of, with one half of its value or both", arguments: [
    // The upper half alone.
    ([(101, 0), (100, 0), (6, 12)],                    ["bendRange 1200"]),
    ([(101, 0), (100, 0), (6, 12), (38, 50)],          ["bendRange 1200", "bendRange 1250"]),
    // The lower one first.
    ([(100, 0), (101, 0), (38, 50), (6, 3)],           ["bendRange 250", "bendRange 350"]),
    // Chosen once, moved twice.
    ([(101, 0), (100, 0), (6, 12), (6, 7)],            ["bendRange 1200", "bendRange 700"]),
    ([(101, 0), (100, 1), (6, 64)],                    ["tuning 0"]),
    ([(101, 0), (100, 1), (6, 0)],                     ["tuning -100"]),
    ([(101, 0), (100, 1), (6, 127), (38, 127)],        ["tuning 98", "tuning 100"]),
    ([(101, 0), (100, 2), (6, 76)],                    ["tuning 1200"]),
    // The lower half of a parameter is none of the next one's.
    ([(101, 0), (100, 0), (38, 50), (100, 1), (6, 64)], ["bendRange 250", "tuning 0"]),
    ([(101, 0), (100, 0), (38, 50), (101, 0), (6, 3)], ["bendRange 250", "bendRange 300"]),
    // More than a hundred hundredths are a semitone.
    ([(101, 0), (100, 0), (6, 2), (38, 127)],          ["bendRange 200", "bendRange 300"]),
    // Coarse and fine together.
    ([(101, 0), (100, 2), (6, 52), (100, 1), (6, 96)], ["tuning -1200", "tuning -1150"]),
  ] as [([(UInt8, UInt8)], [String])])
  func moves(sent: [(UInt8, UInt8)], played: [String]) {
    #expect(Played().controllers(sent) == played)
  }

  // swift-format-ignore
  @Test("is stepped up and down to its ends, whatever the value of the message", arguments: [
    ([(101, 0), (100, 0), (6, 2), (96, 9), (97, 0), (97, 127)], ["bendRange 200", "bendRange 201", "bendRange 200", "bendRange 199"]),
    ([(101, 0), (100, 0), (6, 0), (97, 0)],                     ["bendRange 0", "bendRange 0"]),
    ([(101, 0), (100, 0), (6, 127), (96, 0)],                   ["bendRange 12700", "bendRange 12700"]),
    ([(101, 0), (100, 0), (38, 110), (97, 0)],                  ["bendRange 300", "bendRange 298"]),
    ([(101, 0), (100, 2), (96, 0), (96, 0)],                    ["tuning 100", "tuning 200"]),
    ([(101, 0), (100, 2), (6, 127), (96, 0)],                   ["tuning 6300", "tuning 6300"]),
    ([(101, 0), (100, 5), (6, 2), (38, 64), (96, 0)], ["modulationDepth 200", "modulationDepth 250", "modulationDepth 251"]),
    ([(101, 0), (100, 1), (6, 127), (38, 127), (96, 0)],        ["tuning 98", "tuning 100", "tuning 100"]),
  ] as [([(UInt8, UInt8)], [String])])
  func steps(sent: [(UInt8, UInt8)], played: [String]) {
    #expect(Played().controllers(sent) == played)
  }

  @Test(
    "that is none, another's or unknown moves nothing",
    arguments: [
      [], [(101, 127), (100, 127)], [(101, 0), (100, 0), (101, 127), (100, 127)],
      // A maker's.
      [(99, 0), (98, 0)], [(101, 0), (100, 0), (99, 1), (98, 12)], [(99, 24), (98, 36)],
      [(99, 26), (98, 36)], [(101, 0), (100, 8)], [(101, 1), (100, 0)],
      [(101, 0), (100, 0), (121, 0)],
    ] as [[(UInt8, UInt8)]])
  func nothing(choice: [(UInt8, UInt8)]) {
    let played = Played().controllers(choice + [(6, 12), (38, 1), (96, 0), (97, 0)])
    #expect(played.allSatisfy { $0.hasPrefix("resetControllers") })
  }

  // swift-format-ignore
  @Test("of GS and XG sets the sound of a channel as controllers 71 to 78 do", arguments: [
    (0x08, 76), (0x09, 77), (0x0A, 78), (0x20, 74), (0x21, 71), (0x63, 73), (0x64, 75), (0x66, 72),
  ] as [(UInt8, UInt8)])
  func sounds(number: UInt8, controller: UInt8) throws {
    let decoder = MIDIDecoder()
    func last(_ pairs: [(UInt8, UInt8)]) -> Event? {
      pairs.map { pair in
        messages([0xB0, pair.0, pair.1]).last.flatMap { decoder.event($0, source: 0, frame: 0) }
      }.last ?? nil
    }
    for value in [0, 64, 100, 127] as [UInt8] {
      let (numbers, plain): ([(UInt8, UInt8)], [(UInt8, UInt8)]) =
        ([(99, 1), (98, number), (6, value)], [(controller, value)])
      let (sent, moved) = (last(numbers), last(plain))
      let (own, other) = (try #require(sent), try #require(moved))
      #expect(own.kind == other.kind && own.note == controller && own.value == other.value)
    }
    // The lower half, and steps, have no effect.
    #expect(last([(38, 5)]) == nil && last([(96, 0)]) == nil)
  }

  @Test("of GS and XG sets pitch, level and pan of a drum, on channels of drums only")
  func drums() {
    let keyboard = Played()
    func sent(_ channel: UInt8) -> [String] {
      let status = 0xB0 | channel
      return keyboard.events([status, 99, 0x18, 98, 36, 6, 61, 99, 0x1A, 6, 64, 99, 0x1C, 6, 127, 6, 0])
    }
    // The last is a random pan.
    let events = ["keyPitch -300", "keyVolume 50", "keyPan 100", "keyPan 0"]
    #expect(sent(9) == events && sent(0) == [])
    #expect(keyboard.events([0xB0, 0, 120]) == ["rhythm 100"])
    #expect(sent(0) == events)
  }

  @Test("is chosen again where it was a maker's between")
  func again() {
    let sent: [(UInt8, UInt8)] = [(101, 0), (100, 0), (99, 1), (98, 12), (6, 5), (100, 0), (6, 7)]
    #expect(Played().controllers(sent) == ["bendRange 700"])
  }

  @Test("is chosen by each channel of each source for itself, until the source has gone")
  func each() {
    let keyboard = Played()
    #expect(keyboard.controllers(Self.range, source: 1) == [])
    #expect(keyboard.controllers([(6, 12)], source: 2) == [])
    #expect(keyboard.events([0xB1, 6, 12], source: 1) == [])
    #expect(keyboard.controllers([(6, 12)], source: 1) == ["bendRange 1200"])
    #expect(keyboard.events([0xFF], source: 1) == ["sourceGone 0"])
    #expect(keyboard.controllers([(6, 12)], source: 1) == [])
    // The last two sources, too; beyond them there are no more.
    #expect(keyboard.controllers(Self.range, source: 30) == [])
    #expect(keyboard.controllers([(6, 12)], source: 31) == [])
    #expect(keyboard.controllers(Self.range, source: 31) == [])
    #expect(keyboard.controllers([(6, 12)], source: 255) == ["bendRange 1200"])
  }

  @Test("tunes by a semitone each way exactly")
  func exact() {
    let decoder = MIDIDecoder()
    var tunings: [Float] = []
    for bytes in [[0xB0, 101, 0], [0xB0, 100, 1], [0xB0, 6, 0], [0xB0, 6, 96], [0xB0, 38, 0]] as [[UInt8]] {
      guard let message = messages(bytes).first else { continue }
      if let event = decoder.event(message, source: 0, frame: 0) { tunings.append(event.value) }
    }
    #expect(tunings == [-1, 0.5, 0.5])
  }

  @Test("comes in one message too, from a sequencer or in MIDI 2.0")
  func whole() throws {
    let keyboard = Played()
    let value = MIDIValue(12 << 7, bits: 14)
    #expect(keyboard.events(.parameter(0, isRegistered: true, value)) == ["bendRange 1200"])
    #expect(keyboard.events(.parameter(0, isRegistered: false, value)) == [])
    #expect(keyboard.events(.parameter(300, isRegistered: true, value)) == [])
    #expect(
      UMP.message(0x4023_0001, 0x8000_0000)
        == ChannelMessage(3, .parameter(1, isRegistered: true, MIDIValue(raw: 1 << 31))))
    #expect(
      UMP.message(0x4033_0102, 0)
        == ChannelMessage(3, .parameter(130, isRegistered: false, MIDIValue(raw: 0))))
    // Nothing is chosen by it.
    #expect(keyboard.controllers([(6, 3)]) == [])
  }
}
