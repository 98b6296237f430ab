import Synth
import Tuning

/// What was chosen for the parts, and whether it can be had.
struct ChosenTunings {
  var choices = Array(repeating: TuningChoice(), count: Limits.parts)
  /// Parts whose files were gone when the session was restored. They play in equal temperament, and what they had is
  /// saved again, in case the files come back.
  var lost: Set<Int> = []

  /// What a part plays.
  subscript(part: Int) -> TuningChoice { lost.contains(part) ? TuningChoice() : choices[part] }
}
