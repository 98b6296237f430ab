/// The curve of a drive in four of its voices: half of the lanes at a time, so that everything stays in registers.
///
/// The curve is 3v - 4v³, flat at ±1/2, where it is ±1. The output is the mean of the curve over the straight line from
/// one sample to the next: (a + b)(3/2 - a² - b²) for a and b within the bounds. A part of the line beyond the bounds
/// adds its length to the antiderivative.
struct DriveSaturation {
  /// The last sample clamped to the bounds, its square minus 3/4, and the excess beyond the bounds, with its sign and
  /// without.
  private var inside: Quad
  private var square: Quad
  private var beyond: Quad
  private var excess: Quad
  // A value that the compiler does not know to be constant: a constant would be read again at every sample.
  private let bound: Quad

  /// Factor on the input for a slope of 1.
  static var unit: Float { @_noLocks get { 1 / 3 } }

  /// The state after a sample.
  @_noLocks @inline(__always)
  init(after v: Quad) {
    bound = Quad(repeating: 0.5)
    inside = smaller(larger(v, -bound), bound)
    square = inside * inside - Quad(repeating: 0.75)
    beyond = v - inside
    excess = magnitude(beyond)
  }

  /// The last sample.
  var last: Quad { @_noLocks @inline(__always) get { inside + beyond } }

  /// The mean of the curve from the last sample to `v`, with its sign reversed.
  @_noLocks @inline(__always)
  mutating func saturate(_ v: Quad) -> Quad {
    let b = smaller(larger(v, -bound), bound)
    let over: Quad = v - b
    let next: Quad = b * b - Quad(repeating: 0.75)
    let size = magnitude(over)
    let back: Quad = beyond - over
    let distance: Quad = b - inside - back
    let mean: Quad = (inside + b) * (next + square)
    // Correction of the mean for the parts beyond the bounds; 0 if the sample does not change.
    let off = multiplyAdd(mean, back, excess - size) * distance
    (inside, square, beyond, excess) = (b, next, over, size)
    return mean + quotient(off, multiplyAdd(distance, distance, Quad(repeating: 1e-30)))
  }

  /// Processes every second one of some vectors in place, at constant levels and without the dry input. Returns the
  /// last sample.
  @_noLocks @inline(never)
  static func saturate(
    _ x: UnsafeMutablePointer<Quad>, after v: Quad, level: Quad, saturated: Quad, frames: Int
  ) -> Quad {
    var curve = DriveSaturation(after: v)
    let turned = -saturated
    var i = 0
    // Two at a time, so that the state need not be copied from one sample to the next.
    while i < 2 &* (frames & ~1) {
      x[i] = turned * curve.saturate(level * x[i])
      x[i &+ 2] = turned * curve.saturate(level * x[i &+ 2])
      i &+= 4
    }
    if frames & 1 != 0 { x[i] = turned * curve.saturate(level * x[i]) }
    return curve.last
  }
}

/// The levels of a drive in four voices.
struct DriveLevels {
  /// Gains: before the curve, of the curve's output, and of the dry input.
  var level: Quad
  var saturated: Quad
  var clean: Quad

  @_noLocks @inline(__always)
  init(level: Quad, saturated: Quad, clean: Quad) {
    (self.level, self.saturated, self.clean) = (level, saturated, clean)
  }

  /// Processes every second one of some vectors in place; `steps` are added to the levels at every sample. Returns the
  /// last sample.
  @_noLocks @inline(never)
  func saturate(_ x: UnsafeMutablePointer<Quad>, after v: Quad, steps: DriveLevels, frames: Int) -> Quad {
    var (curve, now) = (DriveSaturation(after: v), self)
    var i = 0
    while i < 2 &* frames {
      let dry = now.clean * x[i]
      x[i] = dry - now.saturated * curve.saturate(now.level * x[i])
      now.level += steps.level
      now.saturated += steps.saturated
      now.clean += steps.clean
      i &+= 2
    }
    return curve.last
  }
}
