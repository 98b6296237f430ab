/// What the lines of a reverb lose on each way, by how high it is: a one-pole at 200 Hz and one at 4 kHz cut it in three, and
/// each part has a gain. Recursive, and so by lanes, a line in each, frame by frame; of a frame only one multiplication
/// and one addition wait for the frame before.
struct ReverbDamping {
  private var low = Lanes.zero
  private var high = Lanes.zero
  // A tick by frames, a line in each lane.
  private let frames: UnsafeMutablePointer<Lanes>

  init() {
    frames = .allocate(capacity: Limits.controlFrames)
    frames.initialize(repeating: .zero, count: Limits.controlFrames)
  }

  func deallocate() { frames.deallocate() }

  /// As new.
  @_noLocks
  mutating func forget() { (low, high) = (.zero, .zero) }

  /// Works on a tick of all lines in place, one behind the other, of which the first `count` frames are there.
  @_noLocks @inline(__always)
  mutating func process(_ lines: UnsafeMutablePointer<Float>, _ control: ReverbControl, frames count: Int) {
    EightLines.turn(lines: lines, toFrames: frames)
    if control.moves {
      move(
        control.lowGain, control.middleGain, control.highGain, lowShare: control.lowShare,
        highShare: control.highShare, passed: control.passed, count)
    } else if control.isLevel {
      dampAbove(control, count)
    } else {
      damp(control, count)
    }
    EightLines.turn(frames: frames, toLines: lines)
  }

  /// Where a tail lasts as long below the lower corner as above it.
  @_noLocks @inline(__always)
  private mutating func dampAbove(_ control: ReverbControl, _ count: Int) {
    var high = high
    let (share, rest) = (Lanes(repeating: control.highShare), Lanes(repeating: 1 - control.highShare))
    let (middle, top) = (control.middleGain.value, control.highGain.value)
    var i = 0
    while i < count {
      let x = frames[i]
      high = multiplyAdd(high, rest, x * share)
      frames[i] = multiplyAdd(top, x - high, middle * high)
      i &+= 1
    }
    self.high = high
    // A thousandth of a second is enough for it to follow, once its gain goes up.
    low = .zero
  }

  @_noLocks @inline(__always)
  private mutating func damp(_ control: ReverbControl, _ count: Int) {
    var (low, high) = (low, high)
    let (lowShare, highShare) = (Lanes(repeating: control.lowShare), Lanes(repeating: control.highShare))
    let (lowRest, highRest) = (1 - lowShare, 1 - highShare)
    let top = control.highGain.value
    let (middle, bottom) = (control.middleGain.value - top, control.lowGain.value - control.middleGain.value)
    var i = 0
    while i < count {
      let x = frames[i]
      low = multiplyAdd(low, lowRest, x * lowShare)
      high = multiplyAdd(high, highRest, x * highShare)
      frames[i] = multiplyAdd(top, x, multiplyAdd(middle, high, bottom * low))
      i &+= 1
    }
    (self.low, self.high) = (low, high)
  }

  /// While the gains move.
  @_noLocks @inline(never)
  private mutating func move(
    _ lowGain: Ramp, _ middleGain: Ramp, _ highGain: Ramp, lowShare: Float, highShare: Float, passed: Int,
    _ count: Int
  ) {
    var (low, high) = (low, high)
    let (lowShare, highShare) = (Lanes(repeating: lowShare), Lanes(repeating: highShare))
    let (lowRest, highRest) = (1 - lowShare, 1 - highShare)
    var i = 0
    while i < count {
      let (x, gone) = (frames[i], Lanes(repeating: Float(passed &+ i)))
      low = multiplyAdd(low, lowRest, x * lowShare)
      high = multiplyAdd(high, highRest, x * highShare)
      let bottom = multiplyAdd(lowGain.step, gone, lowGain.value)
      let middle = multiplyAdd(middleGain.step, gone, middleGain.value)
      let top = multiplyAdd(highGain.step, gone, highGain.value)
      frames[i] = multiplyAdd(top, x, multiplyAdd(middle - top, high, (bottom - middle) * low))
      i &+= 1
    }
    (self.low, self.high) = (low, high)
  }
}
