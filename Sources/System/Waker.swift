import Synchronization

/// Wakes and ends a `PollLoop` from another thread. It may outlive the loop.
public final class Waker: Sendable {
  let pipe: WakePipe
  private let isStopAsked = Atomic(false)

  init?() {
    guard let pipe = WakePipe() else { return nil }
    self.pipe = pipe
  }

  /// Makes the loop go round once more, as soon as it can. Any thread, signal handlers too; never waits.
  public func wake() { pipe.wake() }

  /// Makes the loop end after a round. Any thread, signal handlers too; never waits.
  public func stop() {
    isStopAsked.store(true, ordering: .releasing)
    pipe.wake()
  }

  /// Clears the pipe; true when the loop is to stop.
  func clear() -> Bool {
    pipe.clear()
    return isStopAsked.exchange(false, ordering: .acquiring)
  }
}
