import MIDI
import Scenes
import Testing

/// A device on channel 2, whose decoder is its own.
private final class Device {
  private let decoder = MIDIDecoder()

  func read(_ number: UInt8, _ value: UInt8, channel: UInt8 = 1, at milliseconds: Int64 = 0) -> SourceMessage
  {
    let message = ChannelMessage(channel, .controller(number, MIDIValue(UInt32(value), bits: 7)))
    return decoder.read(message, source: 3, at: 1_000_000_000 + milliseconds * 1_000_000)
  }

  func event(_ message: SourceMessage) -> Event? { decoder.event(message, frame: 7) }
}

/// One message is both what the instrument plays and what a bound control says.
@Suite("A message that is read") struct SourceMessageTests {
  private let device = Device()

  private func read(_ number: UInt8, _ value: UInt8, at milliseconds: Int64 = 0) -> SourceMessage {
    device.read(number, value, at: milliseconds)
  }

  @Test("has left its halves, whether it is played or is a bound control's")
  func halves() throws {
    // The upper half was bound, and nothing was played.
    _ = read(1, 64).movement
    let event = try #require(device.event(read(33, 64)))
    #expect(event.kind == .wheel && event.frame == 7 && event.source == 3 && event.target == 1)
    #expect(event.value > 0.5 && event.value < 0.51)
  }

  @Test("is read once: asking it twice changes nothing")
  func twice() {
    let coarse = read(20, 64)
    let fine = read(52, 1)
    #expect(fine.movement == fine.movement && device.event(coarse) != nil)
    // The lower half has followed once, not twice: the next upper half acts at once.
    #expect(read(20, 65).movement?.isCoarse == false)
    _ = read(52, 1)
    #expect(read(20, 66).movement?.isCoarse == true)
  }

  @Test("puts a lower half to its upper half within 10 ms, until both have come together twice")
  func together() {
    _ = read(20, 64)
    #expect(read(52, 1, at: 10).movement?.number == 20)
    _ = read(20, 64)
    #expect(read(52, 1, at: 11).movement?.number == 52)
    _ = read(20, 64, at: 20)
    #expect(read(52, 1, at: 20).movement?.number == 20)
    #expect(read(52, 1, at: 5_000).movement?.number == 20)
    // To the engine it is always the lower half.
    #expect(device.event(read(53, 1)) == nil)
    _ = read(21, 64)
    #expect(device.event(read(53, 1, at: 5_000))?.note == 21)
  }

  @Test("of a maker's parameter has the upper half of that parameter, never of the one before")
  func makers() {
    func choose(_ low: UInt8) { _ = (read(99, 2), read(98, low)) }
    choose(5)
    #expect(read(6, 64).movement?.value.sevenBits == 64)
    #expect(read(38, 3).movement?.value.fourteenBits == 8195)
    choose(6)
    let other = read(38, 3).movement
    #expect(other?.number == 262 && other?.value.fourteenBits == 3)
    // Chosen again, as many devices do before each half, it is the one that it was.
    _ = read(6, 70)
    choose(6)
    #expect(read(38, 9).movement?.value.fourteenBits == 8969)
    // A step is no movement, and none is what a registered parameter or none is moved by.
    #expect(read(96, 1).movement == nil && read(97, 1).movement == nil)
    _ = (read(101, 0), read(100, 0))
    #expect(read(6, 1).movement == nil && read(38, 1).movement == nil)
    // The maker's is chosen again by either half.
    _ = read(98, 6)
    #expect(read(6, 1).movement?.number == 262)
    for half in [98, 99] as [UInt8] { _ = read(half, 127) }
    #expect(read(6, 1).movement == nil && read(38, 1).movement == nil)
  }

  @Test("on a member channel of MPE, where 106 refines 74, is a control of that number all the same")
  func members() {
    for (number, value) in [(101, 0), (100, 6), (6, 15)] as [(UInt8, UInt8)] {
      _ = device.event(device.read(number, value, channel: 0))
    }
    #expect(device.event(read(106, 64)) == nil)
    #expect(device.event(read(74, 64))?.kind == .timbre)
    // Controller 10 has halves of its own, which a member does not play.
    #expect(device.event(read(10, 1)) == nil)
    let fine = read(106, 64)
    #expect(device.event(fine).map { $0.kind == .timbre && $0.value > 0.503 } == true)
    #expect(fine.movement?.number == 106 && read(74, 1).movement?.isCoarse == false)
  }

  @Test("with both halves in one message is fine; banks, registered parameters and steps are no movements")
  func whole() {
    let decoder = MIDIDecoder()
    func movement(_ message: MIDIMessage) -> Movement? {
      decoder.read(ChannelMessage(0, message), source: 0, at: 0).movement
    }
    let value = MIDIValue(12_345, bits: 14)
    let pair = movement(.pair(20, value))
    #expect(pair?.isFine == true && pair?.number == 20 && pair?.value == value)
    #expect(movement(.pair(1, value))?.number == 1 && movement(.pair(31, value))?.number == 31)
    #expect(movement(.pair(0, value)) == nil && movement(.pair(32, value)) == nil)
    let maker = movement(.parameter(261, isRegistered: false, value))
    #expect(maker?.kind == .parameter && maker?.isFine == true && maker?.number == 261)
    #expect(movement(.parameter(0, isRegistered: true, value)) == nil)
    #expect(movement(.parameterStep(261, isRegistered: false, 1)) == nil && movement(.reset) == nil)
    // Controllers at the ends of what counts.
    let numbers = (0..<128 as Range<UInt8>).filter { movement(.controller($0, value)) != nil }
    let none: Set<UInt8> = [0, 6, 32, 38, 96, 97, 98, 99, 100, 101, 120, 121, 122, 123, 124, 125, 126, 127]
    #expect(numbers == (0..<128 as Range<UInt8>).filter { !none.contains($0) })
  }
}
