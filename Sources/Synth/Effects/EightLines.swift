import CRealtime

/// Quad samples of each of eight lines, a line in each vector: as many as fit into the registers of SSE and NEON.
struct EightLines {
  private(set) var (a, b, c, d) = (Quad.zero, Quad.zero, Quad.zero, Quad.zero)
  private(set) var (e, f, g, h) = (Quad.zero, Quad.zero, Quad.zero, Quad.zero)

  /// Of lines that are a tick long each, one behind the other.
  @_noLocks @inline(__always)
  init(lines x: UnsafePointer<Float>) { self.init(x, Limits.controlFrames, Limits.controlFrames &* 4) }

  /// Eight vectors that lie `way` numbers apart, and the second four of them `half` behind the first.
  @_noLocks @inline(__always)
  private init(_ x: UnsafePointer<Float>, _ way: Int, _ half: Int) {
    let y = x + half
    (a, b, c, d) = (x.four, (x + way).four, (x + 2 &* way).four, (x + 3 &* way).four)
    (e, f, g, h) = (y.four, (y + way).four, (y + 2 &* way).four, (y + 3 &* way).four)
  }

  @_noLocks @inline(__always)
  func store(lines x: UnsafeMutablePointer<Float>) {
    store(x, Limits.controlFrames, Limits.controlFrames &* 4)
  }

  @_noLocks @inline(__always)
  private func store(_ x: UnsafeMutablePointer<Float>, _ way: Int, _ half: Int) {
    let y = x + half
    (x.four, (x + way).four, (x + 2 &* way).four, (x + 3 &* way).four) = (a, b, c, d)
    (y.four, (y + way).four, (y + 2 &* way).four, (y + 3 &* way).four) = (e, f, g, h)
  }

  /// A tick of eight lines, frame by frame with a line in each lane. By itself, since compilers that see what becomes of a
  /// lane take everything apart into lanes.
  @_noLocks @inline(never)
  static func turn(lines: UnsafePointer<Float>, toFrames frames: UnsafeMutablePointer<Lanes>) {
    let frames = UnsafeMutableRawPointer(frames).assumingMemoryBound(to: Float.self)
    var i = 0
    while i < Limits.controlFrames {
      EightLines(lines: lines + i).turned.store(frames + i &* 8, 8, 4)
      i &+= 4
    }
  }

  /// The other way round.
  @_noLocks @inline(never)
  static func turn(frames: UnsafePointer<Lanes>, toLines lines: UnsafeMutablePointer<Float>) {
    let frames = UnsafeRawPointer(frames).assumingMemoryBound(to: Float.self)
    var i = 0
    while i < Limits.controlFrames {
      EightLines(frames + i &* 8, 8, 4).turned.store(lines: lines + i)
      i &+= 4
    }
  }

  private var turned: EightLines {
    @_noLocks @inline(__always) get {
      var x = self
      (x.a, x.b, x.c, x.d) = Self.turned(a, b, c, d)
      (x.e, x.f, x.g, x.h) = Self.turned(e, f, g, h)
      return x
    }
  }

  /// Rows become columns: by pairs, which is one instruction for each of these lines.
  @_noLocks @inline(__always)
  private static func turned(_ a: Quad, _ b: Quad, _ c: Quad, _ d: Quad) -> (Quad, Quad, Quad, Quad) {
    let (one, two) = (rt_low_pairs(a, b), rt_low_pairs(c, d))
    let (three, four) = (rt_high_pairs(a, b), rt_high_pairs(c, d))
    return (
      rt_low_halves(one, two), rt_high_halves(one, two), rt_low_halves(three, four),
      rt_high_halves(three, four)
    )
  }

  /// All lines into all, by the Hadamard matrix: √8 times as loud as they are.
  @_noLocks @inline(__always)
  mutating func scatter() {
    (a, b, c, d, e, f, g, h) = (a + e, b + f, c + g, d + h, a - e, b - f, c - g, d - h)
    (a, b, c, d, e, f, g, h) = (a + c, b + d, a - c, b - d, e + g, f + h, e - g, f - h)
    (a, b, c, d, e, f, g, h) = (a + b, a - b, c + d, c - d, e + f, e - f, g + h, g - h)
  }

  /// The inputs into all lines, each side with signs of its own.
  @_noLocks @inline(__always)
  mutating func feed(_ l: Quad, _ r: Quad) {
    (a, b, c, d) = (a + l, b + r, c - r, d + l)
    (e, f, g, h) = (e + r, f - l, g + l, h + r)
  }
}
