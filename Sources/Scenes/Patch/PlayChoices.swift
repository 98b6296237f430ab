// The choices of how a part is played, in the order of their values.

/// How many voices play a part, and how a key acts while others are held.
public enum PlayMode: Int, CaseIterable, Sendable {
  /// A voice for each key.
  case poly
  /// One voice for all keys. Every key restarts it.
  case mono
  /// One voice for all keys. A key that is struck while others are held continues it.
  case legato

  /// The mode for a knob's value.
  @_noLocks @inlinable
  public static func at(_ choice: Float) -> PlayMode { choice < 0.5 ? .poly : choice < 1.5 ? .mono : .legato }
}

/// The priority of held keys when a single voice plays.
public enum NotePriority: Int, CaseIterable, Sendable {
  case last, low, high

  /// The priority for a knob's value.
  @_noLocks @inlinable
  public static func at(_ choice: Float) -> NotePriority {
    choice < 0.5 ? .last : choice < 1.5 ? .low : .high
  }
}

/// The interval that the glide time refers to, and the curve of the glide. A new mode comes last, because tablets
/// know choices by their numbers.
public enum GlideMode: String, CaseIterable, Sendable {
  /// Constant time: the glide time is that of the whole interval, whatever its size. Exponential curve.
  case time
  /// Constant rate: the glide time is that of each octave. Exponential curve.
  case rate
  /// Constant time: the glide time is that of the whole interval. Straight line of pitch.
  case lineTime = "line-time"
  /// Constant rate: the glide time is that of each octave. Straight line of pitch.
  case lineRate = "line-rate"

  /// The mode for a knob's value.
  @_noLocks @inlinable
  public static func at(_ choice: Float) -> GlideMode {
    choice < 0.5 ? .time : choice < 1.5 ? .rate : choice < 2.5 ? .lineTime : .lineRate
  }

  /// Whether the knob sets the speed of a glide, instead of its duration.
  public var isByRate: Bool {
    @_noLocks @inlinable get {
      switch self {
      case .time, .lineTime: false
      case .rate, .lineRate: true
      }
    }
  }

  /// Whether the pitch glides in a straight line, instead of ever slower.
  public var isLinear: Bool {
    @_noLocks @inlinable get {
      switch self {
      case .time, .rate: false
      case .lineTime, .lineRate: true
      }
    }
  }
}

/// The notes that glide.
public enum GlideWhen: Int, CaseIterable, Sendable {
  case always
  /// Notes that are played while another key is held.
  case legato
}

/// The behavior of the voice of a key that is struck again.
public enum Restrike: Int, CaseIterable, Sendable {
  /// It continues: its envelopes restart from their current levels.
  case reuse
  /// It fades, and a new voice starts.
  case fade
}

extension PlayKnobs {
  /// Whether only notes that are played legato glide.
  public var glidesLegatoOnly: Bool { @_noLocks @inlinable get { glideWhen >= 0.5 } }
  /// Whether a note that is struck again fades, instead of being struck anew.
  public var fadesRestruck: Bool { @_noLocks @inlinable get { restrike >= 0.5 } }
}
