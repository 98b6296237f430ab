import CRealtime
import Scenes

/// The delay of a part: echoes on both sides, each filtered and saturated once more than the one before.
///
/// All delay times are longer than a control tick, so the lines are read before they are written, and everything but
/// the filters processes eight frames at once. A resting tap is read at whole frames, a moving one by interpolation of
/// four samples.
struct Delay {
  private let memory: UnsafeMutablePointer<Float>
  private let count: Int
  private let rate: Float
  private let longest: Int
  private let left: DelayLine
  private let right: DelayLine
  // Scratch memory for a tick: four blocks of tap outputs, one of interleaved pairs, and input and output for a number
  // of frames that is not a multiple of eight.
  private let scratch: UnsafeMutablePointer<Float>
  private let pairs: UnsafeMutablePointer<Float>
  private let ends: UnsafeMutablePointer<Float>

  private var leftTap = DelayTap()
  private var rightTap = DelayTap()
  // The taps that fade in when a time is changed by cross-fade.
  private var nextLeft = DelayTap()
  private var nextRight = DelayTap()
  private var leftFade = DelayFade()
  private var rightFade = DelayFade()
  private var isFading = false
  private var times = DelayTimes()
  // True when the target times can only be reached by a cross-fade.
  private var mustFade = false
  private var loop = DelayLoop()
  private var saturation = DelaySaturation()
  private var levels = DelayLevels()
  // Removes the DC that saturation makes of an asymmetric wave, and whether there may be any.
  private var blocker = DCBlocker()
  private var isBlocking = false
  private let blockerShare: Float
  // The index at which the lines are written, and the frames of the tick that have been rendered.
  private var writeIndex = 0
  private var done = 0
  // True when everything has reached its target.
  private var isThere = false
  // Samples of memory that are cleared.
  private var cleared: Int

  /// A delay that owns its memory, for times of up to `DelayKnobs.longest`.
  init(rate: Double) {
    longest = Int(Double(DelayKnobs.longest) * rate)
    let line = DelayLine.memory(longest: longest)
    let block = Limits.controlFrames
    count = 2 * line + 8 * block
    memory = UnsafeMutablePointer<Float>.allocate(capacity: count)
    memory.initialize(repeating: 0, count: count)
    left = DelayLine(memory, longest: longest)
    right = DelayLine(memory + line, longest: longest)
    scratch = memory + 2 * line
    pairs = scratch + 4 * block
    ends = pairs + 2 * block
    self.rate = Float(rate)
    blockerShare = DCBlocker.share(rate: rate)
    cleared = count
  }

  /// Frees the memory.
  func deallocate() { memory.deallocate() }

  /// Size of the memory in bytes.
  var bytes: Int { count * MemoryLayout<Float>.size }

  /// Jumps to the knobs; `tempo` in beats per second.
  @_noLocks
  mutating func snap(_ knobs: UnsafePointer<DelayKnobs>, tempo: Float) {
    times.snap(knobs, tempo: tempo, rate: rate, longest: longest)
    leftTap.rest(at: times.left)
    rightTap.rest(at: times.right)
    (isFading, mustFade) = (false, false)
    loop.snap(knobs, rate: rate)
    saturation.snap(knobs)
    levels.snap(knobs)
    if knobs.pointee.saturation > 0 { isBlocking = true }
  }

  /// Whether everything has reached its target, and the times are up to date for a tempo.
  @_noLocks @inline(__always)
  func isSettled(_ tempo: Float) -> Bool { isThere && times.go(by: tempo) }

  /// Aims at the knobs over the next `frames`; `chosen` holds the knobs' targets.
  @_noLocks
  mutating func aim(
    _ knobs: UnsafePointer<DelayKnobs>, _ chosen: UnsafePointer<DelayKnobs>, tempo: Float, frames: Int
  ) {
    (done, isThere) = (0, false)
    if knobs.pointee.saturation > 0 { isBlocking = true }
    loop.aim(knobs, chosen, rate: rate, frames: frames)
    saturation.aim(knobs, frames: frames)
    levels.aim(knobs, chosen, rate: rate, frames: frames)
    if times.follow(chosen, tempo: tempo, rate: rate, longest: longest, frames: frames) { mustFade = true }
    if isFading {
      if !leftFade.isOver { return continueFade(frames: frames) }
      (leftTap, rightTap, isFading) = (nextLeft, nextRight, false)
    }
    if leftTap.isSettled(at: times.left), rightTap.isSettled(at: times.right) {
      mustFade = false
      isThere = loop.isSettled && saturation.isSettled && levels.isSettled
    } else if mustFade || !Self.isTape(chosen.pointee.change) {
      beginFade()
      continueFade(frames: frames)
    } else {
      leftTap.move(to: times.left, rate: rate, frames: frames)
      rightTap.move(to: times.right, rate: rate, frames: frames)
    }
  }

