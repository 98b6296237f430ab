import MIDI
import Scenes
import Testing

/// A device that sends system exclusive messages, in one stream of bytes.
private final class Device {
  private let decoder = MIDIDecoder()
  private(set) var asked: [UInt8] = []

  /// What the bytes do: kind, channel, number and value in thousandths.
  func events(_ bytes: [UInt8], source: UInt8 = 1) -> [String] {
    var events: [String] = []
    for byte in bytes {
      guard let message = decoder.read(exclusive: byte, source: source) else { continue }
      events += read(message, source)
    }
    return events
  }

  func events(packets: [(UInt32, UInt32)]) -> [String] {
    packets.flatMap { packet in
      decoder.read(exclusive: packet.0, packet.1, source: 1).map { read($0, 1) } ?? []
    }
  }

  /// The event of the last of some messages.
  func event(_ bytes: [UInt8]) -> Event? {
    messages(bytes).map { decoder.event($0, source: 1, frame: 0) }.last ?? nil
  }

  func forget() { decoder.forget(1) }

  private func read(_ message: SystemExclusiveMessage, _ source: UInt8) -> [String] {
    if message.isIdentityRequest { asked.append(message.device) }
    return (0..<message.count).compactMap { message.event($0, source: source, frame: 5) }.map {
      #expect($0.source == source && $0.frame == 5)
      return "\($0.kind) \($0.target) \($0.note) \(Int(($0.value * 1000).rounded()))"
    }
  }
}

@Suite("A system exclusive message") struct SystemExclusiveMessageTests {
  private static let coarseOctave: [UInt8] =
    [0x7F, 0, 8, 8, 0, 0, 1] + [UInt8](repeating: 65, count: 12)
  private static let fineOctave: [UInt8] =
    [0x7E, 0, 8, 9, 0, 0, 1] + [UInt8](repeating: 65, count: 24)
  private static let volume: [UInt8] = [0xF0, 0x7F, 0x7F, 4, 1, 0, 64, 0xF7]

  // swift-format-ignore
  @Test("means what the universal ones mean, for any device", arguments: [
    (volume,                                                       ["masterVolume 0 0 504"]),
    ([0xF0, 0x7F, 3, 4, 1, 127, 127, 0xF7],                        ["masterVolume 0 0 1000"]),
    ([0xF0, 0x7F, 0x7F, 4, 3, 0, 0, 0xF7],                         ["masterTuning 0 0 -1000"]),
    ([0xF0, 0x7F, 0x7F, 4, 4, 0, 76, 0xF7, 0xF0, 0x7F, 0x7F, 4, 3, 0, 96, 0xF7],
                                                                   ["masterTuning 0 0 12000", "masterTuning 0 0 12500"]),
    ([0xF0, 0x7E, 0x7F, 9, 1, 0xF7],                               ["setUp 0 1 787"]),
    ([0xF0, 0x7E, 0x7F, 9, 3, 0xF7],                               ["setUp 0 1 787"]),
    ([0xF0, 0x7E, 0x7F, 9, 2, 0xF7],                               ["setUp 0 0 1000"]),
    // GS and XG, of any device.
    ([0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0, 0x7F, 0, 0x41, 0xF7], ["setUp 0 1 787"]),
    ([0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0, 0x7F, 0, 0x40, 0xF7], []),
    ([0xF0, 0x41, 0x11, 0x42, 0x12, 0, 0, 0x7F, 1, 0, 0xF7],       ["setUp 0 1 787"]),
    ([0xF0, 0x41, 0x11, 0x42, 0x12, 0, 0, 0x7F, 1, 1, 0xF7],       []),
    ([0xF0, 0x43, 0x10, 0x4C, 0, 0, 0x7E, 0, 0xF7],                ["setUp 0 1 787"]),
    ([0xF0, 0x43, 0x10, 0x4C, 0, 0, 0x7F, 0, 0xF7],                ["setUp 0 1 787"]),
    // Settings of GS, whose checksum is right, and of XG.
    ([0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0, 4, 127, 0x3D, 0xF7],  ["masterVolume 0 0 1000"]),
    ([0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0, 4, 127, 0x3C, 0xF7],  []),
    ([0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0x1A, 0x15, 1, 0x10, 0xF7], ["rhythm 10 0 1000"]),
    ([0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0x10, 0x4A, 74, 54, 0x66, 0xF7],
                                                                   ["scaleTuning 9 10 100", "scaleTuning 9 11 -100"]),
    ([0xF0, 0x43, 0x10, 0x4C, 0, 0, 6, 66, 0xF7],                  ["masterTuning 0 0 2000"]),
    ([0xF0, 0x43, 0x10, 0x4C, 8, 3, 7, 0, 0xF7],                   ["rhythm 3 0 0"]),
    // Two keys, one of which stays as it is.
    ([0xF0, 0x7F, 0, 8, 2, 0, 2, 60, 60, 64, 0, 61, 127, 127, 127, 0xF7], ["keyTuning 0 60 500"]),
    ([0xF0, 0x7F, 0, 8, 7, 1, 0, 1, 69, 68, 0, 0, 0xF7],           ["keyTuning 0 69 -1000"]),
  ] as [([UInt8], [String])])
  func universal(bytes: [UInt8], events: [String]) {
    #expect(Device().events(bytes) == events)
  }

