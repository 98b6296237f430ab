import MIDI
import Scenes
import Testing

/// What a keyboard of three bytes a message plays. The decoder that it has is its own.
private final class Keyboard {
  private let decoder = MIDIDecoder()

  func event(_ bytes: [UInt8], source: UInt8 = 3) -> Event? {
    messages(bytes).last.flatMap { decoder.event($0, source: source, frame: 77) }
  }

  func event(_ first: UInt32, _ second: UInt32) -> Event? {
    UMP.message(first, second).flatMap { decoder.event($0, source: 3, frame: 77) }
  }

  func event(_ message: ChannelMessage) -> Event? { decoder.event(message, source: 3, frame: 77) }

  func forget(_ source: UInt8) { decoder.forget(source) }
}

@Suite("The decoder") struct MIDIDecoderTests {
  private let keyboard = Keyboard()

  @Test("gives a note its frame, source, channel, key and velocity")
  func notes() throws {
    let on = try #require(keyboard.event([0x95, 60, 127]))
    #expect(on.kind == .noteOn && on.frame == 77 && on.source == 3 && on.target == 5)
    #expect(on.note == 60 && on.value == 1)
    let off = try #require(keyboard.event([0x85, 60, 32]))
    #expect(off.kind == .noteOff && off.note == 60 && off.value == 0.25)
    let implied = try #require(keyboard.event([0x95, 60, 0]))
    #expect(implied.kind == .noteOff && implied.note == 60 && implied.value == 0.5)
  }

  @Test("gives the next note of the channel the seven bits of velocity that came before it, and no other")
  func velocityPrefix() {
    func velocity(_ bytes: [UInt8]) -> Float? { keyboard.event(bytes)?.value }
    #expect(keyboard.event([0xB5, 88, 64]) == nil)
    #expect(velocity([0x96, 60, 32]) == 0.25)
    #expect(velocity([0x95, 60, 32]).map { abs($0 - 0.25 - 1.0 / 256) < 1e-6 } == true)
    #expect(velocity([0x95, 60, 32]) == 0.25)
    #expect(keyboard.event([0xB5, 88, 127]) == nil)
    #expect(velocity([0x95, 60, 127]) == 1)
    #expect(keyboard.event([0xB5, 88, 64]) == nil)
    #expect(velocity([0x85, 60, 32]).map { $0 > 0.25 } == true)
    // The softest is a note still.
    #expect(keyboard.event([0xB5, 88, 0]) == nil)
    #expect(keyboard.event([0x95, 60, 1]).map { $0.kind == .noteOn && $0.value == 1.0 / 128 } == true)
  }

  @Test("gives the pressure on a key the key")
  func keyPressure() throws {
    let event = try #require(keyboard.event([0xA5, 61, 127]))
    #expect(event.kind == .keyPressure && event.note == 61 && event.target == 5 && event.value == 1)
  }

  @Test("starts a note however softly MIDI 2.0 strikes it")
  func softest() throws {
    for velocity in [0, 1 << 16] as [UInt32] {
      let event = try #require(keyboard.event(0x4090_3C00, velocity))
      #expect(event.kind == .noteOn && event.value > 0 && event.value < 0.0001)
    }
  }

  @Test(
    "knows the controllers of the player, and gives them to the engine",
    arguments: [
      (1, .wheel), (2, .breath), (7, .volume), (8, .balance), (11, .expression), (64, .sustain), (65, .glide),
      (66, .sostenuto),
      (67, .soft), (68, .legato), (69, .sustain2), (120, .allSoundOff), (121, .resetControllers),
      (123, .allNotesOff),
      (124, .allNotesOff), (125, .allNotesOff), (126, .mono), (127, .poly),
    ] as [(UInt8, Event.Kind)])
  func player(number: UInt8, kind: Event.Kind) throws {
    let event = try #require(keyboard.event([0xB2, number, 127]))
    #expect(event.kind == kind && event.target == 2 && event.value == 1 && event.note == 0)
    #expect(!event.kind.isForControl)
  }

  @Test("gives the other controllers and programs to the control thread")
  func control() throws {
    for number in [3, 9, 10, 71, 74, 119] as [UInt8] {
      let event = try #require(keyboard.event([0xB2, number, 64]))
      #expect(event.kind == .controller && event.note == number && event.value == 0.5)
      #expect(event.kind.isForControl)
    }
    #expect(keyboard.event([0xC2, 9])?.kind.isForControl == true)
    #expect(keyboard.event([0xB2, 122, 0]) == nil)
  }

