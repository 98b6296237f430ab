import Song
import Testing

@Suite("The loop of a song") struct LoopPointTests {
  private static func text(_ type: UInt8, _ words: String) -> [UInt8] {
    [0, 0xFF, type, UInt8(words.utf8.count)] + Array(words.utf8)
  }
  private static func controller(_ number: UInt8) -> [UInt8] { [0, 0xB0, number, 0] }
  // A quarter note.
  private static let beat: [UInt8] = [0x60, 0x90, 60, 1, 0, 60, 0]

  /// The loop of a song of four beats, with these events after its first beat and after its third.
  private func loop(_ first: [UInt8], _ second: [UInt8] = []) throws -> Range<Double>? {
    let (start, last) = (Self.beat + first, Self.beat + Self.beat + second)
    return try Song(midi(tracks: [start + last + Self.beat + end])).loop
  }

  @Test("is between loopStart and loopEnd, or controllers 116 and 117, or from a single 111 on")
  func points() throws {
    for type in [1, 6] as [UInt8] {
      let (start, last) = (Self.text(type, "loopStart"), Self.text(type, "LOOPEND"))
      #expect(try loop(start, last) == 1..<3)
      #expect(try loop(start) == 1..<4)
      #expect(try loop([], last) == 0..<3)
    }
    #expect(try loop(Self.controller(116), Self.controller(117)) == 1..<3)
    #expect(try loop(Self.controller(111)) == 1..<4)
    // The first of each.
    #expect(try loop(Self.controller(116), Self.controller(116) + Self.controller(117)) == 1..<3)
  }

  @Test("is the whole song without points, and with those that make no sense")
  func none() throws {
    for other in [[], Self.text(6, "loopstarts"), Self.text(3, "loopStart")] {
      #expect(try loop(other) == nil)
    }
    // Two of them move something.
    #expect(try loop(Self.controller(111), Self.controller(111)) == nil)
    #expect(try loop(Self.text(6, "loopEnd"), Self.text(6, "loopStart")) == nil)
    let both = Self.text(6, "loopStart") + Self.text(6, "loopEnd")
    #expect(try loop(both) == nil)
  }
}
