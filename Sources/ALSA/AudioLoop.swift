import CRealtime
import Glibc
import Synth
import System

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
  let wake: WakePipe
  let clock: Clock
  let meters: Meters
  let faultInjection: FaultInjection
  var watch: BlockWatch

  // Whether the next block is the first of its outlet, and whether the card runs.
  var fadeIn = false
  var started = false

  /// Further behind than this, the clock's lost blocks are skipped; further ahead, a card is held not to keep
  /// time by itself. Nanoseconds.
  static let slack: Int64 = 500_000_000

  init(
    engine: UnsafeMutablePointer<Engine>, outlet: UnsafeMutablePointer<Outlet>,
    clockOutlet: UnsafeMutablePointer<Outlet>, cells: Cells, wake: WakePipe, link: Link
  ) {
    self.engine = engine
    self.outlet = outlet
    self.clockOutlet = clockOutlet
    self.cells = cells
    self.wake = wake
    clock = link.clock
    meters = link.meters
    faultInjection = link.faultInjection
    watch = BlockWatch(link)
  }

  /// Runs until `cells.stop`.
  mutating func run() {
    rt_flush_denormals()
    watch.start()
    while !stopping {
      if let pcm = outlet.pointee.pcm { play(on: pcm) } else { playAgainstClock() }
    }
    meters.set(.card, 0)
  }

  var stopping: Bool { rt_load(cells.stop) != 0 }
  var leaving: Bool { stopping || rt_load(cells.offered) != 0 }

  // MARK: - One block

  /// Renders one block that begins at `begin` nanoseconds into the outlet's buffers.
  mutating func render(begin: Int64) {
    while faultInjection.isFrozen, !stopping { sleep(until: monotonic() + 10_000_000) }
    let outlet = outlet.pointee
    watch.begin(due: begin)
    clock.publish(
      frame: engine.pointee.frame, nanoseconds: begin, latency: outlet.frames, rate: Double(outlet.rate))
    engine.pointee.render(left: outlet.left, right: outlet.right, frames: outlet.frames)
    if fadeIn { fade(from: 0, to: 1) }
    fadeIn = false
    if outlet.pcm != nil { convert() }
    if faultInjection.slowness > 1 { watch.waste(faultInjection.slowness) }
    engine.pointee.took(share: watch.end(frames: outlet.frames, rate: outlet.rate))
  }

  func convert() {
    let outlet = outlet.pointee
    outlet.format.write(
      outlet.left, outlet.right, frames: outlet.frames, channels: outlet.channels, to: outlet.block)
  }

  /// A straight line over the block, so that coming and going do not click.
  func fade(from: Float, to: Float) {
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
      if late > 0 { watch.lack(1) }
      if late > Double(Self.slack) {
        // Too far behind to make up for.
        watch.lack(UInt64(late / period))
        due += late
      }
    }
  }

  // MARK: - Changing over

  /// Gives the card up and goes on against the clock.
  mutating func lose(_ error: Int32) {
    rt_store(cells.reason, UInt64(abs(Int(error))))
    rt_store(cells.lost, UInt64(UInt(bitPattern: outlet)))
    outlet = clockOutlet
    wake.wake()
  }

  /// Goes over to an outlet that is offered. True when there was one.
  mutating func takeOffer() -> Bool {
    let word = rt_exchange(cells.offered, 0)
    guard let offer = UnsafeMutablePointer<Outlet>(bitPattern: UInt(word)) else { return false }
    rt_store(cells.returned, UInt64(UInt(bitPattern: outlet)))
    outlet = offer
    wake.wake()
    return true
  }

  static func nanoseconds(_ frames: Int, _ rate: Int) -> Double {
    Double(frames) * 1e9 / Double(rate)
  }
}
