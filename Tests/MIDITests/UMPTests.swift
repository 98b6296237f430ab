import MIDI
import Scenes
import Testing

/// What packets of MIDI 2.0 play, in words: kind, channel, key and value in thousandths.
private final class Packets {
  private let decoder = MIDIDecoder()

  func events(_ first: UInt32, _ second: UInt32 = 0) -> [String] {
    [UMP.noteOnPitch(first, second), UMP.message(first, second)].compactMap { message in
      message.flatMap { decoder.event($0, source: 2, frame: 7) }
    }.map { "\($0.kind) \($0.target) \($0.note) \(Int(($0.value * 1000).rounded()))" }
  }

  func events(bytes: [UInt8]) -> [String] {
    messages(bytes).compactMap { decoder.event($0, source: 2, frame: 7) }.map {
      "\($0.kind) \($0.target) \($0.note) \(Int(($0.value * 1000).rounded()))"
    }
  }
}

@Suite("A packet of MIDI 2.0") struct UMPTests {
  // swift-format-ignore
  @Test("about the notes of one key moves those alone", arguments: [
    // Bend, from end to end.
    (0x4062_3C00, 0x8000_0000, "keyBend 2 60 0"), (0x4062_3C00, 0xFFFF_FFFF, "keyBend 2 60 1000"),
    (0x4062_3C00, 0x0000_0000, "keyBend 2 60 -1000"),
    // Controllers that are registered: wheel, breath, pitch, volume, expression, timbre, pan.
    (0x4002_3C01, 0x8000_0000, "keyWheel 2 60 500"), (0x4002_3C02, 0xFFFF_FFFF, "keyBreath 2 60 1000"),
    (0x4002_3C03, 0x7B00_0000, "keyPitch 2 60 1500"), (0x4002_0003, 0xFFFF_FFFF, "keyPitch 2 0 128000"),
    (0x4002_3C07, 0xFFFF_FFFF, "keyVolume 2 60 1000"), (0x4002_3C0B, 0, "keyExpression 2 60 0"),
    (0x4002_3C07, 0x8000_0000, "keyVolume 2 60 504"), (0x4002_3C0B, 0x8000_0000, "keyExpression 2 60 504"),
    (0x4002_3C4A, 0x8000_0000, "keyTimbre 2 60 500"),
    (0x4002_3C0A, 0, "keyPan 2 60 -1000"), (0x4002_3C0A, 0x8000_0000, "keyPan 2 60 0"),
    (0x4002_3C0A, 0xFFFF_FFFF, "keyPan 2 60 1000"),
    // What is to become of them.
    (0x40F2_3C01, 0, "keyManagement 2 60 1000"), (0x40F2_3C02, 0, "keyManagement 2 60 2000"),
    (0x40F2_3C03, 0, "keyManagement 2 60 3000"),
  ] as [(UInt32, UInt32, String)])
  func key(first: UInt32, second: UInt32, event: String) {
    #expect(Packets().events(first, second) == [event])
  }

  // swift-format-ignore
  @Test("that means nothing here does nothing", arguments: [
    // Time stamps and the like, a tempo, what is between the parts of a device.
    (0x0000_0000, 0), (0x0010_1234, 0), (0x0020_1234, 0), (0xD010_0000, 0x1234_5678), (0xF000_0101, 1),
    // Controllers of the maker's, of a key and of a channel; a registered one that nothing here has; a message without flags.
    (0x4012_3C01, 5), (0x4032_0102, 5), (0x4052_0102, 5), (0x4002_3C0C, 5), (0x40F2_3C00, 0),
    // 32 bits have no halves.
    (0x40B2_2100, 0x8000_0000), (0x40B2_3F00, 0x8000_0000),
  ] as [(UInt32, UInt32)])
  func nothing(first: UInt32, second: UInt32) {
    #expect(Packets().events(first, second) == [])
  }

