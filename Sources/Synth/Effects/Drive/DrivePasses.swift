import Scenes

// The stages of the drive: level and tilt, the curve at four times the sample rate, the make-up gain, the low-pass.

extension EffectDrive {
  /// Share of a frame's neighbours that is mixed into it before the folding curve: -2 dB at 10 kHz, -6 dB at 20 kHz.
  private static var foldDamping: Float { @_noLocks get { 0.14 } }
  /// The input is clamped to this magnitude, so that nothing overflows.
  private static var loudest: Float { @_noLocks get { 10_000 } }

  /// Processes some frames in place, at most 16 and never across a tick. The buffers must have space for a whole tick.
  /// Stages without recursion process a whole tick, however few the frames are; results beyond them are discarded.
  @_noLocks
  mutating func process(
    _ l: UnsafeMutablePointer<Float>, _ r: UnsafeMutablePointer<Float>, frames: Int
  ) {
    Self.take(l, left.dry)
    Self.take(r, right.dry)
    tilt(frames)
    applyCurve(left)
    applyCurve(right)
    keepLoudness()
    tone.process(left.wet, right.wet, to: l, r, frames: frames)
    if !ramp.isSettled(Number.dry, at: 0) { mix(l, r, frames) }
    left.pass(frames: frames)
    right.pass(frames: frames)
    tickFrame &+= frames
  }

  /// Copies the input, clamped.
  @_noLocks @inline(__always)
  private static func take(_ x: UnsafePointer<Float>, _ dry: UnsafeMutablePointer<Float>) {
    let bound = Quad(repeating: loudest)
    var i = 0
    while i < Limits.controlFrames {
      (dry + i).four = larger(smaller((x + i).four, bound), -bound)
      i &+= 4
    }
  }

  /// The input of the tilt, delayed by one frame. Before the folding curve some treble is removed, since it would
  /// make the most aliases. Mutating, because the compiler otherwise copies the whole struct for the call.
  @_noLocks
  private mutating func input(_ channel: DriveResampling) -> UnsafeMutablePointer<Float> {
    let x = channel.dry - 1
    if curve != 3, nextCurve != 3 { return x }
    let y = channel.wet
    let weight = Quad(repeating: Self.foldDamping)
    var i = 0
    while i < Limits.controlFrames {
      var share = Quad(repeating: 1)
      if curve != nextCurve {
        share = ramp.quad(Number.fade, tickFrame &+ i)
        if curve == 3 { share = 1 - share }
      }
      let now: Quad = (x + i).four
      let before: Quad = (x + (i &- 1)).four - now
      let after: Quad = (x + (i &+ 1)).four - now
      (y + i).four = multiplyAdd(weight * share, before + after, now)
      i &+= 4
    }
    return y
  }

  /// Applies level and tilt, with the tilt's low-pass if there is a tilt.
  @_noLocks
  private mutating func tilt(_ frames: Int) {
    let x = input(left)
    let y = input(right)
    let (p, q) = (left.tilted, right.tilted)
    let (from, step) = (ramp.from, ramp.step)
    var frame: Quad = Quad(0, 1, 2, 3) + Float(tickFrame)
    var i = 0
    if from[Number.lows] == 0, step[Number.lows] == 0 {
      low = .zero
      while i < Limits.controlFrames {
        let level: Quad = frame * step[Number.level] + from[Number.level]
        (p + i).four = level * (x + i).four
        (q + i).four = level * (y + i).four
        frame += 4
        i &+= 4
      }
      return
    }
    let share = ramp.goal[Number.tilt]
    var s = low
    while i < frames {
      let v = (SIMD2(x[i], y[i]) - s) * share
      let below = v + s
      s = below + v
      (p[i], q[i]) = (below.x, below.y)
      i &+= 1
    }
    low = s
    i = 0
    while i < Limits.controlFrames {
      let level: Quad = frame * step[Number.level] + from[Number.level]
      let lows: Quad = frame * step[Number.lows] + from[Number.lows]
      (p + i).four = multiplyAdd(level, (x + i).four, lows * (p + i).four)
      (q + i).four = multiplyAdd(level, (y + i).four, lows * (q + i).four)
      frame += 4
      i &+= 4
    }
  }

  /// Applies the curve, from the tilted sound to the output at the original rate.
  @_noLocks
  private mutating func applyCurve(_ channel: DriveResampling) {
    channel.up()
    channel.betweenPoints()
    writeMeans(channel, curve, channel.means)
    if curve != nextCurve {
      writeMeans(channel, nextCurve, channel.others)
      blend(channel)
    }
    channel.toTwo()
    channel.toOne()
  }

