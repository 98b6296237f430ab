import Glibc
import Synchronization

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

/// Wakes or stops a `PollLoop` from another thread. It may outlive the loop.
public final class Waker: Sendable {
  let pipe: WakePipe
  private let isStopAsked = Atomic(false)

  init?() {
    guard let pipe = WakePipe() else { return nil }
    self.pipe = pipe
  }

  /// Makes the loop run a round as soon as possible. Any thread and signal handlers; never waits.
  public func wake() { pipe.wake() }

  /// Ends the loop after a round. Any thread and signal handlers; never waits.
  public func stop() {
    isStopAsked.store(true, ordering: .releasing)
    pipe.wake()
  }

  /// Clears the pipe. True if the loop is to stop.
  func clear() -> Bool {
    pipe.clear()
    return isStopAsked.exchange(false, ordering: .acquiring)
  }
}

/// Wakes a thread that waits in `poll`, from any other thread. Several calls between two rounds wake it once.
public final class WakePipe: Sendable {
  /// The descriptor to poll for reading.
  public let descriptor: Int32
  private let writing: Int32

  /// Opens a pipe. Nil, with the reason in `errno`, if the system has no descriptor left.
  public init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    (descriptor, writing) = (ends[0], ends[1])
  }

  deinit {
    close(descriptor)
    close(writing)
  }

  /// Wakes the waiting thread. Any thread and signal handlers; one system call, which never waits.
  public func wake() {
    var byte: UInt8 = 1
    _ = write(writing, &byte, 1)
  }

  /// Empties the pipe. To be called by the waiting thread before its work.
  public func clear() {
    var bytes: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    while read(descriptor, &bytes, 32) > 0 {}
  }

  /// Waits for `wake`, for at most `nanoseconds`; without limit for `Int64.max`. It may return early, as on a signal,
  /// and does not clear the pipe.
  public func wait(_ nanoseconds: Int64 = .max) {
    _ = wait(nanoseconds, besides: [])
  }

  /// Waits for `wake` or an event of `others`, for at most `nanoseconds`. True if `others` had an event.
  public func wait(_ nanoseconds: Int64 = .max, besides others: [pollfd]) -> Bool {
    var all = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)] + others
    poll(&all, nfds_t(all.count), pollTimeout(nanoseconds))
    return all.dropFirst().contains { $0.revents != 0 }
  }
}

/// The timeout of `poll` for a wait of `nanoseconds`, rounded up to milliseconds, since waking early would make the
/// loop spin. -1, no timeout, for `Int64.max`.
func pollTimeout(_ nanoseconds: Int64) -> Int32 {
  if nanoseconds == .max { return -1 }
  let milliseconds = max(0, nanoseconds) / 1_000_000 + (max(0, nanoseconds) % 1_000_000 > 0 ? 1 : 0)
  return Int32(clamping: milliseconds)
}