  @Test("is on each of sixteen channels, and names a parameter with seven bits of each byte")
  func channels() {
    let packets = Packets()
    for channel in 0..<16 as Range<UInt32> {
      let key = channel << 16
      let expected = ["strokePitch \(channel) 60 0", "noteOn \(channel) 60 500"]
      #expect(packets.events(0x4090_3C03 | key, 0x8000_7800) == expected)
      #expect(packets.events(0x4060_3C00 | key, 0x8000_0000) == ["keyBend \(channel) 60 0"])
      #expect(packets.events(0x2090_3C7F | key) == ["noteOn \(channel) 60 1000"])
    }
    #expect(
      UMP.message(0x4022_FFFF, 0)
        == ChannelMessage(2, .parameter(16_383, isRegistered: true, MIDIValue(raw: 0))))
    #expect(
      UMP.message(0x4022_8081, 0)
        == ChannelMessage(2, .parameter(1, isRegistered: true, MIDIValue(raw: 0))))
    #expect(UMP.group(0x2F90_3C7F) == 15 && UMP.group(0x2090_3C7F) == 0)
    // Other attributes whose number ends in the same bits.
    for attribute in [0x13, 0x83, 0x02] as [UInt32] {
      #expect(packets.events(0x4092_3C00 | attribute, 0x8000_7800) == ["noteOn 2 60 500"])
    }
  }

  @Test("of 32 bits has no lower half, but for the one of data entry")
  func halves() {
    for number in 0..<128 as Range<UInt32> {
      let isHalf = (33...63).contains(number) && number != 38
      #expect((UMP.message(0x40B2_0000 | number << 8, 0) == nil) == isHalf, "\(number)")
    }
  }

  @Test("has a velocity of 16 bits, and one of 0 is a note still")
  func velocity() {
    let packets = Packets()
    #expect(packets.events(0x4092_3C00, 0x4000_0000) == ["noteOn 2 60 250"])
    #expect(packets.events(0x4092_3C00, 0x0419_0000) == ["noteOn 2 60 16"])
    #expect(packets.events(0x4092_3C00, 0) == ["noteOn 2 60 0"])
    #expect(packets.events(0x4082_3C00, 0x8000_0000) == ["noteOff 2 60 500"])
    #expect(packets.events(0x2092_3C00) == ["noteOff 2 60 500"])
  }

  @Test("may give a stroke a pitch, before the note; other attributes say nothing")
  func noteOnPitch() {
    let packets = Packets()
    #expect(
      packets.events(0x4092_3C03, 0xFFFF_7A80) == [
        "strokePitch 2 60 1250", "noteOn 2 60 1000",
      ])
    #expect(packets.events(0x4092_3C01, 0xFFFF_7A00) == ["noteOn 2 60 1000"])
    // A note off has none.
    #expect(packets.events(0x4082_3C03, 61 << 9) == ["noteOff 2 60 0"])
  }

  @Test("whose note number is above 127 is one of 0 to 127, and does no harm")
  func numbers() {
    let packets = Packets()
    #expect(packets.events(0x4092_FF00, 0xFFFF_0000) == ["noteOn 2 127 1000"])
    #expect(packets.events(0x4082_FF00, 0) == ["noteOff 2 127 0"])
    #expect(packets.events(0x4062_80FF, 0) == ["keyBend 2 0 -1000"])
    #expect(packets.events(0x4092_8003, 0xFFFF_0000) == ["strokePitch 2 0 0", "noteOn 2 0 1000"])
    #expect(packets.events(0x40B2_C000, 0xFFFF_FFFF) == ["sustain 2 0 1000"])
  }

  @Test("moves a parameter to a value, or from where it is, up to its ends")
  func parameters() {
    let packets = Packets()
    #expect(packets.events(0x4022_0000, 0x18C8_0000) == ["bendRange 2 0 12500"])
    #expect(packets.events(0x4042_0000, 1 << 25) == ["bendRange 2 0 13500"])
    #expect(packets.events(0x4042_0000, 0xE400_0000) == ["bendRange 2 0 0"])
    #expect(packets.events(0x4022_0001, 0x8000_0000) == ["tuning 2 0 0"])
    #expect(packets.events(0x4042_0001, 0x4000_0000) == ["tuning 2 0 500"])
    #expect(packets.events(0x4042_0002, 3 << 25) == ["tuning 2 0 3500"])
    // Of the notes of one key: 48 semitones at first.
    #expect(packets.events(0x4042_0007, 1 << 24) == ["keyBendRange 2 0 48500"])
    #expect(packets.events(0x4022_0007, 0x0400_0001) == ["keyBendRange 2 0 2000"])
    #expect(packets.events(0x4042_0007, 0x8000_0000) == ["keyBendRange 2 0 0"])
    // As far as there are numbers, and a maker's moves nothing.
    #expect(packets.events(0x4022_0007, 0xFFFF_FFFF) == ["keyBendRange 2 0 128000"])
    #expect(packets.events(0x4042_0007, 0x7FFF_FFFF) == ["keyBendRange 2 0 128000"])
    #expect(packets.events(0x4022_0007, 0) == ["keyBendRange 2 0 0"])
    #expect(packets.events(0x4052_0000, 1 << 25) == [] && packets.events(0x4032_0000, 1 << 25) == [])
    #expect(packets.events(0x4042_0006, 1 << 25) == [])
    #expect(packets.events(0x4042_0107, 1 << 25) == [])
    // By controllers too.
    #expect(packets.events(bytes: [0xB2, 101, 0, 100, 7, 6, 12]) == ["keyBendRange 2 0 12000"])
    #expect(packets.events(bytes: [0xB2, 38, 64]) == ["keyBendRange 2 0 12500"])
  }

  @Test("of the system is the clock, the place in the song, and a sign of life")
  func system() {
    let messages: [(UInt32, ClockMessage?)] = [
      (0x10F8_0000, .tick), (0x15FA_0000, .start), (0x10FB_0000, .resume), (0x10FC_0000, .stop),
      (0x10F2_1002, .position(272)), (0x10F1_1000, nil), (0x10FE_0000, nil), (0x20F8_0000, nil),
    ]
    for (packet, message) in messages {
      #expect(clock(packet) == message)
    }
    #expect(UMP.read(0x1BFE_0000) == .activeSensing && UMP.read(0x1BF8_0000) == .clock(.tick))
    #expect(UMP.read(0x2BFE_0000) == nil && UMP.read(0x3016_7F7F, 0x0401_0040) == .exclusive)
    #expect(UMP.read(0x10FF_0000) == .channel(ChannelMessage(0, .reset)))
  }

  private func clock(_ packet: UInt32) -> ClockMessage? {
    if case .clock(let message)? = UMP.read(packet) { message } else { nil }
  }

  @Test("about a key on a member channel of MPE, where the channel is the key's, does nothing")
  func members() {
    let packets = Packets()
    #expect(packets.events(0x4020_0006, 15 << 25) == ["mpeZone 0 15 0"])
    for first in [
      0x4062_3C00, 0x4002_3C01, 0x40F2_3C03, 0x4022_0007, 0x4022_0001, 0x4022_0002, 0x40C2_0000,
    ] as [UInt32] {
      #expect(packets.events(first, 0x1000_0000) == [])
    }
    #expect(packets.events(0x4092_3C03, 0xFFFF_0000) == ["noteOn 2 60 1000"])
    #expect(packets.events(0x4060_3C00, 0) == ["keyBend 0 60 -1000"])
  }
}
