import Glibc

/// Wakes a loop from another thread. Copies wake the same loop, which must outlive them.
public struct Waker: Sendable {
  // A pipe, both ends without waiting.
  let reading: Int32
  private let writing: Int32

  init?() {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    (reading, writing) = (ends[0], ends[1])
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
  }

  /// Makes the loop go round once more, as soon as it can. Any thread, signal handlers too; never waits: when
  /// the pipe is full, the loop is awake already.
  public func wake() {
    var one: UInt8 = 1
    _ = write(writing, &one, 1)
  }

  /// Takes the wakes that have come in.
  func clear() {
    var bytes: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    while read(reading, &bytes, 32) == 32 {}
  }

  func close() {
    _ = Glibc.close(reading)
    _ = Glibc.close(writing)
  }
}
