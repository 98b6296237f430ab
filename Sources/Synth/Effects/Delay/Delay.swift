import CRealtime

/// The delay of a part: echoes on either side, each filtered and bent once more than the one before.
///
/// All delays are longer than a tick of control rate, so that what comes out of the lines is there before what goes into them:
/// all but the filters is done for eight frames at once. What rests is read at whole frames; what moves, between four samples.
struct Delay {
  private let memory: UnsafeMutablePointer<Float>
  private let count: Int
  private let rate: Float
  private let longest: Int
  private let left: DelayLine
  private let right: DelayLine
  // Frames of a tick: four times what is read, pairs, and what comes in and goes out where that is no multiple of eight.
  private let room: UnsafeMutablePointer<Float>
  private let pairs: UnsafeMutablePointer<Float>
  private let ends: UnsafeMutablePointer<Float>

  private var leftTap = DelayTap()
  private var rightTap = DelayTap()
  // What fades in, if a time was changed that way.
  private var nextLeft = DelayTap()
  private var nextRight = DelayTap()
  private var leftFade = DelayFade()
  private var rightFade = DelayFade()
  private var isFading = false
  private var times = DelayTimes()
  // Whether the goal can only be faded to.
  private var mustFade = false
  private var loop = DelayLoop()
  private var bend = DelayBend()
  private var levels = DelayLevels()
  // Against the mean of what is bent and not the same above and below, and whether there may be one.
  private var blocker = DCBlocker()
  private var isBlocking = false
  private let blockerShare: Float
  // Where the lines are written, and how much of the tick is over.
  private var place = 0
  private var done = 0
  // True when it is where it was aimed at.
  private var isThere = false
  // Samples of memory that are as new.
  private var cleared: Int

  /// A delay with memory of its own, for `DelayKnobs.longest`.
  init(rate: Double) {
    longest = Int(Double(DelayKnobs.longest) * rate)
    let line = DelayLine.memory(longest: longest)
    let block = Limits.controlFrames
    count = 2 * line + 8 * block
    memory = UnsafeMutablePointer<Float>.allocate(capacity: count)
    memory.initialize(repeating: 0, count: count)
    left = DelayLine(memory, longest: longest)
    right = DelayLine(memory + line, longest: longest)
    room = memory + 2 * line
    pairs = room + 4 * block
    ends = pairs + 2 * block
    self.rate = Float(rate)
    blockerShare = DCBlocker.share(rate: rate)
    cleared = count
  }

  /// Gives its memory back.
  func deallocate() { memory.deallocate() }

  /// Bytes of memory.
  var bytes: Int { count * MemoryLayout<Float>.size }

  /// Puts everything where the knobs are; `tempo` in beats a second.
  @_noLocks
  mutating func arrive(_ knobs: UnsafePointer<DelayKnobs>, tempo: Float) {
    times.arrive(knobs, tempo: tempo, rate: rate, longest: longest)
    leftTap.rest(at: times.left)
    rightTap.rest(at: times.right)
    (isFading, mustFade) = (false, false)
    loop.arrive(knobs, rate: rate)
    bend.arrive(knobs)
    levels.arrive(knobs)
    if knobs.pointee.saturation > 0 { isBlocking = true }
  }

  /// Whether it is where it was aimed at, and a tempo is the one that it goes by.
  @_noLocks @inline(__always)
  func isStill(_ tempo: Float) -> Bool { isThere && times.go(by: tempo) }

