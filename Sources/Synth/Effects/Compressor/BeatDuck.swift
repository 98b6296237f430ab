/// The gain reduction that a beat causes in each frame of a tick, as a share of 0…1: 1 when the beat begins, then
/// falling along an S-curve to 0 after a length in beats. A length of more than a beat begins at every multiple of
/// itself.
struct BeatDuck {
  // The position in the length at the tick's first frame, in lengths, and its increment per frame.
  private let begin: Float
  private let step: Float
  // The frame of the tick in which the next beat begins, and lengths from one to the next.
  private let next: Float
  private let period: Float
  // Frames of the tick that are done.
  private let tickOffset: Float

  /// The tick that begins at a frame, `tickOffset` frames after its beginning. The line is that of the frames to come.
  @_noLocks
  init(_ line: BeatLine, tick: Int64, tickOffset: Int, length: Double) {
    let (period, beat) = (max(1, length), line.beat(at: tick))
    let number = beat / period
    var whole = Int64(number)
    if Double(whole) > number { whole &-= 1 }
    // The beat line rounds to whole frames: a frame that it puts just before a beat is the first frame of that beat.
    let next = line.frame(of: Double(whole &+ 1) * period) &- tick
    begin = Float((beat - Double(whole) * period) / length)
    step = Float((line.beat(at: tick &+ 1) - beat) / length)
    self.next = Float(max(0, min(next, Int64(Limits.controlFrames))))
    self.period = Float(period / length)
    self.tickOffset = Float(tickOffset)
  }

  /// The shares of eight frames, 0…1.
  @_noLocks @inline(__always)
  func shares(from first: Int) -> Lanes {
    let frame = Lanes.counting + (tickOffset + Float(first))
    let position = multiplyAdd(frame, Lanes(repeating: step), Lanes(repeating: begin))
    let begun = position - period
    let x = select(begun, position, where: frame .>= Lanes(repeating: next))
    let left = 1 - larger(smaller(x, Lanes(repeating: 1)), Lanes.zero)
    return left * left * (3 - 2 * left)
  }
}
