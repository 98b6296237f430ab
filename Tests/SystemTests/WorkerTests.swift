import Glibc
import System
import Testing

@Suite("A worker") struct WorkerTests {
  private func run(_ loop: PollLoop, until isSo: () -> Bool) {
    let end = monotonic() + 60_000_000_000
    while !isSo() && monotonic() < end { loop.round(limit: 1_000_000_000) }
  }

  @Test("runs jobs in their order on another thread, and passes the results to the loop's thread")
  func order() throws {
    let loop = try #require(PollLoop())
    let worker = Worker(loop)
    let (own, here) = (pthread_self(), Mutex<[pthread_t]>([]))
    var results: [Int] = []
    for number in 0..<100 {
      let isStarted = worker.run {
        here.withLock { $0.append(pthread_self()) }
        return number
      } then: {
        #expect(pthread_equal(pthread_self(), own) != 0)
        results.append($0)
      }
      #expect(isStarted)
    }
    #expect(results.isEmpty)
    run(loop) { results.count == 100 }
    #expect(results == Array(0..<100) && worker.unfinished == 0)
    #expect(here.withLock { $0.allSatisfy { pthread_equal($0, own) == 0 } })
  }

  @Test("lets the loop go on meanwhile, takes jobs from a result, and works again after a rest")
  func meanwhile() throws {
    let loop = try #require(PollLoop())
    let worker = Worker(loop)
    let gate = Mutex(false)
    var results: [String] = []
    worker.run { () -> String in
      while !gate.withLock({ $0 }) { sleep(until: monotonic() + 1_000_000) }
      return "first"
    } then: {
      results.append($0)
      worker.run {
        "second"
      } then: {
        results.append($0)
      }
    }
    for _ in 0..<20 { loop.round(limit: 1_000_000) }
    #expect(results.isEmpty && worker.unfinished == 1)
    gate.withLock { $0 = true }
    run(loop) { results.count == 2 }
    for number in 0..<50 {
      // The thread has ended by now, or is just ending.
      if number % 2 == 0 { sleep(until: monotonic() + 2_000_000) }
      worker.run {
        "\(number)"
      } then: {
        results.append($0)
      }
      run(loop) { results.count == 3 + number }
    }
    #expect(results == ["first", "second"] + (0..<50).map { "\($0)" })
  }
}