  /// Writes the four means of each frame.
  @_noLocks
  private mutating func writeMeans(
    _ channel: DriveResampling, _ curve: Int, _ y: UnsafeMutablePointer<Float>
  ) {
    switch curve {
    case 0: DriveCurve.bounded(channel, y, bound: 1.5, cubic: 1 / 27)
    case 1:
      DriveCurve.biased(
        channel, y, frame: tickFrame, bias: ramp.from[Number.bias], step: ramp.step[Number.bias])
    case 2: DriveCurve.bounded(channel, y, bound: 1, cubic: 0)
    case 4: DriveCurve.power(channel, y, frame: tickFrame, exponent: exponent, step: exponentStep)
    default: fold(channel, y)
    }
  }

  /// Writes the four means of each frame for the folding curve.
  @_noLocks
  private mutating func fold(_ channel: DriveResampling, _ y: UnsafeMutablePointer<Float>) {
    let (row, frames) = (DriveResampling.row, Limits.controlFrames)
    let (v, w) = (channel.values, channel.integrals)
    let (a, b, c, d) = (channel.points, channel.quarters, channel.halves, channel.threeQuarters)
    // One more point than frames, because the last segment ends there.
    DriveCurve.fold(a, v, w, frames: frames &+ 1)
    DriveCurve.fold(b, v + row, w + row, frames: frames)
    DriveCurve.fold(c, v + 2 &* row, w + 2 &* row, frames: frames)
    DriveCurve.fold(d, v + 3 &* row, w + 3 &* row, frames: frames)
    DriveCurve.folded(a, b, curve: v, v + row, integral: w, w + row, y, frames: frames)
    DriveCurve.folded(
      b, c, curve: v + row, v + 2 &* row, integral: w + row, w + 2 &* row, y + row, frames: frames)
    DriveCurve.folded(
      c, d, curve: v + 2 &* row, v + 3 &* row, integral: w + 2 &* row, w + 3 &* row, y + 2 &* row,
      frames: frames)
    DriveCurve.folded(
      d, a + 1, curve: v + 3 &* row, v + 1, integral: w + 3 &* row, w + 1, y + 3 &* row, frames: frames)
  }

  /// Cross-fades from one curve to the other.
  @_noLocks
  private mutating func blend(_ channel: DriveResampling) {
    let (x, y) = (channel.others, channel.means)
    var i = 0
    while i < Limits.controlFrames {
      let share = ramp.quad(Number.fade, tickFrame &+ i)
      var j = i
      while j < 4 &* DriveResampling.row {
        let from = (y + j).four
        (y + j).four = multiplyAdd(share, (x + j).four - from, from)
        j &+= DriveResampling.row
      }
      i &+= 4
    }
  }

  /// Applies the make-up gain before the high-pass, so that the DC of a curve does not grow when the drive gain falls.
  @_noLocks
  private mutating func keepLoudness() {
    let (p, q) = (left.wet, right.wet)
    var i = 0
    if ramp.hasRested(Number.kept) {
      let kept = ramp.from[Number.kept]
      while i < Limits.controlFrames {
        (p + i).four = kept * (p + i).four
        (q + i).four = kept * (q + i).four
        i &+= 4
      }
      return
    }
    while i < Limits.controlFrames {
      let kept = ramp.quad(Number.kept, tickFrame &+ i, delay: Self.latency)
      (p + i).four = kept * (p + i).four
      (q + i).four = kept * (q + i).four
      i &+= 4
    }
  }

  /// Mixes the dry sound into the driven sound.
  @_noLocks
  private mutating func mix(_ l: UnsafeMutablePointer<Float>, _ r: UnsafeMutablePointer<Float>, _ frames: Int)
  {
    let (x, y) = (left.dry - DriveResampling.latency, right.dry - DriveResampling.latency)
    var i = 0
    while i &+ 4 <= frames {
      let (dry, wet) = (ramp.quad(Number.dry, tickFrame &+ i), ramp.quad(Number.wet, tickFrame &+ i))
      (l + i).four = multiplyAdd(wet, (l + i).four, dry * (x + i).four)
      (r + i).four = multiplyAdd(wet, (r + i).four, dry * (y + i).four)
      i &+= 4
    }
    while i < frames {
      let (dry, wet) = (ramp.quad(Number.dry, tickFrame &+ i)[0], ramp.quad(Number.wet, tickFrame &+ i)[0])
      (l[i], r[i]) = (dry * x[i] + wet * l[i], dry * y[i] + wet * r[i])
      i &+= 1
    }
  }
}
