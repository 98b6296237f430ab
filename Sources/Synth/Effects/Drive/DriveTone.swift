import CRealtime
import Scenes

/// The filters after the curve of the drive: a high-pass against the DC that a curve makes, and a low-pass.
struct DriveTone {
  private let rate: Float
  // Coefficient of the high-pass per sample: the current one, the usual one, and the one while the DC of the input may
  // jump.
  private var share: Float
  private let leastShare: Float
  private let mostShare: Float
  private var highPass = StereoHighPass()
  private var band = SIMD2<Float>.zero
  private var low = SIMD2<Float>.zero
  // a1, a2, a3 of the low-pass and its wet gain: current values, increments and targets.
  private var now = SIMD4<Float>.zero
  private var step = SIMD4<Float>.zero
  private var goal = SIMD4<Float>.zero
  // Frequency of the low-pass.
  private var glide = OctaveGlides()

  /// Frequency of the high-pass in hertz.
  private static var steady: Float { @_noLocks get { 6 } }
  /// Frequency of the high-pass in hertz while the DC of the input changes.
  private static var quick: Float { @_noLocks get { 40 } }
  /// Time constant in seconds of the return to the usual frequency.
  private static var calming: Float { @_noLocks get { 0.03 } }
  /// Octaves below its highest frequency over which the low-pass fades in.
  private static var fade: Float { @_noLocks get { 0.4 } }

  init(rate: Double) {
    self.rate = Float(rate)
    leastShare = 6.2831853 * Self.steady / Float(rate)
    mostShare = 6.2831853 * Self.quick / Float(rate)
    share = leastShare
  }

  @_noLocks
  mutating func snap(_ knobs: UnsafePointer<DriveKnobs>) {
    glide.snap(Lanes(repeating: knobs.pointee.tone))
    goal = coefficients(glide.value[0])
    (now, step) = (goal, .zero)
  }

  /// Moves the low-pass towards the knob's target over the next `frames`, in octaves.
  ///
  /// While the DC of the input moves, the high-pass is faster, so that the offset does not raise the peaks of the
  /// sound. Afterwards it slows down gradually, so that the ripple which the sound itself causes in the mean decays.
  @_noLocks
  mutating func aim(_ chosen: UnsafePointer<DriveKnobs>, steadyMoves: Bool, frames: Int) {
    if steadyMoves {
      share = mostShare
    } else if share > leastShare {
      share = max(leastShare, share * (1 - Float(frames) / (Self.calming * rate)))
    }
    now = goal
    let last = glide.value[0]
    glide.aim(Lanes(repeating: chosen.pointee.tone), seconds: Float(frames) / rate)
    if glide.value[0] == last {
      step = .zero
      return
    }
    goal = coefficients(glide.value[0])
    step = (goal - now) * (1 / Float(frames))
  }

  /// Coefficients of a state-variable filter (A. Simper, 2013) without resonance.
  @_noLocks
  private func coefficients(_ hertz: Float) -> SIMD4<Float> {
    let off = DriveKnobs.toneOff
    let hertz = max(20, min(hertz, off))
    let share = min(1, rt_log2(off / hertz) / Self.fade)
    let g = Float(rt_tan64(3.14159265358979 * Double(min(hertz, 0.45 * rate) / rate)))
    let a1 = 1 / (1 + g * (g + 1.4142136))
    return SIMD4(a1, g * a1, g * g * a1, share)
  }

  /// Filters some frames of `x` and `y` into `l` and `r`, at most 16 and never across a tick.
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
  mutating func reset() { (highPass, band, low) = (StereoHighPass(), .zero, .zero) }
}
