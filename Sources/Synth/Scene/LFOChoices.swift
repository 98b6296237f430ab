/// The shapes of an LFO, in the order of the choice `/lfo/1/wave`. A new shape is a case at the end and a line in
/// `value`; `last` names it.
public enum LFOWave: String, CaseIterable, Sendable {
  case sine, triangle, saw, square
  case down
  case hold, random

  static var last: LFOWave { @_noLocks get { .random } }
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
  @_noLocks
  static func at(_ choice: Float) -> LFOMode {
    choice < 0.5 ? .voice : choice < 1.5 ? .free : choice < 2.5 ? .all : .once
  }

  var isShared: Bool { @_noLocks get { if case .all = self { true } else { false } } }
  var isFree: Bool { @_noLocks get { if case .free = self { true } else { false } } }
  var isOnce: Bool { @_noLocks get { if case .once = self { true } else { false } } }
}
