import CRealtime
import Scenes

/// The filters in the feedback loop of a delay: a one-pole high-pass and a one-pole low-pass, stereo.
///
/// High-pass and low-pass of both sides form one vector. The low-pass uses the high-pass's output of the sample
/// before, so the two do not wait for each other; this delays the output by one frame.
struct DelayLoop {
  // States: left and right of the high-pass, then left and right of the low-pass.
  private var state = SIMD4<Float>.zero
  private var passed = SIMD4<Float>.zero
  // One-pole coefficients per sample, their increments and targets.
  private var share = SIMD4<Float>(0, 0, 1, 1)
  private var step = SIMD4<Float>.zero
  private var goal = SIMD4<Float>(0, 0, 1, 1)
  // Frequencies in hertz. The low-pass glides in octaves. The high-pass does not, because its state would then retain
  // more of the sound while the filter opens.
  private var highpass: Float = 0
  private var lowpass = OctaveGlides()

  @_noLocks init() {}

  /// Frequency of the high-pass in hertz when it is off: it then only keeps DC from circulating for ever.
  private static var blocking: Float { @_noLocks get { 4 } }

  /// Jumps to the knobs.
  @_noLocks
  mutating func snap(_ knobs: UnsafePointer<DelayKnobs>, rate: Float) {
    highpass = knobs.pointee.highpass
    lowpass.snap(Lanes(repeating: knobs.pointee.lowpass))
    find(rate: rate)
    (share, step) = (goal, .zero)
  }

  /// Aims at the knobs over the next `frames`; `chosen` holds the knobs' targets.
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

  /// The coefficient per sample of a one-pole at a frequency in hertz: 1 - exp(-2 pi hertz / rate).
  @_noLocks
  private func share(low hertz: Float, rate: Float) -> Float {
    1 - rt_exp2(-9.0647203 * hertz / rate)
  }

  /// Whether the coefficients have reached their targets.
  var isSettled: Bool { @_noLocks get { !lowpass.moves && all(step .== SIMD4<Float>.zero) } }

  /// Filters some frames into interleaved left and right samples.
  @_noLocks @inline(__always)
  mutating func process(
    _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, frames: Int,
    _ pairs: UnsafeMutablePointer<Float>
  ) {
    var (s, y, share) = (state, passed, share)
    let step = step
    var i = 0
    while i < frames {
      // Opaque; otherwise the compilers split the vector into halves.
      let x = rt_opaque(SIMD4<Float>(lowHalf: SIMD2(left[i], right[i]), highHalf: y.lowHalf))
      let difference = x - s
      let part = difference * share
      s += part
      // Half of the step makes the response exact at both ends of the band: zero at DC, one at the highest frequency.
      y = difference - 0.5 * part
      UnsafeMutableRawPointer(pairs + 2 &* i).storeBytes(of: s.highHalf, as: SIMD2<Float>.self)
      share += step
      i &+= 1
    }
    (state, passed, self.share) = (s, y, share)
  }

  /// Clears the state.
  @_noLocks
  mutating func reset() { (state, passed) = (.zero, .zero) }
}

extension DelayKnobs {
  /// Frequency in hertz at and below which the high-pass is off.
  static var highpassOff: Float { @_noLocks get { 20 } }
  /// Frequency in hertz at and above which the low-pass is off.
  static var lowpassOff: Float { @_noLocks get { 20_000 } }
}
