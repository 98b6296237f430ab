import Glibc

/// A thread for a test, and its result. Swift's tasks share as many threads as there are processors, so a test that
/// spins until another task has acted may keep that task from running.
public final class TestThread: @unchecked Sendable {
  private var thread = pthread_t()
  private let body: () -> Int
  private var number = -1

  /// Starts the thread.
  public init(_ body: @escaping () -> Int) {
    self.body = body
    let code = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        let this = Unmanaged<TestThread>.fromOpaque(context).takeUnretainedValue()
        this.number = this.body()
        return nil
      }, Unmanaged.passUnretained(self).toOpaque())
    precondition(code == 0, "no thread for the test")
  }

  /// Waits for the end of the thread. Call once.
  @discardableResult
  public func result() -> Int {
    pthread_join(thread, nil)
    return number
  }
}
