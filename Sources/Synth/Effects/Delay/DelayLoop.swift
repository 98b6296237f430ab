import CRealtime

/// The filters in the loop of a delay, high-pass and low-pass of one pole each, for both sides.
///
/// High-pass and low-pass of both sides are one vector. The low-pass takes what the high-pass made a sample before, so that
/// they need not wait for each other: what comes out is one frame late.
struct DelayLoop {
  // Left and right of the high-pass, left and right of the low-pass.
  private var state = SIMD4<Float>.zero
  private var passed = SIMD4<Float>.zero
  // How much of the way to the input their memory goes at a sample.
  private var share = SIMD4<Float>(0, 0, 1, 1)
  private var step = SIMD4<Float>.zero
  private var goal = SIMD4<Float>(0, 0, 1, 1)
  // In hertz. The low-pass moves by octaves; the high-pass does not: it would hold more of the sound while it opens.
  private var highpass: Float = 0
  private var lowpass = OctaveGlides()

  @_noLocks init() {}

  /// Hertz of the high-pass when it is off: then it keeps nothing but what stands still from going round for ever.
  private static var blocking: Float { @_noLocks get { 4 } }

  /// Is where the knobs are.
  @_noLocks
  mutating func arrive(_ knobs: UnsafePointer<DelayKnobs>, rate: Float) {
    highpass = knobs.pointee.highpass
    lowpass.arrive(Lanes(repeating: knobs.pointee.lowpass))
    find(rate: rate)
    (share, step) = (goal, .zero)
  }

  /// Goes to the knobs over the next `frames`; `chosen` has them where they go.
  @_noLocks
  mutating func aim(
    _ knobs: UnsafePointer<DelayKnobs>, _ chosen: UnsafePointer<DelayKnobs>, rate: Float, frames: Int
  ) {
    share = goal
    let moved = lowpass.moves
    lowpass.aim(Lanes(repeating: chosen.pointee.lowpass), seconds: Float(frames) / rate)
    if !moved, !lowpass.moves, knobs.pointee.highpass == highpass {
      step = .zero
      return
    }
    highpass = knobs.pointee.highpass
    find(rate: rate)
    step = (goal - share) * (1 / Float(frames))
  }

  @_noLocks @inline(never)
  private mutating func find(rate: Float) {
    let lowpass = lowpass.value[0]
    let high = highpass < DelayKnobs.highpassOff * 1.001 ? Self.blocking : highpass
    let low = lowpass > DelayKnobs.lowpassOff * 0.999 ? 1 : share(low: lowpass, rate: rate)
    goal = SIMD4(lowHalf: SIMD2(repeating: share(low: high, rate: rate)), highHalf: SIMD2(repeating: low))
  }

  /// What a pole at some hertz goes of its way at a sample: 1 - exp(-2 pi hertz / rate).
  @_noLocks
  private func share(low hertz: Float, rate: Float) -> Float {
    1 - rt_exp2(-9.0647203 * hertz / rate)
  }

  /// Whether it is where it was aimed at.
  var isStill: Bool { @_noLocks get { !lowpass.moves && all(step .== SIMD4<Float>.zero) } }

  /// Filters some frames into pairs of left and right.
  @_noLocks @inline(__always)
  mutating func process(
    _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, frames: Int,
    _ pairs: UnsafeMutablePointer<Float>
  ) {
    var (s, y, share) = (state, passed, share)
    let step = step
    var i = 0
    while i < frames {
      // Opaque, or the compilers go on with both halves one by one.
      let x = rt_opaque(SIMD4<Float>(lowHalf: SIMD2(left[i], right[i]), highHalf: y.lowHalf))
      let way = x - s
      let part = way * share
      s += part
      // By half of the step both ends of the band are where they belong: nothing stands still, the highest passes whole.
      y = way - 0.5 * part
      UnsafeMutableRawPointer(pairs + 2 &* i).storeBytes(of: s.highHalf, as: SIMD2<Float>.self)
      share += step
      i &+= 1
    }
    (state, passed, self.share) = (s, y, share)
  }

  /// Empties its memory of sound.
  @_noLocks
  mutating func reset() { (state, passed) = (.zero, .zero) }
}

extension DelayKnobs {
  /// The high-pass is off here and below, in hertz.
  static var highpassOff: Float { @_noLocks get { 20 } }
  /// The low-pass is off here and above, in hertz.
  static var lowpassOff: Float { @_noLocks get { 20_000 } }
}
