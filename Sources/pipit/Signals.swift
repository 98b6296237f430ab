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
