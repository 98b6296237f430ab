import Glibc

/// Runs jobs one after the other on a background thread of ordinary priority, and passes each result to the thread of a
/// loop. The thread exists only while there are jobs. All calls belong to the loop's thread.
public final class Worker {
  private typealias Job = (number: Int, run: @Sendable () -> any Sendable)

  /// The state that both threads share.
  private struct Shared {
    var jobs: [Job] = []
    var isRunning = false
    var results: [(number: Int, value: any Sendable)] = []
  }

  private let shared: Shares
  private let waker: Waker
  // The handler of the result of each unfinished job, by the job's number.
  private var continuations: [Int: (any Sendable) -> Void] = [:]
  private var started = 0

  private final class Shares: Sendable { let state = Mutex(Shared()) }

  /// A worker for a loop.
  public init(_ loop: PollLoop) {
    (shared, waker) = (Shares(), loop.waker)
    loop.afterEachRound { [weak self] now in self?.finish() == true ? now : nil }
  }

  /// The number of jobs whose results have not been passed on.
  public var unfinished: Int { continuations.count }

  /// Runs `job` after the jobs before it, then `then` in a round of the loop. False, with the reason in `errno` and
  /// without calling either, if the system has no thread left.
  @discardableResult
  public func run<Value: Sendable>(
    _ job: @escaping @Sendable () -> Value, then: @escaping (Value) -> Void
  ) -> Bool {
    started += 1
    let (number, shared, waker) = (started, shared, waker)
    let starts = shared.state.withLock { state in
      state.jobs.append((number, job))
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if starts, !startDetachedThread({ Worker.work(shared, waker) }) {
      shared.state.withLock { state in
        state.jobs.removeAll { $0.number == number }
        state.isRunning = false
      }
      return false
    }
    continuations[number] = { value in if let value = value as? Value { then(value) } }
    return true
  }

  /// Runs `job` as `run` does. If the system has no thread left, `then` is called at once with nil.
  public func attempt<Value: Sendable>(
    _ job: @escaping @Sendable () -> Value, then: @escaping (Value?) -> Void
  ) {
    if !run(job, then: { then($0) }) { then(nil) }
  }

  private static func work(_ shared: Shares, _ waker: Waker) {
    while true {
      let job: Job? = shared.state.withLock { state in
        if state.jobs.isEmpty {
          state.isRunning = false
          return nil
        }
        return state.jobs.removeFirst()
      }
      guard let job else { return }
      let value = job.run()
      shared.state.withLock { $0.results.append((job.number, value)) }
      waker.wake()
    }
  }

  /// Passes on the results so far. True if there were any.
  private func finish() -> Bool {
    if continuations.isEmpty { return false }
    let results = shared.state.withLock { state in
      defer { state.results = [] }
      return state.results
    }
    for (number, value) in results { continuations.removeValue(forKey: number)?(value) }
    return !results.isEmpty
  }
}

/// Starts a detached thread of ordinary priority that runs `body`. False, with the reason in `errno`, if the system has
/// no thread left.
public func startDetachedThread(_ body: @escaping @Sendable () -> Void) -> Bool {
  var thread = pthread_t()
  let context = Unmanaged.passRetained(ThreadBody(run: body))
  let code = pthread_create(
    &thread, nil,
    { context in
      guard let context else { return nil }
      Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run()
      return nil
    }, context.toOpaque())
  guard code == 0 else {
    context.release()
    errno = code
    return false
  }
  pthread_detach(thread)
  return true
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void
  init(run: @escaping @Sendable () -> Void) { self.run = run }
}
