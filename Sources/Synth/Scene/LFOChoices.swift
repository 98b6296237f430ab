/// The shapes of an LFO, in the order of the choice `/lfo/1/wave`. A new shape is a case at the end and a line in
/// `value`; `last` names it.
public enum LFOWave: String, CaseIterable, Sendable {
  case sine, triangle, saw, square
  case down
  case hold, random

  static var last: LFOWave { @_noLocks get { .random } }
}

/// How voices share an LFO, in the order of the choice `/lfo/1/mode`.
public enum LFOMode: String, CaseIterable, Sendable {
  /// An LFO for each voice, which begins with the note.
  case voice
  /// An LFO for each voice, which begins at a random phase.
  case free
  /// One LFO for all voices of a sound.
  case all

  /// The mode for a knob's value.
  @_noLocks
  static func at(_ choice: Float) -> LFOMode { choice < 0.5 ? .voice : choice < 1.5 ? .free : .all }

  var isShared: Bool { @_noLocks get { if case .all = self { true } else { false } } }
  var isFree: Bool { @_noLocks get { if case .free = self { true } else { false } } }
}
