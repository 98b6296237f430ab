import Glibc
import Synth

/// The output meters of surfaces: the peak, and the gain reduction of the limiter. Reads the audio thread's values
/// twenty times a second. Control thread.
public struct OutputLevels {
  /// The loudest sample on any output, in decibels of full scale.
  private(set) var peak = LevelMeter(rest: Double(Limits.silence))
  /// The gain reduction of the limiter, in decibels.
  private(set) var reduction = LevelMeter(rest: 0)
  private var readAt = Int64.min / 2

  /// The time between two readings, nanoseconds.
  static let interval: Int64 = 50_000_000

  /// Reads the values since the last call if the interval has passed. True if a displayed value has changed.
  mutating func update(_ link: Link, _ now: Int64) -> Bool {
    if now - readAt < Self.interval { return false }
    readAt = now
    let isLouder = peak.take(Self.decibels(link.meters.takeShownPeak()), now)
    let isTurnedDown = reduction.take(Self.decibels(link.meters.takeReduction()), now)
    return isLouder || isTurnedDown
  }

  /// The time of the next reading.
  var next: Int64 { readAt + Self.interval }

  private static func decibels(_ factor: Float) -> Double { 20 * log10(Double(max(factor, 1e-9))) }
}
