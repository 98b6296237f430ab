import Glibc
import System

/// The signals that end pipit, which are blocked and waited for, and those that the instrument ignores.
enum Signals {
  // Signals that the parent process ignores (`nohup`, a background job of a shell) stay ignored.
  private static let numbers = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].filter { number in
    var action = sigaction()
    sigaction(number, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      != unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Ignores signals that would end the process without being meant for an instrument. Call before any thread is
  /// started.
  static func ignoreOthers() {
    for number in [SIGUSR1, SIGUSR2, SIGALRM] { signal(number, SIG_IGN) }
  }

  /// Restores the default action of SIGQUIT, for which the Swift runtime would print a backtrace and stop every
  /// thread meanwhile. If the parent process ignores the signal, it stays ignored.
  static func takeQuit() {
    if numbers.contains(SIGQUIT) { signal(SIGQUIT, SIG_DFL) }
  }

  /// Blocks the signals that end pipit. Call before any thread is started, because threads inherit the mask.
  static func block() {
    var set = mask()
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// A pending signal; nil if there is none.
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

  /// Calls `body` on a thread of its own when the first of the signals is received.
  static func upon(_ body: @escaping @Sendable () -> Void) throws {
    let isStarted = startDetachedThread {
      _ = wait()
      body()
    }
    if !isStarted { throw CommandError("cannot wait for signals: \(String(cString: strerror(errno)))") }
  }

  /// Unblocks the signals. A pending one then ends the process as if it had never been blocked, so that the shell
  /// sees the cause.
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
