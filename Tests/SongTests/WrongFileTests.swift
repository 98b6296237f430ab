import Song
import Testing

@Suite("A file that is wrong, read strictly,")
struct WrongFileTests {
  /// The first track begins here, after its chunk's name and length.
  private static let body = 22

  /// What the reader says about a file when it is strict.
  private func complaint(_ bytes: [UInt8]) -> SongError? {
    do {
      _ = try Song(bytes, strict: true)
      return nil
    } catch { return error }
  }

  private func track(_ bytes: [UInt8]) -> SongError? { complaint(midi(tracks: [bytes])) }

  @Test("in its header is refused, with the place")
  func header() {
    #expect(complaint([])?.offset == 0)
    #expect(
      complaint(Array("RIFF....WAVE".utf8))?.description.contains("byte 0: not a Standard MIDI File") == true)
    #expect(complaint(Array("MThd".utf8) + [0, 0])?.offset == 6)
    #expect(complaint(chunk("MThd", [0, 1, 0, 1]))?.offset == 4)
    let two = complaint(midi(format: 2, tracks: [end]))
    #expect(two?.offset == 8)
    #expect(two?.description.contains("format 2") == true)
    #expect(complaint(midi(format: 9, tracks: [end]))?.offset == 8)
    #expect(complaint(midi(format: 0, tracks: [end, end]))?.offset == 10)
    #expect(complaint(midi(tracks: []))?.offset == 10)
    #expect(complaint(midi(division: 0, tracks: [end]))?.offset == 12)
    #expect(complaint(midi(division: 0xE700, tracks: [end]))?.offset == 12)
    #expect(complaint(midi(division: 0x9928, tracks: [end]))?.description.contains("103 film frames") == true)
  }

  @Test("in a track is refused, with the byte that is wrong")
  func tracks() {
    #expect(track([0, 60, 1])?.offset == Self.body + 1)
    #expect(track([0, 0x90, 0x90, 1])?.offset == Self.body + 2)
    #expect(track([0, 0x90, 60])?.offset == Self.body + 3)
    #expect(track([0, 0xF4])?.offset == Self.body + 1)
    #expect(track([0x81, 0x81, 0x81, 0x81, 0x01, 0xC0, 1])?.offset == Self.body)
    #expect(track([0, 0xF0, 5, 1, 2])?.offset == Self.body + 3)
    #expect(track([0, 0xFF, 0x51, 2, 1, 2] + end)?.offset == Self.body + 2)
    #expect(track([0] + tempo(0) + end)?.offset == Self.body + 2)
    #expect(track([0x81])?.offset == Self.body + 1)
    // A meta event ends running status, as the standard has it.
    #expect(track([0, 0x90, 60, 1, 0, 0xFF, 1, 0, 0, 60, 0] + end)?.offset == Self.body + 9)
  }

  @Test("about its lengths is refused at once, whatever it claims")
  func lengths() {
    let good = midi(tracks: [[0, 0x90, 60, 1] + end])
    var lying = good
    lying.replaceSubrange(18..<22, with: [0xFF, 0xFF, 0xFF, 0xFF])
    #expect(complaint(lying)?.description == "byte 22: track 1 claims 4294967295 bytes, the file has 8 left")
    #expect(track([0, 0xFF, 1, 0xFF, 0xFF, 0xFF, 0x7F])?.offset == Self.body + 7)
    var promising = good
    promising[10] = 0xFF
    #expect(complaint(promising)?.description.contains("ends after 1 of 65281 tracks") == true)
    #expect(
      complaint([UInt8](repeating: 0, count: (16 << 20) + 1))?.description.contains("16 MiB") == true)
  }

  @Test("that would last for years is refused")
  func years() {
    let long = [UInt8(0)] + tempo(16_777_215) + [0xFF, 0xFF, 0xFF, 0x7F, 0x90, 60, 1]
    #expect(track(long + end)?.description.contains("24 hours") == true)
    #expect(complaint(midi(division: 0xE701, tracks: [[0xFF, 0xFF, 0xFF, 0x7F, 0xC0, 1] + end])) != nil)
  }

  @Test("cut off at any byte is refused, and never read past its end")
  func cut() throws {
    let good = Self.good
    _ = try Song(good, strict: true)
    for count in 0..<good.count { #expect(complaint(Array(good[..<count])) != nil, "after \(count) bytes") }
  }

  @Test("at random is read or refused; 20,000 of them, always the same")
  func random() {
    // A generator of its own, so that a failure comes again.
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(bound))
    }
    var refused = 0
    for _ in 0..<20_000 {
      var bytes = Self.good
      for _ in 0...next(6) {
        // Bytes that come or go mostly spoil the lengths, so they are rarer.
        switch next(16) {
        case 0: bytes.remove(at: next(bytes.count))
        case 1: bytes.insert(UInt8(next(256)), at: next(bytes.count))
        case 2..<8: bytes[next(bytes.count)] = UInt8(next(256))
        default: bytes[next(bytes.count)] ^= UInt8(1 << next(8))
        }
      }
      guard let error = complaint(bytes) else { continue }
      refused += 1
      #expect((error.offset ?? 0) <= bytes.count)
    }
    // Both happen, so the inputs are neither all harmless nor all hopeless. Measured: 17,807 refused.
    #expect((10_000..<19_500).contains(refused))
  }

  private static let good = midi(tracks: [tempos, running, channels])

  // Joined, not added: Debian 13's compiler takes too long over a sum of so many literals.
  private static let tempos: [UInt8] = {
    let events: [[UInt8]] = [
      [0x00], tempo(400_000), [0x83, 0x00], tempo(600_000), [0x00, 0xFF, 0x03, 2, 65, 66], end,
    ]
    return Array(events.joined())
  }()
  private static let running: [UInt8] =
    [0x00, 0xC0, 5, 0x00, 0x90, 60, 100, 0x60, 60, 0, 0x00, 64, 9, 0x81, 0x70, 64, 0, 0, 0xE0, 1, 2] + end
  private static let channels: [UInt8] =
    [0x00, 0xB1, 7, 100, 0, 0xF0, 2, 1, 0xF7, 0x60, 0x91, 40, 1, 0x60, 0x81, 40, 1] + end
}
