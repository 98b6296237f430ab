import CRealtime
import Scenes

/// The peaking equalizer of the master: the bell of the Audio EQ Cookbook (Bristow-Johnson), which users of a biquad
/// with frequency, Q and gain expect, built as a state-variable filter so that it can be swept.
///
/// Its response equals that of the biquad b0 = 1 + a·A, a0 = 1 + a/A and so on, up to rounding; the state survives any
/// jump of the coefficients. In double precision, with both channels in one vector.
struct Equalizer {
  private var first = SIMD2<Double>.zero
  private var second = SIMD2<Double>.zero
  // The smoothed knobs: log2 hertz, log2 Q, decibels, wet gain 0…1.
  private var now = SIMD4<Double>(10, 0, 0, 0)
  // False until the first `aim`; and true while the equalizer is bypassed and faded out.
  private var hasBegun = false
  private var isOut = true
  // Current coefficients and their increments: a1, a2, a3, mix of the band-pass.
  private var c = SIMD4<Double>.zero
  private var step = SIMD4<Double>.zero
  private let rate: Double

  init(rate: Double) { self.rate = rate }

  /// Aims at the knobs over the next `frames`, once every control tick.
  @_noLocks
  mutating func aim(_ knobs: EqualizerKnobs, frames: Int) {
    if knobs.bypass >= 0.5, now.w == 0, c.w.magnitude < 1e-9 {
      (c.w, step, isOut, hasBegun) = (0, .zero, true, true)
      return
    }
    let hertz = max(20, min(Double(knobs.frequency), 0.49 * rate))
    let q = max(0.1, min(Double(knobs.q), 25))
    let gain = max(-50, min(Double(knobs.gain), 50))
    let target = SIMD4(log2(hertz), log2(q), gain, knobs.bypass >= 0.5 ? 0 : 1)
    if isOut {
      // The equalizer is inaudible, so its knobs may jump; its contribution fades in, except the first time.
      now = target
      if hasBegun { now.w = 0 }
      (c, step, isOut, hasBegun) = (coefficients(), .zero, false, true)
      return
    }
    // 10 ms smoothing: the steps of a fader are inaudible, and a sweep is not delayed.
    now += (target - now) * min(1, Double(frames) / (0.01 * rate))
    if target.w == 0, now.w < 1e-6 { now.w = 0 }
    step = (coefficients() - c) / Double(frames)
  }

  @_noLocks
  private func coefficients() -> SIMD4<Double> {
    let a = exp2(now.z / 40 * 3.321928094887362)
    let g = tan(Double.pi * exp2(now.x) / rate)
    let k = 1 / (exp2(now.y) * a)
    let a1 = 1 / (1 + g * (g + k))
    // `wet` scales the band-pass that is added to the direct sound, so bypass is a cross-fade.
    return SIMD4(a1, g * a1, g * g * a1, now.w * k * (a * a - 1))
  }

  /// Equalizes frames in place.
  @_noLocks
  mutating func process(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int
  ) {
    // While bypassed, the sound passes bit for bit.
    if c.w == 0, step.w == 0 {
      reset()
      return
    }
    var i = 0
    while i < frames {
      let x = SIMD2(Double(left[i]), Double(right[i]))
      let v = x - second
      let band = c.x * first + c.y * v
      let low = second + c.y * first + c.z * v
      first = 2 * band - first
      second = 2 * low - second
      let y = x + c.w * band
      left[i] = Float(y.x)
      right[i] = Float(y.y)
      c += step
      i &+= 1
    }
  }

  /// Clears the state, after a fault.
  @_noLocks
  mutating func reset() {
    first = .zero
    second = .zero
  }
}

@_noLocks private func log2(_ x: Double) -> Double { rt_log2_64(x) }
@_noLocks private func exp2(_ x: Double) -> Double { rt_exp2_64(x) }
@_noLocks private func tan(_ x: Double) -> Double { rt_tan64(x) }
