import Testing
@testable import Scenes
@testable import Synth

/// What was heard, as a recording reads it.
@Suite("The ring of recent audio output") struct AudioRingTests {
  /// Writes `count` frames from the number `from` on: the left side the number, the right one its negative and a half.
  private static func write(_ ring: AudioRing, _ from: Int, _ count: Int) {
    let left = (from..<from + count).map { Float($0) }
    ring.write(left, left.map { -$0 - 0.5 }, frames: count)
  }

  private static func read(_ ring: AudioRing, _ position: UInt64, _ room: Int) -> [AudioRing.Frame]? {
    var frames = [AudioRing.Frame](repeating: .zero, count: room)
    guard let count = frames.withUnsafeMutableBufferPointer({ ring.read(from: position, into: $0) }) else {
      return nil
    }
    return Array(frames.prefix(count))
  }

  private static func frame(_ number: Int) -> AudioRing.Frame { .init(Float(number), -Float(number) - 0.5) }

  @Test("An open ring returns both sides of each frame as written; a closed ring stores nothing")
  func bothSides() {
    let ring = AudioRing()
    defer { ring.deallocate() }
    Self.write(ring, 0, 10)
    #expect(ring.written == 0 && Self.read(ring, 0, 4) == [])
    ring.open(frames: 1)
    Self.write(ring, 0, 100)
    Self.write(ring, 100, 28)
    #expect(ring.written == 128 && ring.oldest == 0)
    #expect(Self.read(ring, 0, 3) == [Self.frame(0), Self.frame(1), Self.frame(2)])
    #expect(Self.read(ring, 126, 10) == [Self.frame(126), Self.frame(127)])
    #expect(Self.read(ring, 128, 10) == [] && Self.read(ring, 1_000, 10) == [])
  }

  @Test("Overwritten frames cannot be read; frames from the oldest kept one on can") func oldestFrame() {
    let ring = AudioRing()
    defer { ring.deallocate() }
    ring.open(frames: 65_536 - AudioRing.margin)
    let kept = 65_536 - AudioRing.margin
    for block in 0..<100 { Self.write(ring, 1_000 * block, 1_000) }
    #expect(ring.written == 100_000 && ring.oldest == UInt64(100_000 - kept))
    let oldest = 100_000 - kept
    #expect(Self.read(ring, UInt64(oldest - 1), 4) == nil)
    #expect(Self.read(ring, UInt64(oldest), 2) == [Self.frame(oldest), Self.frame(oldest + 1)])
    // Opened once, it stays as it is.
    ring.open(frames: 1_000_000)
    #expect(ring.oldest == UInt64(oldest))
  }

  @Test(
    "The ring keeps at least as many frames as requested",
    arguments: [1, 49_152, 49_153, 65_536, 480_000])
  func requestedFrames(_ frames: Int) {
    let ring = AudioRing()
    defer { ring.deallocate() }
    ring.open(frames: frames)
    for block in 0..<(frames / 8_192 + 20) { Self.write(ring, 8_192 * block, 8_192) }
    #expect(ring.written - ring.oldest >= UInt64(frames))
  }

  @Test("Injected slowness is limited to a factor of 1 to 100, and a freeze can be injected")
  func injectedFaults() {
    let faults = FaultInjection()
    defer { faults.deallocate() }
    #expect(!faults.isFrozen && faults.slowness == 1)
    for (asked, slowness) in [(0, 1), (1, 1), (37, 37), (100, 100), (101, 100), (-5, 1)] {
      faults.slowness = asked
      #expect(faults.slowness == slowness)
    }
    faults.isFrozen = true
    #expect(faults.isFrozen)
  }
}
