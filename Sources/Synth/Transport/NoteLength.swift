/// The note lengths that a period of an LFO or an echo can have, in the order of the choice `/lfo/1/sync`: after none, eight bars to one, and
/// then halves to thirty-seconds, each dotted, plain and as a triplet.
public enum NoteLength {
  /// The names of the choice.
  public static let names: [String] = {
    let notes = [2, 4, 8, 16, 32].flatMap { ["1/\($0)d", "1/\($0)", "1/\($0)t"] }
    return ["off", "8/1", "4/1", "2/1", "1/1"] + notes
  }()

  /// The beats, fourths of a bar, that a knob's value means; 0 for none.
  @_noLocks
  static func beats(_ choice: Float) -> Float {
    let index = choice > 0 ? min(Int(min(choice, 255)), 19) : 0
    if index == 0 { return 0 }
    if index < 5 { return Float(32 &>> (index &- 1)) }
    let note = index &- 5
    let plain = 2 / Float(1 &<< (note / 3))
    switch note % 3 {
    case 0: return plain * 1.5
    case 1: return plain
    default: return plain * 2 / 3
    }
  }
}
