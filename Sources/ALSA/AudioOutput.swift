import CRealtime
import Glibc
import Scenes
import Synth
import System

/// Audio output: the audio thread, and the monitor thread, which finds the card to play on.
///
/// The engine runs whether or not there is a card. Without one, the machine's clock paces it and notes keep their
/// state; when a card is available, the loop changes to it at a block boundary.
public final class AudioOutput: @unchecked Sendable {
  /// The device to play on.
  public enum Device: Sendable, Equatable {
    /// The best card available, and a better one when it appears.
    case auto
    /// No card: the machine's clock.
    case clock
    /// An ALSA name such as `hw:CARD=Device` or `default`, or the id of a card.
    case name(String)

    /// Parses the text of an option: `auto`, `clock`, or a name.
    public init(_ text: String) {
      switch text {
      case "auto": self = .auto
      case "clock": self = .clock
      default: self = .name(text)
      }
    }
  }

  let device: Device
  // Belongs to the monitor thread while it runs.
  var settings: CardSettings
  var rate: Int { settings.rate }
  var period: Int { settings.period }
  let periods: Int
  let outputs: PartOutputs
  let link: Link
  let log: @Sendable (String) -> Void
  private let shared: Mutex<OutputState>
  private let requests = Mutex(OutputRequests())
  private let onStateChange: @Sendable () -> Void

  /// Opens the mixer of a card; nil for a card without a mixer. Tests replace it.
  var openMixer: (Card) -> (any Mixer)? = { CardMixer($0) }

  private var wake: WakePipe?
  private(set) var cells: AudioLoop.Cells?
  private var monitorThread: Thread?
  // Belongs to the monitor thread while it runs.
  var monitor = CardMonitor()
  private var loop: UnsafeMutablePointer<AudioLoop>?
  private var audioThread: Thread?

  /// Creates an output that renders the scene of `link`. `rate` (Hz, within `Limits.rates`), `period` (frames,
  /// 1…`Limits.period`) and `periods` (in flight, within `Limits.periodCounts`) are requests: the card may require
  /// other values. Parts play on `outputs` if the card has these channels, and otherwise all on 1 and 2. `memory`
  /// tells which cards were used before. `log` is called from `start` and from the monitor thread; `onStateChange` is
  /// called from the monitor thread when `state` has changed.
  public init(
    device: Device, rate: Int, period: Int, periods: Int = Limits.periodCounts.lowerBound,
    outputs: PartOutputs = PartOutputs(), link: Link, remembering memory: CardMemory = CardMemory(),
    onStateChange: @escaping @Sendable () -> Void = {},
    log: @escaping @Sendable (String) -> Void
  ) {
    var state = OutputState()
    state.memory = memory
    shared = Mutex(state)
    self.onStateChange = onStateChange
    self.device = device
    settings = CardSettings(
      rate: max(Limits.rates.lowerBound, min(memory.rate ?? rate, Limits.rates.upperBound)),
      period: max(1, min(memory.period ?? period, Limits.period)), preference: memory.preference)
    self.periods = max(Limits.periodCounts.lowerBound, min(periods, Limits.periodCounts.upperBound))
    self.outputs = outputs
    self.link = link
    self.log = log
  }

  deinit { stop() }

  /// True while a card is wanted and none is available: blocks are rendered at the pace of the clock and dropped. Any
  /// thread.
  public var waitsForCard: Bool { device != .clock && link.meters[.card] == 0 }

  /// The card that plays, its rate, period and format, as text for people. Any thread.
  public var playing: String { state.playing }

  /// The current state of the output. Any thread.
  public var state: OutputState { shared.withLock { $0 } }

  /// Sets the volume of the current card to a fader position of 0…1. The monitor thread applies it, and `state` shows
  /// the result. Any thread.
  public func setLevel(_ normalized: Double) { ask { $0.level = max(0, min(normalized, 1)) } }

