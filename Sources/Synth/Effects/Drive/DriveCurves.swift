/// The curves of the drive, each as its mean on the straight way from one point to the next, which has far fewer images than
/// the curve at the points (antiderivative anti-aliasing: Parker, Zavalishin, Le Bivic, "Reducing the aliasing of nonlinear
/// waveshaping using continuous-time convolution", DAFx-16).
///
/// Each takes four rows of points and the first ones of the next frames, and fills four rows of means.
enum DriveCurve {
  // MARK: - Up to a bound

  /// A point of a curve that is flat beyond a bound: within it, and how far beyond.
  private struct Bounded {
    let point: Quad
    let within: Quad
    let beyond: Quad
    let square: Quad

    @_noLocks @inline(__always)
    init(_ point: Quad, _ bound: Quad) {
      self.point = point
      within = smaller(larger(point, -bound), bound)
      beyond = point - within
      square = within * within
    }
  }

  /// The mean of `u - 4 cubic u³` from `a` to `b`, `cubic` such that the curve is ±1 at the bound, or straight.
  ///
  /// Within the bounds that is a polynomial. What is beyond is put right by a term that is nothing while both points are
  /// on one side, so that it is exact for ways as short as may be.
  @_noLocks @inline(__always)
  private static func mean(_ a: Bounded, _ b: Bounded, _ cubic: Quad) -> Quad {
    let mean = (a.within + b.within) * (0.5 - cubic * (a.square + b.square))
    let rest = magnitude(b.beyond) - magnitude(a.beyond) - mean * (b.beyond - a.beyond)
    let way = b.point - a.point
    return mean + quotient(rest * way, multiplyAdd(way, way, Quad(repeating: 1e-30)))
  }

  /// Four rows of means.
  @_noLocks
  static func bounded(
    _ x: DriveResampling, _ y: UnsafeMutablePointer<Float>, bound: Float, cubic: Float
  ) {
    let (bound, cubic) = (Quad(repeating: bound), Quad(repeating: cubic))
    var i = 0
    while i < Limits.controlFrames {
      let first = Bounded((x.points + i).four, bound)
      let second = Bounded((x.quarters + i).four, bound)
      (y + i).four = mean(first, second, cubic)
      let third = Bounded((x.halves + i).four, bound)
      (y + (i &+ DriveResampling.row)).four = mean(second, third, cubic)
      let fourth = Bounded((x.threeQuarters + i).four, bound)
      (y + (i &+ 2 &* DriveResampling.row)).four = mean(third, fourth, cubic)
      let next = Bounded((x.nextPoints + i).four, bound)
      (y + (i &+ 3 &* DriveResampling.row)).four = mean(fourth, next, cubic)
      i &+= 4
    }
  }

  /// The soft curve, with the points moved by a bias, and moved back by what it makes of that. The bias is `bias` at the tick,
  /// `place` frames ago, and moves by `step` a frame.
  @_noLocks
  static func biased(
    _ x: DriveResampling, _ y: UnsafeMutablePointer<Float>, place: Int, bias: Float, step: Float
  ) {
    let (bound, cubic) = (Quad(repeating: 1.5), Quad(repeating: 1 / 27))
    var place = Quad(0, 1, 2, 3) + Float(place)
    var i = 0
    while i < Limits.controlFrames {
      let moved = multiplyAdd(Quad(repeating: step), place, Quad(repeating: bias))
      let rest = rest(moved)
      let first = Bounded((x.points + i).four + moved, bound)
      let second = Bounded((x.quarters + i).four + moved, bound)
      (y + i).four = mean(first, second, cubic) - rest
      let third = Bounded((x.halves + i).four + moved, bound)
      (y + (i &+ DriveResampling.row)).four = mean(second, third, cubic) - rest
      let fourth = Bounded((x.threeQuarters + i).four + moved, bound)
      (y + (i &+ 2 &* DriveResampling.row)).four = mean(third, fourth, cubic) - rest
      let next = Bounded((x.nextPoints + i).four + (moved + step), bound)
      // In the middle of the way, so that silence stays silent while the bias moves.
      (y + (i &+ 3 &* DriveResampling.row)).four = mean(fourth, next, cubic) - Self.rest(moved + 0.5 * step)
      place += 4
      i &+= 4
    }
  }

  /// What the soft curve makes of a bias within its bounds.
  @_noLocks @inline(__always)
  private static func rest(_ bias: Quad) -> Quad { bias * (1 - 4 / 27 * (bias * bias)) }

  // MARK: - Fold

  /// A curve that folds back for ever: a sine made of parabolas, of slope 1 at 0, that turns back at π. Its value and its
  /// integral at each point.
  @_noLocks
  static func fold(
    _ points: UnsafeMutablePointer<Float>, _ curve: UnsafeMutablePointer<Float>,
    _ integral: UnsafeMutablePointer<Float>, frames: Int
  ) {
    var i = 0
    while i < frames {
      // In half periods of 2π.
      let point = (points + i).four * 0.15915494
      let wrapped = point - 2 * nearest(point * 0.5)
      let size = larger(wrapped, -wrapped)
      (curve + i).four = wrapped * (6.2831853 - 6.2831853 * size)
      (integral + i).four = wrapped * wrapped * (19.739209 - 13.159473 * size)
      i &+= 4
    }
  }

  /// The means of such a curve. On short ways, where the difference of the integrals has few bits left, they go over into
  /// the mean of a way's ends.
  @_noLocks
  static func folded(
    _ from: UnsafeMutablePointer<Float>, _ to: UnsafeMutablePointer<Float>,
    curve: UnsafeMutablePointer<Float>,
    _ nextCurve: UnsafeMutablePointer<Float>, integral: UnsafeMutablePointer<Float>,
    _ nextIntegral: UnsafeMutablePointer<Float>, _ y: UnsafeMutablePointer<Float>, frames: Int
  ) {
    let short = Quad(repeating: 4e-4)
    var i = 0
    while i < frames {
      let way = (to + i).four - (from + i).four
      let ends = 0.5 * ((curve + i).four + (nextCurve + i).four)
      let mean = multiplyAdd((nextIntegral + i).four - (integral + i).four, way, short * ends)
      (y + i).four = quotient(mean, multiplyAdd(way, way, short))
      i &+= 4
    }
  }
}
