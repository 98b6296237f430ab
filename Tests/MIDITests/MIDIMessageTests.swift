import MIDI
import Testing

/// What a stream of bytes holds.
func messages(_ bytes: [UInt8]) -> [ChannelMessage] {
  var parser = MIDIParser()
  return bytes.compactMap { parser.parse($0) }
}

private func seven(_ number: UInt32) -> MIDIValue { MIDIValue(number, bits: 7) }

@Suite("A message") struct MIDIMessageTests {
  /// Each kind on channel 5 as bytes, as a packet of MIDI 1.0 in group 9, and as one of MIDI 2.0 with the values
  /// scaled up.
  // swift-format-ignore
  private static let kinds: [(bytes: [UInt8], one: UInt32, two: (UInt32, UInt32), message: MIDIMessage)] = [
    ([0x85, 60, 96],  0x2985_3C60, (0x4985_3C00, 0xC104_0000), .noteOff(note: 60, velocity: seven(96))),
    ([0x95, 60, 127], 0x2995_3C7F, (0x4995_3C00, 0xFFFF_0000), .noteOn(note: 60, velocity: seven(127))),
    ([0x95, 60, 0],   0x2995_3C00, (0x4985_3C00, 0x8000_0000), .noteOff(note: 60, velocity: seven(64))),
    ([0xA5, 61, 127], 0x29A5_3D7F, (0x49A5_3D00, 0xFFFF_FFFF), .notePressure(note: 61, seven(127))),
    ([0xB5, 74, 65],  0x29B5_4A41, (0x49B5_4A00, 0x8208_2082), .controller(74, seven(65))),
    ([0xC5, 9],       0x29C5_0900, (0x49C5_0000, 0x0900_0000), .program(9, bank: nil)),
    ([0xD5, 1],       0x29D5_0100, (0x49D5_0000, 0x0200_0000), .pressure(seven(1))),
    ([0xE5, 0, 64],   0x29E5_0040, (0x49E5_0000, 0x8000_0000), .bend(MIDIValue(raw: 1 << 31))),
    ([0xE5, 127, 127], 0x29E5_7F7F, (0x49E5_0000, 0xFFFF_FFFF), .bend(MIDIValue(raw: .max))),
  ]

  @Test("is the same as bytes, as a packet of MIDI 1.0 and as one of MIDI 2.0")
  func kinds() {
    for kind in Self.kinds {
      let wanted = ChannelMessage(5, kind.message)
      #expect(messages(kind.bytes) == [wanted])
      #expect(UMP.message(kind.one) == wanted)
      let got = UMP.message(kind.two.0, kind.two.1)
      // A velocity has but 16 bits in MIDI 2.0.
      switch (got?.message, kind.message) {
      case (.noteOn(let note, let mine), .noteOn(let other, let wanted)),
        (.noteOff(let note, let mine), .noteOff(let other, let wanted)):
        #expect(note == other && mine.raw >> 16 == wanted.raw >> 16 && got?.channel == 5)
      default: #expect(got == wanted)
      }
    }
    #expect(messages([0xFF]) == [ChannelMessage(0, .reset)])
    #expect(UMP.message(0x10FF_0000) == ChannelMessage(0, .reset))
  }

  @Test("of MIDI 2.0 holds what MIDI 1.0 cannot say: a bank, and a velocity of 0 that is one")
  func two() {
    #expect(UMP.message(0x40C0_0001, 0x0500_0203) == ChannelMessage(0, .program(5, bank: 2 << 7 | 3)))
    #expect(UMP.message(0x40C0_0000, 0x0500_0203) == ChannelMessage(0, .program(5, bank: nil)))
    #expect(UMP.message(0x4090_4000, 0) == ChannelMessage(0, .noteOn(note: 64, velocity: seven(0))))
    #expect(UMP.group(0x4990_4000) == 9)
  }

  @Test("is found in a stream with running status, and with what the system sends in between")
  func running() {
    let on = ChannelMessage(3, .noteOn(note: 60, velocity: seven(100)))
    let off = ChannelMessage(3, .noteOff(note: 60, velocity: seven(64)))
    #expect(messages([0x93, 60, 100, 60, 0, 60, 100]) == [on, off, on])
    // Clock and sensing stand anywhere, within a message too.
    #expect(messages([0xFE, 0x93, 0xF8, 60, 0xF8, 0xFA, 100, 0xFE, 60, 0]) == [on, off])
    // Of a message of one byte, each byte is one.
    #expect(messages([0xC3, 1, 2]).map { $0.message } == [.program(1, bank: nil), .program(2, bank: nil)])
    // After a reset data bytes mean nothing until the next status.
    #expect(messages([0x93, 60, 100, 0xFF, 60, 100, 0x93, 60, 100]) == [on, ChannelMessage(0, .reset), on])
    // A message that another breaks off is none.
    #expect(messages([0x93, 60, 0x93, 60, 100]) == [on])
    #expect(messages([60, 100, 0x93, 60, 100]) == [on])
  }

  @Test("of the system ends running status, and its data are no notes")
  func system() {
    let on = ChannelMessage(3, .noteOn(note: 60, velocity: seven(100)))
    #expect(messages([0x93, 60, 100, 0xF0, 0x7E, 9, 1, 0xF7, 60, 100]) == [on])
    for status in [0xF1, 0xF2, 0xF3, 0xF6] as [UInt8] {
      #expect(messages([0x93, status, 60, 100, 60, 100, 0x93, 60, 100]) == [on])
    }
    var parser = MIDIParser()
    _ = parser.parse(0x93)
    #expect(parser.hasStatus)
    parser.endStatus()
    #expect(!parser.hasStatus && parser.parse(60) == nil && parser.parse(100) == nil)
  }

  @Test("begins a packet whose length its first word tells")
  func lengths() {
    let lengths = [1, 1, 1, 2, 2, 4, 1, 1, 2, 2, 2, 3, 3, 4, 4, 4]
    for (type, length) in lengths.enumerated() {
      #expect(UMP.words(UInt32(type) << 28 | 0xFFF_FFFF) == length)
    }
    // Data of other types may look like anything.
    for type in [0, 3, 5, 13, 15] as [UInt32] { #expect(UMP.message(type << 28 | 0x90_3C64, .max) == nil) }
  }
}
