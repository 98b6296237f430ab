import Scenes

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

/// The master level, a gain that follows its target smoothly.
struct Level {
  private var value: Float = -1
  private var step: Float = 0

  /// Aims at the gain `gain` over the next `frames` frames.
  @_noLocks
  mutating func aim(_ gain: Float, frames: Int, rate: Float) {
    // The first target is reached at once.
    if value < 0 { value = gain }
    let share = min(1, Float(frames) / (0.01 * rate))
    let difference = gain - value
    step = difference.magnitude < 1e-6 ? difference / Float(frames) : difference * share / Float(frames)
  }

  /// Starts afresh: the next target is reached at once.
  @_noLocks
  mutating func reset() { (value, step) = (-1, 0) }

  /// Multiplies a block of both sides by the gain, in place.
  @_noLocks
  mutating func process(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int
  ) {
    var i = 0
    if step == 0 {
      let gain = value
      while i &+ Limits.lanesPerGroup <= frames {
        (left + i).eight *= gain
        (right + i).eight *= gain
        i &+= Limits.lanesPerGroup
      }
      while i < frames {
        left[i] *= gain
        right[i] *= gain
        i &+= 1
      }
      return
    }
    while i < frames {
      left[i] *= value
      right[i] *= value
      value += step
      i &+= 1
    }
  }
}

/// The master stages of the outputs beyond 1 and 2: each pair has the master level and its own limiter, whose delay
/// equals that of the first pair. The equalizer acts on the first pair alone.
struct ExtraMasters: ~Copyable {
  private let masters: UnsafeMutablePointer<MasterOutput>
  private let count: Int
  // Pairs in use, including the first.
  private var pairs = 1

  init(rate: Double, outputs: PartOutputs) {
    count = outputs.count - 1
    masters = .allocate(capacity: count)
    for index in 0..<count { (masters + index).initialize(to: MasterOutput(rate: rate)) }
  }

  deinit {
    masters.deinitialize(count: count)
    masters.deallocate()
  }

  /// Processes a run of frames in place, beginning at index `from`, like `MasterOutput.process`. False when a sample
  /// was not a number.
  @_noLocks
  mutating func process(
    _ outputs: ExtraOutputs, from: Int, frames: Int, tickOffset: Int, _ knobs: Master
  ) -> Bool {
    if outputs.pairs != pairs { change(to: outputs.pairs) }
    if pairs == 1 { return true }
    var knobs = knobs
    knobs.equalizer.bypass = 1
    var isSound = true
    var pair = 1
    while pair < pairs {
      let (left, right) = (outputs.left(pair) + from, outputs.right(pair) + from)
      if !masters[pair &- 1].process(left, right, frames: frames, tickOffset: tickOffset, knobs) {
        isSound = false
      }
      pair &+= 1
    }
    return isSound
  }

  /// The lowest gain of all its limiters since the last call.
  @_noLocks
  mutating func takeLowestGain() -> Float {
    var gain: Float = 1
    var index = 0
    while index < pairs &- 1 {
      gain = min(gain, masters[index].takeLowestGain())
      index &+= 1
    }
    return gain
  }

  /// Changes to the pairs of another card and drops the samples still in the limiters.
  @_noLocks
  private mutating func change(to pairs: Int) {
    self.pairs = min(pairs, count &+ 1)
    var index = 0
    while index < count {
      masters[index].reset()
      index &+= 1
    }
  }
}
