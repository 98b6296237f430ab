import Synchronization

/// Wakes or stops a `PollLoop` from another thread. It may outlive the loop.
public final class Waker: Sendable {
  let pipe: WakePipe
  private let isStopAsked = Atomic(false)

  init?() {
    guard let pipe = WakePipe() else { return nil }
    self.pipe = pipe
  }

  /// Makes the loop run a round as soon as possible. Any thread and signal handlers; never waits.
  public func wake() { pipe.wake() }

  /// Ends the loop after a round. Any thread and signal handlers; never waits.
  public func stop() {
    isStopAsked.store(true, ordering: .releasing)
    pipe.wake()
  }

  /// Clears the pipe. True if the loop is to stop.
  func clear() -> Bool {
    pipe.clear()
    return isStopAsked.exchange(false, ordering: .acquiring)
  }
}
