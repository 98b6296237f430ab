import CRealtime
import Scenes
import Synth
import System

/// The audio thread: renders blocks into its current PCM. It lives behind a pointer that the audio and the monitor
/// thread share.
///
/// The monitor thread finds, opens, closes and logs cards; the two threads exchange pointers in cells. While it
/// renders blocks, the audio thread does not allocate, retain or log, and it waits only for the card or the clock.
/// The engine keeps its rate while the thread runs: for another rate, the monitor thread ends the audio thread and
/// starts it again.
struct AudioLoop {
  /// Words that the audio and the monitor thread exchange.
  struct Cells {
    private let words: UnsafeMutablePointer<UInt64> = {
      let words = UnsafeMutablePointer<UInt64>.allocate(capacity: 6)
      words.initialize(repeating: 0, count: 6)
      return words
    }()
    /// 1 to end the audio thread.
    var stop: UnsafeMutablePointer<UInt64> { words }
    /// A `PCM` of the same rate that the audio thread should change to.
    var offered: UnsafeMutablePointer<UInt64> { words + 1 }
    /// The previous `PCM` after a change, for the monitor thread to close.
    var returned: UnsafeMutablePointer<UInt64> { words + 2 }
    /// The `PCM` of a card that was lost.
    var lost: UnsafeMutablePointer<UInt64> { words + 3 }
    /// The error number of the loss.
    var reason: UnsafeMutablePointer<UInt64> { words + 4 }
    /// 1 to end the monitor thread.
    var quit: UnsafeMutablePointer<UInt64> { words + 5 }
    func deallocate() { words.deallocate() }
  }

  let engine: UnsafeMutablePointer<Engine>
  var pcm: UnsafeMutablePointer<PCM>
  /// The PCM without a card: the loop renders to it at the pace of the clock.
  let clockPCM: UnsafeMutablePointer<PCM>
  let cells: Cells
  let wake: WakePipe
  let clock: Clock
  let meters: Meters
  let watched: AudioRing
  let faultInjection: FaultInjection
  let time: LoopTime
  var timer: BlockTimer

  var fade: Fade
  var dither = Dither()
  /// Whether the card is running.
  var started = false
  /// The due time of the next block that no card plays, in nanoseconds; nil while the card accepts blocks.
  var unplayedDue: Int64?

  /// The tolerated deviation from real time, nanoseconds. If the loop is later than this, missed blocks are skipped;
  /// if a PCM accepts blocks further ahead than this, it is assumed to have no clock of its own.
  static let slack: Int64 = 500_000_000

  init(
    engine: UnsafeMutablePointer<Engine>, pcm: UnsafeMutablePointer<PCM>,
    clockPCM: UnsafeMutablePointer<PCM>, cells: Cells, wake: WakePipe, link: Link,
    time: LoopTime = .real
  ) {
    self.engine = engine
    self.pcm = pcm
    self.clockPCM = clockPCM
    self.cells = cells
    self.wake = wake
    clock = link.clock
    meters = link.meters
    watched = link.watched
    faultInjection = link.faultInjection
    self.time = time
    timer = BlockTimer(link, time)
    fade = Fade(rate: pcm.pointee.rate)
  }

  /// Runs until `cells.stop` is set.
  mutating func run() {
    let control = rt_flush_denormals()
    defer { rt_restore_denormals(control) }
    timer.begin()
    while !stopping {
      if let card = pcm.pointee.card { play(on: card) } else { playAgainstClock() }
    }
    meters.set(.card, 0)
  }

  var stopping: Bool { rt_load(cells.stop) != 0 }
  var leaving: Bool { stopping || rt_load(cells.offered) != 0 }

  // MARK: - One block

  /// Renders one block into the buffers of the PCM. `begin` is its start in nanoseconds.
  mutating func render(begin: Int64) {
    while faultInjection.isFrozen, !stopping { time.sleep(until: time.now + 10_000_000) }
    let pcm = pcm.pointee
    timer.beginBlock(due: begin)
    clock.publish(
      frame: engine.pointee.frame, nanoseconds: begin, latency: pcm.frames, rate: Double(pcm.rate),
      buffered: pcm.card == nil ? 0 : pcm.depth - pcm.frames)
    engine.pointee.render(left: pcm.left, right: pcm.right, further: pcm.further, frames: pcm.frames)
    watched.write(pcm.left, pcm.right, frames: pcm.frames)
    if pcm.card != nil { convert() }
    if faultInjection.slowness > 1 { timer.waste(faultInjection.slowness) }
    engine.pointee.reportLoad(share: timer.endBlock(frames: pcm.frames, rate: pcm.rate))
  }

  /// Converts the rendered block to the card's format. If the card did not accept the block, the next call converts
  /// it again, with the current fade level and dither.
  @_noLocks
  mutating func convert() {
    let pcm = pcm.pointee
    let first = fade
    pcm.format.write(
      pcm.left, pcm.right, frames: pcm.frames, channels: pcm.channels, to: pcm.block, fade: &fade,
      dither: &dither)
    var pair = 1
    while pair < pcm.further.pairs {
      // Every pair of channels gets the same fade.
      var level = first
      pcm.format.write(
        pcm.further.left(pair), pcm.further.right(pair), frames: pcm.frames, channels: pcm.channels,
        channel: 2 &* pair, to: pcm.block, fade: &level, dither: &dither)
      pair &+= 1
    }
  }

  /// Renders the next block when it is due while the card accepts none, so that the engine continues. No card plays
  /// this block.
  mutating func renderUnplayed() {
    let due = unplayedDue ?? time.now
    guard due <= time.now else { return }
    render(begin: due)
    unplayedDue = due + Int64(clamping: Self.nanoseconds(pcm.pointee.frames, pcm.pointee.rate))
  }

  // MARK: - Against the clock

  private mutating func playAgainstClock() {
    meters.set(.card, 0)
    clockPCM.pointee.rate = Int(clamping: engine.pointee.rate)
    let period = Self.nanoseconds(pcm.pointee.frames, pcm.pointee.rate)
    let origin = time.now
    var due = 0.0
    while !stopping {
      if takeOffer() { return }
      let begin = origin + Int64(clamping: due)
      time.sleep(until: begin)
      render(begin: begin)
      due += period
      let late = Double(time.now - origin) - due
      if late > 0 { timer.countXruns(1) }
      if late > Double(Self.slack) {
        // Too late to catch up.
        timer.countXruns(UInt64(clamping: late / period))
        due += late
      }
    }
  }

  // MARK: - Changing over

  /// Gives up a lost card and continues against the clock.
  mutating func lose(_ error: Int32) {
    rt_store(cells.reason, UInt64(abs(Int(error))))
    rt_store(cells.lost, UInt64(UInt(bitPattern: pcm)))
    pcm = clockPCM
    wake.wake()
  }

  /// Changes to the offered PCM. Returns false if there is none.
  mutating func takeOffer() -> Bool {
    let word = rt_exchange(cells.offered, 0)
    guard let offer = UnsafeMutablePointer<PCM>(bitPattern: UInt(word)) else { return false }
    rt_store(cells.returned, UInt64(UInt(bitPattern: pcm)))
    pcm = offer
    wake.wake()
    return true
  }

  static func nanoseconds(_ frames: Int, _ rate: Int) -> Double {
    Double(frames) * 1e9 / Double(rate)
  }
}
