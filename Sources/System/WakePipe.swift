import Glibc

/// Wakes a thread that waits in `poll`, from any other thread. However often it is woken between two rounds, it is
/// woken once.
public final class WakePipe: Sendable {
  /// The end to poll for reading.
  public let descriptor: Int32
  private let writing: Int32

  /// A pipe of its own. Nil, with the reason in `errno`, when the system has no descriptor left.
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

  /// Wakes whoever waits. Any thread, signal handlers too; one system call, which never waits: a pipe that is full
  /// wakes already.
  public func wake() {
    var byte: UInt8 = 1
    _ = write(writing, &byte, 1)
  }

  /// Makes the pipe empty again. The waiting thread, before it does what it was woken for.
  public func clear() {
    var bytes: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    while read(descriptor, &bytes, 32) > 0 {}
  }

  /// Waits to be woken, but no longer than `nanoseconds`; for ever when they are `Int64.max`. Does not clear. May
  /// return early, as when a signal comes.
  public func wait(_ nanoseconds: Int64 = .max) {
    _ = wait(nanoseconds, besides: [])
  }

  /// The same, and until something of `others` happens, which is the result.
  public func wait(_ nanoseconds: Int64 = .max, besides others: [pollfd]) -> Bool {
    var all = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)] + others
    poll(&all, nfds_t(all.count), pollTimeout(nanoseconds))
    return all.dropFirst().contains { $0.revents != 0 }
  }
}

/// What `poll` is to be told for a wait of `nanoseconds`, rounded up: waking a moment early would spin until the time
/// has come. `Int64.max` is for ever.
func pollTimeout(_ nanoseconds: Int64) -> Int32 {
  if nanoseconds == .max { return -1 }
  let milliseconds = max(0, nanoseconds) / 1_000_000 + (max(0, nanoseconds) % 1_000_000 > 0 ? 1 : 0)
  return Int32(clamping: milliseconds)
}
