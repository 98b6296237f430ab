import Scenes

/// Resamples a channel of the drive to four times its rate and back, with linear-phase filters.
///
/// Up: a half-band filter of 14 taps computes the points half-way between frames, and filters of four taps the points
/// between those. Down: four taps reduce the means between points to two per frame, and 16 taps to one. The
/// downsampling filters also restore the treble that the means lose, within 0.1 dB to 16 kHz at 48 kHz, and attenuate
/// frequencies from 31 kHz on by 52 dB. The coefficients minimize the largest error, found by repeated weighted least
/// squares (Lawson, 1961).
///
/// Each row of memory holds the samples of a tick after as many earlier ones; the newest sample is last.
struct DriveResampling {
  /// Rows: the input, the tilted sound, the points half-way between its frames, four rows of means between points,
  /// four of means of a second curve, two after the first downsampling filter, the output, two of points a quarter of
  /// a frame before and after `between`, and eight of values and integrals of the folding curve.
  let memory: UnsafeMutablePointer<Float>
  static var rows: Int { @_noLocks get { 24 } }
  /// Samples in a row.
  static var row: Int { @_noLocks get { 2 * Limits.controlFrames } }
  /// Index in a row at which the samples of a tick begin.
  static var start: Int { @_noLocks get { Limits.controlFrames } }
  /// Latency in frames.
  static var latency: Int { @_noLocks get { 13 } }

  @_noLocks @inline(__always)
  private func row(_ number: Int) -> UnsafeMutablePointer<Float> {
    memory + (number &* Self.row &+ Self.start)
  }

  var dry: UnsafeMutablePointer<Float> { @_noLocks @inline(__always) get { row(0) } }
  var tilted: UnsafeMutablePointer<Float> { @_noLocks @inline(__always) get { row(1) } }
  var between: UnsafeMutablePointer<Float> { @_noLocks @inline(__always) get { row(2) } }
  var means: UnsafeMutablePointer<Float> { @_noLocks @inline(__always) get { row(3) } }
  var others: UnsafeMutablePointer<Float> { @_noLocks @inline(__always) get { row(7) } }
  /// The points of the frames that the filters have reached, each row a quarter of a frame later than the one before,
  /// and the first points of the next frames.
  var points: UnsafeMutablePointer<Float> { @_noLocks @inline(__always) get { tilted - 8 } }
  var quarters: UnsafeMutablePointer<Float> { @_noLocks @inline(__always) get { row(14) } }
  var halves: UnsafeMutablePointer<Float> { @_noLocks @inline(__always) get { between - 1 } }
  var threeQuarters: UnsafeMutablePointer<Float> { @_noLocks @inline(__always) get { row(15) } }
  var nextPoints: UnsafeMutablePointer<Float> { @_noLocks @inline(__always) get { tilted - 7 } }
  /// The first of four rows of values of the folding curve, and the first of four rows of integrals; each holds four
  /// numbers more than a tick has frames.
  var values: UnsafeMutablePointer<Float> { @_noLocks @inline(__always) get { row(16) - Self.start } }
  var integrals: UnsafeMutablePointer<Float> { @_noLocks @inline(__always) get { row(20) - Self.start } }
  private var first: UnsafeMutablePointer<Float> { @_noLocks @inline(__always) get { row(11) } }
  private var second: UnsafeMutablePointer<Float> { @_noLocks @inline(__always) get { row(12) } }
  var wet: UnsafeMutablePointer<Float> { @_noLocks @inline(__always) get { row(13) } }

  /// Computes the points half-way between frames, from seven frames before and seven after.
  @_noLocks
  func up() {
    var i = 0
    while i < Limits.controlFrames {
      let x = tilted + i
      var sum = added(x - 7, x - 6, weight: 0.62765589, to: .zero)
      sum = added(x - 8, x - 5, weight: -0.19341307, to: sum)
      sum = added(x - 9, x - 4, weight: 0.09878510, to: sum)
      sum = added(x - 10, x - 3, weight: -0.05481337, to: sum)
      sum = added(x - 11, x - 2, weight: 0.02970822, to: sum)
      sum = added(x - 12, x - 1, weight: -0.01469654, to: sum)
      (between + i).four = added(x - 13, x, weight: 0.00677377, to: sum)
      i &+= 4
    }
  }

