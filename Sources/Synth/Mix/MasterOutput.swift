/// The output stage of the mix: master level, equalizer, test tone, limiter.
struct MasterOutput: ~Copyable {
  private var level = Level()
  private var equalizer: Equalizer
  private var tone: TestTone
  private var limiter: Limiter
  private let rate: Float

  init(rate: Double) {
    self.rate = Float(rate)
    equalizer = Equalizer(rate: rate)
    tone = TestTone(rate: rate)
    limiter = Limiter(rate: rate)
  }

  /// Begins the test tone.
  @_noLocks
  mutating func startTone() { tone.start() }

  /// Processes a run of frames in place that begins `tickOffset` frames after a control tick. False when a sample was not a
  /// number: the output is then silent and the stages restart, so that silence does not last for ever.
  @_noLocks
  mutating func process(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int, tickOffset: Int,
    _ knobs: Master
  ) -> Bool {
    var (done, tickOffset) = (0, tickOffset)
    while done < frames {
      let ahead = Limits.controlFrames &- tickOffset
      let count = min(ahead, frames &- done)
      if tickOffset == 0 {
        level.aim(amplitude(decibels: knobs.level), frames: ahead, rate: rate)
        equalizer.aim(knobs.equalizer, frames: ahead)
      }
      level.process(left + done, right + done, frames: count)
      equalizer.process(left + done, right + done, frames: count)
      (done, tickOffset) = (done &+ count, 0)
    }
    let isSound = Self.isSound(left, right, frames)
    if !isSound {
      left.update(repeating: 0, count: frames)
      right.update(repeating: 0, count: frames)
      equalizer.reset()
    }
    tone.add(left, right, frames: frames)
    limiter.process(left, right, frames: frames)
    return isSound
  }

  /// The lowest gain of the limiter since the last call: 1 when it changed nothing.
  @_noLocks
  mutating func takeLowestGain() -> Float { limiter.takeLowestGain() }

  /// Returns to the initial state.
  @_noLocks
  mutating func reset() {
    level.reset()
    equalizer.reset()
    limiter.reset()
  }

  /// Whether all samples are numbers of a sane magnitude.
  @_noLocks
  private static func isSound(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int
  ) -> Bool {
    // Four sums, because each addition waits for the one before it.
    var sums = SIMD4<Float>.zero
    var i = 0
    while i &+ 1 < frames {
      let four = SIMD4(
        left[i].magnitude, right[i].magnitude, left[i &+ 1].magnitude, right[i &+ 1].magnitude)
      sums += four
      i &+= 2
    }
    if i < frames { sums.x += left[i].magnitude + right[i].magnitude }
    return sums.x + sums.y + (sums.z + sums.w) < 1e9
  }
}
