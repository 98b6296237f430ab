import CRealtime

/// The slope of a smoothed step at each sample: the pulse that a jump of a saw subtracts around it.
///
/// Each sample is a polynomial of the distance from the jump to the samples, fitted to the differences of the smoothed
/// step that `BandLimitedStep` describes. The samples add up to 1 wherever the jump is. With degree 4, alias-to-signal
/// is within 1 dB of that of the step itself. The slope is symmetric about the jump, so that two samples at mirrored
/// distances differ only in the signs of the odd powers.
enum SawPulse {
  /// Samples from the jump to the first sample that it does not reach, on either side.
  static var end: Float { @_noLocks get { 3.5 } }

  /// Four samples before the jump and four after it. The sample nearest to the jump is the last of the first four and
  /// lies `share` samples after the jump, -0.5…0.5.
  @_noLocks @inline(__always)
  static func at(_ share: Float) -> (before: Quad, after: Quad) {
    let x = rt_opaque(Quad(repeating: share))
    let xx = x * x
    let even = multiplyAdd(multiplyAdd(fourth, xx, second), xx, none)
    let odd = multiplyAdd(third, xx, first) * x
    return (rt_opaque(even + odd), rt_reversed(rt_opaque(even - odd)))
  }

  private static var none: Quad {
    @_noLocks @inline(__always) get {
      rt_opaque(Quad(-0.00055690711, -0.034398635, -0.0014745526, 0.53643009))
    }
  }
  private static var first: Quad {
    @_noLocks @inline(__always) get { rt_opaque(Quad(-0.0038975959, -0.072307663, 0.28328755, 0.53857649)) }
  }
  private static var second: Quad {
    @_noLocks @inline(__always) get { rt_opaque(Quad(-0.011169828, -0.017108798, 0.36850182, -0.3402232)) }
  }
  private static var third: Quad {
    @_noLocks @inline(__always) get { rt_opaque(Quad(-0.015411476, 0.071469754, 0.026174992, -0.32618959)) }
  }
  private static var fourth: Quad {
    @_noLocks @inline(__always) get { rt_opaque(Quad(-0.00845517, 0.059572508, -0.12794586, 0.076828522)) }
  }
}
