import Control
import Testing

struct SongMixStateTests {
  @Test("A finger near the middle of the tempo finds the song's own, and a press of an arrow key leaves it")
  func middle() {
    for fader in [0.4951, 0.5, 0.5049] { #expect(SongMixState.percent(fader: fader) == 100) }
    for press in [-0.01, 0.01] {
      let percent = SongMixState.percent(fader: 0.5 + press)
      #expect(percent != 100)
      #expect(abs(SongMixState.fader(percent: percent) - 0.5 - press) < 1e-9)
    }
  }
}
