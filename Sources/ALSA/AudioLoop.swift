import CALSA
import CRealtime
import Glibc
import Synth

/// The audio thread: renders block after block into the outlet it has. Plain data behind a pointer.
///
/// Cards are found, opened, closed and spoken of on the watching thread; what passes between the two are
/// pointers in cells. Per block nothing here allocates, retains, logs, or waits but for the card or the clock.
/// The engine keeps its rate while this runs: for another the watching thread ends it and starts it anew.
struct AudioLoop {
  /// What the two threads tell each other, one word each.
  struct Cells {
    private let words: UnsafeMutablePointer<UInt64> = {
      let words = UnsafeMutablePointer<UInt64>.allocate(capacity: 6)
      words.initialize(repeating: 0, count: 6)
      return words
    }()
    /// 1 to end the audio thread.
    var stop: UnsafeMutablePointer<UInt64> { words }
    /// An `Outlet` of the same rate to go over to.
    var offered: UnsafeMutablePointer<UInt64> { words + 1 }
    /// The `Outlet` that was left for it.
    var returned: UnsafeMutablePointer<UInt64> { words + 2 }
    /// The `Outlet` of a card that is gone.
    var lost: UnsafeMutablePointer<UInt64> { words + 3 }
    /// The error number with which it went.
    var reason: UnsafeMutablePointer<UInt64> { words + 4 }
    /// 1 to end the watching thread.
    var quit: UnsafeMutablePointer<UInt64> { words + 5 }
    func deallocate() { words.deallocate() }
  }

  let engine: UnsafeMutablePointer<Engine>
  var outlet: UnsafeMutablePointer<Outlet>
  /// Plays when no card does.
  let clockOutlet: UnsafeMutablePointer<Outlet>
  let cells: Cells
  let wake: Wake
  let clock: Clock
  let meters: Meters

  // Whether the next block is the first of its outlet, and whether the card runs.
  private var fadeIn = false
  private var started = false

  /// Further behind than this, the clock's lost blocks are skipped; further ahead, a card is held not to keep
  /// time by itself. Nanoseconds.
  private static let slack: Int64 = 500_000_000

  init(
    engine: UnsafeMutablePointer<Engine>, outlet: UnsafeMutablePointer<Outlet>,
    clockOutlet: UnsafeMutablePointer<Outlet>, cells: Cells, wake: Wake, link: Link
  ) {
    self.engine = engine
    self.outlet = outlet
    self.clockOutlet = clockOutlet
    self.cells = cells
    self.wake = wake
    clock = link.clock
    meters = link.meters
  }

  /// Runs until `cells.stop`.
  mutating func run() {
    rt_flush_denormals()
    while !stopping {
      if let pcm = outlet.pointee.pcm { play(on: pcm) } else { playAgainstClock() }
    }
    meters.set(.card, 0)
  }

  private var stopping: Bool { rt_load(cells.stop) != 0 }
  private var leaving: Bool { stopping || rt_load(cells.offered) != 0 }

  // MARK: - One block

  /// Renders one block that begins at `begin` nanoseconds into the outlet's buffers.
  private mutating func render(begin: Int64) {
    let outlet = outlet.pointee
    let before = monotonic()
    clock.publish(
      frame: engine.pointee.frame, nanoseconds: begin, latency: outlet.frames, rate: Double(outlet.rate))
    engine.pointee.render(left: outlet.left, right: outlet.right, frames: outlet.frames)
    if fadeIn { fade(from: 0, to: 1) }
    fadeIn = false
    if outlet.pcm != nil { convert() }
    let time = UInt64(max(0, monotonic() - before))
    meters.set(.blockTime, time)
    meters.raise(.worstBlockTime, to: time)
  }

  private func convert() {
    let outlet = outlet.pointee
    outlet.format.write(
      outlet.left, outlet.right, frames: outlet.frames, channels: outlet.channels, to: outlet.block)
  }

  /// A straight line over the block, so that coming and going do not click.
  private func fade(from: Float, to: Float) {
    let outlet = outlet.pointee
    let step = (to - from) / Float(outlet.frames)
    for frame in 0..<outlet.frames {
      let gain = from + step * Float(frame + 1)
      outlet.left[frame] *= gain
      outlet.right[frame] *= gain
    }
  }

  // MARK: - Against the clock

  private mutating func playAgainstClock() {
    meters.set(.card, 0)
    clockOutlet.pointee.rate = Int(engine.pointee.rate)
    let period = Self.nanoseconds(outlet.pointee.frames, outlet.pointee.rate)
    let origin = monotonic()
    var due = 0.0
    while !stopping {
      if takeOffer() { return }
      let begin = origin + Int64(due)
      sleep(until: begin)
      render(begin: begin)
      due += period
      let late = Double(monotonic() - origin) - due
      if late > 0 { meters.add(.xruns, 1) }
      if late > Double(Self.slack) {
        // Too far behind to make up for.
        meters.add(.xruns, UInt64(late / period))
        due += late
      }
    }
  }

  // MARK: - On a card

