import Glibc
import Synth

/// The output meters of surfaces: the peak, and the limiter's reduction. Reads the audio thread's values twenty times a
/// second. Control thread.
public struct OutputLevels {
  /// The loudest sample on any output, in decibels of full scale.
  private(set) var peak = LevelMeter(rest: Double(Limits.silence))
  /// How much the limiter turns down, in decibels.
  private(set) var reduction = LevelMeter(rest: 0)
  private var readAt = Int64.min / 2

  /// Between two readings, nanoseconds.
  static let interval: Int64 = 50_000_000

  /// Reads what there was since the last time, if that is long enough ago. True when a meter shows something else.
  mutating func update(_ link: Link, _ now: Int64) -> Bool {
    if now - readAt < Self.interval { return false }
    readAt = now
    let isLouder = peak.take(Self.decibels(link.meters.takeShownPeak()), now)
    let isTurnedDown = reduction.take(Self.decibels(link.meters.takeReduction()), now)
    return isLouder || isTurnedDown
  }

  /// When it wants to look again.
  var next: Int64 { readAt + Self.interval }

  private static func decibels(_ factor: Float) -> Double { 20 * log10(Double(max(factor, 1e-9))) }
}
