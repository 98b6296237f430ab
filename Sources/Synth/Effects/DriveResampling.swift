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
  static var latency: Int { @_noLocks get { 12 } }

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
  func up(frames: Int) {
    let (x, y) = (tilted, between)
    var i = 0
    while i < frames {
      var sum = 0.62765589 * ((x + (i &- 7)).four + (x + (i &- 6)).four)
      sum = multiplyAdd(Quad(repeating: -0.19341307), (x + (i &- 8)).four + (x + (i &- 5)).four, sum)
      sum = multiplyAdd(Quad(repeating: 0.09878510), (x + (i &- 9)).four + (x + (i &- 4)).four, sum)
      sum = multiplyAdd(Quad(repeating: -0.05481337), (x + (i &- 10)).four + (x + (i &- 3)).four, sum)
      sum = multiplyAdd(Quad(repeating: 0.02970822), (x + (i &- 11)).four + (x + (i &- 2)).four, sum)
      sum = multiplyAdd(Quad(repeating: -0.01469654), (x + (i &- 12)).four + (x + (i &- 1)).four, sum)
      (y + i).four = multiplyAdd(Quad(repeating: 0.00677377), (x + (i &- 13)).four + (x + i).four, sum)
      i &+= 4
    }
  }

  /// The points in between, by four around each.
  @_noLocks
  func betweenPoints(frames: Int) {
    let (a, b, c, d, e) = (points, quarters, halves, threeQuarters, nextPoints)
    let (near, far) = (Quad(repeating: 0.58786975), Quad(repeating: -0.08786975))
    var i = 0
    while i < frames {
      (b + i).four = multiplyAdd(
        near, (a + i).four + (c + i).four, far * ((c + (i &- 1)).four + (e + i).four))
      i &+= 4
    }
    i = 0
    while i < frames {
      (d + i).four = multiplyAdd(
        near, (c + i).four + (e + i).four, far * ((a + i).four + (c + (i &+ 1)).four))
      i &+= 4
    }
  }

  /// Four means a frame to two, around the points a quarter behind a frame and a quarter ahead of it.
  @_noLocks
  func toTwo(frames: Int) {
    let (near, far) = (Quad(repeating: 0.36656137), Quad(repeating: 0.13343863))
    let (a, b, c, d) = (means, means + Self.row, means + 2 &* Self.row, means + 3 &* Self.row)
    let (z, w) = (first, second)
    var i = 0
    while i < frames {
      (z + i).four = multiplyAdd(
        near, (a + i).four + (b + i).four, far * ((c + i).four + (d + (i &- 1)).four))
      i &+= 4
    }
    i = 0
    while i < frames {
      (w + i).four = multiplyAdd(
        near, (c + (i &- 1)).four + (d + (i &- 1)).four, far * ((b + (i &- 1)).four + (a + i).four))
      i &+= 4
    }
  }

  /// Two samples a frame to one, four frames behind the points.
  @_noLocks
  func toOne(frames: Int) {
    let (z, w, y) = (first, second, wet)
    var i = 0
    while i < frames {
      var sum = 0.46569791 * ((z + (i &- 4)).four + (w + (i &- 4)).four)
      sum = multiplyAdd(Quad(repeating: 0.14984138), (w + (i &- 3)).four + (z + (i &- 5)).four, sum)
      sum = multiplyAdd(Quad(repeating: -0.08986249), (z + (i &- 3)).four + (w + (i &- 5)).four, sum)
      sum = multiplyAdd(Quad(repeating: -0.06662098), (w + (i &- 2)).four + (z + (i &- 6)).four, sum)
      sum = multiplyAdd(Quad(repeating: 0.02835914), (z + (i &- 2)).four + (w + (i &- 6)).four, sum)
      sum = multiplyAdd(Quad(repeating: 0.03044564), (w + (i &- 1)).four + (z + (i &- 7)).four, sum)
      sum = multiplyAdd(Quad(repeating: -0.00627528), (z + (i &- 1)).four + (w + (i &- 7)).four, sum)
      (y + i).four = multiplyAdd(Quad(repeating: -0.01027777), (w + i).four + (z + (i &- 8)).four, sum)
      i &+= 4
    }
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
