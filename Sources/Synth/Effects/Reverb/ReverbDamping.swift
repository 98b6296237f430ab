/// The frequency-dependent losses of the reverb's lines: two one-poles split the sound into bass, middle and treble with
/// a gain each. The filters are recursive, so they run frame by frame, one line per lane; only one multiplication
/// and one addition depend on the frame before.
struct ReverbDamping {
  /// Gains of the sound and of the one-poles.
  var gains: ReverbGains
  private var low = Lanes.zero
  private var high = Lanes.zero

  /// Silent, with the given gains.
  init(_ gains: ReverbGains) { self.gains = gains }

  /// Clears the filter states.
  @_noLocks
  mutating func reset() { (low, high) = (.zero, .zero) }

  /// Damps four frames of all lines, of which `count` are valid; the first one is `at` frames after the control tick.
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
      let (bottom, top, all, share) = (
        gains.low.value, gains.high.value, gains.all.value, gains.highShare.value
      )
      damp(&x.0, bottom, top, all, share)
      damp(&x.1, bottom, top, all, share)
      damp(&x.2, bottom, top, all, share)
      damp(&x.3, bottom, top, all, share)
    }
    lines = EightLines(frames: x)
  }

  /// Damps frame by frame, while the gains move or where a tick is split.
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
    let (low, high, all, share) = (gains.low, gains.high, gains.all, gains.highShare)
    if gains.moves {
      let elapsed = Lanes(repeating: Float(at))
      let (bottom, top) = (
        multiplyAdd(low.step, elapsed, low.value), multiplyAdd(high.step, elapsed, high.value)
      )
      damp(
        &x, bottom, top, multiplyAdd(all.step, elapsed, all.value),
        multiplyAdd(share.step, elapsed, share.value))
    } else if gains.isLevel {
      dampAbove(&x)
    } else {
      damp(&x, low.value, high.value, all.value, share.value)
    }
  }

  /// Damps one frame by the given gains of both one-poles and of the sound, and the upper one-pole's coefficients.
  @_noLocks @inline(__always)
  private mutating func damp(_ x: inout Lanes, _ bottom: Lanes, _ top: Lanes, _ all: Lanes, _ share: Lanes) {
    low = multiplyAdd(low, Lanes(repeating: 1 - gains.lowShare), x)
    high = multiplyAdd(high, 1 - share, x)
    x = multiplyAdd(all, x, multiplyAdd(top, high, bottom * low))
  }

  /// Damps one frame without the low band, while its decay time equals that of the middle band.
  @_noLocks @inline(__always)
  private mutating func dampAbove(_ x: inout Lanes) {
    high = multiplyAdd(high, 1 - gains.highShare.value, x)
    x = multiplyAdd(gains.all.value, x, gains.high.value * high)
    // Reset, since a one-pole that starts from zero catches up within a thousandth of a second once its gain rises.
    low = .zero
  }
}
