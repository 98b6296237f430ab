import CRealtime
import Scenes

/// The mixer strips: each adds the sounds of a part to the mix, at the strip's gains.
struct MixerStrips: ~Copyable {
  /// Left and right gain of a strip: the current values, their increments per frame, and their targets.
  private struct Gains {
    var value = SIMD2<Float>.zero
    var step = SIMD2<Float>.zero
    var target = SIMD2<Float>.zero
  }

  private let gains: UnsafeMutablePointer<Gains>
  /// Balance of each part from the players' controllers, -1…1.
  private let balances: UnsafeMutablePointer<Float>
  /// The sum of each part's sounds in a run.
  private let left: UnsafeMutablePointer<Float>
  private let right: UnsafeMutablePointer<Float>
  // Parts that sound in this run, one bit each.
  private var sounding: UInt32 = 0
  /// Whether the peaks of the parts are measured.
  var isMeasured = false
  /// The largest magnitude of each part after its strip, since `takePeak`.
  private let peaks: UnsafeMutablePointer<Float>
  /// Smoothing coefficient of the gains per control tick.
  private let share: Float
  let outputs: PartOutputs

  /// Strips that lead to `outputs`, as far as the card has them.
  init(rate: Double, outputs: PartOutputs) {
    self.outputs = outputs
    share = min(1, Float(Double(Limits.controlFrames) / rate) / Smoothed.seconds)
    gains = .allocate(capacity: Limits.parts)
    gains.initialize(repeating: Gains(), count: Limits.parts)
    balances = .allocate(capacity: Limits.parts)
    balances.initialize(repeating: 0, count: Limits.parts)
    left = .allocate(capacity: Limits.parts * Limits.runFrames)
    left.initialize(repeating: 0, count: Limits.parts * Limits.runFrames)
    right = .allocate(capacity: Limits.parts * Limits.runFrames)
    right.initialize(repeating: 0, count: Limits.parts * Limits.runFrames)
    peaks = .allocate(capacity: Limits.parts)
    peaks.initialize(repeating: 0, count: Limits.parts)
  }

  deinit {
    gains.deallocate()
    balances.deallocate()
    left.deallocate()
    right.deallocate()
    peaks.deallocate()
  }

  /// Follows the knobs of a strip: smoothly, or at once.
  @_noLocks
  func follow(_ part: Int, _ strip: Strip, atOnce: Bool) {
    gains[part].target = Self.gains(strip) * Self.sides(balances[part])
    if atOnce { (gains[part].value, gains[part].step) = (gains[part].target, .zero) }
  }

  /// Sets the balance of a part with this strip, smoothly.
  @_noLocks
  func balance(_ part: Int, _ balance: Float, _ strip: Strip) {
    if balances[part] == balance { return }
    balances[part] = balance
    follow(part, strip, atOnce: false)
  }

  /// The left and right gains of a balance: the nearer side keeps its level.
  @_noLocks
  private static func sides(_ balance: Float) -> SIMD2<Float> {
    SIMD2(min(1, 1 - balance), min(1, 1 + balance))
  }

  /// Constant power at every pan position, 0 dB in the middle: the gains of level and pan.
  @_noLocks
  private static func gains(_ strip: Strip) -> SIMD2<Float> {
    if strip.mute >= 0.5 { return .zero }
    let gain = amplitude(decibels: strip.level) * 1.41421356
    let angle = (max(-1, min(strip.pan, 1)) + 1) * 0.785398163
    return SIMD2(gain * rt_cos(angle), gain * rt_sin(angle))
  }

  /// Adds the rendered run of one of a part's sounds.
  // Not inlined: the loop over all sounds, most of which are silent, would take longer.
  @_noLocks @inline(never)
  mutating func add(_ part: Int, _ l: UnsafePointer<Float>, _ r: UnsafePointer<Float>, frames: Int) {
    let (left, right) = (left + part * Limits.runFrames, right + part * Limits.runFrames)
    if sounding & 1 << UInt32(part) == 0 {
      left.update(repeating: 0, count: frames)
      right.update(repeating: 0, count: frames)
    }
    sounding |= 1 << UInt32(part)
    var i = 0
    while i < frames {
      left[i] += l[i]
      right[i] += r[i]
      i &+= 1
    }
  }

  /// Advances by one control tick: gains move by a step.
  @_noLocks
  private func aim(_ part: Int) {
    let difference = gains[part].target - gains[part].value
    let isNear = max(difference.x.magnitude, difference.y.magnitude) < 1e-5
    gains[part].step = difference * ((isNear ? 1 : share) / Float(Limits.controlFrames))
  }

