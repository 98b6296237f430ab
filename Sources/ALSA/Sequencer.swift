import CALSA
import CRealtime
import Glibc
import MIDI
import Synth
import System

/// MIDI in: a client of the ALSA sequencer with a thread of its own, connected to every keyboard there is.
public final class Sequencer: @unchecked Sendable {
  let link: Link
  let log: @Sendable (String) -> Void
  let version: String
  let mpe: MPESetting
  private let wantsUMP: Bool
  private let wakeControl: @Sendable () -> Void
  private let counts: UnsafeMutablePointer<UInt64>
  private let table: Mutex<DeviceTable>
  private let inbox = Mutex(DeviceInbox())
  /// The routes that the engine was told of, by source. MIDI thread only; they outlive its reader.
  var routed: [UInt8: ChannelRoutes] = [:]
  /// Opens the client of the sequencer; a test makes one up.
  var open: (_ wantsUMP: Bool) throws(ALSAError) -> any SequencerClient = { wantsUMP throws(ALSAError) in
    try SequencerPort.open(wantsUMP: wantsUMP)
  }
  private var wake: WakePipe?
  private var thread: Thread?

  /// A sequencer client that plays into `link`, and answers identity requests with its `version`. Both closures are called from the
  /// MIDI thread: `wakeControl`, which must not wait, when `link.commands` or the `devices` have news.
  /// - Parameters:
  ///   - mpe: How devices play by MPE that have no such setting.
  ///   - ump: Whether the packets of MIDI 2.0 devices are read, where library and kernel can.
  ///   - devices: Those that are remembered, with what was set for them.
  public init(
    link: Link, version: String = "", mpe: MPESetting = .auto, ump: Bool = true,
    devices: DeviceTable = DeviceTable(),
    wakeControl: @escaping @Sendable () -> Void,
    log: @escaping @Sendable (String) -> Void
  ) {
    self.link = link
    self.version = version
    self.mpe = mpe
    wantsUMP = ump
    self.wakeControl = wakeControl
    self.log = log
    table = Mutex(devices)
    counts = .allocate(capacity: 5)
    counts.initialize(repeating: 0, count: 5)
  }

  deinit {
    stop()
    counts.deallocate()
  }

  /// Events read since the start. Any thread.
  public var events: UInt64 { rt_load(counts) }
  /// Times that the kernel dropped events because they came too fast. Any thread.
  public var overruns: UInt64 { rt_load(counts + 1) }

  /// The version of MIDI that the kernel and this client speak: 2, 1, or 0 while there is no sequencer. Any thread.
  public var protocolVersion: Int { Int(rt_load(counts + 3)) }

  /// The devices that are known, and which of them are there. Any thread.
  public var devices: DeviceTable { table.withLock { $0 } }

  /// Sets something for a device, which takes effect at once. Any thread.
  public func set(_ id: Int, _ settings: DeviceSettings) {
    table.withLock { $0.set(id, settings) }
    tell()
  }

  /// Changes what the controls of every device are bound to. Any thread.
  public func bind(_ bindings: [Binding]) {
    table.withLock { $0.bind(bindings) }
    tell()
  }

  /// Whether every movement of a control is wanted, not only those that are bound. Any thread.
  public func setLearning(_ isLearning: Bool) {
    inbox.withLock { $0.isLearning = isLearning }
    rt_store(counts + 4, isLearning ? 1 : 0)
  }

  /// The movements since the last call: of controls that are bound, which nobody else is told of, and of all while
  /// something is learned. Any thread.
  public func takeMovements() -> [Movement] { inbox.withLock { $0.takeMovements() } }

  /// Sends a message to a device through the port `MIDI Out`: a controller, or a note on for a lamp under a key. Any
  /// thread.
  public func send(_ number: UInt8, _ value: UInt8, isNote: Bool, channel: UInt8, to address: Device.Address)
  {
    inbox.withLock { $0.put(lamp: address, channel: channel, isNote: isNote, number, value) }
    wake?.wake()
  }

  /// Tells the engine once more which parts play which device, after the engine was replaced. Any thread.
  public func routeAgain() { tell() }

