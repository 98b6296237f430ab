import EngineHarness
import Glibc
import MIDI
import Scenes
import Testing
@testable import ALSA

/// From the beat line of the engine, block by block, to what devices receive from the queue of the sequencer.
@Suite("The clock that a device is sent") struct ClockOutTests {
  private let one = MIDIBench.one
  private let two = MIDIBench.two

  @Test("has pulse k at beat k/24 as it is heard, whatever the tempo does and whenever the MIDI thread wakes")
  func pulses() throws {
    for (wakes, gain) in [(1, 0), (2, 100_000), (16, -100_000)] as [(Int, Int64)] {
      let clock = try #require(ClockBench(queueGain: gain))
      clock.send()
      clock.play(1)
      clock.command(.clockStart)
      var random: UInt64 = 9
      for _ in 0..<60 {
        clock.play(0.7, each: wakes)
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        // Only a thread that wakes in time knows of changes in time.
        if wakes < 16 { clock.set(tempo: 40 + Float(random >> 33 & 255)) }
      }
      let late = clock.deviations(from: 0)
      // A start comes late where the thread wakes late.
      let worst = late.dropFirst(2).map(abs).max() ?? 1
      let creep = (late.last ?? 1) - late[2]
      print(
        "clock out, waking each \(wakes): \(late.count) pulses, at most \(worst) pulses off, creep \(creep)")
      #expect(worst < (wakes == 2 ? 0.1 : 0.03) && abs(creep) < 0.02)
      // The last pulse that was heard, neither more nor fewer.
      #expect(late.count == Int(clock.pulse(at: clock.bench.alsa.now) + 0.01) + 1)
      #expect(clock.story() == [.start] && clock.sent(to: two).isEmpty)
      #expect(zip(clock.sent().dropFirst(), clock.sent()).allSatisfy { $0.moment >= $1.moment })
    }
  }

