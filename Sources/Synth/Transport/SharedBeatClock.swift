import CRealtime

/// A copy of the beat clock for other threads. The audio thread writes it and never waits for a reader. A handle:
/// copies refer to the same clock.
public struct SharedBeatClock: @unchecked Sendable {
  // Sequence (odd while written), then the bytes of the clock.
  private let cells: UnsafeMutablePointer<UInt64>
  // The writer's copy, whose bytes are published.
  private let copy: UnsafeMutablePointer<BeatClock>
  // The size of a clock is a multiple of 8 bytes, which a test checks.
  static var count: Int { @_noLocks get { MemoryLayout<BeatClock>.size / 8 } }

  /// A clock at beat 0.
  public init() {
    cells = .allocate(capacity: SharedBeatClock.count + 1)
    cells.initialize(repeating: 0, count: SharedBeatClock.count + 1)
    copy = .allocate(capacity: 1)
    copy.initialize(to: BeatClock(rate: 48_000))
    publish(copy.pointee)
  }

  /// Frees the memory; no thread may use it any more.
  public func deallocate() {
    cells.deallocate()
    copy.deallocate()
  }

  /// Publishes the clock. Audio thread.
  @_noLocks
  func publish(_ clock: BeatClock) {
    copy.pointee = clock
    let words = UnsafeRawPointer(copy)
    let sequence = rt_load(cells)
    rt_store(cells, sequence &+ 1)
    rt_fence()
    var word = 0
    while word < SharedBeatClock.count {
      rt_store(cells + (word &+ 1), words.load(fromByteOffset: 8 &* word, as: UInt64.self))
      word &+= 1
    }
    rt_store(cells, sequence &+ 2)
  }

  /// The clock that was published last. Any thread.
  public var now: BeatClock {
    var copy = BeatClock(rate: 48_000)
    while true {
      let sequence = rt_load(cells)
      withUnsafeMutablePointer(to: &copy) {
        let words = UnsafeMutableRawPointer($0)
        for word in 0..<SharedBeatClock.count {
          words.storeBytes(of: rt_load(cells + (word + 1)), toByteOffset: 8 * word, as: UInt64.self)
        }
      }
      rt_fence()
      if sequence & 1 == 0, sequence == rt_load(cells) { return copy }
    }
  }
}
