import CRealtime

/// Where the engine's frames lie in time: written by the audio loop, read by whoever stamps events.
///
/// A sequence lock: the writer never waits, a reader tries again when it was overtaken.
/// A value of pointers: copies are the same clock.
public struct Clock: @unchecked Sendable {
  // Sequence (odd while written), frame, nanoseconds, frames of latency, rate in millihertz.
  private let cells: UnsafeMutablePointer<UInt64>

  /// Seconds: more than a message is handed over ahead of its moment, and than a healthy block is late.
  private static let reach = 0.01

  /// A clock that stands at frame 0.
  public init() {
    cells = .allocate(capacity: 8)
    cells.initialize(repeating: 0, count: 8)
  }

  /// Frees the memory; nobody may use the clock any more.
  public func deallocate() { cells.deallocate() }

  /// Says that `frame` is rendered at `nanoseconds` (of CLOCK_MONOTONIC), `latency` frames ahead of what
  /// is played now. The audio loop, once a block.
  @_noLocks
  public func publish(frame: Int64, nanoseconds: Int64, latency: Int, rate: Double) {
    let sequence = rt_load(cells)
    rt_store(cells, sequence &+ 1)
    rt_fence()
    rt_store(cells + 1, UInt64(bitPattern: frame))
    rt_store(cells + 2, UInt64(bitPattern: nanoseconds))
    rt_store(cells + 3, UInt64(latency))
    rt_store(cells + 4, UInt64(rate * 1000))
    rt_store(cells, sequence &+ 2)
  }

  /// Frames a second of what plays now, 0 before anything has. Any thread.
  public var rate: Int { Int(rt_load(cells + 4) / 1000) }

  /// The frame at which something that happened at `nanoseconds` (of CLOCK_MONOTONIC) is to be heard: its
  /// place in time and one constant latency, so that block boundaries leave no jitter. Any thread.
  ///
  /// While the sound stands still, as when a card hangs, frames do not go on with time: no frame is more than a
  /// block and `reach` ahead, or what is played meanwhile would hold up what is played afterwards.
  public func frame(at nanoseconds: Int64) -> Int64 {
    while true {
      let sequence = rt_load(cells)
      let frame = Int64(bitPattern: rt_load(cells + 1))
      let then = Int64(bitPattern: rt_load(cells + 2))
      let latency = Int64(rt_load(cells + 3))
      let rate = Double(rt_load(cells + 4)) / 1000
      rt_fence()
      if sequence & 1 == 0, sequence == rt_load(cells) {
        // Bounded below too, so that a senseless time cannot overflow.
        let elapsed = max(-1e10, Double(nanoseconds &- then)) * 1e-9
        return frame + latency + Int64(min(elapsed * rate, Double(latency) + Clock.reach * rate))
      }
    }
  }
}
