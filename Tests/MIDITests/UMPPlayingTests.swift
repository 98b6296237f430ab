import EngineHarness
import Glibc
import MIDI
import Scenes
import Testing

/// A keyboard of MIDI 2.0 that plays an engine through the decoder, on channel 1.
private final class UMPKeyboard {
  let player: Player
  private let decoder = MIDIDecoder()

  init(_ knobs: [(String, Float)] = []) { player = Player(.with(MPEKeyboard.sine + knobs)) }

  func send(_ first: UInt32, _ second: UInt32 = 0) {
    for message in [UMP.noteOnPitch(first, second), UMP.message(first, second)] {
      guard let message, let event = decoder.event(message, source: 0, frame: 0) else { continue }
      player.link.midi.push(event)
    }
  }

  func press(_ key: UInt32, velocity: UInt32 = 0xC000) { send(0x4090_0000 | key << 8, velocity << 16) }

  func lift(_ key: UInt32) { send(0x4080_0000 | key << 8, 0x8000_0000) }

  /// Bends the notes of a key by so many semitones of a range.
  func bend(_ key: UInt32, _ semitones: Double, range: Double = 48) {
    let way: Double = semitones < 0 ? 2_147_483_648 : 2_147_483_647
    let value = (2_147_483_648 + semitones / range * way).rounded()
    send(0x4060_0000 | key << 8, UInt32(max(0, min(value, 4_294_967_295))))
  }

  func controller(_ key: UInt32, _ number: UInt32, _ value: UInt32) {
    send(0x4000_0000 | key << 8 | number, value)
  }

  func manage(_ key: UInt32, _ flags: UInt32) { send(0x40F0_0000 | key << 8 | flags) }

  func error(_ chord: [Double]) -> Double { player.error(of: chord) }

  /// The level of what sounds, in decibels.
  func level() -> Double {
    player.play(9_600)
    player.left = []
    player.play(9_600)
    let power = player.left.reduce(0.0) { $0 + Double($1 * $1) } / Double(player.left.count)
    return 10 * log10(max(power, 1e-20))
  }

  var voices: Int { player.voicesLater }
}

@Suite("MIDI 2.0") struct UMPPlayingTests {
  @Test("bends each note of a chord by itself, within a cent")
  func chord() {
    let keyboard = UMPKeyboard()
    for key in [57, 61, 64, 69] as [UInt32] { keyboard.press(key) }
    #expect(keyboard.error([-12, -8, -5, 0]) < 1)
    keyboard.bend(57, 0.5)
    keyboard.bend(61, -0.37)
    keyboard.bend(64, 12.25)
    #expect(keyboard.error([-11.5, -8.37, 7.25, 0]) < 1)
    // Before the note too, from its first sample on; and as far as its channel has it.
    keyboard.bend(76, -1)
    keyboard.press(76)
    #expect(keyboard.error([-11.5, -8.37, 7.25, 0, 6]) < 1)
    keyboard.send(0x4020_0007, 24 << 25)
    #expect(keyboard.error([-11.75, -8.185, 1.125, 0, 6.5]) < 1)
    // The wheel is added to all of them.
    keyboard.send(0x4020_0000, 2 << 25)
    keyboard.send(0x40E0_0000, 0xFFFF_FFFF)
    #expect(keyboard.error([-9.75, -6.185, 3.125, 2, 8.5]) < 1)
  }

  @Test("begins a note where its stroke, or its key, is tuned")
  func pitch() {
    let keyboard = UMPKeyboard()
    keyboard.controller(60, 3, 0x8B00_0000)
    keyboard.press(60)
    #expect(keyboard.error([0.5]) < 1)
    keyboard.bend(60, -1)
    #expect(keyboard.error([-0.5]) < 1)
    keyboard.lift(60)
    #expect(keyboard.voices == 0)
    // A pitch of the stroke goes before, and is of that stroke alone.
    keyboard.bend(60, 0)
    keyboard.send(0x4090_3C03, 0xC000_7200)
    #expect(keyboard.error([-12]) < 1)
    keyboard.bend(60, 1)
    #expect(keyboard.error([-11]) < 1)
    keyboard.lift(60)
    #expect(keyboard.voices == 0)
    keyboard.press(60)
    #expect(keyboard.error([1.5]) < 1)
  }

