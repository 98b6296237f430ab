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

/// The slope of a smoothed step, as in `SawPulse`, for synchronized saws, whose jumps lie close together: fitted to the
/// longer step that `SyncedSaw` describes, with degree 5.
enum SyncedPulse {
  /// Samples from the jump to the first sample that it does not reach, on either side.
  static var end: Float { @_noLocks get { 4.5 } }

  /// Four samples before the jump and four after it, as in `SawPulse.at`, without the two samples next to the jump.
  @_noLocks @inline(__always)
  static func at(_ share: Float) -> (before: Quad, after: Quad) {
    let x = rt_opaque(Quad(repeating: share))
    let xx = x * x
    let even = multiplyAdd(multiplyAdd(fourth, xx, second), xx, none)
    let odd = multiplyAdd(multiplyAdd(fifth, xx, third), xx, first)
    return (rt_opaque(even + odd * x), rt_reversed(rt_opaque(even - odd * x)))
  }

  /// The two samples next to the jump.
  @_noLocks @inline(__always)
  static func middle(_ share: Float) -> (before: Float, after: Float) {
    let xx = share * share
    let a = (0.071250206 * xx - 0.32280586) * xx + 0.528755
    let b = ((0.052860093 * xx - 0.25146143) * xx + 0.45967124) * share
    return (a + b, a - b)
  }

  private static var none: Quad {
    @_noLocks @inline(__always) get {
      rt_opaque(Quad(0.00057134961, 0.0077489079, -0.051305527, 0.014230267))
    }
  }
  private static var first: Quad {
    @_noLocks @inline(__always) get {
      rt_opaque(Quad(0.0034106757, -0.0039983961, -0.095693158, 0.33859305))
    }
  }
  private static var second: Quad {
    @_noLocks @inline(__always) get { rt_opaque(Quad(0.0071066054, -0.03862763, 0.029123646, 0.32520324)) }
  }
  private static var third: Quad {
    @_noLocks @inline(__always) get { rt_opaque(Quad(0.0045004306, -0.035334754, 0.1166712, -0.041009016)) }
  }
  private static var fourth: Quad {
    @_noLocks @inline(__always) get { rt_opaque(Quad(-0.0034085223, 0.003328207, 0.040535963, -0.11170585)) }
  }
  private static var fifth: Quad {
    @_noLocks @inline(__always) get {
      rt_opaque(Quad(-0.0043292928, 0.014421261, -0.018268324, -0.00901674))
    }
  }
}
