import CRealtime
import EngineHarness
import Parameters
import Scenes
import Synth
import System
import TestCard
import Testing
@testable import ALSA

/// An audio loop on the test's own thread, in a time that goes on only while the loop sleeps.
private final class VirtualLoop {
  private let player: Player
  private let cells = AudioLoop.Cells()
  private let pcm = UnsafeMutablePointer<PCM>.allocate(capacity: 1)
  private let clockPCM = UnsafeMutablePointer<PCM>.allocate(capacity: 1)
  private let time = UnsafeMutablePointer<LoopTime.Virtual>.allocate(capacity: 1)
  private let now = UnsafeMutablePointer<Int64>.allocate(capacity: 1)

  /// Plays on a card of ALSA's, or against the clock, for so many seconds. `passes` is called whenever the loop has slept,
  /// with the moment, which it may put off.
  init(
    _ card: String? = nil, scene: Scene = .initial, rate: Int = 48_000, period: Int = 256, seconds: Double,
    prepare: (Link) -> Void = { _ in },
    passes: @escaping (VirtualLoop, inout Int64) -> Void = { _, _ in }
  ) throws {
    let opened = try card.map { try PCM.open($0, rate: rate, period: period) }
    let wake = try #require(WakePipe())
    clockPCM.initialize(to: .clock(rate: rate, frames: period))
    pcm.initialize(to: opened ?? clockPCM.pointee)
    player = Player(scene, rate: Double(rate))
    // Not from zero: no machine's clock is there.
    now.initialize(to: 1_000_000_000)
    time.initialize(
      to: .init(now: now, end: 1_000_000_000 + Int64(seconds * 1e9), stop: cells.stop))
    var loop = AudioLoop(
      engine: player.engine, pcm: card == nil ? clockPCM : pcm, clockPCM: clockPCM, cells: cells, wake: wake,
      link: player.link,
      time: LoopTime(virtual: time))
    prepare(link)
    time.pointee.passes = { [unowned self] _ in passes(self, &self.now.pointee) }
    loop.run()
    time.pointee.passes = nil
    if card != nil { pcm.pointee.close() }
  }

  deinit {
    clockPCM.pointee.close()
    for memory in [pcm, clockPCM] { memory.deallocate() }
    time.deinitialize(count: 1)
    time.deallocate()
    now.deallocate()
    cells.deallocate()
  }

  var link: Link { player.link }
  var frames: Int { Int(link.meters[.frames]) }
}

@Suite("The audio loop") struct AudioLoopTests {
  @Test(
    "The clock renders blocks at the requested sample rate without xruns",
    arguments: [(48_000, 256), (44_100, 100), (192_000, 8192), (22_050, 16)])
  func clockRate(rate: Int, period: Int) throws {
    let seconds = 4.0
    let loop = try VirtualLoop(rate: rate, period: period, seconds: seconds)
    // The first block begins at once, the last at the end or just before it.
    let blocks = Int(seconds * Double(rate) / Double(period))
    #expect((blocks...blocks + 2).contains(Int(loop.link.meters[.blocks])))
    #expect(loop.frames == Int(loop.link.meters[.blocks]) * period)
    #expect(loop.link.meters[.xruns] == 0 && loop.link.meters[.card] == 0)
    #expect(loop.link.lateness.worst < 1000)
  }

  @Test(
    "An event at the beginning of a block is heard at the beginning of the next block",
    arguments: [(48_000, 480), (44_100, 441), (192_000, 1_920)])
  func eventDelay(rate: Int, period: Int) throws {
    var stamps: [Int64] = []
    let loop = try VirtualLoop(
      rate: rate, period: period, seconds: 1,
      passes: { loop, now in
        if loop.frames > 0 { stamps.append(loop.link.clock.frame(at: now) - Int64(loop.frames)) }
      })
    #expect(stamps.count >= 99 && Set(stamps) == [Int64(period)])
    #expect(loop.link.clock.rate == rate)
  }

  /// Whatever the card's buffer holds: its depth delays the sound, which has the same place among the frames.
  @Test("An event on a card is heard one block later, however many periods its buffer has", arguments: 2...4)
  func cardEventDelay(periods: Int) throws {
    let played = try PlayedCard(TestCard(), period: 480, periods: periods)
    var stamps: [Int64] = []
    played.run(seconds: 1) {
      let frames = Int64(played.link.meters[.frames])
      stamps.append(played.link.clock.frame(at: played.now) - frames)
    }
    // The last ones are of the end, where no block follows.
    let steady = stamps.dropLast(periods).suffix(50)
    #expect(steady.count == 50 && Set(steady) == [480], "\(steady)")
  }

  @Test("Recordings and scopes get the left and right channels of the output") func bothChannels() throws {
    var scene = Scene.initial
    scene[0].strip.pan = -0.7
    let loop = try VirtualLoop(scene: scene, seconds: 0.5) { link in
      link.outputRing.open(frames: 48_000)
      link.watched.open(frames: 48_000)
      link.midi.push(Event(frame: 700, kind: .noteOn, note: 60, value: 1))
    }
    let alone = Player(scene)
    alone.press(60, at: 700, velocity: 1)
    alone.play(loop.frames, block: 256)
    var heard = [AudioRing.Frame](repeating: .zero, count: loop.frames)
    let count = heard.withUnsafeMutableBufferPointer { loop.link.outputRing.read(from: 0, into: $0) }
    #expect(count == loop.frames && loop.frames > 20_000)
    #expect(heard.map { $0[0] } == alone.left && heard.map { $0[1] } == alone.right)
    var watched = [AudioRing.Frame](repeating: .zero, count: loop.frames)
    _ = watched.withUnsafeMutableBufferPointer { loop.link.watched.read(from: 0, into: $0) }
    #expect(watched == heard)
    #expect(alone.left != alone.right && alone.left.contains { abs($0) > 0.01 })
  }

  @Test("The clock catches up on stalls of up to half a second, and skips longer ones")
  func stalledClock() throws {
    // The machine stands still for a while, once, after 100 blocks of 10 ms; of two seconds, what is lost is lost.
    for (pause, lost) in [(5, 0), (200, 0), (490, 0), (2_000, 200)] as [(Int64, Int)] {
      var isDone = false
      let loop = try VirtualLoop(
        period: 480, seconds: 5,
        passes: { loop, now in
          if isDone || loop.link.meters[.blocks] < 100 { return }
          isDone = true
          now += pause * 1_000_000
        })
      let blocks = Int(loop.link.meters[.blocks])
      #expect(abs(blocks - 500 + lost) <= 2, "\(pause): \(blocks)")
      let (xruns, late) = (Int(loop.link.meters[.xruns]), Int(pause) / 10)
      #expect(pause == 5 ? xruns == 0 : abs(xruns - late) <= 2, "\(pause): \(xruns)")
      #expect(loop.link.lateness.worst >= UInt64(pause * 900_000))
    }
  }

  // ALSA's own plugin that takes everything at once: a PCM without a clock.
  @Test("A PCM that never blocks is held to its rate once it is half a second ahead")
  func neverBlocks() throws {
    let (short, long) = (try VirtualLoop("null", seconds: 2), try VirtualLoop("null", seconds: 6))
    // What it is ahead it is from the start, when it is found out: half a second and a few blocks.
    #expect((96_000...96_000 + 24_000 + 6 * 256).contains(short.frames))
    #expect(abs(long.frames - short.frames - 4 * 48_000) <= 256)
    #expect(short.link.meters[.xruns] == 0)
  }
}
