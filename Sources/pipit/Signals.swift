import Glibc

/// SIGINT, SIGTERM and SIGHUP, blocked and waited for instead of handled.
enum Signals {
  // Those that the parent process ignores (`nohup`, a shell's background) stay ignored.
  private static let numbers = [SIGINT, SIGTERM, SIGHUP].filter { number in
    var action = sigaction()
    sigaction(number, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      != unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Blocks the signals. Before any thread is started: threads inherit the mask.
  static func block() {
    var set = mask()
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// A pending signal; nil when there is none.
  static var pending: Int32? {
    var set = sigset_t()
    sigpending(&set)
    return numbers.first { sigismember(&set, $0) == 1 }
  }

  /// Waits for one of the signals and consumes it.
  static func wait() -> Int32 {
    var set = mask()
    var number: Int32 = 0
    while sigwait(&set, &number) != 0 {}
    return number
  }

  /// Calls `body` on a thread of its own when the first of the signals comes.
  static func upon(_ body: @escaping @Sendable () -> Void) throws {
    var thread = pthread_t()
    let context = Unmanaged.passRetained(SignalHandler(body: body))
    let status = pthread_create(&thread, nil, awaitSignal, context.toOpaque())
    guard status == 0 else {
      context.release()
      throw CommandError("cannot wait for signals: \(String(cString: strerror(status)))")
    }
    pthread_detach(thread)
  }

  /// Unblocks the signals: a pending one ends the process as if it had never been blocked, so that the shell sees why.
  static func unblock() {
    var set = mask()
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  private static func mask() -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
    return set
  }
}

private final class SignalHandler: Sendable {
  let body: @Sendable () -> Void
  init(body: @escaping @Sendable () -> Void) { self.body = body }
}

private func awaitSignal(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context else { return nil }
  let waiting = Unmanaged<SignalHandler>.fromOpaque(context).takeRetainedValue()
  _ = Signals.wait()
  waiting.body()
  return nil
}
