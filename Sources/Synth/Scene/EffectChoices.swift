// The choices among the effects' parameters, in the order of their values.

/// The curve of a drive.
public enum DriveShape: Int, CaseIterable, Sendable {
  case soft, asymmetric, hard, fold

  /// The shape for a knob's value.
  @_noLocks
  static func at(_ choice: Float) -> DriveShape {
    choice < 0.5 ? .soft : choice < 1.5 ? .asymmetric : choice < 2.5 ? .hard : .fold
  }
}

/// The modulation of a chorus.
public enum ChorusMode: String, CaseIterable, Sendable {
  /// One button of the Juno's chorus, the other, and both pressed.
  case one = "i"
  case two = "ii"
  case both = "i+ii"
  /// Three delay lines, a third of a period apart.
  case ensemble

  /// The mode for a knob's value.
  @_noLocks
  static func at(_ choice: Float) -> ChorusMode {
    choice < 0.5 ? .one : choice < 1.5 ? .two : choice < 2.5 ? .both : .ensemble
  }
}

/// The ratio of a delay's right time to its left time.
public enum DelayRatio: String, CaseIterable, Sendable {
  case same = "1/1"
  case threeQuarters = "3/4"
  case twoThirds = "2/3"
  case half = "1/2"

  /// The factor for a knob's value.
  @_noLocks
  static func at(_ choice: Float) -> Float {
    choice < 0.5 ? 1 : choice < 1.5 ? 0.75 : choice < 2.5 ? 0.66666667 : 0.5
  }
}

/// How echoes behave when the time of a delay changes.
public enum DelayChange: Int, CaseIterable, Sendable {
  /// Their pitch bends, as on a tape whose speed changes.
  case tape
  /// They cross-fade to the echoes of the new time.
  case fade

  /// The behaviour for a knob's value.
  @_noLocks
  static func at(_ choice: Float) -> DelayChange { choice < 0.5 ? .tape : .fade }
}
