import Glibc

/// Wakes a thread that sleeps in `poll`. A value of descriptors: copies are the same bell.
struct Wake: Sendable {
  /// What to poll for input.
  let descriptor: Int32
  private let far: Int32

  init() throws(ALSAError) {
    var ends: [Int32] = [-1, -1]
    if pipe(&ends) != 0 { throw ALSAError("Making a pipe", code: errno) }
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    descriptor = ends[0]
    far = ends[1]
  }

  /// Wakes. Any thread; one system call, and none that waits.
  func ring() { Self.ring(far) }

  /// Writes what either a pipe or an eventfd takes.
  static func ring(_ descriptor: Int32) {
    var one: UInt64 = 1
    _ = write(descriptor, &one, 8)
  }

  /// Forgets the rings so far.
  func clear() {
    var word: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    while read(descriptor, &word, 32) > 0 {}
  }

  func close() {
    _ = Glibc.close(descriptor)
    _ = Glibc.close(far)
  }
}
