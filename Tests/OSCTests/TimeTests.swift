import CLiblo
import Control
import Parameters
import Scenes
import Testing
@testable import OSC
@testable import OSCPackets
@testable import Surface

/// Bundles that say when they are meant.
struct TimeTests {
  private let second: Int64 = 1_000_000_000

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
    let desk = try Desk()
    for (note, tag) in zip([62, 60, 61], [150, 50, 100] as [Int64]) { desk.receive(tag, "/note/\(note)", 1) }
    // At once: the second message overtakes what is meant for later.
    desk.receive(nil, "/note/59", 1)
    var events: [Event] = []
    for _ in 0..<200 {
      desk.pass(milliseconds: 1)
      while let event = desk.instrument.link.control.peek() {
        events.append(event.pointee)
        desk.instrument.link.control.drop()
      }
    }
    #expect(events.map(\.note) == [59, 60, 61, 62])
    for (event, tag) in zip(events.dropFirst(), [50, 100, 150] as [Int64]) {
      // To the sample, and a part of one by rounding.
      #expect(abs(event.frame - events[1].frame - (tag - 50) * 48) <= 1)
    }
  }

  /// The control thread acts on them a whole millisecond of the test's earlier or later.
  @Test("The sample of a note is that of its time tag, not of the moment when it was acted on")
  func samples() throws {
    let desk = try Desk()
    let parts: [Int64] = [0, 130_000, 270_000, 510_000, 740_000, 990_000]
    for (index, part) in parts.enumerated() {
      desk.receive(50 + 10 * Int64(index), "/note/\(60 + index)", 1, plus: part)
    }
    desk.pass(milliseconds: 120)
    var frames: [Int64] = []
    while let event = desk.instrument.link.control.peek()?.pointee {
      frames.append(event.frame)
      desk.instrument.link.control.drop()
    }
    #expect(frames.count == parts.count)
    for (index, frame) in frames.enumerated() {
      let wanted = 480 * Int64(index) + parts[index] * 48 / 1_000_000
      #expect(abs(frame - frames[0] - wanted) <= 1, "\(index)")
    }
  }

  @Test("A knob of a bundle is turned when it is meant, and at once when that is not within a second")
  func knobs() throws {
    let desk = try Desk()
    desk.receive(200, "/filter/resonance", 1)
    desk.receive(3_600_000, "/filter/attack", 1)
    desk.receive(-3_600_000, "/filter/decay", 1)
    #expect(desk.instrument.knob("/filter/attack") == 10)
    #expect(desk.instrument.knob("/filter/decay") == 20)
    desk.pass(milliseconds: 190)
    #expect(desk.instrument.knob("/filter/resonance") == 0)
    desk.pass(milliseconds: 10)
    #expect(desk.instrument.knob("/filter/resonance") == 1)
  }

  @Test("A message is acted on two milliseconds before its moment, so that no note of it is late")
  func lead() throws {
    let desk = try Desk()
    desk.receive(100, "/filter/resonance", 1)
    desk.pass(milliseconds: 97)
    #expect(desk.instrument.knob("/filter/resonance") == 0)
    desk.pass(milliseconds: 1)
    #expect(desk.instrument.knob("/filter/resonance") == 1)
  }

  /// Each datagram is put on the machine's clock by itself, a few microseconds apart.
  @Test("Messages of one time tag are acted on in the order in which they came, also in several datagrams")
  func oneTag() throws {
    for late in [0, 5_000, -5_000, 50_000] as [Int64] {
      let desk = try Desk()
      for index in 1...8 {
        desk.receive(100, "/filter/resonance", Float(index) / 8, late: late * Int64(index))
        desk.receive(100, "/note/60", index % 2 == 1 ? 1 : 0, late: late * Int64(index))
      }
      desk.receive(101, "/filter/track", 1, late: 9 * late)
      desk.receive(99, "/filter/drive", 1, late: 9 * late)
      desk.pass(milliseconds: 110)
      #expect(desk.instrument.knob("/filter/resonance") == 1, "\(late)")
      #expect(desk.instrument.knob("/filter/track") == 1 && desk.instrument.knob("/filter/drive") == 24)
      var kinds: [Event.Kind] = []
      while let event = desk.instrument.link.control.peek()?.pointee {
        kinds.append(event.kind)
        desk.instrument.link.control.drop()
      }
      #expect(kinds == (1...8).map { $0 % 2 == 1 ? .noteOn : .noteOff }, "\(late)")
    }
  }

  @Test("Notes of one time tag in several datagrams start on one sample", arguments: [-50_000, 50_000])
  func chord(late: Int64) throws {
    let desk = try Desk()
    for index in 0..<4 { desk.receive(100, "/note/\(60 + index)", 1, late: late * Int64(index)) }
    desk.pass(milliseconds: 110)
    var frames: [Int64] = []
    while let event = desk.instrument.link.control.peek()?.pointee {
      frames.append(event.frame)
      desk.instrument.link.control.drop()
    }
    #expect(frames.count == 4 && Set(frames).count == 1, "\(frames)")
  }

  /// As where a turn has no time left for the rest of them.
  @Test("Notes of one moment start on one sample, although the clock of the audio thread is set between them")
  func setBetween() throws {
    let instrument = try ServedInstrument()
    let moment: Int64 = 1_000_100_000_000
    for note in 0..<16 {
      let set = moment - 100_000_000 + Int64(note) * 1_333_333
      instrument.link.clock.publish(
        frame: (set + Int64(note * 4_099 % 31_000) - 15_000) * 48 / 1_000_000, nanoseconds: set, latency: 128,
        rate: 48_000)
      instrument.control.performance.handle(
        .noteOn, source: Limits.surfaceSources, part: 0, note: 60 + note, value: 0.5, at: moment)
    }
    var frames: [Int64] = []
    while let event = instrument.link.control.peek()?.pointee {
      if event.kind == .noteOn { frames.append(event.frame) }
      instrument.link.control.drop()
    }
    #expect(frames.count == 16 && Set(frames).count == 1, "\(frames)")
  }

  @Test("No more is kept for later than there is room for; what finds none is done at once")
  func room() throws {
    let desk = try Desk()
    for index in 0..<ScheduledMessages.limit {
      desk.receive(900, "/filter/resonance", Float(index) / Float(ScheduledMessages.limit))
    }
    #expect(desk.instrument.knob("/filter/resonance") == 0)
    desk.receive(900, "/filter/track", 1)
    #expect(desk.instrument.knob("/filter/track") == 1)
  }

  @Test("The messages of a bundle that is meant for later are acted on in their order")
  func order() throws {
    let instrument = try ServedInstrument()
    let tablet = try Tablet(instrument)
    for _ in 0..<20 {
      var now = lo_timetag()
      lo_timetag_now(&now)
      let soon = (UInt64(now.sec) << 32) + UInt64(now.frac) + (1 << 27)
      tablet.bundle(
        lo_timetag(sec: UInt32(soon >> 32), frac: UInt32(truncatingIfNeeded: soon)),
        (1...100).map { ("/filter/resonance", Float($0) / 100) } + [("/filter/track", 1)])
      tablet.run(60_000) { instrument.knob("/filter/track") == 1 && instrument.surface.inbox.isEmpty }
      #expect(instrument.knob("/filter/resonance") == 1)
      tablet.send("/filter/track", Float(0))
      tablet.settle()
    }
  }

  @Test("Over a socket, by the machine's own clock, all of a bundle is turned")
  func socket() throws {
    let instrument = try ServedInstrument()
    let tablet = try Tablet(instrument)
    var now = lo_timetag()
    lo_timetag_now(&now)
    tablet.bundle(
      lo_timetag(sec: now.sec, frac: .max), [("/filter/resonance", 1), ("/filter/track", 1)])
    tablet.run(60_000) { instrument.knob("/filter/track") == 1 }
    #expect(instrument.knob("/filter/resonance") == 1 && instrument.knob("/filter/track") == 1)
  }
}

