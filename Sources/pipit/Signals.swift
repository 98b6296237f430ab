import Glibc

/// SIGINT, SIGTERM and SIGHUP, taken at a moment of our own choosing instead of in a handler.
enum Signals {
  private static let numbers = [SIGINT, SIGTERM, SIGHUP]

  /// Holds the signals back. Before any thread is started: threads inherit it.
  static func block() {
    var set = mask()
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// A signal that has come and waits; nil when none has.
  static var waiting: Int32? {
    var set = sigset_t()
    sigpending(&set)
    return numbers.first { sigismember(&set, $0) == 1 }
  }

  /// Waits for one of the signals and takes it.
  static func wait() -> Int32 {
    var set = mask()
    var number: Int32 = 0
    while sigwait(&set, &number) != 0 {}
    return number
  }

  /// Calls `body` on a thread of its own when the first of the signals comes.
  static func upon(_ body: @escaping @Sendable () -> Void) throws {
    var thread = pthread_t()
    let context = Unmanaged.passRetained(Waiting(body: body))
    let status = pthread_create(&thread, nil, awaitSignal, context.toOpaque())
    guard status == 0 else {
      context.release()
      throw Complaint("cannot wait for signals: \(String(cString: strerror(status)))")
    }
    pthread_detach(thread)
  }

  /// Lets the signals through: one that waits ends the process as if it had never been held back, so that
  /// the shell sees why.
  static func release() {
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

private final class Waiting: Sendable {
  let body: @Sendable () -> Void
  init(body: @escaping @Sendable () -> Void) { self.body = body }
}

private func awaitSignal(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context else { return nil }
  let waiting = Unmanaged<Waiting>.fromOpaque(context).takeRetainedValue()
  _ = Signals.wait()
  waiting.body()
  return nil
}
