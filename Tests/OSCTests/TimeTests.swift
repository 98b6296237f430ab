import CLiblo
import Control
import Parameters
import Synth
import System
import Testing

@testable import OSC

/// Bundles that say when they are meant.
struct TimeTests {
  private let second: Int64 = 1_000_000_000

  /// The machine's wall clock, so many seconds from now.
  private func tag(_ seconds: Double) -> lo_timetag {
    var now = lo_timetag()
    lo_timetag_now(&now)
    let bits = (UInt64(now.sec) << 32 | UInt64(now.frac)) &+ UInt64(bitPattern: Int64(seconds * 0x1p32))
    return lo_timetag(sec: UInt32(truncatingIfNeeded: bits >> 32), frac: UInt32(truncatingIfNeeded: bits))
  }

  @Test("A time less than a second ahead is believed; the past, the far future and zero are now")
  func moment() {
    let wall = TimeTag(seconds: 3_900_000_000, fraction: 0)
    func moment(_ seconds: UInt32, _ fraction: UInt32) -> Int64? {
      TimeTag(seconds: seconds, fraction: fraction).moment(5 * second, wall: wall)
    }
    #expect(moment(3_900_000_000, 1 << 31) == 11 * second / 2)
    #expect(moment(3_900_000_000, .max).map { $0 <= 6 * second } == true)
    #expect(moment(3_900_000_000, 0) == nil)
    #expect(moment(3_900_000_001, 0) == nil)
    #expect(moment(3_899_999_999, .max) == nil)
    #expect(moment(0, 1) == nil)
    #expect(moment(0, 0) == nil)
    #expect(moment(.max, .max) == nil)
    // The clock that counts from 1900 begins again in 2036.
    let last = TimeTag(seconds: .max, fraction: 1 << 31)
    #expect(TimeTag(seconds: 0, fraction: 0).moment(0, wall: last) == second / 2)
  }

  @Test(
    "Notes of bundles sound on the sample that their time tag means, in order, whatever order they came in")
  func notes() throws {
    let instrument = try Instrument()
    let tablet = try Tablet(instrument)
    tablet.settle()
    let origin = monotonic()
    // As audio does, block after block.
    func goOn() {
      let now = monotonic()
      let frame = Int64(Double(now - origin) * 48e-6)
      instrument.link.clock.publish(frame: frame, nanoseconds: now, latency: 128, rate: 48_000)
    }
    goOn()
    let tags = [0.15, 0.05, 0.1].map { tag($0) }
    let first = tags[1]
    for (note, tag) in zip([62, 60, 61], tags) { tablet.bundle(tag, [("/note/\(note)", 1)]) }
    // At once: the second message overtakes what is meant for later.
    tablet.send("/note/59", 1)
    var events: [Event] = []
    tablet.run(1_000) {
      goOn()
      while let event = instrument.link.control.peek() {
        events.append(event.pointee)
        instrument.link.control.drop()
      }
      return events.count >= 4
    }
    #expect(events.map(\.note) == [59, 60, 61, 62])
    func frames(_ tag: lo_timetag) -> Int64 {
      Int64((lo_timetag_diff(tag, first) * 48_000).rounded())
    }
    // To the sample; the wall clock is read anew for each bundle, and a busy machine takes its time between its
    // two clocks.
    for (event, tag) in zip(events.dropFirst(), [tags[1], tags[2], tags[0]]) {
      #expect(abs(event.frame - events[1].frame - frames(tag)) <= 48)
    }
  }

  @Test("A knob of a bundle is turned when it is meant, and at once when that is not within a second")
  func knobs() throws {
    let instrument = try Instrument()
    let tablet = try Tablet(instrument)
    tablet.bundle(tag(0.2), [("/filter/resonance", 1), ("/filter/track", 1)])
    tablet.bundle(tag(3_600), [("/filter/attack", 1)])
    tablet.bundle(tag(-3_600), [("/filter/decay", 1)])
    tablet.settle()
    #expect(instrument.knob("/filter/attack") == 10)
    #expect(instrument.knob("/filter/decay") == 20)
    #expect(instrument.knob("/filter/resonance") == 0)
    tablet.run(400)
    #expect(instrument.knob("/filter/resonance") == 1)
    #expect(instrument.knob("/filter/track") == 1)
  }

  @Test("No more is kept for later than there is room for; what finds none is done at once")
  func room() throws {
    let instrument = try Instrument()
    let tablet = try Tablet(instrument)
    let soon = tag(0.9)
    for index in 0..<Server.laterMessages {
      tablet.bundle(soon, [("/filter/resonance", Float(index) / Float(Server.laterMessages))])
      if index % 50 == 0 { tablet.settle() }
    }
    tablet.settle()
    #expect(instrument.knob("/filter/resonance") == 0)
    tablet.bundle(soon, [("/filter/track", 1)])
    tablet.settle()
    #expect(instrument.knob("/filter/track") == 1)
  }
}
