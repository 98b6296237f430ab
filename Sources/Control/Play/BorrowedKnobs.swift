import Parameters
import Synth

/// The knobs that a song has moved, such as pan and tempo. They are restored when the song ends, unless a hand has moved
/// them since.
struct BorrowedKnobs {
  private var knobs: [ParameterID: (before: Float, set: Float)] = [:]

  /// Notes that the song moves a knob from a value to another. A value that is not the song's last is a hand's.
  mutating func note(_ knob: ParameterID, from before: Float, to value: Float) {
    let known = knobs[knob]
    knobs[knob] = (known.map { $0.set == before ? $0.before : before } ?? before, value)
  }

  /// Those that are still where the song has moved them, with their values before.
  func returned(_ current: (ParameterID) -> Float) -> [(knob: ParameterID, value: Float)] {
    knobs.filter { current($0.key) == $0.value.set }.map { ($0.key, $0.value.before) }
  }
}

extension Stage {
  /// Notes the knobs that a controller of a song sets, to restore them by `endBorrowing`. Returns them with their new
  /// values.
  public mutating func borrow(controller: Int, normalized: Float, channel: Int, source: UInt8? = nil) -> [(
    knob: ParameterID, value: Float
  )] {
    let moved = knobs(controller: controller, normalized: normalized, channel: channel, source: source)
    for (knob, value) in moved { borrowed.note(knob, from: read { $0[knob] }, to: value) }
    return moved
  }

  /// Forgets the knobs that controllers of the song have moved. Returns those to restore, with the values that they had
  /// before.
  public mutating func endBorrowing() -> [(knob: ParameterID, value: Float)] {
    defer { borrowed = BorrowedKnobs() }
    return returned(borrowed)
  }

  /// The knobs that are still where the song has moved them, with the values that they had before.
  var borrowedKnobs: [(knob: ParameterID, value: Float)] { returned(borrowed) + returned(borrowedTempo) }

  private func returned(_ borrowed: BorrowedKnobs) -> [(knob: ParameterID, value: Float)] {
    borrowed.returned { knob in read { $0[knob] } }
  }
}
