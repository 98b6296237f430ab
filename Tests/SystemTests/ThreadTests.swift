import Glibc
import Scratch
import System
import Testing

@Suite("Threads") struct ThreadTests {
  @Test("that are started run beside the one that started them, and share what a mutex guards")
  func detached() throws {
    let pipe = try #require(WakePipe())
    let count = Mutex(0)
    let starter = pthread_self()
    for _ in 0..<8 {
      let isStarted = startDetachedThread {
        let isOther = pthread_equal(pthread_self(), starter) == 0
        for _ in 0..<10_000 where isOther { count.withLock { $0 += 1 } }
        pipe.wake()
      }
      #expect(isStarted)
    }
    while count.withLock({ $0 }) < 80_000 { pipe.wait(60_000_000_000) }
    #expect(count.withLock { $0 } == 80_000)
  }

  @Test("let go of what they were given once they are over")
  func released() throws {
    final class Token: Sendable {}
    let pipe = try #require(WakePipe())
    weak var left: Token?
    do {
      let token = Token()
      left = token
      #expect(startDetachedThread { withExtendedLifetime(token) { pipe.wake() } })
    }
    pipe.wait(60_000_000_000)
    #expect(eventually { left == nil })
  }

  @Test("find what a mutex guards as the one before has left it, wherever they are interrupted")
  func guarded() {
    let count = Mutex(0)
    let threads = (0..<4).map { _ in
      TestThread {
        for _ in 0..<500 {
          count.withLock { number in
            let before = number
            sched_yield()
            number = before + 1
          }
        }
        return 0
      }
    }
    for thread in threads { thread.result() }
    #expect(count.withLock { $0 } == 2_000)
  }
}
