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
  public func wake() { send(Waker.round) }

  /// Makes the loop end after a round. Any thread, signal handlers too.
  public func stop() { send(Waker.end) }

  /// Takes the wakes that have come in; true when one of them was a stop.
  func clear() -> Bool {
    var byte: UInt8 = 0
    var isEnd = false
    while read(reading, &byte, 1) == 1 { isEnd = isEnd || byte == Waker.end }
    return isEnd
  }

  private static let round: UInt8 = 0
  private static let end: UInt8 = 1

  private func send(_ byte: UInt8) {
    var byte = byte
    // A pipe that is full of wakes is being emptied: a stop waits for its place, a wake need not.
    while write(writing, &byte, 1) < 0, errno == EAGAIN, byte == Waker.end { usleep(1000) }
  }

  func close() {
    _ = Glibc.close(reading)
    _ = Glibc.close(writing)
  }
}