  @_noLocks
  private static func isTape(_ change: Float) -> Bool {
    if case .tape = DelayChange.at(change) { return true }
    return false
  }

  /// Begins a cross-fade to the target times; further changes wait for its end.
  @_noLocks @inline(never)
  private mutating func beginFade() {
    leftTap.stay()
    rightTap.stay()
    leftFade.begin(likeness: DelayFade.likeness(left, at: writeIndex, leftTap.frames, times.left))
    rightFade.begin(likeness: DelayFade.likeness(right, at: writeIndex, rightTap.frames, times.right))
    nextLeft.rest(at: times.left)
    nextRight.rest(at: times.right)
    (isFading, mustFade) = (true, false)
  }

  @_noLocks
  private mutating func continueFade(frames: Int) {
    leftFade.aim(rate: rate, frames: frames)
    rightFade.aim(rate: rate, frames: frames)
  }

  /// Replaces some frames by their echoes, without the dry sound.
  @_noLocks
  mutating func process(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int
  ) {
    let block = Limits.controlFrames
    cleared = 0
    var x = leftTap.read(self.left, at: writeIndex, frames: frames, scratch)
    var y = rightTap.read(self.right, at: writeIndex, frames: frames, scratch + block)
    if isFading {
      mixNext(x, y, frames: frames)
      (x, y) = (UnsafePointer(scratch), UnsafePointer(scratch + block))
    }
    leftTap.pass(frames)
    rightTap.pass(frames)
    loop.process(x, y, frames: frames, pairs)

    if frames & 7 == 0 {
      turn(left, right, frames: frames)
    } else {
      copy(left, to: ends, frames: frames)
      copy(right, to: ends + block, frames: frames)
      turn(ends, ends + block, frames: frames)
      copy(ends, to: left, frames: frames)
      copy(ends + block, to: right, frames: frames)
    }
    self.left.write(scratch, at: writeIndex, frames: frames)
    self.right.write(scratch + block, at: writeIndex, frames: frames)
    if isBlocking { blocker.process(left, right, share: blockerShare, frames: frames) }
    writeIndex = self.left.index(frames, after: writeIndex)
    done &+= frames
  }

  /// Cross-fades from the current taps to the next ones, in the scratch memory of the current ones.
  @_noLocks @inline(never)
  private func mixNext(_ x: UnsafePointer<Float>, _ y: UnsafePointer<Float>, frames: Int) {
    let block = Limits.controlFrames
    let next = nextLeft.read(left, at: writeIndex, frames: frames, scratch + 2 &* block)
    let other = nextRight.read(right, at: writeIndex, frames: frames, scratch + 3 &* block)
    leftFade.mix(x, next, done: done, frames: frames, scratch)
    rightFade.mix(y, other, done: done, frames: frames, scratch + block)
  }

  /// Saturates the output of the filters, writes it over the input, and computes the samples to write into the lines.
  @_noLocks @inline(__always)
  private func turn(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int
  ) {
    let other = scratch + Limits.controlFrames
    var i = 0
    while i < frames {
      let n = Lanes.counting + Float(done &+ i)
      let both = UnsafeRawPointer(pairs + 2 &* i).loadUnaligned(as: SIMD16<Float>.self)
      let (x, y) = (saturation.at(n, both.evenHalf), saturation.at(n, both.oddHalf))
      let (inLeft, inRight) = (UnsafePointer(left + i).eight, UnsafePointer(right + i).eight)
      let (feedback, across) = levels.at(n)
      // Ping-pong sends the whole input to the left line.
      let toLeft = multiplyAdd(across * 0.5, inRight - inLeft, inLeft)
      let change = across * (y - x)
      (scratch + i).eight = multiplyAdd(feedback, x + change, toLeft)
      (other + i).eight = multiplyAdd(feedback, y - change, multiplySubtract(across, inRight, from: inRight))
      (left + i).eight = x
      (right + i).eight = y
      i &+= Limits.lanesPerGroup
    }
  }

  /// Clears the memory, 16 KiB per call; true when all of it is clear.
  @_noLocks
  mutating func clearPiece() -> Bool {
    (writeIndex, done, isBlocking) = (0, 0, false)
    loop.reset()
    blocker = DCBlocker()
    cleared = clear(memory, from: cleared, count: count)
    return cleared == count
  }
}
