import CRealtime

/// What is behind the curve of the drive: a high-pass against the steady part that a curve makes, and a low-pass.
struct DriveTone {
  private let rate: Float
  // How much of the difference to its mean the high-pass takes a sample: now, and while that mean may jump.
  private var share: Float
  private let leastShare: Float
  private let mostShare: Float
  private var highPass = StereoHighPass()
  private var band = SIMD2<Float>.zero
  private var low = SIMD2<Float>.zero
  // a1, a2, a3 of the low-pass, and how much of it there is: now, and their steps.
  private var now = SIMD4<Float>.zero
  private var step = SIMD4<Float>.zero
  private var goal = SIMD4<Float>.zero
  // Its frequency.
  private var way = OctaveGlides()

  /// Hertz of the high-pass.
  private static var steady: Float { @_noLocks get { 6 } }
  /// The same while a curve of another steady part comes.
  private static var quick: Float { @_noLocks get { 40 } }
  /// Seconds in which it gets slower again by a factor of e.
  private static var calming: Float { @_noLocks get { 0.03 } }
  /// Octaves below its top in which the low-pass fades in.
  private static var fade: Float { @_noLocks get { 0.4 } }

  init(rate: Double) {
    self.rate = Float(rate)
    leastShare = 6.2831853 * Self.steady / Float(rate)
    mostShare = 6.2831853 * Self.quick / Float(rate)
    share = leastShare
  }

  @_noLocks
  mutating func arrive(_ knobs: UnsafePointer<DriveKnobs>) {
    way.arrive(Lanes(repeating: knobs.pointee.tone))
    goal = coefficients(way.value[0])
    (now, step) = (goal, .zero)
  }

  /// Goes to where the knob is to be, by octaves, over the next `frames`.
  ///
  /// While the steady part of what comes moves, the high-pass is quicker, so that it does not push the sound over its
  /// peaks; afterwards it gets as slow again so gently that what it swings by the sound itself dies away.
  @_noLocks
  mutating func aim(_ chosen: UnsafePointer<DriveKnobs>, steadyMoves: Bool, frames: Int) {
    if steadyMoves {
      share = mostShare
    } else if share > leastShare {
      share = max(leastShare, share * (1 - Float(frames) / (Self.calming * rate)))
    }
    now = goal
    let last = way.value[0]
    way.aim(Lanes(repeating: chosen.pointee.tone), seconds: Float(frames) / rate)
    if way.value[0] == last {
      step = .zero
      return
    }
    goal = coefficients(way.value[0])
    step = (goal - now) * (1 / Float(frames))
  }

  /// Of a state-variable filter (A. Simper, 2013) without a peak.
  @_noLocks
  private func coefficients(_ hertz: Float) -> SIMD4<Float> {
    let off = DriveKnobs.toneOff
    let hertz = max(20, min(hertz, off))
    let share = min(1, rt_log2(off / hertz) / Self.fade)
    let g = Float(rt_tan64(3.14159265358979 * Double(min(hertz, 0.45 * rate) / rate)))
    let a1 = 1 / (1 + g * (g + 1.4142136))
    return SIMD4(a1, g * a1, g * g * a1, share)
  }

  /// Some frames of `x` and `y` to `l` and `r`, 16 at most and never across a tick.
  @_noLocks
  mutating func process(
    _ x: UnsafePointer<Float>, _ y: UnsafePointer<Float>, to l: UnsafeMutablePointer<Float>,
    _ r: UnsafeMutablePointer<Float>, frames: Int
  ) {
    if now.w == 0, goal.w == 0 {
      highPass.process(x, y, to: l, r, share: share, frames: frames)
      (band, low) = (.zero, .zero)
      return
    }
    var (highPass, band, low, c) = (highPass, band, low, now)
    var i = 0
    while i < frames {
      let x = highPass.next(SIMD2(x[i], y[i]), share)
      let v = x - low
      let b = c.x * band + c.y * v
      let y = low + c.y * band + c.z * v
      band = b + b - band
      low = y + y - low
      let z = x + c.w * (y - x)
      (l[i], r[i]) = (z.x, z.y)
      c += step
      i &+= 1
    }
    (self.highPass, self.band, self.low, now) = (highPass, band, low, c)
  }

  @_noLocks
  mutating func forget() { (highPass, band, low) = (StereoHighPass(), .zero, .zero) }
}
