import Scenes

/// The slot of an effect in a rack: the effect, its dry and wet gains, and its life cycle.
struct RackSlot {
  /// The effect in the slot; nil if the sound does not use it.
  private(set) var effect: Effect?
  // Properties of the effect, cached for each tick.
  private(set) var isInPlace = false
  private(set) var work = 0
  private(set) var ringSeconds: Float = 0

  /// The step of a slot in a tick.
  enum Step {
    /// Nothing: the effect is off.
    case rest
    /// The effect begins and jumps to its knobs.
    case snap
    /// The effect continues and aims at its knobs.
    case aim
  }

  // Dry and wet gain: the current values, the outputs of the first of two smoothing stages, and the increments per
  // frame. With two stages in series, a jump begins without a corner.
  private var value = SIMD2<Float>(1, 0)
  private var near = SIMD2<Float>(1, 0)
  private var step = SIMD2<Float>.zero
  private var passed: Int32 = 0
  // Ticks left of the fade-in of the effect's input: a tone that starts abruptly would return as an echo with a click.
  private var entering: Int32 = 0
  /// True while the effect's input fades in.
  var isEntering: Bool { @_noLocks @inline(__always) get { entering != 0 } }
  // True when the gains are settled and nothing else is in progress: a tick then only compares the target.
  private var isSettled = false
  // Ticks left of a cut, and whether the effect stays off afterwards.
  private var cutting: Int32 = 0
  private var isClosed = false
  /// True while the effect is audible and has to be rendered.
  private(set) var isAudible = false
  /// True when the effect's memory holds sound.
  private(set) var needsClear = false
  /// True when the effect has to be cleared and is off.
  var isDue: Bool { @_noLocks get { needsClear && !isAudible } }

  /// True while the output is fully wet, so that the effect may work in place.
  var replaces: Bool {
    @_noLocks @inline(__always) get { value.x == 0 && value.y == 1 && step.x == 0 && step.y == 0 }
  }

  /// Ticks in which an effect is cut off: 4 ms, as for a stolen voice.
  private static var cutTicks: Int32 { @_noLocks get { 12 } }
  /// Ticks in which the input of an effect fades in if the sound is already audible: 20 ms.
  private static var enterTicks: Int32 { @_noLocks get { 60 } }

  /// Off, without an effect.
  @_noLocks init() {}

  /// Off, with an effect; a `stained` one still holds sound and has to be cleared before use.
  @_noLocks
  init(_ effect: Effect?, stained: Bool) {
    needsClear = stained
    put(effect)
  }

  /// Puts an effect or none into the slot.
  @_noLocks
  mutating func put(_ effect: Effect?) {
    self.effect = effect
    guard let effect else { return (isInPlace, work, ringSeconds) = (false, 0, 0) }
    (isInPlace, work, ringSeconds) = (effect.replaces, effect.work, effect.ringSeconds)
  }

  /// Aims at dry and wet gains over the next `frames`, once every control tick: by `share` of the remaining distance,
  /// or `atOnce` while the sound is silent.
  @_noLocks @inline(__always)
  mutating func aim(_ goal: SIMD2<Float>, share: Float, frames: Int, atOnce: Bool) -> Step {
    if isSettled, goal.x == value.x, goal.y == value.y, !atOnce {
      passed = 0
      return .aim
    }
    return move(to: goal, share: share, frames: frames, atOnce: atOnce)
  }

  @_noLocks @inline(never)
  private mutating func move(to goal: SIMD2<Float>, share: Float, frames: Int, atOnce: Bool) -> Step {
    let perFrame = 1 / Float(frames)
    isSettled = false
    if !isAudible {
      // Old sound in the effect's memory is cleared first.
      if goal.y == 0 || needsClear || isClosed { return .rest }
      (isAudible, needsClear) = (true, true)
      (value, step, passed, cutting) = (atOnce ? goal : SIMD2(1, 0), .zero, 0, 0)
      entering = atOnce ? 0 : Self.enterTicks
      near = value
      if !atOnce { go(goal, share: share, perFrame: perFrame) }
      return .snap
    }
    value += step * Float(passed)
    passed = 0
    if entering > 0 { entering &-= 1 }
    if cutting > 0 {
      cutting &-= 1
      if cutting == 0 {
        resetGains()
        return .rest
      }
      step = (SIMD2(1, 0) - value) * (perFrame / Float(cutting))
      return .aim
    }
    if goal.y == 0, value.y.magnitude < 1e-6 {
      resetGains()
      return .rest
    }
    if atOnce {
      (value, near, step) = (goal, goal, .zero)
      return .snap
    }
    if isClose(to: goal) {
      (value, near, step) = (goal, goal, .zero)
      isSettled = entering == 0
    } else {
      go(goal, share: share, perFrame: perFrame)
    }
    return .aim
  }

