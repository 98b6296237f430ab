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

/// When a block was rendered, and when its frames are played.
public struct BlockTime: Sendable {
  /// The first frame of the block.
  public let frame: Int64
  /// When it was rendered, nanoseconds of CLOCK_MONOTONIC.
  public let nanoseconds: Int64
  /// Frames by which events are played later than they happen.
  public let latency: Int64
  /// Frames a second; 0 before any output has played.
  public let rate: Double
  /// Frames that the card had still to play before `frame`.
  public let buffered: Int64

  /// Tolerance in seconds: more than a message is handed over ahead of its time, and more than a healthy block is
  /// late.
  public static let reach = 0.01

  /// The time of a block.
  public init(frame: Int64, nanoseconds: Int64, latency: Int64, rate: Double, buffered: Int64) {
    (self.frame, self.nanoseconds, self.latency) = (frame, nanoseconds, latency)
    (self.rate, self.buffered) = (rate, buffered)
  }

  /// When a frame leaves the card's buffer, nanoseconds of CLOCK_MONOTONIC. The converter of the card is not counted.
  public func moment(of frame: Int64) -> Int64 {
    nanoseconds + Int64(max(-1e10, min(Double(frame - self.frame + buffered) / rate, 1e10)) * 1e9)
  }

  /// The last frame that leaves the card's buffer within `ahead` nanoseconds after `now`. While the output stands
  /// still, the result is not much later than the frames that are rendered.
  public func frame(heardBy ahead: Int64, after now: Int64) -> Int64 {
    let elapsed = max(-1e10, min(Double(now &- nanoseconds) * 1e-9, Double(latency) / rate + BlockTime.reach))
    return frame - buffered + Int64((elapsed + Double(ahead) * 1e-9) * rate)
  }
}
