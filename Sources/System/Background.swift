/// Work in a thread of its own, whose result comes back to a loop.
public enum Background {
  /// Runs `work` in a detached thread of ordinary priority, and then `done` with its result in the loop's thread. The
  /// result is nil if the system has no thread left. To be called in the loop's thread.
  public static func run<Result: Sendable>(
    _ loop: PollLoop, _ work: @escaping @Sendable () -> Result, done: @escaping (Result?) -> Void
  ) {
    guard let pipe = WakePipe() else { return done(nil) }
    let result = Mutex<Result?>(nil)
    loop.watch(pipe.descriptor) {
      loop.forget(pipe.descriptor)
      withExtendedLifetime(pipe) { done(result.withLock { $0 }) }
    }
    let isRunning = startDetachedThread {
      let made = work()
      result.withLock { $0 = made }
      pipe.wake()
    }
    if isRunning { return }
    loop.forget(pipe.descriptor)
    done(nil)
  }
}
