/// The curve of a drive in four of its voices: half of the lanes at a time, so that all of it stays in registers.
///
/// The curve is 3v - 4v³, flat at ±1/2, where it is ±1. What comes out is its mean on the straight way from one sample to
/// the next: (a + b)(3/2 - a² - b²) between a and b that lie within the bends; what lies beyond them adds its length to
/// the antiderivative.
struct DriveBend {
  /// The last sample within the bends, its square less 3/4, and what of it lies beyond the bends, with its sign and
  /// without.
  private var inside: Quad
  private var square: Quad
  private var beyond: Quad
  private var excess: Quad
  // A number that the compiler does not know to be constant: otherwise it is read again at every sample.
  private let bound: Quad

  /// What a sample is multiplied by in front of it, for a slope of 1.
  static var unit: Float { @_noLocks get { 1 / 3 } }

  /// After a sample.
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

  /// The mean of the curve on the way to the next sample, with its sign turned over.
  @_noLocks @inline(__always)
  mutating func bend(_ v: Quad) -> Quad {
    let b = smaller(larger(v, -bound), bound)
    let over: Quad = v - b
    let next: Quad = b * b - Quad(repeating: 0.75)
    let size = magnitude(over)
    let back: Quad = beyond - over
    let way: Quad = b - inside - back
    let mean: Quad = (inside + b) * (next + square)
    // Off the mean by what lies beyond the bends: where there is no way, by nothing.
    let off = multiplyAdd(mean, back, excess - size) * way
    (inside, square, beyond, excess) = (b, next, over, size)
    return mean + quotient(off, multiplyAdd(way, way, Quad(repeating: 1e-30)))
  }

  /// Every second of some vectors in place, at levels that stand still, and nothing of what came in. Returns the last sample.
  @_noLocks @inline(never)
  static func bend(
    _ x: UnsafeMutablePointer<Quad>, after v: Quad, level: Quad, bent: Quad, frames: Int
  ) -> Quad {
    var curve = DriveBend(after: v)
    let turned = -bent
    var i = 0
    // Two at a time: what is kept from one sample to the next then need not be copied.
    while i < 2 &* (frames & ~1) {
      x[i] = turned * curve.bend(level * x[i])
      x[i &+ 2] = turned * curve.bend(level * x[i &+ 2])
      i &+= 4
    }
    if frames & 1 != 0 { x[i] = turned * curve.bend(level * x[i]) }
    return curve.last
  }
}

/// The levels of a drive in four voices.
struct DriveLevels {
  /// In front of the curve, what of the curve comes out, and what of the input goes by.
  var level: Quad
  var bent: Quad
  var clean: Quad

  @_noLocks @inline(__always)
  init(level: Quad, bent: Quad, clean: Quad) { (self.level, self.bent, self.clean) = (level, bent, clean) }

  /// Every second of some vectors in place, with steps that are added to the levels at every sample. Returns the last sample.
  @_noLocks @inline(never)
  func bend(_ x: UnsafeMutablePointer<Quad>, after v: Quad, steps: DriveLevels, frames: Int) -> Quad {
    var (curve, now) = (DriveBend(after: v), self)
    var i = 0
    while i < 2 &* frames {
      let dry = now.clean * x[i]
      x[i] = dry - now.bent * curve.bend(now.level * x[i])
      now.level += steps.level
      now.bent += steps.bent
      now.clean += steps.clean
      i &+= 2
    }
    return curve.last
  }
}
