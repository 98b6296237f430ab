import CRealtime

/// The time that a delay is to have, in frames of each side.
struct DelayTimes {
  private(set) var left = 0
  private(set) var right = 0
  // What they were found from.
  private var time: Float = -1
  private var sync: Float = 0
  private var ratio: Float = 0
  private var tempo: Float = 0
  private var steady = SteadyTempo()

  @_noLocks init() {}

  /// The shortest time: an echo may not be heard in the tick that it is made in, nor between samples of it.
  static var shortest: Int { @_noLocks get { Limits.controlFrames + 4 } }

  /// Finds them for the first time.
  @_noLocks
  mutating func arrive(_ chosen: UnsafePointer<DelayKnobs>, tempo: Float, rate: Float, longest: Int) {
    steady.arrive(tempo)
    _ = follow(chosen, tempo: tempo, rate: rate, longest: longest, frames: 0)
  }

  /// Finds them again if anything has changed, `frames` later. True if they can only be faded to: they go by the tempo, or did,
  /// or the ratio is another one.
  @_noLocks
  mutating func follow(
    _ chosen: UnsafePointer<DelayKnobs>, tempo: Float, rate: Float, longest: Int, frames: Int
  ) -> Bool {
    let knobs = chosen.pointee
    let isOther = knobs.sync != sync || knobs.ratio != ratio
    // What is turned goes by the tempo as it is.
    if isOther { steady.arrive(tempo) } else { steady.follow(tempo, seconds: Float(frames) / rate) }
    if isOther || knobs.time != time || steady.perSecond != self.tempo {
      (time, sync, ratio, self.tempo) = (knobs.time, knobs.sync, knobs.ratio, steady.perSecond)
      find(rate: rate, longest: longest)
    }
    return isOther || sync >= 1
  }

  /// Whether they are found for a tempo, and nothing is to follow.
  @_noLocks @inline(__always)
  func go(by tempo: Float) -> Bool { steady.perSecond == tempo && self.tempo == tempo }

  @_noLocks @inline(never)
  private mutating func find(rate: Float, longest: Int) {
    let beats = NoteLength.beats(sync)
    let most = Float(longest)
    var frames = (beats > 0 ? beats / max(tempo, 0.01) : time) * rate
    // What goes by the tempo and is too long keeps its place in the bar.
    while beats > 0, frames > most { frames *= 0.5 }
    frames = min(frames, most)
    left = max(Self.shortest, Int(frames + 0.5))
    right = max(Self.shortest, Int(frames * DelayRatio.at(ratio) + 0.5))
  }
}

/// A fade from one tap of a delay to another that keeps the loudness: how loud both are, from tick to tick.
struct DelayFade {
  // 0…1, as far as it has come.
  private var place: Float = 0
  // How much alike the two taps are, 0…1.
  private var likeness: Float = 0
  private var old: Float = 1
  private var new: Float = 0
  private var oldStep: Float = 0
  private var newStep: Float = 0

  @_noLocks init() {}

  /// Seconds that it takes.
  private static var seconds: Float { @_noLocks get { 0.04 } }

  /// Whether it is over.
  var isOver: Bool { @_noLocks get { place >= 1 } }

  /// Begins.
  @_noLocks
  mutating func begin(likeness: Float) {
    self = DelayFade()
    self.likeness = likeness
  }

  /// Goes on over the next `frames`. Where the taps are alike, as those of a held tone may be, gains of equal power would make
  /// them louder: so the power of the sum as it is stays the same.
  @_noLocks
  mutating func aim(rate: Float, frames: Int) {
    (old, new) = gains(place)
    place = min(1, place + Float(frames) / (Self.seconds * rate))
    let goal = gains(place)
    let perFrame = 1 / Float(frames)
    (oldStep, newStep) = ((goal.old - old) * perFrame, (goal.new - new) * perFrame)
  }

  @_noLocks
  private func gains(_ b: Float) -> (old: Float, new: Float) {
    let a = 1 - b
    let power = a * a + b * b + 2 * likeness * a * b
    return (a / rt_sqrt(power), b / rt_sqrt(power))
  }

  /// Mixes the frames of two taps, `done` frames after the beginning of the tick.
  @_noLocks
  func mix(
    _ x: UnsafePointer<Float>, _ y: UnsafePointer<Float>, done: Int, frames: Int,
    _ out: UnsafeMutablePointer<Float>
  ) {
    var i = 0
    while i < frames {
      let n = Lanes.counting + Float(done &+ i)
      let a = multiplyAdd(n, Lanes(repeating: oldStep), Lanes(repeating: old))
      let b = multiplyAdd(n, Lanes(repeating: newStep), Lanes(repeating: new))
      (out + i).eight = multiplyAdd((x + i).eight, a, (y + i).eight * b)
      i &+= Limits.lanesPerGroup
    }
  }

  /// How much alike two taps of a line have been lately, 0…1: 2,048 frames, every eighth eight of them.
  @_noLocks
  static func likeness(_ line: DelayLine, at place: Int, _ first: Int, _ second: Int) -> Float {
    if first == second { return 1 }
    var (xx, yy, xy) = (Lanes.zero, Lanes.zero, Lanes.zero)
    var i = 8
    while i <= 2_048 {
      // Not beyond what the line remembers.
      let x = line.behind(min(first &+ i, line.size), at: place).eight
      let y = line.behind(min(second &+ i, line.size), at: place).eight
      xx += x * x
      yy += y * y
      xy += x * y
      i &+= 64
    }
    let power = sum(xx) * sum(yy)
    return power > 0 ? max(0, min(sum(xy) / rt_sqrt(power), 1)) : 0
  }
}
