import EngineHarness
import Glibc
import MIDI
import Scenes
import Testing

/// Controller 84 on a plain channel: the key that the next note glides from.
@Suite("Portamento control") struct PortamentoControlTests {
  @Test("goes on with the voice of the key, if that is held, and leaves it to the new key")
  func goesOn() {
    let keyboard = MPEKeyboard(
      [("/amp/attack", 0.2), ("/amp/decay", 0.3), ("/amp/sustain", 0.5)], members: nil)
    keyboard.press(57, on: 1)
    #expect(abs(keyboard.heard() + 12) < 0.005)
    keyboard.player.play(19_200)
    let before = level(keyboard)
    keyboard.controller(5, 80, on: 1)
    keyboard.controller(84, 57, on: 1)
    keyboard.press(69, on: 1)
    // It begins where the voice was, without an attack.
    keyboard.player.left = []
    keyboard.player.play(480)
    #expect(keyboard.player.voices == 1)
    #expect(abs(12 * log2(keyboard.player.left.pitch(rate: 48_000) / 440) + 12) < 3)
    #expect(abs(20 * log10(level(keyboard) / before)) < 1)
    keyboard.player.play(96_000)
    #expect(abs(keyboard.heard()) < 0.02)
    // The old key has nothing to say any more.
    keyboard.lift(57, on: 1)
    #expect(keyboard.voices == 1 && abs(keyboard.heard()) < 0.02)
    keyboard.lift(69, on: 1)
    #expect(keyboard.voices == 0)
  }

  @Test("without a time the voice jumps; a key that is up, or of another channel, has a voice of its own")
  func others() {
    let keyboard = MPEKeyboard(members: nil)
    keyboard.press(57, on: 1)
    keyboard.controller(84, 57, on: 1)
    keyboard.press(64, on: 1)
    #expect(keyboard.voices == 1 && abs(keyboard.heard() + 5) < 0.005)
    // Once only.
    keyboard.press(69, on: 1)
    #expect(keyboard.voices == 2)
    keyboard.lift(69, on: 1)
    #expect(keyboard.voices == 1)
    for (key, channel) in [(57, 1), (64, 2)] as [(UInt8, UInt8)] {
      keyboard.controller(84, key, on: channel)
      keyboard.press(69, on: channel)
      #expect(keyboard.voices == 2, "\(key)")
      keyboard.lift(69, on: channel)
      #expect(keyboard.voices == 1)
    }
  }

  @Test("to a key that sounds already, leaves one voice of it")
  func sounding() {
    let keyboard = MPEKeyboard(members: nil)
    keyboard.press(57, on: 1)
    keyboard.press(69, on: 1)
    keyboard.controller(84, 57, on: 1)
    keyboard.press(69, on: 1)
    #expect(keyboard.voices == 1 && abs(keyboard.heard()) < 0.005)
    keyboard.lift(69, on: 1)
    #expect(keyboard.voices == 0)
  }

  private func level(_ keyboard: MPEKeyboard) -> Float {
    keyboard.player.left = []
    keyboard.player.play(2_400)
    return keyboard.player.left.map { $0 * $0 }.reduce(0, +).squareRoot()
  }
}
