import Glibc
import Synth

/// Plays a chord of a sound on an engine of its own, and measures it. Any thread but those of audio and control: it takes
/// some hundredths of a second.
public struct SoundAudition: Sendable {
  /// What was measured of a sound.
  public struct Measure: Sendable {
    /// Loudness in LUFS by EBU R128; -infinity for silence.
    public let loudness: Double
    /// The greatest sample before the limiter, in decibels of full scale.
    public let peak: Double
  }

  /// The loudness of factory presets, LUFS.
  public static let loudness = -18.0
  // The highest peak of a levelled sound, dBFS: true peaks and other phases of another stroke are less than 2 dB higher.
  private static let highestPeak = -4.0
  /// A sound that cannot be made as loud as this counts as silent, LUFS.
  static let audible = -30.0
  /// No drawn sound is made louder than this, LUFS.
  static let loudest = -12.0
  private static let rate = 48_000
  // Longer than the longest attack.
  private static let held = 2 * rate
  private static let frames = held + rate / 2
  // The limiter stays idle at this level of the master, decibels.
  private static let quiet: Float = -30

  private let keys: [UInt8]

  /// An audition with one low key for basses, or with a chord.
  public init(isLow: Bool) { keys = isLow ? [36] : [48, 60, 64, 67] }

  /// Measures a sound.
  public func measure(_ patch: Patch) -> Measure {
    var scene = Scene.initial
    scene.master.level = SoundAudition.quiet
    scene[0].patch = patch
    let played = SoundAudition.play(scene, keys)
    let up = Double(-SoundAudition.quiet)
    return Measure(loudness: LoudnessMeter.integrated(played.0, played.1) + up, peak: decibels(played) + up)
  }

  private func decibels(_ sides: ([Float], [Float])) -> Double {
    let peak = zip(sides.0, sides.1).reduce(Float(0)) { max($0, abs($1.0), abs($1.1)) }
    return 20 * log10(Double(peak))
  }

  /// Sets the level of a sound so that its loudness is `goal`, in LUFS. Peaks are kept below `highestPeak`, so a sound with
  /// high peaks may stay quieter. Nil for a silent sound.
  public func levelled(_ patch: Patch, to goal: Double = loudness) -> Patch? {
    var patch = patch
    // What follows the level may be nonlinear, so the level is found in steps.
    for _ in 0..<6 {
      let measure = measure(patch)
      guard measure.loudness > -70, measure.peak.isFinite else { return nil }
      let room = SoundAudition.highestPeak - measure.peak
      let gain = Float(min(goal - measure.loudness, room))
      let level = max(Limits.silence, min(patch.amplifier.level + gain, 12))
      if abs(level - patch.amplifier.level) < 0.5, room > -0.5 {
        return measure.loudness > SoundAudition.audible ? patch : nil
      }
      patch.amplifier.level = level
    }
    return nil
  }

  /// Whether a sound is audible, and not too loud, at its level.
  public func accepts(_ patch: Patch) -> Bool {
    let measure = measure(patch)
    return measure.loudness > SoundAudition.audible && measure.peak < SoundAudition.highestPeak + 0.5
  }

  /// The chord, held and released.
  private static func play(_ scene: Scene, _ keys: [UInt8]) -> ([Float], [Float]) {
    let link = Link(scene)
    // The engine returns its effects to the link, which would be freed after its own last use.
    return withExtendedLifetime(link) { play(link, keys) }
  }

  private static func play(_ link: Link, _ keys: [UInt8]) -> ([Float], [Float]) {
    var engine = Engine(rate: Double(rate), link: link)
    link.scene.service()
    link.scene.audioSide.setRunning(true)
    for key in keys {
      link.midi.push(Event(frame: 0, kind: .noteOn, source: 0, target: 0, note: key, value: 0.8))
    }
    // Behind all strokes, because the engine reads events in their order.
    for key in keys {
      link.midi.push(Event(frame: Int64(held), kind: .noteOff, source: 0, target: 0, note: key, value: 0.5))
    }
    var (left, right) = (Array(repeating: Float(0), count: frames), Array(repeating: Float(0), count: frames))
    left.withUnsafeMutableBufferPointer { left in
      right.withUnsafeMutableBufferPointer { right in
        guard let left = left.baseAddress, let right = right.baseAddress else { return }
        for start in stride(from: 0, to: frames, by: Limits.period) {
          engine.render(left: left + start, right: right + start, frames: min(Limits.period, frames - start))
        }
      }
    }
    return (left, right)
  }
}