/// A server on times of the test's own; its socket hears nothing.
private final class Desk {
  let instrument: ServedInstrument
  private var now: Int64 = 1_000_000_000_000
  private let start: Int64 = 1_000_000_000_000
  private static let wall = TimeTag(seconds: 3_900_000_000, fraction: 0)

  init() throws {
    instrument = try ServedInstrument()
    pass(milliseconds: 1)
  }

  /// Time passes, and audio plays, block after block.
  func pass(milliseconds: Int64) {
    for _ in 0..<milliseconds {
      now += 1_000_000
      instrument.link.clock.publish(
        frame: (now - start) * 48 / 1_000_000, nanoseconds: now, latency: 128, rate: 48_000)
      instrument.takeTurn(now)
    }
  }

  /// A message in a bundle that is meant so many milliseconds from now; nil for at once.
  /// - Parameters:
  ///   - late: How many nanoseconds after the message came in the wall clock was read.
  ///   - more: Nanoseconds that are added to the milliseconds.
  func receive(
    _ milliseconds: Int64?, _ address: String, _ value: Float, late: Int64 = 0, plus more: Int64 = 0
  ) {
    let wall = Desk.tag(now - start + late)
    let tag = milliseconds.map { Desk.tag(now - start + $0 * 1_000_000 + more) } ?? .immediately
    let message = Corpus.osc(address, ",f") + Corpus.float(value)
    var bytes = Corpus.bundle([message], time: (tag.seconds, tag.fraction))
    bytes.withUnsafeMutableBytes {
      instrument.receive($0, from: Peer(host: 0x7F00_0001, port: 9), now: now, wall: wall)
    }
  }

  /// The wall clock so many nanoseconds after the start.
  private static func tag(_ nanoseconds: Int64) -> TimeTag {
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    let (whole, fraction) = rest < 0 ? (seconds - 1, rest + 1_000_000_000) : (seconds, rest)
    return TimeTag(
      seconds: UInt32(Int64(wall.seconds) + whole), fraction: UInt32((fraction << 32) / 1_000_000_000))
  }
}
