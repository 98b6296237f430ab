import Synth
import Tuning

/// The tunings that were chosen for the parts, and which of them cannot be read.
struct ChosenTunings {
  var choices = Array(repeating: TuningChoice(), count: Limits.parts)
  /// Parts whose files were gone when the session was restored. They play in equal temperament; their choices are saved
  /// again, in case the files come back.
  var lost: Set<Int> = []

  /// The tuning that a part plays.
  subscript(part: Int) -> TuningChoice { lost.contains(part) ? TuningChoice() : choices[part] }
}
