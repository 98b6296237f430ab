import Glibc

/// The `poll` loop of one thread: descriptors with handlers, callbacks that run before every wait, and a waker. Only
/// the waker may be used from other threads.
public final class PollLoop {
  /// Wakes the loop from any thread.
  public let waker: Waker
  /// The clock of the turns: CLOCK_MONOTONIC, or the time of a test.
  public let time: () -> Int64
  // One entry for each descriptor and handler.
  private var polled: [pollfd] = []
  private var handlers: [(call: () -> Void, isOnce: Bool)] = []
  private var turns: [(Int64) -> Int64?] = []
  private var isStopped = false

  private static let reading = Int16(POLLIN)
  private static let writing = Int16(POLLOUT)

  /// A loop without descriptors. Nil if the system has no descriptor left.
  public init?(time: @escaping () -> Int64 = monotonic) {
    guard let waker = Waker() else { return nil }
    (self.waker, self.time) = (waker, time)
    watch(waker.pipe.descriptor) { [unowned self] in if waker.clear() { stop() } }
  }

  /// Calls `handler` whenever `descriptor` is readable, has ended or has failed.
  public func watch(_ descriptor: Int32, _ handler: @escaping () -> Void) {
    add(descriptor, PollLoop.reading, handler)
  }

  /// Calls `handler` once, when `descriptor` is writable or has failed, in the next round at the earliest. A newer
  /// handler replaces one that has not been called.
  public func whenWritable(_ descriptor: Int32, _ handler: @escaping () -> Void) {
    for index in polled.indices where polled[index].fd == descriptor {
      if handlers[index].isOnce { polled[index].fd = -1 }
    }
    add(descriptor, PollLoop.writing, isOnce: true, handler)
  }

  /// Calls `handler` whenever `descriptor` is ready for `events` of `poll`, has ended or has failed, and no other handler
  /// of the descriptor any more.
  public func watch(_ descriptor: Int32, for events: Int16, _ handler: @escaping () -> Void) {
    forget(descriptor)
    add(descriptor, events, handler)
  }

  /// Calls the handlers of `watch` for a descriptor no more, until it is watched again.
  public func ignore(_ descriptor: Int32) {
    for index in polled.indices where polled[index].fd == descriptor && !handlers[index].isOnce {
      polled[index].fd = -1
    }
  }

  /// Removes a descriptor, which may then be closed. May be called from a handler.
  public func forget(_ descriptor: Int32) {
    // The entries stay until the end of the round, since its handlers may be in a loop over them.
    for index in polled.indices where polled[index].fd == descriptor { polled[index].fd = -1 }
  }

  /// Calls `turn` in every round with the current time, after the turns added before. It returns the time of its next
  /// call if nothing happens, or nil.
  public func afterEachRound(_ turn: @escaping (Int64) -> Int64?) { turns.append(turn) }

  /// Ends `run` after this round. To be called from a handler or a turn.
  public func stop() { isStopped = true }

  /// Runs rounds until `stop`.
  public func run() {
    isStopped = false
    while !isStopped { round() }
  }

  /// Runs one round: waits for a descriptor, the time of a turn or the waker, for at most `limit` nanoseconds. Returns
  /// whether something was to be done.
  @discardableResult
  public func round(limit: Int64 = .max) -> Bool {
    let now = time()
    var wait = limit
    var isBusy = false
    // Turns before the wait: the first ones see changes from before the loop.
    for turn in turns {
      guard let time = turn(now) else { continue }
      wait = min(wait, max(0, time - now))
      isBusy = isBusy || time <= now
    }
    if isStopped { return isBusy }
    if poll(&polled, nfds_t(polled.count), pollTimeout(wait)) > 0 {
      // Entries that a handler adds are at the end, without events until the next round.
      for index in polled.indices where polled[index].fd >= 0 && polled[index].revents != 0 {
        isBusy = true
        let handler = handlers[index]
        if handler.isOnce { polled[index].fd = -1 }
        handler.call()
      }
    }
    for index in polled.indices.reversed() where polled[index].fd < 0 {
      polled.remove(at: index)
      handlers.remove(at: index)
    }
    return isBusy
  }

  private func add(
    _ descriptor: Int32, _ events: Int16, isOnce: Bool = false, _ handler: @escaping () -> Void
  ) {
    polled.append(pollfd(fd: descriptor, events: events, revents: 0))
    handlers.append((handler, isOnce))
  }
}