  /// A message of GS with its checksum, for an address that begins with 40.
  private static func gs(_ data: [UInt8]) -> [UInt8] {
    let all = [0x40] + data
    let sum = all.reduce(0) { $0 + Int($1) }
    return [0xF0, 0x41, 0x10, 0x42, 0x12] + all + [UInt8((128 - sum & 127) & 127), 0xF7]
  }

  /// A message of XG for a parameter of a part.
  private static func xg(_ data: [UInt8]) -> [UInt8] { [0xF0, 0x43, 0x10, 0x4C, 8] + data + [0xF7] }

  // swift-format-ignore
  @Test("sets a part of GS or XG: its level, pan, key, bend range, mode, effects and sound", arguments: [
    (gs([0x11, 0x19, 64]),  ["volume 0 0 504"]),           (xg([0, 0x0B, 64]),  ["volume 0 0 504"]),
    (gs([0x1F, 0x19, 0]),   ["volume 15 0 0"]),            (xg([15, 0x0B, 0]),  ["volume 15 0 0"]),
    (gs([0x12, 0x1C, 127]), ["controller 1 10 1000"]),     (xg([1, 0x0E, 127]), ["controller 1 10 1000"]),
    (gs([0x12, 0x1C, 0]),   ["controller 1 10 500"]),      (xg([1, 0x0E, 0]),   ["controller 1 10 500"]),
    (gs([0x11, 0x16, 76]),  ["tuning 0 0 12000"]),         (xg([0, 0x08, 59]),  ["tuning 0 0 -5000"]),
    (gs([0x10, 0x16, 76]),  []),                           (xg([9, 0x08, 59]),  []),
    (gs([0x21, 0x10, 76]),  ["bendRange 0 0 12000"]),      (xg([0, 0x23, 66]),  ["bendRange 0 0 2000"]),
    (gs([0x20, 0x10, 64]),  ["bendRange 9 0 0"]),          (xg([0, 0x23, 62]),  []),
    (gs([0x11, 0x13, 0]),   ["mono 0 0 0"]),               (xg([0, 0x05, 1]),   ["poly 0 0 0"]),
    (gs([0x11, 0x21, 64]),  ["controller 0 93 500"]),      (xg([0, 0x12, 64]),  ["controller 0 93 500"]),
    (gs([0x11, 0x22, 0]),   ["controller 0 91 0"]),        (xg([0, 0x13, 0]),   ["controller 0 91 0"]),
    (gs([0x11, 0x30, 64]),  ["controller 0 76 500"]),      (xg([0, 0x15, 64]),  ["controller 0 76 500"]),
    (gs([0x11, 0x31, 64]),  ["controller 0 77 500"]),      (xg([0, 0x16, 64]),  ["controller 0 77 500"]),
    (gs([0x11, 0x32, 64]),  ["controller 0 74 500"]),      (xg([0, 0x18, 64]),  ["controller 0 74 500"]),
    (gs([0x11, 0x33, 64]),  ["controller 0 71 500"]),      (xg([0, 0x19, 64]),  ["controller 0 71 500"]),
    (gs([0x11, 0x34, 64]),  ["controller 0 73 500"]),      (xg([0, 0x1A, 64]),  ["controller 0 73 500"]),
    (gs([0x11, 0x35, 64]),  ["controller 0 75 500"]),      (xg([0, 0x1B, 64]),  ["controller 0 75 500"]),
    (gs([0x11, 0x36, 64]),  ["controller 0 72 500"]),      (xg([0, 0x1C, 64]),  ["controller 0 72 500"]),
    (gs([0x11, 0x37, 64]),  ["controller 0 78 500"]),      (xg([0, 0x17, 64]),  ["controller 0 78 500"]),
    (gs([0, 6, 127]),       ["masterBalance 0 0 1000"]),   (gs([0, 6, 64]),     ["masterBalance 0 0 0"]),
    // Parts that there are not, and addresses that mean nothing.
    (gs([0x31, 0x10, 76]),  []),                           (xg([16, 0x0B, 64]), []),
    (gs([0x11, 0x60, 76]),  []),                           (xg([0, 0x60, 64]),  []),
    ([0xF0, 0x7F, 0x7F, 4, 2, 0, 0, 0xF7], ["masterBalance 0 0 -1000"]),
  ] as [([UInt8], [String])])
  func parts(bytes: [UInt8], events: [String]) {
    #expect(Device().events(bytes) == events)
  }

