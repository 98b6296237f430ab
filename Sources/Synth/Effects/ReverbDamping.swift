import CRealtime

/// What the lines of a reverb lose on each way, by how high it is: a one-pole at 200 Hz and one at 4 kHz cut it in three, and
/// each part has a gain. Recursive, and so frame by frame, with a line in each lane; of a frame only one multiplication
/// and one addition wait for the frame before.
struct ReverbDamping {
  /// Of the three parts.
  var gains: ReverbGains
  private var low = Lanes.zero
  private var high = Lanes.zero
  private let lowShare: Float
  private let highShare: Float

  /// As new.
  init(_ gains: ReverbGains, rate: Float) {
    self.gains = gains
    (lowShare, highShare) = (Self.share(200, rate: rate), Self.share(4_000, rate: rate))
  }

  /// What a one-pole goes of its way in a frame.
  static func share(_ hertz: Float, rate: Float) -> Float { 1 - rt_exp2(-1.442695 * 2 * .pi * hertz / rate) }

  /// Forgets what it has heard.
  @_noLocks
  mutating func forget() { (low, high) = (.zero, .zero) }

  /// Works on four frames of all lines, the first of them `at` frames after the control tick; `count` of them are there.
  @_noLocks @inline(__always)
  mutating func process(_ lines: inout EightLines, at: Int, count: Int) {
    var x = lines.frames
    if gains.moves || count < 4 {
      x = dampEach(x, at, count)
    } else if gains.isLevel {
      dampAbove(&x.0)
      dampAbove(&x.1)
      dampAbove(&x.2)
      dampAbove(&x.3)
    } else {
      let (bottom, middle, top) = (gains.low.value, gains.middle.value, gains.high.value)
      damp(&x.0, bottom, middle, top)
      damp(&x.1, bottom, middle, top)
      damp(&x.2, bottom, middle, top)
      damp(&x.3, bottom, middle, top)
    }
    lines = EightLines(frames: x)
  }

  /// While the gains move, or where a tick is cut.
  @_noLocks @inline(never)
  private mutating func dampEach(_ x: EightLines.Frames, _ at: Int, _ count: Int) -> EightLines.Frames {
    var x = x
    if count > 0 { damp(&x.0, at) }
    if count > 1 { damp(&x.1, at &+ 1) }
    if count > 2 { damp(&x.2, at &+ 2) }
    if count > 3 { damp(&x.3, at &+ 3) }
    return x
  }

  @_noLocks
  private mutating func damp(_ x: inout Lanes, _ at: Int) {
    let (low, middle, high) = (gains.low, gains.middle, gains.high)
    if gains.moves {
      let gone = Lanes(repeating: Float(at))
      let bottom = multiplyAdd(low.step, gone, low.value)
      damp(
        &x, bottom, multiplyAdd(middle.step, gone, middle.value), multiplyAdd(high.step, gone, high.value))
    } else if gains.isLevel {
      dampAbove(&x)
    } else {
      damp(&x, low.value, middle.value, high.value)
    }
  }

  /// One frame, by the gains of the three parts.
  @_noLocks @inline(__always)
  private mutating func damp(_ x: inout Lanes, _ bottom: Lanes, _ middle: Lanes, _ top: Lanes) {
    Self.follow(x, &low, lowShare)
    Self.follow(x, &high, highShare)
    x = multiplyAdd(top, x, multiplyAdd(middle - top, high, (bottom - middle) * low))
  }

  /// One frame, where a tail lasts as long below the lower corner as above it.
  @_noLocks @inline(__always)
  private mutating func dampAbove(_ x: inout Lanes) {
    Self.follow(x, &high, highShare)
    x = multiplyAdd(gains.high.value, x - high, gains.middle.value * high)
    // A thousandth of a second is enough for it to follow, once its gain goes up.
    low = .zero
  }

  /// A one-pole: goes so much of the way to `x`.
  @_noLocks @inline(__always)
  private static func follow(_ x: Lanes, _ state: inout Lanes, _ share: Float) {
    state = multiplyAdd(state, Lanes(repeating: 1 - share), x * Lanes(repeating: share))
  }
}
