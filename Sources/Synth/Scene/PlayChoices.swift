// The choices of how a part is played, in the order that the knobs have them.

/// How many voices play a part, and what a key does while others are held.
public enum PlayMode: Int, CaseIterable, Sendable {
  /// A voice for each key.
  case poly
  /// One voice for all keys. Every key begins anew.
  case mono
  /// One voice for all keys. A key that is struck while others are held goes on with it.
  case legato

  /// The mode that a knob's value means.
  @_noLocks
  static func at(_ choice: Float) -> PlayMode { choice < 0.5 ? .poly : choice < 1.5 ? .mono : .legato }
}

/// Which of several keys one voice plays.
public enum NotePriority: Int, CaseIterable, Sendable {
  case last, low, high

  /// The priority that a knob's value means.
  @_noLocks
  static func at(_ choice: Float) -> NotePriority { choice < 0.5 ? .last : choice < 1.5 ? .low : .high }
}

/// What the time of a glide is for.
public enum GlideMode: Int, CaseIterable, Sendable {
  /// The whole way, however far.
  case time
  /// An octave of it.
  case rate
}

/// Which notes glide.
public enum GlideWhen: Int, CaseIterable, Sendable {
  case always
  /// Those that are played while another key is held.
  case legato
}

/// What becomes of the voice of a key that is struck again.
public enum Restrike: Int, CaseIterable, Sendable {
  /// It goes on: its envelopes begin anew from where they are.
  case reuse
  /// It fades, and another begins.
  case fade
}

extension PlayKnobs {
  var glidesByRate: Bool { @_noLocks get { glideMode >= 0.5 } }
  var glidesLegatoOnly: Bool { @_noLocks get { glideWhen >= 0.5 } }
  var fadesRestruck: Bool { @_noLocks get { restrike >= 0.5 } }
}
