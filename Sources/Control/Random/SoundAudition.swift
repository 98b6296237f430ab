import Glibc
import Scenes
import Synth

/// Plays strokes of a sound on an engine of its own, and measures them. Any thread but those of audio and control: it
/// takes about a tenth of a second.
public struct SoundAudition: Sendable {
  /// The measurements of a sound.
  public struct Measure: Sendable {
    /// Loudness of the first long stroke, in LUFS by EBU R128; -infinity for silence.
    public let loudness: Double
    /// Loudness of the quieter one of the two long strokes, in LUFS.
    public let least: Double
    /// The peak of all strokes before the limiter, plus the spread of the peaks of equal strokes, dBFS.
    public let peak: Double
  }

  /// A chord or key that is held for some time. The gap before the next one is `gap`.
  private struct Stroke {
    let frames: Int
    let transposition: Int
    let velocity: Float
  }

  /// The loudness of factory presets, LUFS.
  public static let loudness = -18.0
  // The highest peak of a levelled sound, dBFS: true peaks and other keys are less than 4 dB higher.
  private static let highestPeak = -5.0
  /// A sound that cannot be made as loud as this counts as silent, LUFS.
  static let audible = -30.0
  /// No drawn sound is made louder than this, LUFS.
  static let loudest = -12.0
  private static let rate = 48_000
  private static let gap = rate / 2
  private static let (short, long) = (rate / 4, 2 * rate)
  // The long strokes are longer than the longest attack. Those after the first are hard, with the wheel up. Other keys
  // meet other resonances; equal strokes tell how much sounds vary by chance, as by the phases of their oscillators.
  private static let strokes = [
    Stroke(frames: long, transposition: 0, velocity: 0.8),
    Stroke(frames: short, transposition: 0, velocity: 1),
    Stroke(frames: short, transposition: 5, velocity: 1),
    Stroke(frames: short, transposition: -4, velocity: 1),
    Stroke(frames: short, transposition: 0, velocity: 1),
    Stroke(frames: long, transposition: 0, velocity: 1),
  ]
  private static let frames = strokes.reduce(0) { $0 + $1.frames + gap }
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
    let (left, right) = SoundAudition.play(scene, keys)
    let up = Double(-SoundAudition.quiet)
    let long = SoundAudition.long + SoundAudition.gap
    let first = LoudnessMeter.integrated(Array(left.prefix(long)), Array(right.prefix(long))) + up
    let last = LoudnessMeter.integrated(Array(left.suffix(long)), Array(right.suffix(long))) + up
    let equal = SoundAudition.equalStrokes.map { peak(left[$0], right[$0]) }
    let apart = (equal.max() ?? 0) - (equal.min() ?? 0)
    let highest = 20 * log10(Double(peak(left[...], right[...]) + apart)) + up
    return Measure(loudness: first, least: min(first, last), peak: highest)
  }

  /// The first `short` frames of each hard stroke that is not transposed.
  private static let equalStrokes: [Range<Int>] = {
    var start = 0
    return strokes.compactMap { stroke in
      defer { start += stroke.frames + gap }
      return stroke.velocity == 1 && stroke.transposition == 0 ? start..<start + short : nil
    }
  }()

  private func peak(_ left: ArraySlice<Float>, _ right: ArraySlice<Float>) -> Float {
    zip(left, right).reduce(0) { max($0, abs($1.0), abs($1.1)) }
  }

  /// Sets the level of a sound so that its loudness is `goal`, in LUFS. Its peaks stay below `highestPeak`, so one with
  /// high peaks may stay quieter. Nil for a silent sound.
  public func levelled(_ patch: Patch, to goal: Double = loudness) -> Patch? {
    var patch = patch
    // The stages after the level may be nonlinear, so the level is found in steps.
    for _ in 0..<6 {
      let measure = measure(patch)
      guard measure.loudness > -70, measure.peak.isFinite else { return nil }
      let headroom = SoundAudition.highestPeak - measure.peak
      let gain = Float(min(goal - measure.loudness, headroom))
      let level = max(Limits.silence, min(patch.amplifier.level + gain, 12))
      if abs(level - patch.amplifier.level) < 0.5, headroom > -0.5 {
        return measure.least > SoundAudition.audible ? patch : nil
      }
      patch.amplifier.level = level
    }
    return nil
  }

  /// Whether a sound is audible, and not too loud, at its level.
  public func accepts(_ patch: Patch) -> Bool {
    let measure = measure(patch)
    return measure.least > SoundAudition.audible && measure.peak < SoundAudition.highestPeak + 0.5
  }

  /// All strokes, one after another.
  private static func play(_ scene: Scene, _ keys: [UInt8]) -> ([Float], [Float]) {
    let link = Link(scene)
    // The engine returns its effects to the link, which would be freed after its own last use.
    return withExtendedLifetime(link) { play(link, keys) }
  }

  private static func play(_ link: Link, _ keys: [UInt8]) -> ([Float], [Float]) {
    var engine = Engine(rate: Double(rate), link: link)
    link.scene.service()
    link.scene.audioSide.setRunning(true)
    var start = 0
    for (index, stroke) in strokes.enumerated() {
      if index == 1 { link.midi.push(Event(frame: Int64(start), kind: .wheel, value: 1)) }
      // The engine reads events in their order, so the ends of notes follow all beginnings.
      for (frame, kind) in [(start, Event.Kind.noteOn), (start + stroke.frames, .noteOff)] {
        for key in keys {
          let note = UInt8(Int(key) + stroke.transposition)
          link.midi.push(Event(frame: Int64(frame), kind: kind, note: note, value: stroke.velocity))
        }
      }
      start += stroke.frames + gap
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

/// Loudness by ITU-R BS.1770-4 and EBU R128, at 48 kHz.
enum LoudnessMeter {
  /// The K-weighting of the recommendation: the shelf that models the head, and the high-pass.
  private struct Weighting {
    private var head = (0.0, 0.0)
    private var cut = (0.0, 0.0)

    mutating func power(_ sample: Float) -> Double {
      let one = Double(sample) + 1.69065929318241 * head.0 - 0.73248077421585 * head.1
      let shelf = 1.53512485958697 * one - 2.69169619938640 * head.0 + 1.19839281085285 * head.1
      head = (one, head.0)
      let two = shelf + 1.99004745483398 * cut.0 - 0.99007225036621 * cut.1
      let high = two - 2 * cut.0 + cut.1
      cut = (two, cut.0)
      return high * high
    }
  }

  /// The frames between two blocks: a quarter of 400 ms.
  private static let step = 4_800

  /// The integrated loudness of two channels in LUFS: the mean of the blocks above -120 LUFS that are at most 10 LU
  /// below the mean of these; -infinity without any.
  static func integrated(_ left: [Float], _ right: [Float]) -> Double {
    var (one, other) = (Weighting(), Weighting())
    let steps = (0..<left.count / step).map { index in
      (index * step..<(index + 1) * step).reduce(0.0) { $0 + one.power(left[$1]) + other.power(right[$1]) }
    }
    let blocks = steps.indices.dropFirst(3).map { steps[$0 - 3...$0].reduce(0, +) / Double(4 * step) }
    // Not -70 LUFS, the gate of the recommendation, because sounds are rendered quietly.
    let loud = mean(blocks, above: -120)
    return mean(blocks, above: loud - 10)
  }

  private static func mean(_ blocks: [Double], above gate: Double) -> Double {
    let loud = blocks.filter { decibels($0) > gate }
    return loud.isEmpty ? -.infinity : decibels(loud.reduce(0, +) / Double(loud.count))
  }

  private static func decibels(_ power: Double) -> Double { -0.691 + 10 * log10(power) }
}
