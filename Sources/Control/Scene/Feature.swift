import Synth

/// A feature of the instrument: it owns one part of the instrument's state and acts on it. `Instrument` lists its
/// features. All functions are called on the control thread.
protocol Feature: AnyObject {
  /// Called before the scene is published.
  /// - Parameter now: CLOCK_MONOTONIC, nanoseconds.
  /// - Returns: The time of the next call at the latest; nil if nothing is due.
  func update(_ now: Int64) -> Int64?

  /// Reacts to a change made by this or another feature.
  func follow(_ change: Change)

  /// Carries out a command from the MIDI thread or from a song.
  func take(_ command: Event)
}

extension Feature {
  func update(_ now: Int64) -> Int64? { nil }
  func follow(_ change: Change) {}
  func take(_ command: Event) {}
}
