import Glibc
import Scratch
import System
import Testing

/// Both ends of a pipe, or of a pair of sockets.
private final class Ends {
  let near: Int32
  let far: Int32

  init?(sockets: Bool = false) {
    var ends: [Int32] = [-1, -1]
    let made =
      sockets ? socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 : pipe(&ends) == 0
    if !made { return nil }
    (near, far) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
  }

  deinit {
    close(near)
    close(far)
  }

  /// Writes until there is no room; how many bytes that took.
  func fill() -> Int {
    let piece = [UInt8](repeating: 0, count: 4096)
    var sum = 0
    while true {
      let count = write(far, piece, piece.count)
      if count <= 0 { return sum }
      sum += count
    }
  }

  /// Reads all that is there.
  func drain() {
    var piece = [UInt8](repeating: 0, count: 4096)
    while read(near, &piece, piece.count) > 0 {}
  }
}

@Suite("The poll loop") struct PollLoopTests {
  private let loop: PollLoop

  init() throws { loop = try #require(PollLoop()) }

  @Test("calls the handler of a descriptor that can be read, and of no other")
  func reading() throws {
    let (one, other) = (try #require(Ends()), try #require(Ends()))
    var calls: [Int] = []
    loop.watch(one.near) {
      calls.append(1)
      one.drain()
    }
    loop.watch(other.near) { calls.append(2) }
    loop.round(limit: 0)
    #expect(calls.isEmpty)
    _ = write(one.far, "x", 1)
    loop.round()
    loop.round(limit: 0)
    #expect(calls == [1])
  }

  @Test("calls whoever waits to write once there is room, and once only")
  func writing() throws {
    let ends = try #require(Ends(sockets: true))
    var calls: [String] = []
    loop.watch(ends.far) { calls.append("read") }
    #expect(ends.fill() > 0)
    loop.whenWritable(ends.far) { calls.append("old") }
    loop.whenWritable(ends.far) { calls.append("write") }
    loop.round(limit: 0)
    #expect(calls.isEmpty)
    ends.drain()
    loop.round()
    loop.round(limit: 0)
    #expect(calls == ["write"])
    // It may ask again from within, and is not called in the same round.
    loop.whenWritable(ends.far) {
      calls.append("first")
      loop.whenWritable(ends.far) { calls.append("second") }
    }
    loop.round()
    #expect(calls == ["write", "first"])
    loop.round()
    loop.round(limit: 0)
    #expect(calls == ["write", "first", "second"])
    // Waiting to write does not keep it from reading.
    #expect(ends.fill() > 0)
    loop.whenWritable(ends.far) { calls.append("never") }
    _ = write(ends.near, "x", 1)
    loop.round()
    #expect(calls == ["write", "first", "second", "read"])
    loop.forget(ends.far)
    ends.drain()
    loop.round(limit: 0)
    #expect(calls == ["write", "first", "second", "read"])
  }

  @Test("tells whoever waits to write when the other end has gone")
  func gone() throws {
    let ends = try #require(Ends())
    #expect(ends.fill() > 0)
    var isCalled = false
    loop.whenWritable(ends.far) { isCalled = true }
    let copy = dup(ends.far)
    defer { close(copy) }
    loop.round(limit: 0)
    #expect(!isCalled)
    // The reading end goes with what is put in its place.
    let null = open("/dev/null", O_RDONLY)
    dup2(null, ends.near)
    close(null)
    loop.round(limit: 1_000_000_000)
    #expect(isCalled)
  }

  @Test("lets a handler forget any descriptor, its own and those whose turn is still to come")
  func forgetting() throws {
    let (one, other) = (try #require(Ends()), try #require(Ends()))
    var calls = 0
    for ends in [one, other] {
      loop.watch(ends.near) {
        calls += 1
        loop.forget(one.near)
        loop.forget(other.near)
      }
      _ = write(ends.far, "x", 1)
    }
    loop.round()
    loop.round(limit: 0)
    #expect(calls == 1)
  }

  @Test("wakes for the turn that wants it first, and never early")
  func turns() {
    let start = monotonic()
    let due = start + 3_500_000
    var moments: [Int64] = []
    loop.afterEachRound { now in
      moments.append(now)
      return due
    }
    loop.afterEachRound { _ in due + 60_000_000_000 }
    loop.afterEachRound { _ in nil }
    loop.round()
    #expect(moments.count == 1 && monotonic() >= due)
    loop.round()
    #expect(moments.count == 2 && moments[1] >= due)
    // Both rounds are over long before the second turn's time.
    #expect(monotonic() < start + 30_000_000_000)
  }

  @Test("can be woken and stopped from another thread, as often as that may be, before it runs too")
  func waking() throws {
    let waker = loop.waker
    // More than a pipe holds.
    for _ in 0..<200_000 { waker.wake() }
    var rounds = 0
    loop.afterEachRound { _ in
      rounds += 1
      return nil
    }
    loop.round()
    loop.round(limit: 0)
    #expect(rounds == 2)
    waker.stop()
    loop.run()
    #expect(rounds == 3)
    TestThread {
      for _ in 0..<1000 { waker.wake() }
      return 0
    }.result()
    let stopper = TestThread {
      waker.stop()
      return 0
    }
    loop.run()
    stopper.result()
    // A stop is heard once: the next run goes on until it is stopped itself.
    var more = 3
    loop.afterEachRound { [loop] now in
      more -= 1
      if more == 0 { loop.stop() }
      return now
    }
    loop.run()
    #expect(more == 0)
  }

  @Test("ends without waiting when a turn stops it")
  func stopping() {
    let start = monotonic()
    loop.afterEachRound { [loop] _ in
      loop.stop()
      return start + 20_000_000_000
    }
    loop.run()
    #expect(monotonic() < start + 15_000_000_000)
  }
}