  @Test("starts before pulse 0, stops, and continues at a sixteenth")
  func transport() throws {
    let clock = try #require(ClockBench())
    clock.send()
    clock.play(0.5)
    #expect(
      clock.story().isEmpty && (23...24).contains(clock.sent().count), "pulses while nobody has started")
    clock.command(.clockStart)
    clock.play(1.03)
    let sent = clock.sent()
    let start = try #require(sent.firstIndex { $0.message == .start })
    let first = try #require(sent[start...].first { $0.message == .tick })
    #expect(first.moment - sent[start].moment >= 999_000 && abs(clock.pulse(at: first.moment)) < 0.05)
    clock.command(.clockStop)
    clock.play(0.4)
    #expect(clock.story() == [.start, .stop])
    clock.command(.clockContinue)
    clock.play(1)
    // 1.43 s are 11.4 sixteenths.
    #expect(clock.story() == [.start, .stop, .position(12), .resume])
    #expect(clock.deviations(from: 72).allSatisfy { abs($0) < 0.01 })
    let ticks = clock.sent().filter { $0.message == .tick }.suffix(80).map(\.moment)
    #expect(zip(ticks.dropFirst(), ticks).allSatisfy { abs($0 - $1 - 20_833_333) < 50_000 }, "without a gap")
  }

  @Test("stops and continues where the line jumps, and starts again where it is started again")
  func jumps() throws {
    let clock = try #require(ClockBench())
    clock.send()
    clock.play(0.1)
    clock.command(.clockStart)
    clock.play(1.1)
    clock.bench.link.control.push(
      .clock(
        .clockStart, beat: 64.1, source: 31, frame: clock.bench.link.clock.frame(at: clock.bench.alsa.now)))
    clock.play(1)
    #expect(clock.story() == [.start, .stop, .position(257), .resume])
    #expect(clock.deviations(from: 257 * 6).allSatisfy { abs($0) < 0.01 })
    clock.command(.clockStart)
    clock.play(1)
    #expect(clock.story().suffix(2) == [.stop, .start])
    #expect(clock.deviations(from: 0).allSatisfy { abs($0) < 0.06 })
    // A count-in stops it, and the start after it starts it.
    clock.command(.clockCountIn, 2)
    clock.play(0.9)
    #expect(clock.story().last == .stop)
    clock.play(1)
    #expect(clock.story().suffix(2) == [.stop, .start])
    #expect(clock.deviations(from: 0).allSatisfy { abs($0) < 0.06 })
  }

  @Test("takes back what no longer holds, when it is known a tenth of a second ahead")
  func knownEarly() throws {
    let clock = try #require(ClockBench())
    clock.send()
    clock.play(0.1)
    clock.command(.clockStart)
    clock.play(1)
    let now = clock.bench.link.clock.frame(at: clock.bench.alsa.now)
    clock.bench.link.control.push(Event(frame: now + 4_800, kind: .clockStart, source: 31))
    clock.play(2)
    #expect(clock.story() == [.start, .stop, .start])
    let late = clock.deviations(from: 0)
    #expect(late.count > 80 && abs(late[0]) < 0.06 && late.dropFirst().allSatisfy { abs($0) < 0.01 })
  }

  @Test("is not sent to the device whose clock leads, which the others follow")
  func leader() throws {
    let clock = try #require(ClockBench())
    clock.bench.set(one) { ($0.hasClock, $0.hasClockOut) = (true, true) }
    clock.send(to: two)
    clock.play(0.5)
    let before = clock.sent().count
    #expect((23...24).contains(before), "nobody leads yet")
    clock.bench.send(0xFA)
    for _ in 0..<96 {
      clock.bench.send(0xF8)
      clock.play(1.0 / 48)
    }
    let began = clock.sent().count
    #expect(began < before + 12 && clock.story().isEmpty)
    #expect(clock.story(of: two) == [.start])
    #expect(clock.deviations(from: 0, to: two).dropFirst(12).allSatisfy { abs($0) < 0.2 })
    clock.bench.send(0xFC)
    clock.play(0.1)
    #expect(clock.story(of: two) == [.start, .stop])
    // It falls silent: pulses, but no command before the next start.
    clock.play(1)
    #expect(clock.sent().count > began + 10 && clock.story().isEmpty)
    clock.command(.clockStart)
    clock.play(0.3)
    #expect(clock.story() == [.start] && clock.story(of: two) == [.start, .stop, .start])
  }

  @Test("goes on at the next sixteenth where a device is plugged in while the transport runs")
  func replug() throws {
    for isRunning in [true, false] {
      let clock = try #require(ClockBench())
      clock.send()
      clock.send(to: two)
      clock.play(0.1)
      clock.command(isRunning ? .clockStart : .clockStop)
      clock.play(1)
      clock.bench.alsa.unplug(one)
      clock.play(0.2)
      let before = clock.sent().count
      clock.play(0.3)
      #expect(clock.sent().count == before)
      clock.bench.plug(one)
      clock.play(1)
      #expect(clock.bench.alsa.reached.filter { $0 == one }.count == 2)
      if isRunning {
        let place = try #require(clock.story().dropFirst().first)
        guard case .position(let sixteenths) = place else { throw Unexpected(place) }
        #expect(clock.story() == [.start, .position(sixteenths), .resume])
        #expect(clock.deviations(from: 6 * sixteenths).allSatisfy { abs($0) < 0.06 })
        #expect(clock.story(of: two) == [.start])
        #expect(clock.deviations(from: 0, to: two).allSatisfy { abs($0) < 0.06 })
      } else {
        #expect(clock.story().isEmpty && clock.sent().count > before + 20)
      }
    }
  }
  private struct Unexpected: Error {
    init(_ message: ClockMessage) { Issue.record("\(message)") }
  }

  @Test("ends with a stop where it is turned off, and the others' goes on; likewise when pipit ends")
  func off() throws {
    let clock = try #require(ClockBench())
    clock.send()
    clock.send(to: two)
    clock.play(0.1)
    clock.command(.clockStart)
    clock.play(1)
    clock.send(false)
    clock.play(1)
    #expect(clock.story() == [.start, .stop] && clock.bench.alsa.left == [one])
    #expect(clock.sent().last?.message == .stop || clock.sent().suffix(2).contains { $0.message == .stop })
    #expect(clock.deviations(from: 0, to: two).allSatisfy { abs($0) < 0.06 })
    #expect(clock.deviations(from: 0, to: two).count == Int(clock.pulse(at: clock.bench.alsa.now)) + 1)
    clock.bench.reader.stopClock()
    clock.bench.alsa.deliver()
    #expect(clock.story(of: two) == [.start, .stop] && !clock.bench.alsa.queues.isThere)
  }

  @Test("goes back to the only device that is sent it when its clock no longer leads, without a command")
  func alone() throws {
    for isSilent in [true, false] {
      let clock = try #require(ClockBench())
      clock.bench.set(one) { ($0.hasClock, $0.hasClockOut) = (true, true) }
      clock.play(0.1)
      clock.bench.send(0xFA)
      for _ in 0..<96 {
        clock.bench.send(0xF8)
        clock.play(1.0 / 48)
      }
      let before = clock.sent().count
      if isSilent {
        clock.bench.send(0xFC)
      } else {
        clock.bench.sequencer.follow(.own)
      }
      clock.play(0.005)
      for _ in 0..<1_000 where clock.bench.reader.clocks.source != nil { clock.play(0.002) }
      #expect((0...3).contains(clock.bench.reader.timeout), "the MIDI thread does not wait for an event")
      clock.play(0.5)
      #expect(clock.sent().count > before + 10 && clock.story().isEmpty)
      // One that was not the leader joins.
      clock.send(to: two)
      clock.play(0.5)
      #expect(clock.story(of: two).last == (isSilent ? nil : .resume) && clock.story().isEmpty)
      clock.command(.clockStart)
      clock.play(0.3)
      #expect(clock.story() == [.start] && clock.story(of: two).last == .start)
    }
  }

  @Test("begins at the next sixteenth where the first device is sent it while the transport runs")
  func late() throws {
    let clock = try #require(ClockBench())
    clock.play(0.1)
    clock.command(.clockStart)
    clock.play(1)
    clock.send()
    clock.play(1)
    let place = try #require(clock.story().first)
    guard case .position(let sixteenths) = place else { throw Unexpected(place) }
    #expect(clock.story() == [.position(sixteenths), .resume])
    #expect(clock.deviations(from: 6 * sixteenths).allSatisfy { abs($0) < 0.06 })
  }

  @Test("goes on at the next sixteenth where another port gets the address of one that is gone at once")
  func sameAddress() throws {
    let clock = try #require(ClockBench())
    clock.send()
    clock.play(0.1)
    clock.command(.clockStart)
    clock.play(1)
    clock.bench.alsa.unplug(one)
    clock.bench.plug(one)
    clock.play(1)
    let place = try #require(clock.story().dropFirst().first)
    guard case .position(let sixteenths) = place else { throw Unexpected(place) }
    #expect(clock.story() == [.start, .position(sixteenths), .resume])
    #expect(clock.deviations(from: 6 * sixteenths).allSatisfy { abs($0) < 0.06 })
  }

  @Test("ends with a stop where it is turned off, or pipit ends, while a stop waits in the queue")
  func offWhileStopping() throws {
    for (isOff, within) in [(true, 30), (true, 2), (false, 30), (false, 2)] as [(Bool, Int64)] {
      let clock = try #require(ClockBench(buffered: 4_800))
      let alsa = clock.bench.alsa
      clock.send()
      clock.send(to: two)
      clock.play(0.3)
      clock.command(.clockStart)
      clock.play(1)
      #expect(clock.story() == [.start])
      clock.command(.clockStop)
      let far = Int64.max / 2
      func left() -> Int64 {
        (alsa.waiting.first { $0.message == .stop }?.moment ?? far) - (alsa.now - alsa.queueBegin)
      }
      for _ in 0..<200 where left() > within * 1_000_000 { clock.play(0.002) }
      #expect(left() > 0 && left() <= within * 1_000_000)
      if isOff {
        clock.send(false)
        clock.bench.read()
      } else {
        clock.bench.reader.stopClock()
      }
      // Hardware that is no longer connected is not sent what is still in the queue.
      #expect(clock.story() == [.start, .stop])
      if isOff { clock.play(0.3) }
      #expect(clock.story(of: two) == [.start, .stop])
      #expect(clock.sent().last?.message == .stop || isOff)
    }
  }

  @Test("has a change that is not heard yet where another device is turned off")
  func offWhileStarting() throws {
    let clock = try #require(ClockBench(buffered: 4_800))
    clock.send()
    clock.send(to: two)
    clock.play(0.3)
    clock.command(.clockStart)
    clock.play(0.005)
    clock.send(false, to: two)
    clock.play(1)
    #expect(clock.story() == [.start] && clock.story(of: two).isEmpty)
    #expect(clock.deviations(from: 0).allSatisfy { abs($0) < 0.06 })
  }

  @Test("needs no queue while nobody wants it; without a queue that is said once and all else goes on")
  func queue() throws {
    let clock = try #require(ClockBench())
    clock.play(0.5)
    #expect(clock.bench.alsa.queues.started == 0 && clock.bench.reader.timeout == -1)
    clock.bench.alsa.queueError = ENOMEM
    clock.send()
    clock.play(0.5)
    clock.send(to: two)
    clock.play(0.5)
    #expect(clock.bench.log.filter { $0.contains("no clock is sent") }.count == 1)
    #expect(clock.bench.alsa.clock.isEmpty)
    clock.bench.send(0x90, 60, 100)
    clock.bench.read()
    #expect(clock.bench.voices == 1)
    for place in [one, two] { clock.send(false, to: place) }
    clock.play(0.1)
    clock.bench.alsa.queueError = 0
    clock.send()
    clock.play(0.5)
    #expect(clock.bench.alsa.clock.count > 20 && clock.bench.reader.timeout <= 3)
    clock.send(false)
    clock.play(0.1)
    #expect(!clock.bench.alsa.queues.isThere && clock.bench.reader.timeout == -1)
  }

  @Test("is left out while no output plays, and while the line is of another engine")
  func noOutput() throws {
    let bench = try #require(MIDIBench.ofTwo())
    bench.set(one) { $0.hasClockOut = true }
    for _ in 0..<100 { bench.read(after: 5_000_000) }
    bench.alsa.deliver()
    #expect(bench.alsa.clock.isEmpty)
    bench.link.clock.publish(frame: 0, nanoseconds: bench.alsa.now, latency: 64, rate: 44_100)
    for _ in 0..<100 { bench.read(after: 5_000_000) }
    bench.alsa.deliver()
    #expect(bench.alsa.clock.isEmpty)
  }
}
