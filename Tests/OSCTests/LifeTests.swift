import Control
import OSC
import System
import Testing

/// What is left when an instrument ends.
struct LifeTests {
  @Test("Nothing of an instrument is left when it ends")
  func end() throws {
    weak var control: Instrument?
    weak var server: Server?
    weak var loop: PollLoop?
    do {
      let instrument = try ServedInstrument()
      instrument.run(5)
      (control, server, loop) = (instrument.control, instrument.server, instrument.loop)
    }
    #expect(control == nil && server == nil && loop == nil)
  }
}
