import CRealtime
import EngineHarness
import Parameters
import Synth
import System
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

  /// Plays on a card of ALSA's, or against the clock, for so many seconds.
  init(_ card: String? = nil, rate: Int = 48_000, period: Int = 256, seconds: Double) throws {
    let opened = try card.map { try PCM.open($0, rate: rate, period: period) }
    let wake = try #require(WakePipe())
    clockPCM.initialize(to: .clock(rate: rate, frames: period))
    pcm.initialize(to: opened ?? clockPCM.pointee)
    player = Player(rate: Double(rate))
    // Not from zero: no machine's clock is there.
    now.initialize(to: 1_000_000_000)
    time.initialize(
      to: .init(now: now, end: 1_000_000_000 + Int64(seconds * 1e9), stop: cells.stop))
    var loop = AudioLoop(
      engine: player.engine, pcm: card == nil ? clockPCM : pcm, clockPCM: clockPCM, cells: cells, wake: wake,
      link: player.link,
      time: LoopTime(virtual: time))
    loop.run()
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

@Suite struct AudioLoopTests {
  @Test(arguments: [(48_000, 256), (44_100, 100), (192_000, 8192), (22_050, 16)])
  func theClockRendersAtTheRateAskedFor(rate: Int, period: Int) throws {
    let seconds = 4.0
    let loop = try VirtualLoop(rate: rate, period: period, seconds: seconds)
    // The first block begins at once, the last at the end or just before it.
    let blocks = Int(seconds * Double(rate) / Double(period))
    #expect((blocks...blocks + 2).contains(Int(loop.link.meters[.blocks])))
    #expect(loop.frames == Int(loop.link.meters[.blocks]) * period)
    #expect(loop.link.meters[.xruns] == 0 && loop.link.meters[.card] == 0)
    #expect(loop.link.lateness.worst < 1000)
  }

  // ALSA's own plugin that takes everything at once: a PCM without a clock.
  @Test func aPCMThatNeverBlocksIsHeldToItsRate() throws {
    let (short, long) = (try VirtualLoop("null", seconds: 2), try VirtualLoop("null", seconds: 6))
    // What it is ahead it is from the start, when it is found out: half a second and a few blocks.
    #expect((96_000...96_000 + 24_000 + 6 * 256).contains(short.frames))
    #expect(abs(long.frames - short.frames - 4 * 48_000) <= 256)
    #expect(short.link.meters[.xruns] == 0)
  }
}
