import Glibc

/// One thread's `poll`: descriptors with their handlers, callbacks that run before every wait, and a waker.
/// Everything belongs to the thread that runs it, but the waker.
public final class PollLoop {
  /// Wakes the loop from any thread.
  public let waker: Waker
  // One place for each descriptor and direction.
  private var polled: [pollfd] = []
  private var handlers: [() -> Void] = []
  private var turns: [(Int64) -> Int64?] = []
  private var isStopped = false

  private static let reading = Int16(POLLIN)
  private static let writing = Int16(POLLOUT)

  /// A loop that watches nothing yet. Nil when the system has no descriptor left.
  public init?() {
    guard let waker = Waker() else { return nil }
    self.waker = waker
    watch(waker.pipe.descriptor) { [unowned self] in if waker.clear() { stop() } }
  }

  /// Calls `handler` whenever `descriptor` can be read, has ended or has failed.
  public func watch(_ descriptor: Int32, _ handler: @escaping () -> Void) {
    add(descriptor, PollLoop.reading, handler)
  }

  /// Calls `handler` once, as soon as `descriptor` can be written to or has failed; in the next round at the
  /// earliest. Asked for again before that, the newer handler counts.
  public func whenWritable(_ descriptor: Int32, _ handler: @escaping () -> Void) {
    for index in polled.indices where polled[index].fd == descriptor {
      if polled[index].events == PollLoop.writing { polled[index].fd = -1 }
    }
    add(descriptor, PollLoop.writing, handler)
  }

  /// Forgets a descriptor, which may be closed then. Also from a handler.
  public func forget(_ descriptor: Int32) {
    // The places stay until the round is over, since the handlers are being walked.
    for index in polled.indices where polled[index].fd == descriptor { polled[index].fd = -1 }
  }

  /// Calls `turn` in every round with the time now. It returns the time at which it is to be called again even if
  /// nothing happens, or nil. The order is that in which they were added.
  public func afterEachRound(_ turn: @escaping (Int64) -> Int64?) { turns.append(turn) }

  /// Ends `run` after this round. From a handler or a turn.
  public func stop() { isStopped = true }

  /// Goes round until `stop`.
  public func run() {
    isStopped = false
    while !isStopped { round() }
  }

  /// One round: waits for a descriptor, a turn's time or the waker, but no longer than `limit` nanoseconds.
  public func round(limit: Int64 = .max) {
    let now = monotonic()
    var wait = limit
    // The turns come first, so that what was done before the loop ran is seen to, and then after each round.
    for turn in turns {
      if let time = turn(now) { wait = min(wait, max(0, time - now)) }
    }
    if isStopped { return }
    if poll(&polled, nfds_t(polled.count), pollTimeout(wait)) > 0 {
      // Those that a handler adds come behind and wait for the next round.
      for index in polled.indices where polled[index].fd >= 0 && polled[index].revents != 0 {
        let handler = handlers[index]
        if polled[index].events == PollLoop.writing { polled[index].fd = -1 }
        handler()
      }
    }
    for index in polled.indices.reversed() where polled[index].fd < 0 {
      polled.remove(at: index)
      handlers.remove(at: index)
    }
  }

  private func add(_ descriptor: Int32, _ events: Int16, _ handler: @escaping () -> Void) {
    polled.append(pollfd(fd: descriptor, events: events, revents: 0))
    handlers.append(handler)
  }
}
