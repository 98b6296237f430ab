import Glibc

/// Wakes a thread that waits in `poll`. Any thread may ring; however often, it is one ring until it is silenced.
final class Bell: Sendable {
  /// Readable after a ring.
  let descriptor: Int32
  private let button: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    for end in ends where end >= 0 {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    (descriptor, button) = (ends[0], ends[1])
  }

  deinit {
    close(descriptor)
    close(button)
  }

  func ring() {
    var byte: UInt8 = 1
    // A full pipe has rung already.
    write(button, &byte, 1)
  }

  func silence() {
    var bytes: (UInt64, UInt64) = (0, 0)
    while read(descriptor, &bytes, 16) == 16 {}
  }

  /// Waits for a ring, for ever when `seconds` is infinite.
  func wait(seconds: Double) {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let milliseconds = seconds.isFinite ? Int32(max(0, min(seconds * 1000, 1e6)).rounded(.up)) : -1
    poll(&entry, 1, milliseconds)
  }
}
