import Glibc

/// The control thread's one `poll`: descriptors with their handlers, turns that are taken after every round,
/// and a waker. Everything belongs to the thread that runs it, but the waker.
public final class Loop {
  /// Wakes the loop from any thread.
  public let waker: Waker
  private var polled: [pollfd] = []
  private var handlers: [() -> Void] = []
  private var turns: [(Int64) -> Int64?] = []
  private var stopped = false

  /// A loop that watches nothing yet. Nil when the system has no descriptor left.
  public init?() {
    guard let waker = Waker() else { return nil }
    self.waker = waker
    watch(waker.reading) { [unowned self] in if waker.clear() { stop() } }
  }

  deinit { waker.close() }

  /// Calls `handler` whenever `descriptor` can be read.
  public func watch(_ descriptor: Int32, _ handler: @escaping () -> Void) {
    polled.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
    handlers.append(handler)
  }

  /// Forgets a descriptor, which may be closed then. Also from a handler.
  public func forget(_ descriptor: Int32) {
    // The places stay until the round is over, since the handlers are being walked.
    for index in polled.indices where polled[index].fd == descriptor { polled[index].fd = -1 }
  }

  /// Calls `turn` after every round with the time now; what it returns is the time at which it wants to be
  /// called again even if nothing happens, or nil. Turns are taken in the order they were added.
  public func afterEachRound(_ turn: @escaping (Int64) -> Int64?) { turns.append(turn) }

  /// Ends `run` after this round. From a handler or a turn.
  public func stop() { stopped = true }

  /// Goes round until `stop`.
  public func run() {
    stopped = false
    while !stopped { round() }
  }

  /// One round: waits for a descriptor, a turn's time or the waker, but no longer than `limit` nanoseconds.
  public func round(limit: Int64 = .max) {
    let now = monotonic()
    var wait = limit
    // The turns come first, so that what was done before the loop ran is seen to, and then after each round.
    for turn in turns {
      if let time = turn(now) { wait = min(wait, max(0, time - now)) }
    }
    if stopped { return }
    // Rounded up: waking a moment early would spin until the time has come.
    let timeout = wait == .max ? -1 : Int32(clamping: (wait + 999_999) / 1_000_000)
    if poll(&polled, nfds_t(polled.count), timeout) > 0 {
      for index in polled.indices where polled[index].fd >= 0 && polled[index].revents != 0 {
        handlers[index]()
      }
    }
    for index in polled.indices.reversed() where polled[index].fd < 0 {
      polled.remove(at: index)
      handlers.remove(at: index)
    }
  }
}

/// The machine's steady clock (CLOCK_MONOTONIC), nanoseconds.
public func monotonic() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
