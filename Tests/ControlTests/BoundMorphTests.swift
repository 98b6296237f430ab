import MIDI
import Parameters
import Presets
import Scenes
import Testing
@testable import Control

/// M3: snapshots and the morph under the pedals and pads of a keyboard.
@Suite struct BoundMorphTests {
  private let keys = BoundKeyboard()

  private func store(_ snapshot: Int, cutoff: Float) {
    keys.instrument.set(keys.knob("/filter/cutoff"), to: cutoff)
    keys.instrument.presets.store(snapshot, part: 0)
  }

  @Test("A pedal that is bound to /morph moves the sound from one snapshot to the other, exact at the ends")
  func pedal() throws {
    store(0, cutoff: 123)
    store(1, cutoff: 4_567)
    keys.bind(try #require(Binding("cc 11 any jump 0 1 7 /morph")))
    for (number, cutoff) in [(127, Float(4_567)), (0, 123), (127, 4_567)] {
      keys.turn(.controller, 11, number)
      _ = keys.instrument.update(keys.now)
      #expect(keys["/filter/cutoff"] == cutoff)
    }
    keys.turn(.controller, 11, 64)
    _ = keys.instrument.update(keys.now)
    #expect((700...800).contains(keys["/filter/cutoff"]))
  }

  @Test("A pad recalls a snapshot with each press, and an empty one only posts a notice")
  func pads() throws {
    store(0, cutoff: 123)
    store(1, cutoff: 4_567)
    for (note, letter) in [(36, "a"), (37, "b"), (38, "c")] {
      keys.bind(try #require(Binding("note \(note) any press 0 1 7 /snapshot/\(letter)")))
    }
    for (note, cutoff) in [(36, Float(123)), (37, 4_567), (38, 4_567), (36, 123)] {
      keys.turn(.note, UInt16(note), 100)
      keys.turn(.note, UInt16(note), 0)
      _ = keys.instrument.update(keys.now)
      #expect(keys["/filter/cutoff"] == cutoff)
    }
    #expect(keys.instrument.notices.shown == "snapshot C is empty; hold its letter to store")
  }
}
