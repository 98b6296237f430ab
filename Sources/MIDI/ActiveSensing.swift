import Synth

/// Finds out which sources have fallen silent that promised not to: once one has sent a sign of life it must send
/// something every 300 ms, or its cable is out. Times are the caller's.
public struct ActiveSensing: Sendable {
  /// Nanoseconds that a source may be silent: 300 ms, and what may hold up a message on its way.
  public static let patience: Int64 = 400_000_000

  /// When each source that promised was heard last; 0 for those that did not.
  private var heard = [Int64](repeating: 0, count: Limits.sources)

  /// Nobody has promised anything.
  public init() {}

  /// A source has sent something; `isSign` where that was a sign of life.
  public mutating func hear(_ source: UInt8, isSign: Bool, at now: Int64) {
    let index = min(Int(source), Limits.sources - 1)
    if isSign || heard[index] != 0 { heard[index] = max(now, 1) }
  }

  /// A source has gone, and its promise with it.
  public mutating func forget(_ source: UInt8) { heard[min(Int(source), Limits.sources - 1)] = 0 }

  /// A source that has been silent for too long; it is not told again until it sends another sign.
  public mutating func fallenSilent(at now: Int64) -> UInt8? {
    guard let index = heard.firstIndex(where: { $0 != 0 && now - $0 >= ActiveSensing.patience }) else {
      return nil
    }
    heard[index] = 0
    return UInt8(index)
  }

  /// When the next one may have been silent for too long; nil when none has promised.
  public var due: Int64? { heard.filter { $0 != 0 }.min().map { $0 + ActiveSensing.patience } }
}
