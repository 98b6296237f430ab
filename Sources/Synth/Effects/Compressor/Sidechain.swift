import Scenes

/// The sidechain input of a compressor.
enum Sidechain {
  /// The sound itself.
  case sound
  /// Another part, with its magnitude.
  case level(Float)
  /// The beat.
  case beat(BeatDuck)
}

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

/// The levels of parts that are sidechains of compressors: the largest magnitude in each control tick, before the
/// strip, so that a muted part ducks others too.
///
/// A tick is read four ticks later: runs end at multiples of four ticks, so the level does not depend on how blocks
/// and events divide the frames. While no compressor has such a sidechain, nothing is measured.
struct SidechainLevels {
  // A row of parts for each of the last ticks.
  private let peaks: UnsafeMutablePointer<Float>
  /// The parts whose level is read in this run, one bit each.
  private(set) var listened: UInt32 = 0
  // The parts that were measured in the last run, and the first frame after it.
  private var measured: UInt32 = 0
  private var end: Int64 = 0

  private static var ticks: Int { @_noLocks get { 16 } }
  private static var delay: Int64 { @_noLocks get { Int64(Limits.runFrames / Limits.controlFrames) } }

  init() {
    peaks = .allocate(capacity: Self.ticks * Limits.parts)
    peaks.initialize(repeating: 0, count: Self.ticks * Limits.parts)
  }

  func deallocate() { peaks.deallocate() }

  @_noLocks @inline(__always)
  private func row(_ tick: Int64) -> UnsafeMutablePointer<Float> {
    peaks + Int(truncatingIfNeeded: tick & Int64(Self.ticks &- 1)) &* Limits.parts
  }

  /// The level of a part four ticks before the tick that begins at a frame, in a run whose first frame is `first`. The part
  /// is measured in this run.
  @_noLocks
  mutating func level(_ part: Int, at frame: Int64, first: Int64) -> Float {
    listened |= 1 &<< UInt32(part)
    if first != end || measured &>> UInt32(part) & 1 == 0 { return 0 }
    return row((frame &>> Int64(Limits.controlShift)) &- Self.delay)[part]
  }

  /// Begins the measurement of a run; clears old levels of parts that were not measured in the last run.
  @_noLocks
  mutating func begin(at frame: Int64) {
    let known = frame == end ? measured : 0
    let new = listened & ~known
    for tick in 0..<Self.ticks {
      for part in 0..<Limits.parts {
        if new &>> UInt32(part) & 1 != 0 { peaks[tick &* Limits.parts &+ part] = 0 }
      }
    }
  }

  /// Records the magnitude of some frames of a part within the tick of a frame; those before have been recorded.
  @_noLocks
  func note(_ part: Int, at frame: Int64, _ peak: Float) {
    let tick = frame &>> Int64(Limits.controlShift)
    let cell = row(tick) + part
    cell.pointee = frame & Int64(Limits.controlFrames &- 1) == 0 ? peak : max(cell.pointee, peak)
  }

  /// Ends the measurement of a run.
  @_noLocks
  mutating func finish(at frame: Int64) {
    (measured, listened, end) = (listened, 0, frame)
  }
}
