import Scenes

/// A saw in eight voices that is so low that most of its samples lie on a straight line. The correction that smooths
/// its jumps is computed only near them, for eight samples of one voice at a time, and is added to the samples.
/// Elsewhere the correction is 0, so that the result has the same bits as with a correction at every sample.
///
/// Up to 1/32 of the sample rate (1.5 kHz at 48 kHz) this takes less than half of the time.
struct SparseSaw {
  /// Phase increment per sample.
  private let advance: Phases
  /// Reach of a smoothed jump, as a phase.
  private let reach: Phases
  /// See `OscillatorLanes.steepness`.
  private let steepness: Lanes

  // The largest phase increment for which this is cheaper.
  private static var fastest: Int32 { @_noLocks get { 1 << 27 } }

  /// True when all voices are low enough for this to be cheaper.
  @_noLocks @inline(__always)
  static func pays(_ advance: Phases) -> Bool {
    !isAny(advance .> Phases(repeating: fastest))
  }

  /// - Parameter reach: the phase of four samples, the reach that belongs to `steepness`.
  @_noLocks @inline(__always)
  init(advance: Phases, reach: Phases, steepness: Lanes) {
    (self.advance, self.reach, self.steepness) = (advance, reach, steepness)
  }

  /// Adds the correction of `frames` samples, times `level`, to `x`, for a saw that begins at `phase`. Up to seven
  /// vectors after the frames are read and written back unchanged.
  @_noLocks
  func smooth(_ x: UnsafeMutablePointer<Lanes>, from phase: Phases, _ level: Lanes, frames: Int) {
    // Phase since the beginning of a smoothed jump, which is `reach` ahead of the jump itself.
    let position = words(phase) &+ 0x8000_0000 &+ words(reach)
    let distance = words(advance) &* LaneWords(repeating: UInt32(truncatingIfNeeded: frames &- 1))
    let left = lanes(where: (position &+ distance) .< (words(reach) &<< 1 &+ distance))
    if left == 0 { return }
    // Kept in memory, where a lane is addressed by its number.
    var own = (phase: words(phase), advance: words(advance), reach: words(reach), steepness, level)
    smooth(x, voices: &own, left, frames)
  }

  /// Smooths the voices of some lanes, a bit each; `voices` is the address of their values, which are vectors of lanes.
  @_noLocks @inline(__always)
  private func smooth(
    _ x: UnsafeMutablePointer<Lanes>, voices: UnsafeRawPointer, _ lanes: UInt8, _ frames: Int
  ) {
    var left = lanes
    while left != 0 {
      let lane = left.trailingZeroBitCount
      let voice = voices + lane &* MemoryLayout<Float>.stride
      smooth(UnsafeMutableRawPointer(x).assumingMemoryBound(to: Float.self) + lane, voice, frames)
      left &= left &- 1
    }
  }

  @_noLocks @inline(__always)
  private func words(_ x: Phases) -> LaneWords { unsafeBitCast(x, to: LaneWords.self) }

  /// Smooths one voice. `x` is its lane in the first vector. `voice` is the address of its phase, advance, reach,
  /// steepness and level, each of which is in a separate vector.
  @_noLocks @inline(__always)
  private func smooth(_ x: UnsafeMutablePointer<Float>, _ voice: UnsafeRawPointer, _ frames: Int) {
    let size = MemoryLayout<Lanes>.stride
    var s = voice.load(as: UInt32.self)
    let advance = voice.load(fromByteOffset: size, as: UInt32.self)
    let reach = voice.load(fromByteOffset: 2 &* size, as: UInt32.self)
    let steepness = voice.load(fromByteOffset: 3 &* size, as: Float.self)
    let level = voice.load(fromByteOffset: 4 &* size, as: Float.self)
    let numbers = Phases(0, 1, 2, 3, 4, 5, 6, 7)
    let multiples = Self.multiples(advance)
    var i = 0
    while true {
      let position = s &+ 0x8000_0000 &+ reach
      if position >= reach &<< 1 {
        let samples = (0 &- position &- 1) / max(advance, 1) &+ 1
        i &+= Int(samples)
        s &+= samples &* advance
      }
      if i >= frames { return }
      let isAsked = numbers .< Phases(repeating: Int32(truncatingIfNeeded: frames &- i))
      let out = x + i &* Limits.lanesPerGroup
      let before = Lanes(out[0], out[8], out[16], out[24], out[32], out[40], out[48], out[56])
      let y = Self.smoothed(
        before, Phases(repeating: Int32(bitPattern: s)) &+ multiples, isAsked, steepness: steepness, level)
      (out[0], out[8], out[16], out[24]) = (y[0], y[1], y[2], y[3])
      (out[32], out[40], out[48], out[56]) = (y[4], y[5], y[6], y[7])
      i &+= Limits.lanesPerGroup
      s &+= advance &<< 3
    }
  }

  /// 0 to 7 phase increments. Added up, because SSE2 cannot multiply such words.
  @_noLocks @inline(__always)
  static func multiples(_ advance: UInt32) -> Phases {
    let one = Phases(repeating: Int32(bitPattern: advance))
    let odd = one & Phases(0, -1, 0, -1, 0, -1, 0, -1)
    let pairs = (one &+ one) & Phases(0, 0, -1, -1, 0, 0, -1, -1)
    return odd &+ pairs &+ ((one &<< 2) & Phases(0, 0, 0, 0, -1, -1, -1, -1))
  }

  /// Adds the correction to eight samples. Not inlined: the compiler would split the computation together with the code
  /// that extracts the samples.
  @_noLocks @inline(never)
  private static func smoothed(
    _ x: Lanes, _ s: Phases, _ isAsked: SIMDMask<SIMD8<Int32>>, steepness: Float, _ level: Float
  ) -> Lanes {
    let (s, steepness) = (numbers(s), Lanes(repeating: steepness))
    let r = BandLimitedStep.correction(
      s, BandLimitedStep.slope(steepness), BandLimitedStep.offset(steepness), hiddenZero(s))
    return select(multiplyAdd(Lanes(repeating: level), r, x), x, where: isAsked)
  }
}