  /// Plays on another card, by its ALSA id, or on the best one for "auto". The change is tried at once. It is undone
  /// if no sound has run within ten seconds, and is remembered otherwise. Any thread.
  public func choose(card: String) { ask { $0.card = card } }
  /// Plays at another rate in Hz, on trial as with `choose(card:)`. Any thread.
  public func choose(rate: Int) { ask { $0.rate = rate } }
  /// Plays with another period in frames, on trial as with `choose(card:)`. Any thread.
  public func choose(period: Int) { ask { $0.period = period } }

  /// Merges the cards of a stored text into the memory; for a card that both contain, the text counts. The choices in
  /// the text apply from the next start on. Any thread.
  public func remember(_ text: String) { change { $0.memory = CardMemory(reading: text, over: $0.memory) } }

  private func ask(_ body: (inout OutputRequests) -> Void) {
    requests.withLock(body)
    wake?.wake()
  }

  /// The requests since the last call. While a PCM is on offer, requests that need another PCM wait.
  func takeRequests() -> OutputRequests {
    let isBusy = monitor.offering
    return requests.withLock { requests in
      var taken = requests
      requests = OutputRequests()
      if isBusy {
        requests = taken
        requests.level = nil
        taken = OutputRequests(level: taken.level)
      }
      return taken
    }
  }

  /// Changes the published state, and calls `onStateChange` if it is different.
  func change(_ body: (inout OutputState) -> Void) {
    let isChanged = shared.withLock { state in
      let before = state
      body(&state)
      return state != before
    }
    if isChanged { onStateChange() }
  }

  /// Starts the audio thread on the card, or against the clock without a card. Throws only if the system cannot start
  /// a thread.
  public func start() throws(ALSAError) { try start(monitoring: true) }

  /// Starts the audio thread and, if `monitoring`, the monitor thread. Without the monitor thread, a test calls its
  /// functions.
  func start(monitoring: Bool) throws(ALSAError) {
    guard loop == nil else { return }
    let locked = Thread.lockMemory()
    let loop = try assemble(.real)
    do {
      let refused = try startAudio(loop)
      announce(refused, locked: locked)
      if monitoring {
        monitorThread = try Thread(
          "pipit cards", priority: 0, context: Unmanaged.passUnretained(self).toOpaque(), body: runMonitor)
      }
    } catch {
      stop()
      throw error
    }
  }

  /// Makes the loop, on the card or the clock. Tests run it in virtual time.
  func assemble(_ time: LoopTime) throws(ALSAError) -> UnsafeMutablePointer<AudioLoop> {
    guard let wake = WakePipe() else { throw ALSAError("Making a pipe", code: errno) }
    let cells = AudioLoop.Cells()
    let clockPCM = UnsafeMutablePointer<PCM>.allocate(capacity: 1)
    clockPCM.initialize(to: .clock(rate: rate, frames: period, outputs: outputs))
    monitor = CardMonitor(
      clockPCM: clockPCM, engineRate: rate, startPreference: settings.preference, startedAt: time.now)
    let pcm = openCard(at: time.now) ?? clockPCM
    monitor.engineRate = pcm.pointee.rate
    // Set before the engine reads the scene, and cleared after its last block.
    link.scene.audioSide.setRunning(true)
    Engine.warmUp(link.scene.audioSide.take().pointee, rate: Double(pcm.pointee.rate))
    let engine = UnsafeMutablePointer<Engine>.allocate(capacity: 1)
    engine.initialize(to: Engine(rate: Double(pcm.pointee.rate), link: link, outputs: outputs))
    let loop = UnsafeMutablePointer<AudioLoop>.allocate(capacity: 1)
    loop.initialize(
      to: AudioLoop(
        engine: engine, pcm: pcm, clockPCM: clockPCM, cells: cells, wake: wake, link: link, time: time))
    self.wake = wake
    self.cells = cells
    self.loop = loop
    return loop
  }