  @Test("gives the time of glides in seconds, fine at its beginning, in 14 bits too")
  func glideTime() throws {
    let half = try #require(keyboard.event([0xB2, 5, 64]))
    #expect(half.kind == .glideTime && half.target == 2 && !half.kind.isForControl)
    #expect(half.value == 0.625 && keyboard.event([0xB2, 5, 127])?.value == 5)
    #expect(keyboard.event([0xB2, 5, 0])?.value == 0)
    #expect(try #require(keyboard.event([0xB2, 37, 127])).value > 0)
  }

  @Test("has a pedal down from 64 on, in every resolution", arguments: [64, 65, 66, 68, 69] as [UInt8])
  func pedal(controller: UInt8) {
    for (number, isDown) in [(0, false), (63, false), (64, true), (127, true)] as [(UInt8, Bool)] {
      #expect(keyboard.event([0xB0, controller, number]).map { $0.value >= 0.5 } == isDown)
    }
    let first = 0x40B0_0000 | UInt32(controller) << 8
    #expect(keyboard.event(first, 0x7FFF_FF00).map { $0.value < 0.5 } == true)
    #expect(keyboard.event(first, 0x8000_0000).map { $0.value >= 0.5 } == true)
  }

  @Test("has the loudness of volume and expression as parts of 127, and the middle of balance and pan at 64")
  func loudness() {
    for (number, part) in [(0, 0), (1, 1.0 / 127), (64, 64.0 / 127), (100, 100.0 / 127), (127, 1)]
      as [(UInt8, Float)]
    {
      for controller in [7, 11] as [UInt8] {
        #expect(keyboard.event([0xB0, controller, number]).map { abs($0.value - part) < 1e-7 } == true)
      }
    }
    #expect(keyboard.event([0xB0, 8, 64])?.value == 0 && keyboard.event([0xB0, 8, 0])?.value == -1)
    #expect(keyboard.event([0xB0, 10, 64])?.value == 0.5 && keyboard.event([0xB0, 8, 127])?.value == 1)
  }

  @Test("refines a controller by the one 32 above it, once that has come")
  func halves() throws {
    for (controller, kind) in [
      (1, .wheel), (2, .breath), (8, .balance), (10, .controller), (31, .controller),
    ] as [(UInt8, Event.Kind)] {
      #expect(keyboard.event([0xB4, controller + 32, 9]) == nil)
      let coarse = try #require(keyboard.event([0xB4, controller, 32]))
      let fine = try #require(keyboard.event([0xB4, controller + 32, 64]))
      #expect(coarse.kind == kind && fine.kind == kind && fine.note == coarse.note)
      // Half a step of 127 more, and of the balance twice as much.
      let step: Float = kind == .balance ? 1.0 / 128 : 1.0 / 256
      #expect(abs(fine.value - coarse.value - step) < 1e-6)
      // The upper half begins anew.
      #expect(keyboard.event([0xB4, controller, 32])?.value == coarse.value)
      #expect(keyboard.event([0xB5, controller + 32, 64]) == nil)
    }
    #expect(keyboard.event([0xB4, 7, 127])?.value == 1)
    // All of both halves is all there is.
    #expect(keyboard.event([0xB4, 39, 127])?.value == 1)
    #expect(keyboard.event([0xB4, 11, 64]).map { abs($0.value - 64.0 / 127) < 1e-6 } == true)
    #expect(keyboard.event([0xB4, 121, 0])?.kind == .resetControllers)
    #expect(keyboard.event([0xB4, 43, 64]) == nil && keyboard.event([0xB4, 42, 64]) != nil)
    let pair = ChannelMessage(4, .pair(10, MIDIValue(12_345, bits: 14)))
    #expect(keyboard.event(pair).map { $0.note == 10 && $0.value > 0.75 && $0.value < 0.76 } == true)
  }

  @Test("has the soft pedal and the time of the glide in full resolution")
  func fine() {
    let pedal = keyboard.event(0x40B0_0000 | 67 << 8, 0x4000_0100)
    #expect(pedal.map { $0.value > 0.25 && $0.value < 0.250_001 } == true)
    let time = keyboard.event(0x40B0_0000 | 5 << 8, 0x4000_0100)
    #expect(time.map { $0.value > 0.078_125 && $0.value < 0.078_126 } == true)
  }

  @Test("glides from the key that a message names, in both resolutions")
  func glideFrom() {
    #expect(keyboard.event([0xB2, 84, 61]).map { $0.kind == .glideFrom && $0.note == 61 } == true)
    #expect(keyboard.event(0x40B2_5400, 61 << 25).map { $0.kind == .glideFrom && $0.note == 61 } == true)
    #expect(keyboard.event([0xB2, 84, 61])?.target == 2)
  }

