import CRealtime

/// A one-pole high-pass for both channels: subtracts the input's moving mean.
///
/// The mean is updated every frame: a mean computed once per tick and interpolated linearly has images around all
/// multiples of the tick rate.
struct StereoHighPass {
  private var mean = SIMD2<Float>.zero

  @_noLocks init() {}

  /// Processes one frame; the mean moves by `share` of its distance to `x`.
  @_noLocks @inline(__always)
  mutating func next(_ x: SIMD2<Float>, _ share: Float) -> SIMD2<Float> {
    mean += (x - mean) * share
    return x - mean
  }

  /// Filters some frames of `x` and `y` into `l` and `r`, which may be the same buffers: four frames at a time, where
  /// one vector holds two frames of both channels.
  @_noLocks
  mutating func process(
    _ x: UnsafePointer<Float>, _ y: UnsafePointer<Float>, to l: UnsafeMutablePointer<Float>,
    _ r: UnsafeMutablePointer<Float>, share: Float, frames: Int
  ) {
    var mean = mean
    var i = 0
    while i &+ 4 <= frames {
      let (left, right) = ((x + i).four, (y + i).four)
      let (a, b) = (rt_opaque(rt_low_pairs(left, right)), rt_opaque(rt_high_pairs(left, right)))
      let first = rt_opaque(a - Self.means(a, &mean, share))
      let second = rt_opaque(b - Self.means(b, &mean, share))
      (l + i).four = rt_even(first, second)
      (r + i).four = rt_odd(first, second)
      i &+= 4
    }
    while i < frames {
      let x = SIMD2(x[i], y[i])
      mean += (x - mean) * share
      (l[i], r[i]) = (x.x - mean.x, x.y - mean.y)
      i &+= 1
    }
    self.mean = mean
  }

  /// The means of both channels after each of two frames.
  @_noLocks @inline(__always)
  private static func means(_ x: Quad, _ mean: inout SIMD2<Float>, _ share: Float) -> Quad {
    mean += (x.lowHalf - mean) * share
    let first = mean
    mean += (x.highHalf - mean) * share
    return Quad(lowHalf: first, highHalf: mean)
  }
}