  /// Ends both threads, within a block or a tenth of a second, and closes the card.
  public func stop() {
    guard let loop, let cells, let wake else { return }
    rt_store(cells.quit, 1)
    wake.wake()
    monitorThread?.join()
    monitorThread = nil
    stopAudio(cells)
    link.scene.audioSide.setRunning(false)
    takeBack(cells)
    if let unseen = UnsafeMutablePointer<PCM>(bitPattern: UInt(rt_load(cells.offered))) { close(unseen) }
    close(loop.pointee.pcm)
    monitor.clockPCM?.pointee.close()
    monitor.clockPCM?.deallocate()
    monitor.mixer?.close()
    monitor = CardMonitor()
    loop.pointee.engine.deinitialize(count: 1)
    loop.pointee.engine.deallocate()
    loop.deinitialize(count: 1)
    loop.deallocate()
    cells.deallocate()
    self.loop = nil
    self.cells = nil
    self.wake = nil
    change { $0 = OutputState(undone: $0.undone, memory: $0.memory) }
  }

  /// Starts the audio thread. Returns the error that refused real-time priority, or 0.
  private func startAudio(_ loop: UnsafeMutablePointer<AudioLoop>) throws(ALSAError) -> Int32 {
    let thread = try Thread("pipit audio", priority: 70, context: loop, body: runAudio)
    audioThread = thread
    link.meters.set(.realtime, thread.refused == 0 ? 1 : 0)
    return thread.refused
  }

  private func stopAudio(_ cells: AudioLoop.Cells) {
    rt_store(cells.stop, 1)
    audioThread?.join()
    audioThread = nil
  }

  /// Restarts the engine on a PCM with a different rate. Sounding notes end; the frame count and the pending events
  /// are kept. Monitor thread.
  func restart(on pcm: UnsafeMutablePointer<PCM>) {
    guard let loop, let cells else { return }
    stopAudio(cells)
    takeBack(cells)
    close(loop.pointee.pcm)
    loop.pointee.pcm = pcm
    let engine = loop.pointee.engine
    let frame = engine.pointee.frame
    engine.deinitialize(count: 1)
    engine.initialize(
      to: Engine(rate: Double(pcm.pointee.rate), link: link, frame: frame, outputs: outputs))
    monitor.engineRate = pcm.pointee.rate
    rt_store(cells.stop, 0)
    ensureAudio()
  }

  /// Starts the audio thread if the system has refused to do so before.
  func ensureAudio() {
    guard let loop, audioThread == nil else { return }
    do { _ = try startAudio(loop) } catch { log(.error("\(error): no sound until there is; trying again")) }
  }

  private func announce(_ refused: Int32, locked: Bool) {
    if refused == 0 {
      log("Audio thread: real-time priority 70\(locked ? ", memory locked" : "")")
    } else {
      log(
        .warning(
          "Audio thread: no real-time priority (\(ALSAError.text(refused))), expect dropouts under load; "
            + "allow it with LimitRTPRIO=95 in the service or rtprio for the group audio"))
    }
  }

  fileprivate func monitorUntilStopped() {
    guard let cells, let wake else { return }
    while rt_load(cells.quit) == 0 {
      followMixer(at: monotonic())
      let pause = audioThread == nil ? 1_000_000_000 : monitor.pause(device)
      let isTurned = wake.wait(pause, besides: monitor.mixer?.descriptors ?? [])
      wake.clear()
      if rt_load(cells.quit) != 0 { return }
      ensureAudio()
      if isTurned { readMixer(at: monotonic()) }
      monitorCards(cells, at: monotonic())
    }
  }
}

private func runAudio(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  context?.assumingMemoryBound(to: AudioLoop.self).pointee.run()
  return nil
}

private func runMonitor(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context else { return nil }
  Unmanaged<AudioOutput>.fromOpaque(context).takeUnretainedValue().monitorUntilStopped()
  return nil
}
