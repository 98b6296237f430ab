import CRealtime
import Glibc
import Synchronization
import Synth

/// The sound's way out: the audio thread, and a second thread that looks for the card it plays on.
///
/// Whatever becomes of the card, the engine goes on: without one it is paced by the machine's clock, notes
/// keep their state, and the card takes over at a block boundary when it is there again.
public final class Output: @unchecked Sendable {
  /// What to play on.
  public enum Device: Sendable, Equatable {
    /// The best card there is, and a better one as soon as it appears.
    case auto
    /// No card: the machine's clock.
    case clock
    /// A name of ALSA's, such as `hw:CARD=Device` or `default`, or the id of a card.
    case name(String)

    /// The device that an option's text means.
    public init(_ text: String) {
      switch text {
      case "auto": self = .auto
      case "clock": self = .clock
      default: self = .name(text)
      }
    }
  }

  let device: Device
  let rate: Int
  let period: Int
  let link: Link
  let log: @Sendable (String) -> Void
  private let state = Mutex("nothing")

  private var wake: Wake?
  private var cells: AudioLoop.Cells?
  private var loop: UnsafeMutablePointer<AudioLoop>?
  private var audioThread: Thread?
  private var watchThread: Thread?
  // The watching thread's, once it runs.
  var watch = Watch()

  /// An output that renders what `link` holds. `rate` (Hz, within `Limits.rates`) and `period` (frames,
  /// 1…`Limits.period`) are wishes: a card has the last word. `log` is called from `start` and from a thread
  /// of its own.
  public init(
    device: Device, rate: Int, period: Int, link: Link, log: @escaping @Sendable (String) -> Void
  ) {
    self.device = device
    self.rate = max(Limits.rates.lowerBound, min(rate, Limits.rates.upperBound))
    self.period = max(1, min(period, Limits.period))
    self.link = link
    self.log = log
  }

  deinit { stop() }

  /// What plays now, for people: the card, its rate, period and format. Any thread.
  public var playing: String { state.withLock { $0 } }

  func setPlaying(_ text: String) { state.withLock { $0 = text } }

  /// Starts the audio thread on the card, or against the clock when there is none. Throws only when the system
  /// gives no threads.
  public func start() throws(ALSAError) {
    guard loop == nil else { return }
    let wake = try Wake()
    let cells = AudioLoop.Cells()
    let locked = Thread.lockMemory()

    let clockOutlet = UnsafeMutablePointer<Outlet>.allocate(capacity: 1)
    clockOutlet.initialize(to: .clock(rate: rate, frames: period))
    watch = Watch(clockOutlet: clockOutlet, engineRate: rate)
    let card = device == .clock ? nil : look()
    let engine = UnsafeMutablePointer<Engine>.allocate(capacity: 1)
    let outlet = card ?? clockOutlet
    engine.initialize(to: Engine(rate: Double(outlet.pointee.rate), link: link))
    watch.engineRate = outlet.pointee.rate
    let loop = UnsafeMutablePointer<AudioLoop>.allocate(capacity: 1)
    loop.initialize(
      to: AudioLoop(
        engine: engine, outlet: outlet, clockOutlet: clockOutlet, cells: cells, wake: wake, link: link))
    self.wake = wake
    self.cells = cells
    self.loop = loop

    do {
      let thread = try Thread("pipit audio", priority: 70, context: loop, body: runAudio)
      audioThread = thread
      link.meters.set(.realtime, thread.refused == 0 ? 1 : 0)
      announce(thread.refused, locked: locked)
      watchThread = try Thread(
        "pipit watch", priority: 0, context: Unmanaged.passUnretained(self).toOpaque(), body: runWatch)
    } catch {
      stop()
      throw error
    }
  }

  /// Ends both threads, within a block or a tenth of a second, and closes the card.
  public func stop() {
    guard let loop, let cells, let wake else { return }
    rt_store(cells.stop, 1)
    wake.ring()
    audioThread?.join()
    watchThread?.join()
    collect(cells)
    if let offer = UnsafeMutablePointer<AudioLoop.Offer>(bitPattern: UInt(rt_load(cells.offered))) {
      free(offer)
    }
    let clockOutlet = loop.pointee.clockOutlet
    if loop.pointee.outlet != clockOutlet { free(loop.pointee.outlet) }
    free(clockOutlet)
    loop.pointee.engine.deinitialize(count: 1)
    loop.pointee.engine.deallocate()
    loop.deallocate()
    cells.deallocate()
    wake.close()
    self.loop = nil
    self.cells = nil
    self.wake = nil
    audioThread = nil
    watchThread = nil
    setPlaying("nothing")
  }

  private func announce(_ refused: Int32, locked: Bool) {
    if refused == 0 {
      log("Audio thread: real-time priority 70\(locked ? ", memory locked" : "")")
    } else {
      log(
        "Audio thread: no real-time priority (\(ALSAError.text(refused))), expect dropouts under load; "
          + "allow it with LimitRTPRIO=95 in the service or rtprio for the group audio")
    }
  }

  fileprivate func watchUntilStopped() {
    guard let cells, let wake else { return }
    while rt_load(cells.stop) == 0 {
      var descriptor = pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0)
      poll(&descriptor, 1, watch.milliseconds(device))
      wake.clear()
      if rt_load(cells.stop) != 0 { return }
      watch(cells)
    }
  }
}

private func runAudio(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  context?.assumingMemoryBound(to: AudioLoop.self).pointee.run()
  return nil
}

private func runWatch(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context else { return nil }
  Unmanaged<Output>.fromOpaque(context).takeUnretainedValue().watchUntilStopped()
  return nil
}
