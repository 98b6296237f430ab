import CRealtime

/// An audio output without threads, in virtual time, for the proofs: it does the work of the audio and the monitor
/// thread in turn, and simulates hours at once. One thread.
///
/// A card must support the requested rate, because another rate would need a new engine and a new thread.
package final class Simulation {
  /// The simulated output.
  package let output: AudioOutput
  /// The current time in nanoseconds. A test's card reads it and may advance it.
  package let now: UnsafeMutablePointer<Int64>
  /// Called with the current time whenever the audio thread has waited.
  package var passes: (Int64) -> Void = { _ in }

  private let time: UnsafeMutablePointer<LoopTime.Virtual>
  private let loop: UnsafeMutablePointer<AudioLoop>
  private let stop: UnsafeMutablePointer<UInt64>
  private var monitorDue: Int64

  /// Opens the card of `output`, which must not be started. Time begins at one second.
  package init(_ output: AudioOutput) throws {
    let begin: Int64 = 1_000_000_000
    now = .allocate(capacity: 1)
    now.initialize(to: begin)
    stop = .allocate(capacity: 1)
    stop.initialize(to: 0)
    time = .allocate(capacity: 1)
    time.initialize(to: .init(now: now, end: .max, stop: stop))
    self.output = output
    loop = try output.assemble(LoopTime(virtual: time))
    monitorDue = begin
    time.pointee.stop = output.cells?.stop ?? stop
  }

  deinit {
    output.stop()
    now.deallocate()
    stop.deallocate()
    time.deinitialize(count: 1)
    time.deallocate()
  }

  /// Ends `run` early.
  package func end() { time.pointee.end = now.pointee }

  /// Plays for `seconds` and fades out.
  package func run(seconds: Double) {
    guard let cells = output.cells else { return }
    rt_store(cells.stop, 0)
    time.pointee.end = now.pointee + Int64(clamping: seconds * 1e9)
    time.pointee.passes = { [self] moment in
      if moment >= monitorDue || rt_load(cells.lost) != 0 || rt_load(cells.returned) != 0 {
        output.monitorCards(cells, at: moment)
        let pause = output.monitor.pause(output.device)
        monitorDue = pause == .max ? .max : moment + pause
      }
      passes(moment)
    }
    loop.pointee.run()
    time.pointee.passes = nil
  }
}
