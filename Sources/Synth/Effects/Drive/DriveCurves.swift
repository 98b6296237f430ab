import Scenes

/// The curves of the drive. Each computes the mean of the curve along the straight line from one point to the next,
/// which has far fewer aliases than the curve at the points themselves (antiderivative anti-aliasing: Parker,
/// Zavalishin, Le Bivic, "Reducing the aliasing of nonlinear waveshaping using continuous-time convolution", DAFx-16).
///
/// Each function reads four rows of points and the first points of the next frames, and writes four rows of means.
enum DriveCurve {
  // MARK: - Up to a bound

  /// A point of a curve that is flat beyond a bound: the point itself, the point clamped to the bound, the distance
  /// beyond, and the square of the clamped point.
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

  /// The mean of `u - 4 cubic u³` from `a` to `b`. `cubic` is such that the curve is ±1 at the bound, or 0 for a
  /// straight line.
  ///
  /// Within the bounds the mean is a polynomial. A correction term covers the part beyond; it is zero while both points
  /// are on the same side, so the result is exact for any distance, however short.
  @_noLocks @inline(__always)
  private static func mean(_ a: Bounded, _ b: Bounded, _ cubic: Quad) -> Quad {
    let slope = 0.5 - cubic * (a.square + b.square)
    let mean = (a.within + b.within) * slope
    let beyond = mean * (b.beyond - a.beyond)
    let rest = magnitude(b.beyond) - magnitude(a.beyond) - beyond
    let distance = b.point - a.point
    return mean + quotient(rest * distance, multiplyAdd(distance, distance, Quad(repeating: 1e-30)))
  }

  /// Writes four rows of means of the curve without bias.
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

  /// Writes four rows of means of the soft curve with its points shifted by a bias, minus the curve's value at the
  /// bias. The bias was `bias` at the tick, `frame` frames ago, and moves by `step` per frame.
  @_noLocks
  static func biased(
    _ x: DriveResampling, _ y: UnsafeMutablePointer<Float>, frame: Int, bias: Float, step: Float
  ) {
    let (bound, cubic) = (Quad(repeating: 1.5), Quad(repeating: 1 / 27))
    var frame = Quad(0, 1, 2, 3) + Float(frame)
    var i = 0
    while i < Limits.controlFrames {
      let moved = multiplyAdd(Quad(repeating: step), frame, Quad(repeating: bias))
      let rest = rest(moved)
      let first = Bounded((x.points + i).four + moved, bound)
      let second = Bounded((x.quarters + i).four + moved, bound)
      (y + i).four = mean(first, second, cubic) - rest
      let third = Bounded((x.halves + i).four + moved, bound)
      (y + (i &+ DriveResampling.row)).four = mean(second, third, cubic) - rest
      let fourth = Bounded((x.threeQuarters + i).four + moved, bound)
      (y + (i &+ 2 &* DriveResampling.row)).four = mean(third, fourth, cubic) - rest
      let next = Bounded((x.nextPoints + i).four + (moved + step), bound)
      // The bias at the middle of the segment, so that silence stays silent while the bias moves.
      (y + (i &+ 3 &* DriveResampling.row)).four = mean(fourth, next, cubic) - Self.rest(moved + 0.5 * step)
      frame += 4
      i &+= 4
    }
  }

  /// The value of the soft curve at a bias within its bounds.
  @_noLocks @inline(__always)
  private static func rest(_ bias: Quad) -> Quad {
    let share: Float = 4 / 27
    return bias * (1 - share * (bias * bias))
  }

  // MARK: - Fold

  /// Computes a curve that folds back without end and its integral at each point: a sine made of parabolas with slope 1
  /// at 0, whose turning point is at π.
  @_noLocks
  static func fold(
    _ points: UnsafeMutablePointer<Float>, _ curve: UnsafeMutablePointer<Float>,
    _ integral: UnsafeMutablePointer<Float>, frames: Int
  ) {
    var i = 0
    while i < frames {
      // In half periods, each 2π long.
      let point = (points + i).four * 0.15915494
      let wrapped = point - 2 * nearest(point * 0.5)
      let size = larger(wrapped, -wrapped)
      (curve + i).four = wrapped * (6.2831853 - 6.2831853 * size)
      (integral + i).four = wrapped * wrapped * (19.739209 - 13.159473 * size)
      i &+= 4
    }
  }

  /// Writes the means of the folding curve. For short segments, where the difference of the integrals has few
  /// significant bits, the result blends into the mean of the segment's ends.
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
      let distance = (to + i).four - (from + i).four
      let ends = 0.5 * ((curve + i).four + (nextCurve + i).four)
      let mean = multiplyAdd((nextIntegral + i).four - (integral + i).four, distance, short * ends)
      (y + i).four = quotient(mean, multiplyAdd(distance, distance, short))
      i &+= 4
    }
  }

  // MARK: - Power

  /// A point of the power, with the curve and its integral there.
  private struct Powered {
    let point: Lanes
    let square: Lanes
    let curve: Lanes
    let integral: Lanes

    /// With an exponent e, `half` is (e + 1) / 2 and `share` is 1 / (e + 1).
    @_noLocks @inline(__always)
    init(_ point: UnsafeMutablePointer<Float>, _ half: Lanes, _ share: Lanes) {
      self.point = point.eight
      square = multiplyAdd(self.point, self.point, Lanes(repeating: DriveCurve.straight))
      let power = exp2(log2(square) * half)
      curve = self.point * power * inverse(square)
      integral = power * share
    }
  }

  /// The square of the distance from 0 within which the power is a straight line, -60 dB, so that silence stays silent.
  private static var straight: Float { @_noLocks get { 1e-6 } }

  /// Writes four rows of means of a power of the magnitude, with the sign of the point. The exponent was `exponent` at
  /// the tick, `frame` frames ago, and moves by `step` per frame.
  @_noLocks
  static func power(
    _ x: DriveResampling, _ y: UnsafeMutablePointer<Float>, frame: Int, exponent: Float, step: Float
  ) {
    var i = 0
    while i < Limits.controlFrames {
      let frames = Lanes.counting + Float(frame &+ i)
      let sum = multiplyAdd(frames, Lanes(repeating: step), Lanes(repeating: exponent + 1))
      let (half, share) = (0.5 * sum, inverse(sum))
      let first = Powered(x.points + i, half, share)
      let second = Powered(x.quarters + i, half, share)
      (y + i).eight = mean(first, second)
      let third = Powered(x.halves + i, half, share)
      (y + (i &+ DriveResampling.row)).eight = mean(second, third)
      let fourth = Powered(x.threeQuarters + i, half, share)
      (y + (i &+ 2 &* DriveResampling.row)).eight = mean(third, fourth)
      let next = Powered(x.nextPoints + i, half, share)
      (y + (i &+ 3 &* DriveResampling.row)).eight = mean(fourth, next)
      i &+= Limits.lanesPerGroup
    }
  }

  /// The mean of the power between two points. For short segments, where the difference of the integrals has few
  /// significant bits, the result blends into the mean of the segment's ends.
  @_noLocks @inline(__always)
  private static func mean(_ a: Powered, _ b: Powered) -> Lanes {
    let short = a.square * 4e-6 + 1e-6
    let distance = b.point - a.point
    let mean = multiplyAdd(b.integral - a.integral, distance, short * (0.5 * (a.curve + b.curve)))
    return mean * inverse(multiplyAdd(distance, distance, short))
  }
}
