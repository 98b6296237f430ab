import Synth

/// A feature of the instrument: it owns one part of the instrument's state and acts on it. `Instrument` lists its
/// features. All calls come on the control thread.
protocol Feature: AnyObject {
  /// Takes a turn before the scene is published.
  /// - Parameter now: CLOCK_MONOTONIC, nanoseconds.
  /// - Returns: When the feature wants its next turn at the latest; nil when nothing is due.
  func update(_ now: Int64) -> Int64?

  /// Reacts to a change that this or another feature has made.
  func follow(_ change: Change)

  /// Carries out a command from the MIDI thread or from a song.
  func take(_ command: Event)
}

extension Feature {
  func update(_ now: Int64) -> Int64? { nil }
  func follow(_ change: Change) {}
  func take(_ command: Event) {}
}