  private mutating func play(on pcm: OpaquePointer) {
    let period = Int64(Self.nanoseconds(outlet.pointee.frames, outlet.pointee.rate))
    var wakes = WakeClock(frames: outlet.pointee.frames, rate: outlet.pointee.rate, now: monotonic())
    var progress = monotonic()
    var pace = progress
    var keepsTime = true
    var kept = false
    var last = false
    started = false
    fadeIn = true

    while true {
      var error = started ? waitForRoom(pcm) : prime(pcm)
      if error == 0 {
        if kept {
          // The same block again, after the silence that refilled the card.
          fade(from: 0, to: 1)
          convert()
        } else {
          // A PCM without a clock of its own (a file, nothing at all) would make the loop run away.
          let now = monotonic()
          pace = max(pace, now) + (keepsTime ? period - period / 100 : period)
          if pace - now > Self.slack + 3 * period { keepsTime = false }
          if !keepsTime { sleep(until: pace - Self.slack) }
          last = leaving
          render(begin: wakes.block(at: monotonic()))
          if last {
            fade(from: 1, to: 0)
            convert()
          }
          kept = true
        }
        error = writeBlock(pcm)
      }
      if error == 0 {
        kept = false
        progress = monotonic()
        meters.set(.card, 1)
        if last { break }
      } else {
        wakes.reset()
        let alive = monotonic() - progress < patience
        guard recover(pcm, error), alive else { return lose(error) }
      }
    }
    // What was written is heard before the card is closed.
    sleep(until: monotonic() + Int64(Self.nanoseconds(outlet.pointee.depth, outlet.pointee.rate)))
    _ = takeOffer()
  }

  /// How long a card may stand still before it is given up, nanoseconds. Short at the end.
  private var patience: Int64 { stopping ? 100_000_000 : 2_000_000_000 }

  /// Waits until the card has room for a block, or the loop is to leave it. 0 or an error.
  private func waitForRoom(_ pcm: OpaquePointer) -> Int32 {
    let begin = monotonic()
    while true {
      let result = snd_pcm_wait(pcm, 100)
      if result < 0 && result != -EINTR { return result }
      if result > 0 || leaving { return 0 }
      if monotonic() - begin > patience { return -ETIMEDOUT }
    }
  }

  /// Fills the card with silence up to one block less than its depth.
  private mutating func prime(_ pcm: OpaquePointer) -> Int32 {
    started = false
    let result = snd_pcm_prepare(pcm)
    if result < 0 { return result }
    let outlet = outlet.pointee
    var left = outlet.depth - outlet.frames
    while left > 0 {
      let written = snd_pcm_writei(pcm, outlet.silence, snd_pcm_uframes_t(min(left, outlet.frames)))
      if written < 0 { return Int32(written) }
      if written == 0 { break }
      left -= written
    }
    return 0
  }

  /// Writes the block that was rendered last, and starts the card if it stands.
  private mutating func writeBlock(_ pcm: OpaquePointer) -> Int32 {
    let outlet = outlet.pointee
    let bytes = outlet.channels * outlet.format.bytes
    let begin = monotonic()
    var done = 0
    while done < outlet.frames {
      let written = snd_pcm_writei(pcm, outlet.block + done * bytes, snd_pcm_uframes_t(outlet.frames - done))
      if written > 0 {
        done += written
      } else if written == 0 || written == -Int(EAGAIN) {
        let result = snd_pcm_wait(pcm, 100)
        if result < 0 && result != -EINTR { return result }
        if monotonic() - begin > patience { return -ETIMEDOUT }
      } else if written != -Int(EINTR) {
        return Int32(written)
      }
    }
    if !started {
      let result = snd_pcm_start(pcm)
      if result < 0 { return result }
      started = true
    }
    return 0
  }

  /// Answers an error of the card; false when the card is lost. The card is to be primed when this cleared
  /// `started`.
  private mutating func recover(_ pcm: OpaquePointer, _ error: Int32) -> Bool {
    switch -error {
    case EAGAIN:
      return true
    case EPIPE:
      meters.add(.xruns, 1)
      started = false
      return true
    case ESTRPIPE:
      // Suspended: the system wakes the card when it wakes itself.
      started = false
      let begin = monotonic()
      while snd_pcm_resume(pcm) == -EAGAIN, monotonic() - begin < patience, !stopping {
        sleep(until: monotonic() + 10_000_000)
      }
      return true
    default:
      return false
    }
  }

  // MARK: - Changing over

  /// Gives the card up and goes on against the clock.
  private mutating func lose(_ error: Int32) {
    rt_store(cells.reason, UInt64(abs(Int(error))))
    rt_store(cells.lost, UInt64(UInt(bitPattern: outlet)))
    outlet = clockOutlet
    wake.ring()
  }

  /// Goes over to an outlet that is offered. True when there was one.
  private mutating func takeOffer() -> Bool {
    let word = rt_exchange(cells.offered, 0)
    guard let offer = UnsafeMutablePointer<Outlet>(bitPattern: UInt(word)) else { return false }
    rt_store(cells.returned, UInt64(UInt(bitPattern: outlet)))
    outlet = offer
    wake.ring()
    return true
  }

  private static func nanoseconds(_ frames: Int, _ rate: Int) -> Double {
    Double(frames) * 1e9 / Double(rate)
  }
}
