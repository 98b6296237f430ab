import CRealtime
import Scenes

/// Four consecutive samples of each of eight delay lines, one vector per line: as many vectors as fit into the
/// registers of SSE and NEON.
struct EightLines {
  private(set) var (a, b, c, d) = (Quad.zero, Quad.zero, Quad.zero, Quad.zero)
  private(set) var (e, f, g, h) = (Quad.zero, Quad.zero, Quad.zero, Quad.zero)

  /// The number of lines.
  static var count: Int { @_noLocks get { Limits.lanesPerGroup } }
  /// Normalization of the Hadamard matrix, and input gain of the lines: the inverse of √8.
  static var share: Float { @_noLocks get { 0.353553391 } }

  /// Loads four samples from each of eight consecutive blocks, each one tick long.
  @_noLocks @inline(__always)
  init(lines x: UnsafePointer<Float>) {
    let (stride, y) = (Limits.controlFrames, x + 4 &* Limits.controlFrames)
    (a, b, c, d) = (x.four, (x + stride).four, (x + 2 &* stride).four, (x + 3 &* stride).four)
    (e, f, g, h) = (y.four, (y + stride).four, (y + 2 &* stride).four, (y + 3 &* stride).four)
  }

  /// Stores the samples in eight lines whose starts are `stride` floats apart.
  @_noLocks @inline(__always)
  func store(lines x: UnsafeMutablePointer<Float>, apart stride: Int) {
    let y = x + 4 &* stride
    (x.four, (x + stride).four, (x + 2 &* stride).four, (x + 3 &* stride).four) = (a, b, c, d)
    (y.four, (y + stride).four, (y + 2 &* stride).four, (y + 3 &* stride).four) = (e, f, g, h)
  }

  /// Four frames, each a vector with one line per lane.
  typealias Frames = (Lanes, Lanes, Lanes, Lanes)

  var frames: Frames {
    @_noLocks @inline(__always) get {
      let (a, b, c, d) = transposed(a, b, c, d)
      let (e, f, g, h) = transposed(e, f, g, h)
      return (
        Lanes(lowHalf: a, highHalf: e), Lanes(lowHalf: b, highHalf: f), Lanes(lowHalf: c, highHalf: g),
        Lanes(lowHalf: d, highHalf: h)
      )
    }
  }

  @_noLocks @inline(__always)
  init(frames x: Frames) {
    (a, b, c, d) = transposed(x.0.lowHalf, x.1.lowHalf, x.2.lowHalf, x.3.lowHalf)
    (e, f, g, h) = transposed(x.0.highHalf, x.1.highHalf, x.2.highHalf, x.3.highHalf)
  }

  /// Mixes all lines into all lines by the unnormalized Hadamard matrix, which amplifies by √8.
  @_noLocks @inline(__always)
  mutating func scatter() {
    (a, b, c, d, e, f, g, h) = (a + e, b + f, c + g, d + h, a - e, b - f, c - g, d - h)
    (a, b, c, d, e, f, g, h) = (a + c, b + d, a - c, b - d, e + g, f + h, e - g, f - h)
    (a, b, c, d, e, f, g, h) = (a + b, a - b, c + d, c - d, e + f, e - f, g + h, g - h)
  }

  /// Adds the inputs to all lines, each side with its own pattern of signs.
  @_noLocks @inline(__always)
  mutating func feed(_ l: Quad, _ r: Quad) {
    (a, b, c, d) = (a + l, b + r, c - r, d + l)
    (e, f, g, h) = (e + r, f - l, g + l, h + r)
  }
}