  /// Aims at the knobs over the next `frames`; `chosen` has them where they go.
  @_noLocks
  mutating func aim(
    _ knobs: UnsafePointer<DelayKnobs>, _ chosen: UnsafePointer<DelayKnobs>, tempo: Float, frames: Int
  ) {
    (done, isThere) = (0, false)
    if knobs.pointee.saturation > 0 { isBlocking = true }
    loop.aim(knobs, chosen, rate: rate, frames: frames)
    bend.aim(knobs, frames: frames)
    levels.aim(knobs, chosen, rate: rate, frames: frames)
    if times.follow(chosen, tempo: tempo, rate: rate, longest: longest, frames: frames) { mustFade = true }
    if isFading {
      if !leftFade.isOver { return goOn(frames: frames) }
      (leftTap, rightTap, isFading) = (nextLeft, nextRight, false)
    }
    if leftTap.rests(at: times.left), rightTap.rests(at: times.right) {
      mustFade = false
      isThere = loop.isStill && bend.isStill && levels.isStill
    } else if mustFade || !Self.isTape(chosen.pointee.change) {
      beginFade()
      goOn(frames: frames)
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

  /// Begins to fade to the times that there are to be; further ones wait for its end.
  @_noLocks @inline(never)
  private mutating func beginFade() {
    leftTap.stay()
    rightTap.stay()
    leftFade.begin(likeness: DelayFade.likeness(left, at: place, leftTap.frames, times.left))
    rightFade.begin(likeness: DelayFade.likeness(right, at: place, rightTap.frames, times.right))
    nextLeft.rest(at: times.left)
    nextRight.rest(at: times.right)
    (isFading, mustFade) = (true, false)
  }

  @_noLocks
  private mutating func goOn(frames: Int) {
    leftFade.aim(rate: rate, frames: frames)
    rightFade.aim(rate: rate, frames: frames)
  }

  /// Makes the echoes of some frames in place, without what came.
  @_noLocks
  mutating func process(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int
  ) {
    let block = Limits.controlFrames
    cleared = 0
    var x = leftTap.read(self.left, at: place, frames: frames, room)
    var y = rightTap.read(self.right, at: place, frames: frames, room + block)
    if isFading {
      mixNext(x, y, frames: frames)
      (x, y) = (UnsafePointer(room), UnsafePointer(room + block))
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
    self.left.write(room, at: place, frames: frames)
    self.right.write(room + block, at: place, frames: frames)
    if isBlocking { blocker.process(left, right, share: blockerShare, frames: frames) }
    place = self.left.place(frames, after: place)
    done &+= frames
  }

  /// Fades what the taps have read to what the next ones do, into the room of the first.
  @_noLocks @inline(never)
  private func mixNext(_ x: UnsafePointer<Float>, _ y: UnsafePointer<Float>, frames: Int) {
    let block = Limits.controlFrames
    let next = nextLeft.read(left, at: place, frames: frames, room + 2 &* block)
    let other = nextRight.read(right, at: place, frames: frames, room + 3 &* block)
    leftFade.mix(x, next, done: done, frames: frames, room)
    rightFade.mix(y, other, done: done, frames: frames, room + block)
  }

  /// Bends what the filters made, which comes out in place of what comes in; and makes what goes into the lines.
  @_noLocks @inline(__always)
  private func turn(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int
  ) {
    let other = room + Limits.controlFrames
    var i = 0
    while i < frames {
      let n = Lanes.counting + Float(done &+ i)
      let both = UnsafeRawPointer(pairs + 2 &* i).loadUnaligned(as: SIMD16<Float>.self)
      let (x, y) = (bend.at(n, both.evenHalf), bend.at(n, both.oddHalf))
      let (inLeft, inRight) = (UnsafePointer(left + i).eight, UnsafePointer(right + i).eight)
      let (feedback, across) = levels.at(n)
      // As far as echoes go across, all that comes in goes to the left.
      let toLeft = multiplyAdd(across * 0.5, inRight - inLeft, inLeft)
      let change = across * (y - x)
      (room + i).eight = multiplyAdd(feedback, x + change, toLeft)
      (other + i).eight = multiplyAdd(feedback, y - change, multiplySubtract(across, inRight, from: inRight))
      (left + i).eight = x
      (right + i).eight = y
      i &+= Limits.lanesPerGroup
    }
  }

  /// Clears its memory, 16 KiB at a call; true when all is as new.
  @_noLocks
  mutating func forget() -> Bool {
    (place, done, isBlocking) = (0, 0, false)
    loop.reset()
    blocker = DCBlocker()
    cleared = clear(memory, from: cleared, count: count)
    return cleared == count
  }
}
