import CRealtime
import Scenes

/// The target time of a delay, in frames for each side.
struct DelayTimes {
  private(set) var left = 0
  private(set) var right = 0
  // The settings that the times were computed from.
  private var time: Float = -1
  private var sync: Float = 0
  private var ratio: Float = 0
  private var tempo: Float = 0
  private var steady = SteadyTempo()

  @_noLocks init() {}

  /// The shortest time in frames: an echo cannot be read in the tick in which it is written, and interpolation reads a
  /// few samples more.
  static var shortest: Int { @_noLocks get { Limits.controlFrames + 4 } }

  /// Computes the times for the first time.
  @_noLocks
  mutating func snap(_ chosen: UnsafePointer<DelayKnobs>, tempo: Float, rate: Float, longest: Int) {
    steady.snap(tempo)
    _ = follow(chosen, tempo: tempo, rate: rate, longest: longest, frames: 0)
  }

  /// Updates the times after a change of the settings, `frames` later. True if the new times can only be reached by a
  /// cross-fade: they follow the tempo, or did before, or the ratio changed.
  @_noLocks
  mutating func follow(
    _ chosen: UnsafePointer<DelayKnobs>, tempo: Float, rate: Float, longest: Int, frames: Int
  ) -> Bool {
    let knobs = chosen.pointee
    let isOther = knobs.sync != sync || knobs.ratio != ratio
    // After a change of a knob, the current tempo applies at once.
    if isOther { steady.snap(tempo) } else { steady.follow(tempo, seconds: Float(frames) / rate) }
    if isOther || knobs.time != time || steady.perSecond != self.tempo {
      (time, sync, ratio, self.tempo) = (knobs.time, knobs.sync, knobs.ratio, steady.perSecond)
      find(rate: rate, longest: longest)
    }
    return isOther || sync >= 1
  }

  /// Whether the times are up to date for a tempo that needs no smoothing.
  @_noLocks @inline(__always)
  func go(by tempo: Float) -> Bool { steady.perSecond == tempo && self.tempo == tempo }

  @_noLocks @inline(never)
  private mutating func find(rate: Float, longest: Int) {
    let beats = NoteLength.beats(sync)
    let most = Float(longest)
    var frames = (beats > 0 ? beats / max(tempo, 0.01) : time) * rate
    // A synchronized time that is too long is halved, which keeps it on the beat.
    while beats > 0, frames > most { frames *= 0.5 }
    frames = min(frames, most)
    left = max(Self.shortest, Int(frames + 0.5))
    right = max(Self.shortest, Int(frames * DelayRatio.at(ratio) + 0.5))
  }
}

/// A cross-fade between two taps of a delay that keeps the loudness: the gains of both, from tick to tick.
struct DelayFade {
  // Progress of the fade, 0…1.
  private var progress: Float = 0
  // Correlation of the two taps, 0…1.
  private var likeness: Float = 0
  private var old: Float = 1
  private var new: Float = 0
  private var oldStep: Float = 0
  private var newStep: Float = 0

  @_noLocks init() {}

  /// Duration in seconds.
  private static var seconds: Float { @_noLocks get { 0.04 } }

  /// Whether the fade has ended.
  var isOver: Bool { @_noLocks get { progress >= 1 } }

  /// Begins a fade between taps of the given correlation.
  @_noLocks
  mutating func begin(likeness: Float) {
    self = DelayFade()
    self.likeness = likeness
  }

  /// Continues over the next `frames`. If the taps are correlated, as those of a held tone may be, equal-power gains
  /// would make their sum louder; the gains keep the power of the sum constant instead.
  @_noLocks
  mutating func aim(rate: Float, frames: Int) {
    (old, new) = gains(progress)
    progress = min(1, progress + Float(frames) / (Self.seconds * rate))
    let goal = gains(progress)
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

  /// Correlation of two taps of a line over the last 2,048 frames, 0…1, measured on eight of each 64 frames.
  @_noLocks
  static func likeness(_ line: DelayLine, at index: Int, _ first: Int, _ second: Int) -> Float {
    if first == second { return 1 }
    var (xx, yy, xy) = (Lanes.zero, Lanes.zero, Lanes.zero)
    var i = 8
    while i <= 2_048 {
      // Limited to the length of the line.
      let x = line.delayed(by: min(first &+ i, line.size), at: index).eight
      let y = line.delayed(by: min(second &+ i, line.size), at: index).eight
      xx += x * x
      yy += y * y
      xy += x * y
      i &+= 64
    }
    let power = sum(xx) * sum(yy)
    return power > 0 ? max(0, min(sum(xy) / rt_sqrt(power), 1)) : 0
  }
}

/// The tempo that the time of a delay follows. A MIDI clock or a tapped tempo is never quite steady; a delay that
/// followed each of its beats would always glide to another time, and all echoes would waver.
///
/// A change larger than the jitter of any clock is followed at once, the mean when it has drifted, and the exact tempo
/// once it has been constant for a second.
struct SteadyTempo {
  /// Beats per second.
  private(set) var perSecond: Float = 0
  private var last: Float = 0
  private var mean: Float = 0
  // Seconds for which the tempo has been constant.
  private var still: Float = 0

  /// Relative deviations that are followed: of a beat, and of the mean.
  private static var leap: Float { @_noLocks get { 0.01 } }
  private static var drift: Float { @_noLocks get { 0.004 } }
  /// Time constant of the mean in seconds, and seconds after which a constant tempo counts as settled.
  private static var memory: Float { @_noLocks get { 2 } }
  private static var settled: Float { @_noLocks get { 1 } }

  @_noLocks init() {}

  /// Jumps to a tempo.
  @_noLocks
  mutating func snap(_ tempo: Float) { (perSecond, last, mean, still) = (tempo, tempo, tempo, 0) }

  /// Follows a tempo, `seconds` after the last call.
  @_noLocks @inline(__always)
  mutating func follow(_ tempo: Float, seconds: Float) {
    if tempo != perSecond { approach(tempo, seconds: seconds) }
  }

  @_noLocks @inline(never)
  private mutating func approach(_ tempo: Float, seconds: Float) {
    still = tempo == last ? still + seconds : 0
    last = tempo
    mean += (tempo - mean) * min(1, seconds / Self.memory)
    if still >= Self.settled || (tempo - perSecond).magnitude > Self.leap * perSecond {
      snap(tempo)
    } else if (mean - perSecond).magnitude > Self.drift * perSecond {
      (perSecond, still) = (mean, 0)
    }
  }
}