  @Test("adds the key of a part to the tunings of its channel, and RPN 0 goes on from its bend range")
  func kept() {
    let device = Device()
    _ = device.events(Self.gs([0x11, 0x16, 66]))
    #expect(device.event([0xB0, 101, 0, 100, 2, 6, 65])?.value == 3)
    // Another channel.
    #expect(device.event([0xB1, 101, 0, 100, 2, 6, 65])?.value == 1)
    #expect(device.events(Self.gs([0x11, 0x16, 64])) == ["tuning 0 0 1000"])
    _ = device.events(Self.gs([0x21, 0x10, 76]))
    #expect(device.event([0xB0, 101, 0, 100, 0, 38, 50])?.value == 12.5)
    // A reset ends both.
    _ = device.events([0xF0, 0x7E, 0x7F, 9, 1, 0xF7])
    #expect(device.event([0xB0, 101, 0, 100, 2, 6, 65])?.value == 1)
    #expect(device.event([0xB0, 101, 0, 100, 0, 38, 50])?.value == 2.5)
  }

  @Test("tunes a key to a half of a semitone exactly, and to the last part of one")
  func exact() throws {
    let decoder = MIDIDecoder()
    var values: [Float] = []
    let keys: [UInt8] = [60, 60, 64, 0, 61, 61, 127, 127, 127, 127, 127, 126]
    for byte in [0xF0, 0x7F, 0, 8, 2, 0, 3] + keys + [0xF7] {
      guard let message = decoder.read(exclusive: byte, source: 0) else { continue }
      values = (0..<message.count).compactMap { message.event($0, source: 0, frame: 0)?.value }
    }
    let expected: [Float] = [0.5, Float(16_383) / 16_384, Float(16_382) / 16_384]
    #expect(values == expected)
  }

  @Test("tunes all keys at once, whatever its checksum is")
  func bulk() {
    let letters = [UInt8](repeating: 32, count: 16)
    let keys = (0..<128 as Range<UInt8>).flatMap { $0 == 5 ? [127, 127, 127] : [$0, 32, 0] }
    let events = Device().events([0xF0, 0x7E, 0, 8, 1, 0] + letters + keys + [99, 0xF7])
    #expect(events.count == 127 && events[0] == "keyTuning 0 0 250" && events[126] == "keyTuning 0 127 250")
    #expect(!events.contains { $0.hasPrefix("keyTuning 0 5 ") })
    let head: [UInt8] = [0xF0, 0x7E, 0, 8, 1, 0] + letters
    #expect(Device().events(head + keys + [0xF7]) == events)
    #expect(Device().events(head + keys.dropLast() + [0xF7]) == [])
  }

