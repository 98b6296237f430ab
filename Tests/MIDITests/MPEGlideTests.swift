import EngineHarness
import Glibc
import MIDI
import Scenes
import Testing

/// A glide begins where the last note is heard, wherever the next finger is.
@Suite("A glide of MPE") struct MPEGlideTests {
  @Test(
    "begins where the last note was heard, though the next finger has bent before its key", arguments: [1, 2])
  func bentBefore(mode: Float) {
    let keyboard = MPEKeyboard([("/play/mode", mode), ("/play/glide", 4)])
    keyboard.bend(9, on: 2)
    keyboard.press(57, on: 2)
    keyboard.player.play(9_600)
    keyboard.bend(5, on: 3)
    keyboard.press(69, on: 3)
    keyboard.player.left = []
    keyboard.player.play(1_200)
    let begin = 12 * log2(keyboard.player.left.pitch(rate: 48_000) / 440)
    #expect(abs(begin + 3) < 0.4, "\(begin)")
    // It ends where the finger is.
    keyboard.player.play(480_000)
    #expect(abs(keyboard.heard() - 5) < 0.05)
  }
}
