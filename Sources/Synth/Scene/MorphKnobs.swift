/// The morph between two snapshots of a part, and how a snapshot is recalled. It belongs to the part and not to its
/// sound. The control thread moves the sound; the audio thread does not read these knobs.
public struct MorphKnobs: Sendable {
  /// The position, 0…1: 0 is the snapshot `from`, 1 is the snapshot `to`.
  public var position: Float = 0
  /// The snapshot at position 0, by its index.
  public var from: Float = 0
  /// The snapshot at position 1, by its index.
  public var to: Float = 0
  /// Seconds that the recall of a snapshot takes, at most `Limits.morphSeconds`.
  public var time: Float = 0
  /// A `SnapshotStart`.
  public var quantize: Float = 0

  /// All knobs at zero.
  public init() {}
}

/// When the recall of a snapshot begins.
public enum SnapshotStart: Int, CaseIterable, Sendable {
  /// At once.
  case off
  /// On the next beat of the beat line.
  case beat
  /// On the next bar.
  case bar

  /// The start for a knob's value.
  public static func at(_ choice: Float) -> SnapshotStart { SnapshotStart(rawValue: Int(choice)) ?? .off }
}
