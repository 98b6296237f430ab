import Glibc

/// A thread of its own beside a test, and the number that it comes to. Swift's tasks share as many threads as there
/// are processors: a test that spins until another task has done something may keep that one from its thread.
public final class TestThread: @unchecked Sendable {
  private var thread = pthread_t()
  private let body: () -> Int
  private var number = -1

  /// Starts it.
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

  /// Waits for its end. Once.
  @discardableResult
  public func result() -> Int {
    pthread_join(thread, nil)
    return number
  }
}