  /// Advances the smoothing by a step.
  @_noLocks @inline(never)
  private mutating func go(_ goal: SIMD2<Float>, share: Float, perFrame: Float) {
    // Each of the two stages takes half of the time.
    let half = min(1, 2 * share)
    near += (goal - near) * half
    step = (near - value) * (half * perFrame)
  }

  /// Whether both stages are within an inaudible distance of the goal.
  @_noLocks
  private func isClose(to goal: SIMD2<Float>) -> Bool {
    let (one, other) = (goal - near, goal - value)
    let square = one * one + other * other
    return square.x + square.y < 1e-12
  }

  /// Fades the effect in 4 ms and switches it off: until it has been cleared, or for good.
  @_noLocks
  mutating func cut(forGood: Bool) {
    if isAudible, cutting == 0 { cutting = Self.cutTicks }
    (isClosed, isSettled) = (forGood, false)
  }

  /// Switches the effect off at once; it has to be cleared.
  @_noLocks
  mutating func stop() {
    if isAudible { resetGains() }
  }

  /// Marks the effect as cleared.
  @_noLocks
  mutating func clear() { needsClear = false }

  @_noLocks
  private mutating func resetGains() {
    (isAudible, value, near, step, passed, cutting) = (false, SIMD2(1, 0), SIMD2(1, 0), .zero, 0, 0)
    isSettled = false
  }

  /// Fades in the input of an effect that has a memory.
  @_noLocks
  func fadeIn(_ wet: RackBuffers) {
    let perTick = 1 / Float(Self.enterTicks)
    let step = perTick / Float(Limits.controlFrames)
    let begin = 1 - Float(entering) * perTick
    for i in 0..<Limits.controlFrames {
      let gain = begin + step * (Float(passed) + Float(i))
      wet.left[i] *= gain
      wet.right[i] *= gain
    }
  }

  /// Mixes input and effect output into the input's buffers. All buffers must have space for a whole tick.
  @_noLocks
  mutating func mix(
    _ wet: RackBuffers, into left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>,
    frames: Int
  ) {
    if frames == Limits.controlFrames, step.x == 0, step.y == 0 {
      mixTick(wet, into: left, right)
    } else {
      mixPiece(wet, into: left, right, frames: frames)
    }
    passed &+= Int32(truncatingIfNeeded: frames)
  }

  /// Mixes a whole tick at constant gains.
  @_noLocks @inline(__always)
  private func mixTick(
    _ wet: RackBuffers, into left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>
  ) {
    let (dry, share) = (Quad(repeating: value.x), Quad(repeating: value.y))
    var i = 0
    if value.x == 1 {
      while i < Limits.controlFrames {
        (left + i).four = (left + i).four + (wet.left + i).four * share
        (right + i).four = (right + i).four + (wet.right + i).four * share
        i &+= 4
      }
      return
    }
    while i < Limits.controlFrames {
      (left + i).four = (left + i).four * dry + (wet.left + i).four * share
      (right + i).four = (right + i).four * dry + (wet.right + i).four * share
      i &+= 4
    }
  }

  @_noLocks @inline(never)
  private mutating func mixPiece(
    _ wet: RackBuffers, into left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>,
    frames: Int
  ) {
    var i = 0
    var frame = SIMD4<Float>(0, 1, 2, 3) + Float(Int(passed) &+ i)
    while i &+ 4 <= frames {
      let (dry, share) = (frame * step.x + value.x, frame * step.y + value.y)
      (left + i).four = (left + i).four * dry + (wet.left + i).four * share
      (right + i).four = (right + i).four * dry + (wet.right + i).four * share
      frame += 4
      i &+= 4
    }
    while i < frames {
      let frame = Float(passed) + Float(i)
      let (dry, share) = (frame * step.x + value.x, frame * step.y + value.y)
      left[i] = left[i] * dry + wet.left[i] * share
      right[i] = right[i] * dry + wet.right[i] * share
      i &+= 1
    }
  }
}

/// Scratch memory for the output of an effect in one tick.
struct RackBuffers {
  let left: UnsafeMutablePointer<Float>
  let right: UnsafeMutablePointer<Float>

  init() {
    func buffer() -> UnsafeMutablePointer<Float> {
      let buffer = UnsafeMutablePointer<Float>.allocate(capacity: Limits.controlFrames)
      buffer.initialize(repeating: 0, count: Limits.controlFrames)
      return buffer
    }
    (left, right) = (buffer(), buffer())
  }

  func deallocate() {
    left.deallocate()
    right.deallocate()
  }

  /// Copies a tick of both channels.
  @_noLocks @inline(__always)
  func take(_ l: UnsafePointer<Float>, _ r: UnsafePointer<Float>) {
    Tick(l).store(left)
    Tick(r).store(right)
  }
}