  /// Computes the points at one and three quarters of each frame, from four points around each.
  @_noLocks
  func betweenPoints() {
    let (a, b, c, d, e) = (points, quarters, halves, threeQuarters, nextPoints)
    let (near, far) = (Quad(repeating: 0.58786975), Quad(repeating: -0.08786975))
    var i = 0
    while i < Limits.controlFrames {
      (b + i).four = multiplyAdd(
        near, (a + i).four + (c + i).four, far * ((c + (i &- 1)).four + (e + i).four))
      i &+= 4
    }
    i = 0
    while i < Limits.controlFrames {
      (d + i).four = multiplyAdd(
        near, (c + i).four + (e + i).four, far * ((a + i).four + (c + (i &+ 1)).four))
      i &+= 4
    }
  }

  /// Reduces four means per frame to two samples, a quarter of a frame after and before each point.
  @_noLocks
  func toTwo() {
    let (near, far) = (Quad(repeating: 0.36656137), Quad(repeating: 0.13343863))
    let (a, b, c, d) = (means, means + Self.row, means + 2 &* Self.row, means + 3 &* Self.row)
    let (z, w) = (first, second)
    var i = 0
    while i < Limits.controlFrames {
      let outer: Quad = multiplyAdd(far, (d + (i &- 1)).four, far * (c + i).four)
      (z + i).four = multiplyAdd(near, (a + i).four, multiplyAdd(near, (b + i).four, outer))
      i &+= 4
    }
    i = 0
    while i < Limits.controlFrames {
      let before = i &- 1
      let outer: Quad = multiplyAdd(far, (a + i).four, far * (b + before).four)
      (w + i).four = multiplyAdd(near, (c + before).four, multiplyAdd(near, (d + before).four, outer))
      i &+= 4
    }
  }

  /// Reduces two samples per frame to one, four frames behind the points.
  @_noLocks
  func toOne() {
    var i = 0
    while i < Limits.controlFrames {
      let (z, w) = (first + i, second + i)
      var sum = added(z - 4, w - 4, weight: 0.46569791, to: .zero)
      sum = added(w - 3, z - 5, weight: 0.14984138, to: sum)
      sum = added(z - 3, w - 5, weight: -0.08986249, to: sum)
      sum = added(w - 2, z - 6, weight: -0.06662098, to: sum)
      sum = added(z - 2, w - 6, weight: 0.02835914, to: sum)
      sum = added(w - 1, z - 7, weight: 0.03044564, to: sum)
      sum = added(z - 1, w - 7, weight: -0.00627528, to: sum)
      (wet + i).four = added(w, z - 8, weight: -0.01027777, to: sum)
      i &+= 4
    }
  }

  /// Adds one coefficient of a symmetric filter. A function, because Swift 6.0.3 takes two minutes to compile vector
  /// expressions as long as these filters.
  @_noLocks @inline(__always)
  private func added(
    _ a: UnsafeMutablePointer<Float>, _ b: UnsafeMutablePointer<Float>, weight: Float, to sum: Quad
  ) -> Quad {
    multiplyAdd(Quad(repeating: weight), a.four + b.four, sum)
  }

  /// Moves the rows back by the `frames` rendered, to make space for the next samples.
  @_noLocks
  func pass(frames: Int) {
    keep(0, frames, quads: 4)
    keep(1, frames, quads: 4)
    keep(2, frames, quads: 1)
    keep(3, frames, quads: 1)
    keep(4, frames, quads: 1)
    keep(5, frames, quads: 1)
    keep(6, frames, quads: 1)
    keep(11, frames, quads: 2)
    keep(12, frames, quads: 2)
  }

  /// Keeps the last samples of a row, four at a time.
  @_noLocks @inline(__always)
  private func keep(_ number: Int, _ frames: Int, quads: Int) {
    let x = row(number)
    var i = -4 &* quads
    while i < 0 {
      (x + i).four = (x + (i &+ frames)).four
      i &+= 4
    }
  }

  /// Clears all rows.
  @_noLocks
  func clear() {
    var i = 0
    while i < Self.rows &* Self.row {
      memory[i] = 0
      i &+= 1
    }
  }
}
