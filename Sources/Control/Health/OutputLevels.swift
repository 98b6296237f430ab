import Glibc
import Scenes
import Synth

/// The output meters of surfaces: the peak and the gain reduction of the limiter; and the peaks of the outputs 1 and 2
/// and of the parts, which rise only while the monitor has viewers. Reads the audio thread's values twenty times a
/// second. Control thread.
public struct OutputLevels {
  /// The loudest sample on any output, in decibels of full scale.
  private(set) var peak = LevelMeter(rest: Double(Limits.silence))
  /// The gain reduction of the limiter, in decibels.
  private(set) var reduction = LevelMeter(rest: 0)
  /// The loudest sample on output 1, on output 2 and of each part after its mixer strip, in decibels of full scale.
  private(set) var left = LevelMeter(rest: Double(Limits.silence))
  private(set) var right = LevelMeter(rest: Double(Limits.silence))
  private(set) var parts = Array(repeating: LevelMeter(rest: Double(Limits.silence)), count: Limits.parts)
  private var readAt = Int64.min / 2

  /// The time between two readings, nanoseconds.
  static let interval: Int64 = 50_000_000

  /// Reads the values since the last call if the interval has passed. True if a displayed value has changed.
  mutating func update(_ link: Link, _ now: Int64) -> Bool {
    if now - readAt < Self.interval { return false }
    readAt = now
    let isLouder = peak.take(Self.decibels(link.meters.takeShownPeak()), now)
    let isTurnedDown = reduction.take(Self.decibels(link.meters.takeReduction()), now)
    return updatePeaks(link.peaks, now) || isLouder || isTurnedDown
  }

  private mutating func updatePeaks(_ peaks: Peaks, _ now: Int64) -> Bool {
    var isChanged = left.take(Self.decibels(peaks.take(.left)), now)
    if right.take(Self.decibels(peaks.take(.right)), now) { isChanged = true }
    for part in parts.indices where parts[part].take(Self.decibels(peaks.take(.part(part))), now) {
      isChanged = true
    }
    return isChanged
  }

  /// The time of the next reading.
  var next: Int64 { readAt + Self.interval }

  private static func decibels(_ factor: Float) -> Double {
    // A part may be louder than full scale, or not a number.
    20 * log10(Double(max(1e-9, min(factor, 1e6))))
  }
}

/// A level as meters show it: it rises at once and falls by 20 dB a second, like a peak programme meter. Its maximum
/// is held for two seconds, for numeric displays. In tenths of a decibel, so that a steady tone shows a steady value.
struct LevelMeter: Sendable {
  /// The level of silence, in decibels.
  let rest: Double
  /// The current level, in decibels.
  private(set) var level: Double
  /// The maximum of the last two seconds, in decibels.
  private(set) var held: Double
  private var heldAt: Int64 = 0
  private var at: Int64?

  private static let fallPerSecond = 20.0
  private static let holdTime: Int64 = 2_000_000_000

  init(rest: Double) { (self.rest, level, held) = (rest, rest, rest) }

  /// Updates the meter with the highest level since the last call, in decibels. True if the displayed value has
  /// changed.
  mutating func take(_ decibels: Double, _ now: Int64) -> Bool {
    let before = (level, held)
    let seconds = Double(now - (at ?? now)) * 1e-9
    at = now
    let highest = max(rest, Self.tenths(decibels))
    level = max(highest, Self.tenths(level - Self.fallPerSecond * seconds))
    if highest >= held || now - heldAt >= Self.holdTime { (held, heldAt) = (level, now) }
    return (level, held) != before
  }

  private static func tenths(_ decibels: Double) -> Double { (decibels * 10).rounded() / 10 }
}
