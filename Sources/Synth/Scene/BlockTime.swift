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
  static let reach = 0.01

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