  @Test(
    "tunes the tones of the octave on its channels, by one byte or two", arguments: [0x7E, 0x7F] as [UInt8])
  func octave(kind: UInt8) {
    // Channels 1, 8 and 16.
    let head: [UInt8] = [0xF0, kind, 0, 8]
    let coarse = head + [8, 2, 1, 1] + [UInt8](repeating: 64, count: 11) + [14, 0xF7]
    let events = Device().events(coarse)
    #expect(events.count == 36 && events[0] == "scaleTuning 0 0 0" && events[11] == "scaleTuning 0 11 -500")
    #expect(events[23] == "scaleTuning 7 11 -500" && events[35] == "scaleTuning 15 11 -500")
    let tones = [UInt8](repeating: 0, count: 2) + (1..<12).flatMap { _ in [64, 0] as [UInt8] }
    let fine = Device().events(head + [9, 0, 0, 2] + tones + [0xF7])
    #expect(fine.count == 12 && fine[0] == "scaleTuning 1 0 -1000" && fine[1] == "scaleTuning 1 1 0")
  }

  @Test("may come in pieces, with clock between them, and on several cables at once")
  func pieces() {
    let device = Device()
    #expect(device.events(Array(Self.volume[..<4])) == [])
    #expect(device.events(Self.volume, source: 2) == ["masterVolume 0 0 504"])
    #expect(device.events([0xF8, 0xFE] + Self.volume[4...]) == ["masterVolume 0 0 504"])
    #expect(
      device.events(packets: [(0x3016_7F7F, 0x0401_0040)]) == []
        && device.events(packets: [(0x3030_0000, 0)]) == ["masterVolume 0 0 504"])
    #expect(device.events(packets: [(0x3006_7F7F, 0x0401_0040)]) == ["masterVolume 0 0 504"])
  }

  @Test(
    "that means nothing, is broken off or too long is let by",
    arguments: [
      [0xF0, 0xF7], [0xF0, 0x7F, 0xF7], [0xF0, 0x7D, 0x7F, 9, 1, 0xF7],
      [0xF0, 0x7D, 0x7F, 4, 1, 0, 64, 0xF7],
      [0xF0, 0x7D, 0x7F, 6, 1, 0xF7], [0xF0, 0x7F, 0x7F, 4, 1, 0, 0xF7], [0xF0, 0x43, 0x10, 0x4C, 0, 0xF7],
      [0xF0, 0x7F, 0, 8, 2, 0, 9, 60, 60, 64, 0, 0xF7], [0xF0, 0x7E, 0, 8, 8, 0, 0, 1, 0xF7],
      [0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0, 0x7F, 1, 0, 0xF7],
      [0xF0, 0x43, 0x10, 0x4C, 0, 0, 0x7D, 0, 0xF7],
      [0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0, 0x7F, 0xF7], [0xF0, 0x7E, 0x7F, 9, 0xF7],
      [0xF0, 0x7F, 0x7F, 4, 1, 0x90, 0, 64, 0xF7], [0x7F, 0x7F, 4, 1, 0, 64, 0xF7],
      [0xF0, 0x7F, 0x7F, 4, 1, 0, 64] + [UInt8](repeating: 1, count: 100_000) + [0xF7],
    ] as [[UInt8]])
  func nothing(bytes: [UInt8]) {
    let device = Device()
    #expect(device.events(bytes) == [] && device.asked.isEmpty)
    #expect(device.events(Self.volume) == ["masterVolume 0 0 504"])
  }

  @Test(
    "means nothing with a byte less than it needs, and what follows it does not matter",
    arguments: [
      [0x7F, 0x7F, 4, 1, 0, 64], [0x7F, 0x7F, 4, 3, 0, 96], [0x7F, 0x7F, 4, 4, 0, 76],
      [0x7F, 0, 8, 2, 0, 1, 60, 60, 64, 0], [0x7E, 0, 8, 7, 0, 0, 1, 60, 60, 64, 0],
      coarseOctave, fineOctave, [0x7E, 0x7F, 9, 1],
      [0x41, 0x10, 0x42, 0x12, 0x40, 0, 0x7F, 0, 0x41], [0x43, 0x10, 0x4C, 0, 0, 0x7E, 0],
    ] as [[UInt8]])
  func lengths(bytes: [UInt8]) {
    #expect(!Device().events([0xF0] + bytes + [0xF7]).isEmpty)
    #expect(!Device().events([0xF0] + bytes + [0, 0xF7]).isEmpty)
    #expect(Device().events([0xF0] + bytes.dropLast() + [0xF7]) == [])
  }

  @Test("has 1,024 bytes at most, and never more room than that")
  func longest() {
    let device = Device()
    let head = Array(Self.volume.dropLast())
    func padded(_ count: Int) -> [UInt8] {
      head + [UInt8](repeating: 1, count: count + 1 - head.count) + [0xF7]
    }
    #expect(device.events(padded(1_024)) == ["masterVolume 0 0 504"])
    // What another device has begun stays as it is meanwhile.
    #expect(device.events(Array(Self.volume[..<5]), source: 2) == [])
    #expect(device.events(padded(1_025)) == [] && device.events(padded(2_048)) == [])
    #expect(device.events(Array(Self.volume[5...]), source: 2) == ["masterVolume 0 0 504"])
    #expect(device.events(Self.volume) == ["masterVolume 0 0 504"])
  }

  @Test("begins with each F0 and ends with each F7, and what lies between two is none")
  func ends() {
    let device = Device()
    #expect(device.events([0xF0, 0x7F, 0x7F, 4] + Self.volume) == ["masterVolume 0 0 504"])
    #expect(device.events([0xF0, 0x7F, 0x7F, 4, 1, 0xF7, 0, 64, 0xF7]) == [])
    #expect(device.events([0xF0, 0x7F, 0x7F, 4, 1, 0, 0xF7, 64, 0xF7]) == [])
    // Any status but those of the clock and the like breaks it off, an undefined one too.
    for status in [0x80, 0xEF, 0xF1, 0xF4, 0xF6] as [UInt8] {
      #expect(device.events([0xF0, 0x7F, 0x7F, 4, 1, 0, status, 64, 0xF7]) == [])
    }
    for status in [0xF8, 0xF9, 0xFE, 0xFF] as [UInt8] {
      #expect(device.events([0xF0, 0x7F, 0x7F, 4, 1, 0, status, 64, 0xF7]).count == 1)
    }
  }

  @Test("comes in packets of up to six bytes, each of which says what it is of the whole")
  func packets() {
    let device = Device()
    // 7F 7F 04 01, 00, 40 in three packets.
    let parts: [(UInt32, UInt32)] = [(0x3014_7F7F, 0x0401_0000), (0x3021_0000, 0), (0x3031_4000, 0)]
    #expect(device.events(packets: parts) == ["masterVolume 0 0 504"])
    // The one between is lost, or the first.
    #expect(device.events(packets: [parts[0], parts[2]]) == [])
    #expect(device.events(packets: [parts[1], parts[2]]) == [])
    // A new beginning, and one that ends at once.
    #expect(device.events(packets: [parts[0]] + parts) == ["masterVolume 0 0 504"])
    #expect(device.events(packets: [parts[0], (0x3006_7F7F, 0x0401_0040)]) == ["masterVolume 0 0 504"])
    // More than six bytes are six, and each has seven bits.
    #expect(device.events(packets: [(0x3009_7F7F, 0x0401_0040)]) == ["masterVolume 0 0 504"])
    #expect(device.events(packets: [(0x3006_FFFF, 0x8481_80C0)]) == ["masterVolume 0 0 504"])
    // Other types, and parts that there are not.
    #expect(device.events(packets: [(0x5006_7F7F, 0x0401_0040), (0x2006_7F7F, 0x0401_0040)]) == [])
    #expect(device.events(packets: [(0x3046_7F7F, 0x0401_0040), (0x30F6_7F7F, 0x0401_0040)]) == [])
    let broken = [parts[0], (0x3046_0000, 0), parts[1], parts[2]]
    #expect(device.events(packets: broken) == ["masterVolume 0 0 504"])
  }

  @Test("asks who is there, and the answer is for whom it asked")
  func identity() {
    let device = Device()
    #expect(device.events([0xF0, 0x7E, 0x7F, 6, 1, 0xF7, 0xF0, 0x7E, 5, 6, 1, 0xF7]) == [])
    #expect(device.asked == [127, 5])
    #expect(
      Identity.answer(device: 5, version: "1.20.3")
        == [0xF0, 0x7E, 5, 6, 2, 0x7D, 0, 0, 0, 0, 1, 20, 3, 0, 0xF7])
    let answer = Identity.answer(device: 127, version: "999.-4.x.5.6")
    #expect(answer[2] == 0 && answer.count == 15 && answer.dropFirst().dropLast().allSatisfy { $0 < 128 })
    // An answer is no question.
    #expect(device.events(answer) == [] && device.asked.count == 2)
  }

  @Test("that begins anew forgets what came before")
  func reset() {
    let device = Device()
    #expect(device.event([0xB0, 0, 3]) == nil && device.event([0xC0, 1])?.value == 384)
    #expect(device.events([0xF0, 0x7F, 0x7F, 4, 4, 0, 76, 0xF7]) == ["masterTuning 0 0 12000"])
    #expect(device.event([0xBF, 0, 3]) == nil && device.event([0xCF, 1])?.value == 384)
    #expect(device.events([0xF0, 0x7E, 0x7F, 9, 1, 0xF7]) == ["setUp 0 1 787"])
    #expect(device.event([0xC0, 1])?.value == 0 && device.event([0xCF, 1])?.value == 0)
    #expect(device.events([0xF0, 0x7F, 0x7F, 4, 3, 0, 64, 0xF7]) == ["masterTuning 0 0 0"])
    // What has begun when the device goes is none of the next one's.
    #expect(device.events(Array(Self.volume.dropLast())) == [])
    device.forget()
    #expect(device.events([0xF7]) == [])
  }
}

