import Scenes

/// Finds the sources that have disappeared without notice. Once a source has sent active sensing, it must send a
/// message every 300 ms; otherwise it counts as disconnected. Times are nanoseconds of the caller's clock.
public struct ActiveSensing: Sendable {
  /// Nanoseconds that a source may be silent: 300 ms, plus 100 ms for delays of the transport.
  public static let timeout: Int64 = 400_000_000

  /// The time of the last message of each source that has sent active sensing; 0 for the others.
  private var lastMessages = [Int64](repeating: 0, count: Limits.sources)

  /// No source has sent active sensing.
  public init() {}

  /// Records a message of a source; `isActiveSensing` is true for active sensing.
  public mutating func receive(from source: UInt8, isActiveSensing: Bool, at now: Int64) {
    let index = min(Int(source), Limits.sources - 1)
    if isActiveSensing || lastMessages[index] != 0 { lastMessages[index] = max(now, 1) }
  }

  /// Forgets the active sensing of a source.
  public mutating func forget(_ source: UInt8) { lastMessages[min(Int(source), Limits.sources - 1)] = 0 }

  /// A source that has been silent for too long; nil when there is none. Each source is returned once, until it sends
  /// active sensing again.
  public mutating func fallenSilent(at now: Int64) -> UInt8? {
    guard let index = lastMessages.firstIndex(where: { $0 != 0 && now - $0 >= ActiveSensing.timeout }) else {
      return nil
    }
    lastMessages[index] = 0
    return UInt8(index)
  }

  /// The time when the next source will have been silent for too long; nil when none has sent active sensing.
  public var due: Int64? { lastMessages.filter { $0 != 0 }.min().map { $0 + ActiveSensing.timeout } }
}