  /// Writes the mix of all parts for a run that begins `tickOffset` frames after a control tick. Parts on a pair of `further`
  /// are written to its buffers from index `from` on, all others to `l` and `r`.
  @_noLocks
  mutating func mix(
    _ l: UnsafeMutablePointer<Float>, _ r: UnsafeMutablePointer<Float>, _ further: ExtraOutputs, from: Int,
    frames: Int, tickOffset: Int
  ) {
    l.update(repeating: 0, count: frames)
    r.update(repeating: 0, count: frames)
    var pair = 1
    while pair < further.pairs {
      (further.left(pair) + from).update(repeating: 0, count: frames)
      (further.right(pair) + from).update(repeating: 0, count: frames)
      pair &+= 1
    }
    if isMeasured { measure(frames: frames) }
    for part in 0..<Limits.parts {
      let isSounding = sounding >> UInt32(part) & 1 != 0
      var (l, r) = (l, r)
      let pair = outputs.pair(part)
      if pair > 0, pair < further.pairs { (l, r) = (further.left(pair) + from, further.right(pair) + from) }
      var (done, tickOffset) = (0, tickOffset)
      if !isSounding, gains[part].step == .zero, gains[part].value == gains[part].target { done = frames }
      while done < frames {
        if tickOffset == 0 { aim(part) }
        let count = min(Limits.controlFrames &- tickOffset, frames &- done)
        if isSounding || gains[part].step != .zero { add(part, l, r, from: done, frames: count, isSounding) }
        (done, tickOffset) = (done &+ count, 0)
      }
    }
    sounding = 0
  }

  /// Measures a run of the parts that sound, at the gains that they begin with.
  // Not inlined: most of the time nobody looks.
  @_noLocks @inline(never)
  private func measure(frames: Int) {
    var rest = sounding
    while rest != 0 {
      let part = rest.trailingZeroBitCount
      let (left, right) = (left + part * Limits.runFrames, right + part * Limits.runFrames)
      let gain = gains[part].value
      peaks[part] = max(peaks[part], max(loudest(left, frames) * gain.x, loudest(right, frames) * gain.y))
      rest &= rest &- 1
    }
  }

  /// Measures a run of the parts that compressors listen to, before their strips.
  // Not inlined: most of the time no compressor listens.
  @_noLocks @inline(never)
  func measure(_ levels: inout SidechainLevels, at frame: Int64, frames: Int) {
    levels.begin(at: frame)
    var rest = levels.listened
    while rest != 0 {
      let part = rest.trailingZeroBitCount
      rest &= rest &- 1
      let (left, right) = (left + part * Limits.runFrames, right + part * Limits.runFrames)
      let isSounding = sounding >> UInt32(part) & 1 != 0
      var done = 0
      while done < frames {
        let at = frame &+ Int64(done)
        let tickOffset = Int(truncatingIfNeeded: at) & (Limits.controlFrames &- 1)
        let count = min(Limits.controlFrames &- tickOffset, frames &- done)
        levels.note(part, at: at, isSounding ? loudest(left + done, right + done, count) : 0)
        done &+= count
      }
    }
    levels.finish(at: frame &+ Int64(frames))
  }

  /// The largest magnitude of a part after its strip since the last call.
  @_noLocks
  func takePeak(_ part: Int) -> Float {
    let peak = peaks[part]
    peaks[part] = 0
    return peak
  }

  /// Adds some frames of a part at its gains, or only moves the gains.
  @_noLocks
  private func add(
    _ part: Int, _ l: UnsafeMutablePointer<Float>, _ r: UnsafeMutablePointer<Float>, from: Int, frames: Int,
    _ isSounding: Bool
  ) {
    let (left, right) = (left + part * Limits.runFrames, right + part * Limits.runFrames)
    var gain = gains[part].value
    let step = gains[part].step
    var i = from
    if step == .zero {
      // Eight frames at a time as far as possible.
      while i &+ Limits.lanesPerGroup <= from &+ frames {
        (l + i).eight += (left + i).eight * gain.x
        (r + i).eight += (right + i).eight * gain.y
        i &+= Limits.lanesPerGroup
      }
      while i < from &+ frames {
        l[i] += left[i] * gain.x
        r[i] += right[i] * gain.y
        i &+= 1
      }
      return
    }
    while i < from &+ frames {
      if isSounding {
        l[i] += left[i] * gain.x
        r[i] += right[i] * gain.y
      }
      gain += step
      i &+= 1
    }
    gains[part].value = gain
  }
}
