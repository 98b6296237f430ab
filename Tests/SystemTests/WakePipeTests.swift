import Glibc
import System
import Testing

@Suite("A wake pipe") struct WakePipeTests {
  private let pipe: WakePipe

  init() throws { pipe = try #require(WakePipe()) }

  private var isReadable: Bool {
    var entry = pollfd(fd: pipe.descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) > 0
  }

  @Test("is readable after a wake until it is cleared, however often it was woken")
  func wake() {
    #expect(!isReadable)
    for _ in 0..<100_000 { pipe.wake() }
    #expect(isReadable)
    pipe.wait()
    #expect(isReadable)
    pipe.clear()
    #expect(!isReadable)
    pipe.clear()
    pipe.wake()
    #expect(isReadable)
  }

  @Test("waits no longer than it is asked to, and not less either")
  func wait() {
    let start = monotonic()
    pipe.wait(0)
    pipe.wait(-5)
    pipe.wait(2_500_000)
    let took = monotonic() - start
    // A busy machine comes back late, but no machine by seconds.
    #expect(took >= 2_500_000 && took < 10_000_000_000)
  }

  @Test("gives its descriptors back, and they are not inherited")
  func closing() throws {
    #expect(fcntl(pipe.descriptor, F_GETFD) & FD_CLOEXEC != 0)
    var status = stat()
    do {
      let other = try #require(WakePipe())
      #expect(fcntl(other.descriptor, F_GETFL) & O_NONBLOCK != 0)
      fstat(other.descriptor, &status)
      #expect(ends(of: status.st_ino) == 2)
    }
    #expect(ends(of: status.st_ino) == 0)
  }

  /// How many descriptors of this process are an end of a pipe.
  private func ends(of inode: ino_t) -> Int {
    (fileNames(in: "/proc/self/fd") ?? []).filter { name in
      var status = stat()
      return fstat(Int32(name) ?? -1, &status) == 0 && status.st_ino == inode
    }.count
  }
}

@Suite("Clocks") struct TimeTests {
  @Test("go on, and a sleep never ends early")
  func monotonicTime() {
    let start = monotonic()
    sleep(until: start + 2_000_000)
    #expect(monotonic() >= start + 2_000_000)
    sleep(until: start)
    #expect(monotonic() >= start)
  }

  @Test("of a thread stands still while it sleeps")
  func thread() {
    let (before, start) = (threadTime(), monotonic())
    sleep(until: start + 20_000_000)
    #expect(threadTime() - before < 20_000_000)
    while threadTime() == before {}
    #expect(threadTime() > before)
  }

  @Test("of the day is the system's, in seconds")
  func wall() {
    let before = Int64(time(nil))
    let now = wallTime()
    // time() is up to a tick behind.
    #expect(now >= before && now <= Int64(time(nil)) + 1)
  }
}
