// The choices among the knobs of the effects, in the order that the knobs have them.

/// How a drive bends.
public enum DriveShape: Int, CaseIterable, Sendable {
  case soft, asymmetric, hard, fold

  /// The shape that a knob's value means.
  @_noLocks
  static func at(_ choice: Float) -> DriveShape {
    choice < 0.5 ? .soft : choice < 1.5 ? .asymmetric : choice < 2.5 ? .hard : .fold
  }
}

/// What swings in a chorus.
public enum ChorusMode: String, CaseIterable, Sendable {
  /// As the two buttons of the Juno, and both of them.
  case one = "i"
  case two = "ii"
  case both = "i+ii"
  /// Three lines, a third of a turn apart.
  case ensemble

  /// The mode that a knob's value means.
  @_noLocks
  static func at(_ choice: Float) -> ChorusMode {
    choice < 0.5 ? .one : choice < 1.5 ? .two : choice < 2.5 ? .both : .ensemble
  }
}

/// What the time of a delay's right side is of the left's.
public enum DelayRatio: String, CaseIterable, Sendable {
  case same = "1/1"
  case threeQuarters = "3/4"
  case twoThirds = "2/3"
  case half = "1/2"

  /// The factor that a knob's value means.
  @_noLocks
  static func at(_ choice: Float) -> Float {
    choice < 0.5 ? 1 : choice < 1.5 ? 0.75 : choice < 2.5 ? 0.66666667 : 0.5
  }
}

/// What becomes of the echoes when the time of a delay changes.
public enum DelayChange: Int, CaseIterable, Sendable {
  /// Their pitch bends, as that of a tape whose speed changes.
  case tape
  /// They fade into those of the new time.
  case fade

  /// The way that a knob's value means.
  @_noLocks
  static func at(_ choice: Float) -> DelayChange { choice < 0.5 ? .tape : .fade }
}
