/// What the lines of a reverb lose on each way, by how high it is: a one-pole at 200 Hz and one at 4 kHz cut it in three, and
/// each part has a gain. Recursive, and so frame by frame, with a line in each lane; of a frame only one multiplication
/// and one addition wait for the frame before.
struct ReverbDamping {
  /// What the sound and the one-poles are multiplied by.
  var gains: ReverbGains
  private var low = Lanes.zero
  private var high = Lanes.zero

  /// As new.
  init(_ gains: ReverbGains) { self.gains = gains }

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
      let (bottom, top, all) = (gains.low.value, gains.high.value, gains.all.value)
      damp(&x.0, bottom, top, all)
      damp(&x.1, bottom, top, all)
      damp(&x.2, bottom, top, all)
      damp(&x.3, bottom, top, all)
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
    let (low, high, all) = (gains.low, gains.high, gains.all)
    if gains.moves {
      let gone = Lanes(repeating: Float(at))
      let bottom = multiplyAdd(low.step, gone, low.value)
      damp(&x, bottom, multiplyAdd(high.step, gone, high.value), multiplyAdd(all.step, gone, all.value))
    } else if gains.isLevel {
      dampAbove(&x)
    } else {
      damp(&x, low.value, high.value, all.value)
    }
  }

  /// One frame, by the gains of both one-poles and of all.
  @_noLocks @inline(__always)
  private mutating func damp(_ x: inout Lanes, _ bottom: Lanes, _ top: Lanes, _ all: Lanes) {
    low = multiplyAdd(low, Lanes(repeating: 1 - gains.lowShare), x)
    high = multiplyAdd(high, Lanes(repeating: 1 - gains.highShare), x)
    x = multiplyAdd(all, x, multiplyAdd(top, high, bottom * low))
  }

  /// One frame, where a tail lasts as long below the lower corner as above it.
  @_noLocks @inline(__always)
  private mutating func dampAbove(_ x: inout Lanes) {
    high = multiplyAdd(high, Lanes(repeating: 1 - gains.highShare), x)
    x = multiplyAdd(gains.all.value, x, gains.high.value * high)
    // A thousandth of a second is enough for it to follow, once its gain goes up.
    low = .zero
  }
}
