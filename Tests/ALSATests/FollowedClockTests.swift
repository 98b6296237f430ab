import EngineHarness
import MIDI
import Scenes
import Testing
@testable import ALSA

/// From the pulses that a device sends to the beat line of the engine, block by block.
@Suite("A device's clock") struct FollowedClockTests {
  private let one = MIDIBench.one
  private static let block = 64
  private static let blockTime: Int64 = 64 * 1_000_000_000 / 48_000

  private func bench() throws -> MIDIBench {
    let bench = try #require(MIDIBench.ofTwo())
    bench.set(one) { $0.hasClock = true }
    bench.read()
    return bench
  }

  /// Renders blocks in the bench's time until a moment, and reads what comes. Returns the frame at which each sixteenth
  /// was due.
  private func play(
    _ bench: MIDIBench, pulses: [(moment: Int64, bytes: [UInt8])], until end: Int64
  ) -> [(beat: Double, frame: Int64)] {
    var (pulses, steps) = (pulses[...], [(beat: Double, frame: Int64)]())
    var step: Double?
    while bench.alsa.now < end {
      let begin = bench.alsa.now
      bench.link.clock.publish(
        frame: bench.player.engine.pointee.frame, nanoseconds: begin, latency: Self.block, rate: 48_000)
      while let pulse = pulses.first, pulse.moment < begin + Self.blockTime {
        bench.alsa.send(pulse.bytes, from: one)
        bench.read(after: max(0, pulse.moment - bench.alsa.now))
        pulses.removeFirst()
      }
      bench.read(after: begin + Self.blockTime - bench.alsa.now)
      bench.player.play(Self.block)
      let line = bench.link.beatClock.now.line
      let frame = bench.player.engine.pointee.frame
      if line.jumps == 0 { continue }
      var next = step ?? (line.beat(at: frame) * 4).rounded(.up) / 4
      while line.frame(of: next) <= frame {
        steps.append((next, line.frame(of: next)))
        next += 0.25
      }
      step = next
    }
    return steps
  }

  @Test("gives the engine its steps, from the first pulse after start on")
  func steps() throws {
    let bench = try bench()
    let begin = bench.alsa.now + 100_000_000
    var random: UInt64 = 5
    var pulses: [(moment: Int64, bytes: [UInt8])] = [(begin - 10_000_000, [0xFA])]
    for pulse in 0..<1_440 as Range<Int64> {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let jitter = pulse == 0 ? 0 : Int64(random >> 33) % 4_000_000 - 2_000_000
      pulses.append((begin + pulse * 20_833_333 + jitter, [0xF8]))
    }
    let steps = play(bench, pulses: pulses, until: begin + 30_000_000_000)
    // The first pulse sounds a block after it has come.
    let first = try #require(steps.first { $0.beat == 8 }).frame - 4 * 48_000
    let late = steps.filter { $0.beat > 8 }.map { Double($0.frame - first) / 48 - $0.beat * 500 }
    let rms = (late.map { $0 * $0 }.reduce(0, +) / Double(late.count)).squareRoot()
    print("steps of a device's clock: RMS \(rms) ms")
    #expect(late.count > 200 && rms < 0.6)
    #expect(zip(steps.dropFirst(), steps).allSatisfy { $0.beat - $1.beat == 0.25 })
    #expect(bench.link.beatClock.now.leader == 0 && bench.link.beatClock.now.isRunning)
    let commands = bench.takeCommands().filter { $0.kind == .tempo }
    #expect(commands.count > 50 && commands.allSatisfy { abs($0.value - 120) < 2 }, "the shown tempo stays")
  }

  @Test("does not lead once its pulses have ended, it is unplugged or it is not to be followed")
  func ends() throws {
    for way in 0..<3 {
      let bench = try bench()
      let begin = bench.alsa.now
      let tick: [UInt8] = [0xF8]
      let pulses = (0..<48 as Range<Int64>).map { (moment: begin + $0 * 20_000_000, bytes: tick) }
      _ = play(bench, pulses: pulses, until: begin + 1_000_000_000)
      #expect(bench.link.beatClock.now.leader == 0)
      let timeout = bench.reader.timeout
      #expect((300...501).contains(timeout), "the thread wakes in time to see the end")
      switch way {
      case 0: bench.read(after: 600_000_000)
      case 1: bench.alsa.unplug(one)
      default: bench.set(one) { $0.hasClock = false }
      }
      bench.read()
      bench.player.play(4_800)
      let now = bench.link.beatClock.now
      #expect(now.leader == BeatClock.noLeader && abs(now.line.perSecond - 125.0 / 60) < 1e-3, "\(way)")
    }
  }

  @Test("stops, continues and moves the beat line")
  func commands() throws {
    let bench = try bench()
    let bytes: [[UInt8]] = [[0xFC], [0xF2, 0x10, 0x01], [0xFB], [0xF8]]
    for bytes in bytes {
      bench.alsa.send(bytes, from: one)
      bench.read(after: 1_000_000)
      bench.player.play(Self.block)
      if bytes == [0xFC] { #expect(!bench.link.beatClock.now.isRunning) }
    }
    let now = bench.link.beatClock.now
    #expect(now.isRunning && now.line.beat(at: bench.player.engine.pointee.frame) >= 36)
  }

  @Test("leads if it is chosen, whatever else is set")
  func choice() throws {
    for (choice, leads) in [(.auto, true), (.own, false), (.device(2), false), (.device(1), true)]
      as [(ClockChoice, Bool)]
    {
      let bench = try bench()
      if choice == .device(1) { bench.set(one) { $0.hasClock = false } }
      bench.sequencer.follow(choice)
      let begin = bench.alsa.now
      let tick: [UInt8] = [0xF8]
      let pulses = (0..<48 as Range<Int64>).map { (moment: begin + $0 * 20_000_000, bytes: tick) }
      _ = play(bench, pulses: pulses, until: begin + 1_000_000_000)
      #expect((bench.link.beatClock.now.leader == 0) == leads, "\(choice)")
      bench.sequencer.follow(.own)
      bench.read()
      bench.player.play(4_800)
      #expect(bench.link.beatClock.now.leader == BeatClock.noLeader)
    }
  }
}
