import EngineHarness
import Glibc
import MIDI
import Scenes
import Scratch
import Testing

/// Streams by chance, of bytes and of packets, played. `.ci/full` runs more of them under AddressSanitizer:
/// `PIPIT_INPUTS=1000000 swift test --sanitize=address --filter StreamFuzzTests`.
@Suite("Any stream") struct StreamFuzzTests {
  private static var streams: Int { getenv("PIPIT_INPUTS").flatMap { Int(String(cString: $0)) } ?? 2_000 }

  /// Beginnings that chance would hardly find.
  private static let heads: [[UInt8]] = [
    [0xF0, 0x7F, 0x7F, 4, 1], [0xF0, 0x7F, 0x7F, 4, 3], [0xF0, 0x7F, 0x7F, 4, 4], [0xF0, 0x7E, 0x7F, 9],
    [0xF0, 0x7F, 0, 8, 2, 0], [0xF0, 0x7E, 0, 8, 7, 0, 0], [0xF0, 0x7E, 0, 8, 8], [0xF0, 0x7F, 0, 8, 9],
    [0xF0, 0x7E, 0, 8, 1], [0xF0, 0x7E, 0x7F, 6, 1, 0xF7], [0xB0, 101, 0, 100], [0xB0, 99, 1, 98],
    [0xB0, 101, 0, 100, 6, 6], [0xBF, 101, 0, 100, 6, 6],
    [0x90, 60],
    [0xB0, 64, 127], [0xB0, 66, 127], [0xB0, 69, 127], [0xB0, 126, 1], [0xFE], [0xFF],
  ]

  @Test("traps nowhere, and after all sound off nothing sounds")
  func streams() {
    let seed = SeededRandom.chosenSeed ?? 1
    var random = SeededRandom(seed)
    let player = Player(.with([("/amp/release", 20), ("/amp/sustain", 1)]))
    let decoder = MIDIDecoder()
    var (played, held) = (0, 0)
    for stream in 0..<Self.streams {
      let source = UInt8(random.below(3))
      var parser = MIDIParser()
      var frame: Int64 = 0
      func play(_ event: Event) {
        frame += 1
        played += 1
        if !event.kind.isForControl { player.link.midi.push(event) }
      }
      func take(_ byte: UInt8) {
        if let message = parser.parse(byte), let event = decoder.event(message, source: source, frame: 0) {
          play(event)
        }
        guard let message = decoder.read(exclusive: byte, source: source) else { return }
        for index in 0..<message.count {
          if let event = message.event(index, source: source, frame: 0) { play(event) }
        }
      }
      for byte in Self.heads[Int(random.below(UInt32(Self.heads.count)))] { take(byte) }
      for _ in 0..<random.below(24) { take(random.below(4) == 0 ? random.byte() : random.byte() & 0x7F) }
      if random.below(2) == 0 { take(0xF7) }
      for _ in 0..<random.below(6) {
        let type = [2, 3, 4, 4, random.below(16)][Int(random.below(5))]
        let first = random.word() & 0x0FFF_FFFF | type << 28
        let second = random.word()
        for message in [UMP.noteOnPitch(first, second), UMP.message(first, second)] {
          if let message, let event = decoder.event(message, source: source, frame: 0) { play(event) }
        }
        // What has bent its key, or let it go, may be followed by a stroke.
        if type == 4, random.below(2) == 0,
          let message = UMP.message(first & 0xFF0F_7F00 | 0x0090_0003, second),
          let event = decoder.event(message, source: source, frame: 0)
        {
          play(event)
        }
        if let message = decoder.read(exclusive: first, second, source: source) {
          for index in 0..<message.count {
            if let event = message.event(index, source: source, frame: 0) { play(event) }
          }
        }
      }
      player.render(16)
      if stream % 50 < 49 { continue }
      held = max(held, player.voices)
      for source in 0..<3 as Range<UInt8> {
        for channel in 0..<16 as Range<UInt8> {
          guard let off = ChannelMessage(status: 0xB0 | channel, 120, 0) else { continue }
          if let event = decoder.event(off, source: source, frame: 0) { play(event) }
        }
      }
      player.render(1_024)
      #expect(player.voices == 0, "seed \(seed), after stream \(stream)")
    }
    #expect(played > Self.streams && held > 2)
    #expect(player.link.meters[.faults] == 0 && player.link.midi.dropped == 0)
  }
}

extension SeededRandom {
  fileprivate mutating func word() -> UInt32 { UInt32(truncatingIfNeeded: next()) }
  fileprivate mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: next()) }
  fileprivate mutating func below(_ count: UInt32) -> UInt32 { .random(in: 0..<count, using: &self) }
}
