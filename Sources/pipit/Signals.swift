import Glibc
import System

/// The signals that end pipit, blocked and waited for instead of handled, and those that mean nothing to the instrument.
enum Signals {
  // Those that the parent process ignores (`nohup`, a shell's background) stay ignored.
  private static let numbers = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].filter { number in
    var action = sigaction()
    sigaction(number, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      != unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Ignores signals that would end the process and that nobody means for an instrument. Before any thread is started.
  static func ignoreOthers() {
    for number in [SIGUSR1, SIGUSR2, SIGALRM] { signal(number, SIG_IGN) }
  }

  /// Takes SIGQUIT from the Swift runtime, which prints a backtrace for it and holds up every thread meanwhile. One that the
  /// parent process ignores stays ignored.
  static func takeQuit() {
    if numbers.contains(SIGQUIT) { signal(SIGQUIT, SIG_DFL) }
  }

  /// Blocks the signals that end pipit. Before any thread is started: threads inherit the mask.
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
