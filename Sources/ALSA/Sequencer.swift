import CALSA
import CRealtime
import Glibc
import MIDI
import Scenes
import Synth
import System

/// MIDI input: a client of the ALSA sequencer with its own thread, connected to every keyboard.
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
  /// The routes that the engine has received, by source. MIDI thread only; they outlive its reader.
  var routed: [UInt8: ChannelRoutes] = [:]
  /// Opens the sequencer client; tests replace it.
  var open: (_ wantsUMP: Bool) throws(ALSAError) -> any SequencerClient = { wantsUMP throws(ALSAError) in
    try SequencerPort.open(wantsUMP: wantsUMP)
  }
  private var wake: WakePipe?
  private var thread: Thread?

  /// Creates a sequencer client that plays into `link`, and answers identity requests with its `version`. Both
  /// closures are called from the MIDI thread. `wakeControl`, which must not wait, is called when `link.commands` or
  /// the `devices` have changed.
  /// - Parameters:
  ///   - mpe: The MPE mode of devices without a setting of their own.
  ///   - ump: Whether to read MIDI 2.0 packets, if the library and the kernel support it.
  ///   - devices: The remembered devices with their settings.
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

  /// The number of events read since the start. Any thread.
  public var events: UInt64 { rt_load(counts) }
  /// The number of times that the kernel has dropped events because they came too fast. Any thread.
  public var overruns: UInt64 { rt_load(counts + 1) }

  /// The version of MIDI that the kernel and this client speak: 2, 1, or 0 while there is no sequencer. Any thread.
  public var protocolVersion: Int { Int(rt_load(counts + 3)) }

  /// The known devices, and which of them are connected. Any thread.
  public var devices: DeviceTable { table.withLock { $0 } }

  /// Increases with every change of the devices.
  var revision: Int { table.withLock { $0.revision } }

  /// Changes the settings of a device. They are applied at once. Any thread.
  public func set(_ id: Int, _ settings: DeviceSettings) {
    table.withLock { $0.set(id, settings) }
    postSettingsChange()
  }

  /// Sets whose clock the beat line follows. Any thread.
  public func follow(_ clock: ClockChoice) {
    table.withLock { $0.follow(clock) }
    postSettingsChange()
  }

  /// Replaces the bindings of the controls of all devices. Any thread.
  public func bind(_ bindings: [Binding]) {
    table.withLock { $0.bind(bindings) }
    postSettingsChange()
  }

  /// Replaces the known devices, their settings and all bindings. Devices that are connected stay so. Any thread.
  public func restore(_ kept: DeviceTable) {
    table.withLock { $0.restore(kept) }
    postSettingsChange()
  }

  /// Sets whether to report every movement of a control, and not only those of bound controls. Any thread.
  public func setLearning(_ isLearning: Bool) {
    inbox.withLock { $0.isLearning = isLearning }
    rt_store(counts + 4, isLearning ? 1 : 0)
  }

  /// Returns the movements since the last call: those of bound controls, which nobody else receives, and during
  /// learning those of all controls. Any thread.
  public func takeMovements() -> [Movement] { inbox.withLock { $0.takeMovements() } }

  /// Sends a message to a device through the port `MIDI Out`: a controller, or a note-on for a lamp under a key. Any
  /// thread.
  public func send(_ number: UInt8, _ value: UInt8, isNote: Bool, channel: UInt8, to address: Device.Address)
  {
    inbox.withLock { $0.put(lamp: address, channel: channel, isNote: isNote, number, value) }
    wake?.wake()
  }

  /// Tells the engine again which parts play which device, after the engine was replaced. Any thread.
  public func routeAgain() { postSettingsChange() }

  /// Makes the MIDI thread apply the current settings.
  private func postSettingsChange() {
    inbox.withLock { $0.hasChangedSettings = true }
    wake?.wake()
  }

  /// Forgets a device. Returns false if it is connected or unknown. Any thread.
  public func forget(_ id: Int) -> Bool { table.withLock { $0.forget(id) } }

  /// Starts the MIDI thread. A missing sequencer is not an error: the thread searches for one, often at first,
  /// because early in a boot there is none yet, and then every 2 s. Throws only if the system cannot start a thread.
  public func start() throws(ALSAError) {
    guard thread == nil else { return }
    guard let wake = WakePipe() else { throw ALSAError("Making a pipe", code: errno) }
    self.wake = wake
    rt_store(counts + 2, 0)
    do {
      // Lower than the audio thread, so that a flood of notes does not delay a block.
      thread = try Thread(
        "pipit midi", priority: 65, context: Unmanaged.passUnretained(self).toOpaque(), body: runSequencer)
    } catch {
      self.wake = nil
      throw error
    }
  }

  /// Ends the thread at once and closes the client. The engine's owner must release held notes.
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
        reader.endPadModes()
        reader.releaseAll()
        reader.stopClock()
        reader.detachAll()
        port.close()
        rt_store(counts + 3, 0)
      } catch {
        searches += 1
        // Early in a boot there is no sequencer yet, so its absence is logged only after two seconds.
        if searches == CardMonitor.quietSearches + 1 {
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

  /// Changes the table of devices, and wakes the control thread if it is different afterwards.
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

  /// Whether every movement is wanted. It is read for each message, without a lock.
  var isLearning: Bool { rt_load(counts + 4) != 0 }

  /// Passes a movement to the control thread if its control is bound or something is being learned.
  func report(_ movement: Movement, isBound: Bool) {
    if !isBound, !isLearning { return }
    let isWanted = inbox.withLock { inbox in
      if isBound || inbox.isLearning { inbox.put(movement) }
      return isBound || inbox.isLearning
    }
    if isWanted { wakeControl() }
  }

  /// Returns whether settings have changed since the last call.
  func takeSettingsChange() -> Bool {
    inbox.withLock { inbox in
      defer { inbox.hasChangedSettings = false }
      return inbox.hasChangedSettings
    }
  }

  /// Returns the messages to send to devices.
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