  @Test("detaches what sounds from its key, and has the key rest")
  func management() {
    let keyboard = UMPKeyboard([("/amp/release", 20)])
    keyboard.bend(69, 3)
    keyboard.press(69)
    keyboard.lift(69)
    // What rings on is reached until it is detached.
    keyboard.bend(69, 5)
    #expect(keyboard.error([5]) < 1)
    keyboard.manage(69, 2)
    keyboard.bend(69, -7)
    #expect(keyboard.error([5]) < 1)
    // The next note begins as the key is, and the one before fades.
    keyboard.press(69)
    #expect(keyboard.error([-7]) < 1)
    keyboard.manage(69, 1)
    #expect(keyboard.error([0]) < 1)
    keyboard.bend(69, 2)
    keyboard.manage(69, 3)
    #expect(keyboard.error([2]) < 1)
    keyboard.press(69)
    #expect(keyboard.error([0]) < 1)
  }

  @Test("moves nothing any more once controllers are reset, or its source has gone")
  func rest() {
    for end in [0x40B0_7900, 0x10FF_0000] as [UInt32] {
      let keyboard = UMPKeyboard()
      keyboard.bend(69, 3)
      keyboard.controller(69, 7, 0)
      keyboard.press(69)
      keyboard.send(end)
      if end == 0x10FF_0000 {
        #expect(keyboard.voices == 0)
        keyboard.press(69)
      }
      #expect(keyboard.error([0]) < 1)
      #expect(keyboard.level() > -40)
    }
  }

  @Test("moves the key that one voice sounds")
  func mono() {
    let keyboard = UMPKeyboard([("/play/mode", 1)])
    keyboard.press(57)
    keyboard.press(69)
    keyboard.bend(69, 1)
    keyboard.bend(57, -2)
    #expect(keyboard.error([1]) < 1)
    keyboard.lift(69)
    #expect(keyboard.error([-14]) < 1)
    keyboard.bend(57, 2)
    #expect(keyboard.error([-10]) < 1)
  }

  @Test("has the loudness of a note by velocities between those of MIDI 1.0, and by its own volume")
  func loudness() {
    func level(_ velocity: UInt32, volume: UInt32? = nil) -> Double {
      let keyboard = UMPKeyboard([("/amp/velocity", 1)])
      keyboard.press(69, velocity: velocity)
      if let volume { keyboard.controller(69, 7, volume) }
      return keyboard.level()
    }
    // Four strokes between 64 and 65 of 127.
    let velocities: [UInt32] = [0x8000, 0x8080, 0x8100, 0x8180, 0x8208]
    let levels = velocities.map { level($0) }
    for (softer, harder) in zip(levels, levels.dropFirst()) {
      #expect(harder > softer + 0.005 && harder < softer + 0.1)
    }
    let half = MIDIValue(64, bits: 7).raw
    let (full, less) = (level(0xC000), level(0xC000, volume: half))
    let expected = full + 40 * log10(64.0 / 127)
    #expect(abs(less - expected) < 0.05)
    #expect(level(0xC000, volume: .max) == full)
    // The softest stroke is one: it holds a voice.
    let keyboard = UMPKeyboard()
    keyboard.press(69, velocity: 0)
    #expect(keyboard.voices == 1)
    keyboard.lift(69)
    #expect(keyboard.voices == 0)
  }

  @Test("of more keys than are kept lets the first rest, and goes on")
  func many() {
    let keyboard = UMPKeyboard()
    for channel in 0..<3 as Range<UInt32> {
      for key in 0..<128 as Range<UInt32> {
        let first: UInt32 = 0x4060_0000 | channel << 16
        keyboard.send(first | key << 8, 0xC000_0000)
      }
      keyboard.player.play(64)
    }
    keyboard.press(69)
    #expect(keyboard.error([0]) < 1)
    keyboard.bend(69, 1)
    #expect(keyboard.error([1]) < 1)
    #expect(keyboard.player.link.meters[.faults] == 0 && keyboard.player.link.midi.dropped == 0)
  }
}
