// The choices of how a part is played, in the order that the knobs have them.

/// What becomes of the voice of a key that is struck again.
public enum Restrike: Int, CaseIterable, Sendable {
  /// It goes on: its envelopes begin anew from where they are.
  case reuse
  /// It fades, and another begins.
  case fade
}

extension PlayKnobs {
  var fadesRestruck: Bool { @_noLocks get { restrike >= 0.5 } }
}
