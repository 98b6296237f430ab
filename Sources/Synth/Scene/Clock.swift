import CRealtime

/// Maps time to the engine's frames. The audio loop writes it; threads that stamp events read it.
///
/// A sequence lock: the writer never waits, and a reader tries again if a write interfered. A handle: copies refer to
/// the same clock.
public struct Clock: @unchecked Sendable {
  // Sequence (odd while written), frame, nanoseconds, frames of latency, rate in millihertz, frames in the card.
  private let cells: UnsafeMutablePointer<UInt64>

  /// A clock at frame 0.
  public init() {
    cells = .allocate(capacity: 8)
    cells.initialize(repeating: 0, count: 8)
  }

  /// Frees the memory; no thread may use the clock any more.
  public func deallocate() { cells.deallocate() }

  /// States that `frame` is rendered at `nanoseconds` (of CLOCK_MONOTONIC), `latency` frames ahead of the frame that is
  /// played at that moment. The card still plays `buffered` frames before it. Called by the audio loop once a block.
  @_noLocks
  public func publish(
    frame: Int64, nanoseconds: Int64, latency: Int, rate: Double, buffered: Int = 0
  ) {
    let sequence = rt_load(cells)
    rt_store(cells, sequence &+ 1)
    rt_fence()
    rt_store(cells + 1, UInt64(bitPattern: frame))
    rt_store(cells + 2, UInt64(bitPattern: nanoseconds))
    rt_store(cells + 3, UInt64(latency))
    rt_store(cells + 4, UInt64(rate * 1000))
    rt_store(cells + 5, UInt64(buffered))
    rt_store(cells, sequence &+ 2)
  }

  /// Sample rate of the current output in Hz, 0 before any output has played. Any thread.
  public var rate: Int { Int(rt_load(cells + 4) / 1000) }

  /// The frame at which an event that happened at `nanoseconds` (of CLOCK_MONOTONIC) sounds: its time plus one constant
  /// latency, so that block boundaries cause no jitter. Any thread.
  ///
  /// While the output stands still, for example because a card hangs, frames do not advance with time. No frame is then
  /// more than a block and `BlockTime.reach` ahead, or events of that time would delay those that come after it.
  public func frame(at nanoseconds: Int64) -> Int64 {
    let now = now
    // Bounded below too, so that a nonsensical time cannot overflow.
    let elapsed = max(-1e10, Double(nanoseconds &- now.nanoseconds)) * 1e-9
    return now.frame + now.latency
      + Int64(min(elapsed * now.rate, Double(now.latency) + BlockTime.reach * now.rate))
  }

  /// The time that was published last. Any thread.
  public var now: BlockTime {
    while true {
      let sequence = rt_load(cells)
      let time = BlockTime(
        frame: Int64(bitPattern: rt_load(cells + 1)), nanoseconds: Int64(bitPattern: rt_load(cells + 2)),
        latency: Int64(rt_load(cells + 3)), rate: Double(rt_load(cells + 4)) / 1000,
        buffered: Int64(rt_load(cells + 5)))
      rt_fence()
      if sequence & 1 == 0, sequence == rt_load(cells) { return time }
    }
  }
}
