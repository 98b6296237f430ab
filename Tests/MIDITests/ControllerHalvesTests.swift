import MIDI
import Scenes
import Testing

/// What is left of a value that comes in two halves, and how long.
@Suite("A controller in two halves") struct ControllerHalvesTests {
  private let played = Played()

  /// The events of controllers on channel 1.
  private func play(_ pairs: (UInt8, UInt8)...) -> [String] { played.controllers(pairs) }

  @Test(
    "of wheels and pedals is forgotten by 121, and of what is set it is not",
    arguments: [(1, false), (2, false), (4, false), (11, false), (3, true), (5, true), (7, true), (10, true)]
      as [(UInt8, Bool)])
  func reset(controller: UInt8, isKept: Bool) {
    _ = play((controller, 64), (121, 0))
    #expect(play((controller + 32, 64)).isEmpty != isKept)
  }

  @Test("is the last of each, in any order, as often as they come")
  func order() {
    #expect(play((33, 64)).isEmpty)
    // Hundredths: the upper half has 128 steps, the lower one 128 of each.
    #expect(play((1, 64), (33, 0), (33, 127), (1, 0), (33, 127)).count == 5)
    #expect(play((2, 127)) == ["breath 100"])
    #expect(play((34, 0)) == ["breath 99"] && play((34, 127)) == ["breath 100"])
    // One controller's lower half is not another's.
    #expect(play((31, 127)).count == 1 && play((62, 1)).isEmpty && play((63, 1)).count == 1)
    // 0 and 32 are the bank, and 64 is no lower half of 32.
    #expect(play((32, 1)).isEmpty && play((64, 127)) == ["sustain 100"])
  }
}