  @Test("brings the bend to both ends and to rest at zero")
  func bend() {
    for (low, high, value) in [(0, 0, -1), (0, 64, 0), (127, 127, 1)] as [(UInt8, UInt8, Float)] {
      #expect(keyboard.event([0xE0, low, high]).map { $0.kind == .bend && $0.value == value } == true)
    }
    #expect(keyboard.event([0xD0, 127]).map { $0.kind == .pressure && $0.value == 1 } == true)
  }

  @Test("gives a program the bank of its source and channel, or the one it names")
  func banks() {
    #expect(keyboard.event([0xB2, 0, 1]) == nil && keyboard.event([0xB2, 32, 5]) == nil)
    #expect(keyboard.event([0xC2, 9])?.value == 133)
    #expect(keyboard.event([0xC2, 9])?.note == 9)
    #expect(keyboard.event([0xC2, 9], source: 4)?.value == 0)
    let whole = ChannelMessage(2, .pair(0, MIDIValue(2 << 7 | 7, bits: 14)))
    #expect(keyboard.event(whole) == nil && keyboard.event([0xC2, 9])?.value == 263)
    #expect(keyboard.event([0xB2, 0, 1]) == nil && keyboard.event([0xB2, 32, 5]) == nil)
    #expect(keyboard.event([0xC3, 9])?.value == 0)
    #expect(keyboard.event(0x40C2_0001, 0x0900_0203)?.value == 259)
    #expect(keyboard.event([0xC2, 9])?.value == 133)
    keyboard.forget(3)
    #expect(keyboard.event([0xC2, 9])?.value == 0)
  }

  @Test("makes a channel play drums, and melodies again, by the bank; channel 10 never plays melodies by it")
  func rhythms() {
    func rhythm(_ channel: UInt8, _ bank: UInt8) -> Float? {
      let event = keyboard.event([0xB0 | channel, 0, bank])
      #expect(event == nil || event?.kind == .rhythm && event?.target == channel)
      return event?.value
    }
    #expect(rhythm(2, 127) == 1 && rhythm(2, 127) == nil && rhythm(2, 120) == nil)
    #expect(keyboard.event([0xC2, 0])?.value == 15_360)
    #expect(rhythm(2, 121) == 0 && rhythm(2, 0) == nil && rhythm(2, 120) == 1)
    #expect(keyboard.event(ChannelMessage(2, .pair(0, MIDIValue(7, bits: 14))))?.value == 0)
    #expect(rhythm(9, 127) == 1 && rhythm(9, 0) == nil && rhythm(9, 127) == 1)
  }

  @Test("takes what has been switched on anew for gone")
  func reset() { #expect(keyboard.event([0xFF])?.kind == .sourceGone) }

  @Test("takes any bytes and any words, and gives only what the engine knows; always the same 400,000")
  func random() {
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    func next() -> UInt32 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt32(truncatingIfNeeded: state >> 32)
    }
    let decoder = MIDIDecoder()
    var parser = MIDIParser()
    var (count, wrong) = (0, 0)
    func check(_ message: ChannelMessage?) {
      let source = UInt8(truncatingIfNeeded: next())
      guard let message, let event = decoder.event(message, source: source, frame: 0) else { return }
      count += 1
      let range: ClosedRange<Float> =
        switch event.kind {
        case .bend, .balance: -1...1
        case .bendRange, .keyBendRange: 0...128
        case .keyBend, .keyPan: -1...1
        case .keyPitch, .strokePitch: -127...128
        case .keyManagement: 1...3
        case .tuning: -65...64
        case .glideTime: 0...5
        case .program: 0...16_383
        default: 0...1
        }
      let isRight =
        event.target < 16 && event.note < 128 && range.contains(event.value)
        && (event.kind != .noteOn || event.value > 0) && event.kind != .panic
      if !isRight { wrong += 1 }
    }
    for _ in 0..<200_000 {
      check(parser.parse(UInt8(truncatingIfNeeded: next() >> 8)))
      // Half of the words are of the types that mean something.
      var first = next()
      if first & 1 == 0 { first = first & 0x0FFF_FFFF | (first & 2 == 0 ? 0x2000_0000 : 0x4000_0000) }
      let second = next()
      check(UMP.noteOnPitch(first, second))
      check(UMP.message(first, second))
      if next() % 1000 == 0 { decoder.forget(UInt8(truncatingIfNeeded: next())) }
    }
    #expect(wrong == 0 && count > 50_000)
  }
}