  /// Has the MIDI thread apply what is set.
  private func tell() {
    inbox.withLock { $0.hasNews = true }
    wake?.wake()
  }

  /// Forgets a device; false when it is there, or unknown. Any thread.
  public func forget(_ id: Int) -> Bool { table.withLock { $0.forget(id) } }

  /// Starts the MIDI thread. A machine without a sequencer is no error: the thread looks for one,
  /// quickly at first, as early in a boot there is none yet, then every 2 s.
  /// Throws only when the system gives no thread.
  public func start() throws(ALSAError) {
    guard thread == nil else { return }
    guard let wake = WakePipe() else { throw ALSAError("Making a pipe", code: errno) }
    self.wake = wake
    rt_store(counts + 2, 0)
    do {
      // Below the audio thread: a storm of notes must not hold up a block.
      thread = try Thread(
        "pipit midi", priority: 65, context: Unmanaged.passUnretained(self).toOpaque(), body: runSequencer)
    } catch {
      self.wake = nil
      throw error
    }
  }

  /// Ends the thread at once and closes the client. Held notes are left to whoever stops the engine.
  public func stop() {
    guard let wake, let thread else { return }
    rt_store(counts + 2, 1)
    wake.wake()
    thread.join()
    self.wake = nil
    self.thread = nil
  }

  // MARK: - MIDI thread

  private var stopped: Bool { rt_load(counts + 2) != 0 }

  fileprivate func run() {
    guard let wake else { return }
    var searches = 0
    while !stopped {
      var pause: Int64 = 2_000_000_000
      do {
        let port = try open(wantsUMP)
        searches = 0
        rt_store(counts + 3, port.isUMP ? 2 : 1)
        log("MIDI: listening as client \(port.client), pipit: MIDI In\(port.isUMP ? ", by MIDI 2.0" : "")")
        let reader = MIDIReader(port: port, sequencer: self)
        reader.connectAll()
        while !stopped, reader.read(orWake: wake) {}
        reader.releaseAll()
        reader.detachAll()
        port.close()
        rt_store(counts + 3, 0)
      } catch {
        searches += 1
        // Early in a boot there is none yet: what lasts for two seconds is worth a word.
        if searches == CardMonitor.patience + 1 {
          log(.warning("\(error): no MIDI until there is; looking again"))
        }
        if searches < 120 { pause = 250_000_000 }
      }
      if stopped { return }
      wake.wait(pause)
      wake.clear()
    }
  }

  /// Counts an event that was read.
  func countEvent() { _ = rt_add(counts, 1) }

  /// Changes the table of devices, and has the control thread look at it where that changed anything.
  @discardableResult
  func change<Value>(_ body: (inout DeviceTable) -> Value) -> Value {
    let (value, isChanged) = table.withLock { table in
      let before = table.revision
      let value = body(&table)
      return (value, table.revision != before)
    }
    if isChanged { wakeControl() }
    return value
  }

  /// Whether every movement is wanted; it is asked without a lock for each message.
  var isLearning: Bool { rt_load(counts + 4) != 0 }

  /// Hands a movement to the control thread if it `isBound` or something is learned.
  func report(_ movement: Movement, isBound: Bool) {
    if !isBound, !isLearning { return }
    let isWanted = inbox.withLock { inbox in
      if isBound || inbox.isLearning { inbox.put(movement) }
      return isBound || inbox.isLearning
    }
    if isWanted { wakeControl() }
  }

  /// Whether anything was set since the last call.
  func takeNews() -> Bool {
    inbox.withLock { inbox in
      defer { inbox.hasNews = false }
      return inbox.hasNews
    }
  }

  /// What is to be sent to devices.
  func takeLamps() -> [(address: Device.Address, channel: UInt8, isNote: Bool, number: UInt8, value: UInt8)] {
    inbox.withLock { $0.takeLamps() }
  }

  /// Counts an overrun.
  func countOverrun() { _ = rt_add(counts + 1, 1) }

  /// Sends an event to the control thread.
  func send(_ event: Event) {
    link.commands.push(event)
    wakeControl()
  }
}

private func runSequencer(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context else { return nil }
  Unmanaged<Sequencer>.fromOpaque(context).takeUnretainedValue().run()
  return nil
}
