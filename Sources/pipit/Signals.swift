import Glibc
import System

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
    let isStarted = startDetachedThread {
      _ = wait()
      body()
    }
    if !isStarted { throw CommandError("cannot wait for signals: \(String(cString: strerror(errno)))") }
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
