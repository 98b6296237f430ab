import Glibc

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