@Suite("Active sensing") struct ActiveSensingTests {
  @Test("ends what has fallen silent after a sign of life, once, and nothing else")
  func silence() {
    var sensing = ActiveSensing()
    let (now, timeout) = (Int64(5_000_000_000), ActiveSensing.timeout)
    sensing.receive(from: 1, isActiveSensing: false, at: now)
    #expect(sensing.due == nil && sensing.fallenSilent(at: now + 10 * timeout) == nil)
    sensing.receive(from: 2, isActiveSensing: true, at: now)
    sensing.receive(from: 3, isActiveSensing: true, at: now + 1)
    #expect(sensing.due == now + timeout && timeout > 300_000_000)
    // Anything is a sign from then on.
    sensing.receive(from: 2, isActiveSensing: false, at: now + timeout - 1)
    #expect(sensing.fallenSilent(at: now + timeout) == nil)
    #expect(sensing.fallenSilent(at: now + timeout + 1) == 3)
    #expect(sensing.fallenSilent(at: now + timeout + 1) == nil)
    sensing.forget(2)
    #expect(sensing.due == nil && sensing.fallenSilent(at: now + 10 * timeout) == nil)
    sensing.receive(from: 3, isActiveSensing: true, at: now + 20 * timeout)
    #expect(sensing.fallenSilent(at: now + 22 * timeout) == 3)
  }

  @Test("keeps each source by itself, to the last") func sources() {
    var sensing = ActiveSensing()
    let timeout = ActiveSensing.timeout
    for source in 0..<UInt8(Limits.sources) {
      sensing.receive(from: source, isActiveSensing: true, at: Int64(source) + 10)
    }
    for source in 0..<UInt8(Limits.sources) {
      #expect(sensing.fallenSilent(at: Int64(source) + 10 + timeout) == source)
      #expect(sensing.fallenSilent(at: Int64(source) + 10 + timeout) == nil)
    }
    #expect(sensing.due == nil)
    // A sign at the very beginning of time counts.
    sensing.receive(from: 0, isActiveSensing: true, at: 0)
    #expect(sensing.due == 1 + timeout)
  }
}
