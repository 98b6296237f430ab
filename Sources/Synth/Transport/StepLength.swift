/// The note lengths of an arpeggiator's steps.
public enum StepLength {
  /// The names of the choices: those of `NoteLength`, and two shorter ones.
  public static let names = NoteLength.names + ["1/64", "1/64t"]

  /// Quarter notes for a knob's value; 0 for off.
  @_noLocks
  static func beats(_ choice: Float) -> Double {
    // A triplet in a Float would be some frames off after an hour.
    let index = Int(max(0, min(choice, 255)))
    if index >= 5, index < 20, index % 3 == 1 { return Double(NoteLength.beats(choice - 1)) * 2 / 3 }
    if choice < 19.5 { return Double(NoteLength.beats(choice)) }
    return choice < 20.5 ? 1.0 / 16 : 1.0 / 24
  }
}
