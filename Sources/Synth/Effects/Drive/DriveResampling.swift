/// What takes a channel of the drive to four times its rate and back, by filters of linear phase.
///
/// Up: a half-band filter of 14 taps makes what lies half-way between two frames, and four taps what lies between those.
/// Down: four taps of the means between points to two a frame, and 16 taps to one; these give back the treble that the
/// means have lost, within 0.1 dB to 16 kHz at 48 kHz, and let 52 dB less through from 31 kHz on. Least largest errors, found by
/// weighted least squares again and again (Lawson, 1961).
///
/// A row of memory has the samples of a tick behind as many that were before; what has come last is at the end.
struct DriveResampling {
  /// Rows: the sound as it came, tilted, half-way between its frames, four of means between points, as many of a second
  /// curve, two behind the first filter down, what comes out, two of points a quarter behind and ahead of
  /// `between`, and eight of values and integrals of a curve that folds.
  let memory: UnsafeMutablePointer<Float>
  static var rows: Int { @_noLocks get { 24 } }
  /// Samples of a row.
  static var row: Int { @_noLocks get { 2 * Limits.controlFrames } }
  /// Where the samples of a tick begin in a row.
  static var start: Int { @_noLocks get { Limits.controlFrames } }
  /// Frames by which what comes out is late.
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
  /// The points of the frames that the filters have come to, each row a quarter of a frame behind the one before, and
  /// the first ones of the next frames.
  var points: UnsafeMutablePointer<Float> { @_noLocks @inline(__always) get { tilted - 8 } }
  var quarters: UnsafeMutablePointer<Float> { @_noLocks @inline(__always) get { row(14) } }
  var halves: UnsafeMutablePointer<Float> { @_noLocks @inline(__always) get { between - 1 } }
  var threeQuarters: UnsafeMutablePointer<Float> { @_noLocks @inline(__always) get { row(15) } }
  var nextPoints: UnsafeMutablePointer<Float> { @_noLocks @inline(__always) get { tilted - 7 } }
  /// The first of four rows of values, the first of four of integrals behind them; four more than the frames of a tick.
  var values: UnsafeMutablePointer<Float> { @_noLocks @inline(__always) get { row(16) - Self.start } }
  var integrals: UnsafeMutablePointer<Float> { @_noLocks @inline(__always) get { row(20) - Self.start } }
  private var first: UnsafeMutablePointer<Float> { @_noLocks @inline(__always) get { row(11) } }
  private var second: UnsafeMutablePointer<Float> { @_noLocks @inline(__always) get { row(12) } }
  var wet: UnsafeMutablePointer<Float> { @_noLocks @inline(__always) get { row(13) } }

  /// What is half-way between two frames, seven frames ago and six ago.
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

  /// The points in between, by four around each.
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

  /// Four means a frame to two, around the points a quarter behind a frame and a quarter ahead of it.
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

  /// Two samples a frame to one, four frames behind the points.
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

  /// One weight of a filter that is the same from both its ends. A function, because of expressions of vectors as long
  /// as these filters Swift 6.0.3 makes two minutes of work.
  @_noLocks @inline(__always)
  private func added(
    _ a: UnsafeMutablePointer<Float>, _ b: UnsafeMutablePointer<Float>, weight: Float, to sum: Quad
  ) -> Quad {
    multiplyAdd(Quad(repeating: weight), a.four + b.four, sum)
  }

  /// Makes room for the samples behind the `frames` that were rendered.
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

  /// All zero.
  @_noLocks
  func forget() {
    var i = 0
    while i < Self.rows &* Self.row {
      memory[i] = 0
      i &+= 1
    }
  }
}
