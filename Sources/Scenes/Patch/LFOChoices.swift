/// The shapes of an LFO, in the order of the choice `/lfo/1/wave`. A new shape is a case at the end and a line in
/// `value`; `last` names it.
public enum LFOWave: String, CaseIterable, Sendable {
  case sine, triangle, saw, square
  case down
  case hold, random
  /// A line through sixteen random numbers in each period.
  case noise
  /// The sixteen steps of the patch.
  case steps

  /// Whether the LFO plays the steps of the patch.
  public var isSteps: Bool { @_noLocks @inlinable get { if case .steps = self { true } else { false } } }

  /// The last case, which ends the list.
  public static var last: LFOWave { @_noLocks @inlinable get { .steps } }

  /// The factor by which it changes faster than a wave that rises and falls once in a period.
  public var speed: Float {
    @_noLocks @inlinable get {
      switch self {
      case .noise, .steps: 16
      default: 1
      }
    }
  }
}

/// How an LFO runs and how voices share it, in the order of the choice `/lfo/1/mode`. A new mode comes last, because
/// tablets know choices by their numbers.
public enum LFOMode: String, CaseIterable, Sendable {
  /// An LFO for each voice, which begins with the note.
  case voice
  /// An LFO for each voice, which begins at a random phase.
  case free
  /// One LFO for all voices of a sound.
  case all
  /// An LFO for each voice, which runs for one period from the start of the note and then stays where it is.
  case once

  /// The mode for a knob's value.
  @_noLocks @inlinable
  public static func at(_ choice: Float) -> LFOMode {
    choice < 0.5 ? .voice : choice < 1.5 ? .free : choice < 2.5 ? .all : .once
  }

  /// Whether all notes share one LFO.
  public var isShared: Bool { @_noLocks @inlinable get { if case .all = self { true } else { false } } }
  /// Whether the LFO begins at a random phase.
  public var isFree: Bool { @_noLocks @inlinable get { if case .free = self { true } else { false } } }
  /// Whether the LFO ends after one period.
  public var isOnce: Bool { @_noLocks @inlinable get { if case .once = self { true } else { false } } }
}
