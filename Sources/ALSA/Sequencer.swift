import CALSA
import CRealtime
import Glibc
import Synth
import System

/// MIDI in: a client of the ALSA sequencer with a thread of its own, connected to every keyboard there is.
public final class Sequencer: @unchecked Sendable {
  let link: Link
  let log: @Sendable (String) -> Void
  let version: String
  private let wakeControl: @Sendable () -> Void
  private let counts: UnsafeMutablePointer<UInt64>
  private var wake: WakePipe?
  private var thread: Thread?

  /// A sequencer client that plays into `link`, and says its `version` to whom asks. Both closures are called from the
  /// MIDI thread: `wakeControl`, which must not wait, when `link.commands` has news.
  public init(
    link: Link, version: String = "", wakeControl: @escaping @Sendable () -> Void,
    log: @escaping @Sendable (String) -> Void
  ) {
    self.link = link
    self.version = version
    self.wakeControl = wakeControl
    self.log = log
    counts = .allocate(capacity: 3)
    counts.initialize(repeating: 0, count: 3)
  }

  deinit {
    stop()
    counts.deallocate()
  }

  /// Events read since the start. Any thread.
  public var events: UInt64 { rt_load(counts) }
  /// Times that the kernel dropped events because they came too fast. Any thread.
  public var overruns: UInt64 { rt_load(counts + 1) }

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
        let port = try SequencerPort.open()
        searches = 0
        log("MIDI: listening as client \(port.client), pipit: MIDI In")
        let reader = MIDIReader(port: port, sequencer: self)
        reader.connectAll()
        while !stopped, reader.read(orWake: wake) {}
        reader.releaseAll()
        port.close()
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
