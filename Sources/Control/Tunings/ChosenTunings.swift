import Synth
import Tuning

/// The chosen tunings of the parts, and the parts whose files cannot be read.
struct ChosenTunings {
  var choices = Array(repeating: TuningChoice(), count: Limits.parts)
  /// Parts whose files could not be read when the session was restored. They play in equal temperament; their choices
  /// are still saved, in case the files return.
  var lost: Set<Int> = []

  /// The tuning that a part plays.
  subscript(part: Int) -> TuningChoice { lost.contains(part) ? TuningChoice() : choices[part] }
}
