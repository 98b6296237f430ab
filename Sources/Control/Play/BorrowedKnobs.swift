import Parameters
import Synth

/// The knobs that controllers of a song have moved, such as pan. They are restored when the song ends, unless a hand
/// has moved them since.
struct BorrowedKnobs {
  private var knobs: [ParameterID: (before: Float, set: Float)] = [:]

  /// Notes that the song moves a knob from a value to another.
  mutating func note(_ knob: ParameterID, from before: Float, to value: Float) {
    knobs[knob] = (knobs[knob]?.before ?? before, value)
  }

  /// Forgets all knobs. Returns those that are still where the song has moved them, with their values before.
  mutating func endBorrowing(_ current: (ParameterID) -> Float) -> [(knob: ParameterID, value: Float)] {
    defer { knobs = [:] }
    return knobs.filter { current($0.key) == $0.value.set }.map { ($0.key, $0.value.before) }
  }
}

extension Stage {
  /// Notes the knobs that a controller of a song sets, to restore them by `endBorrowing`. Returns them with their new
  /// values.
  public mutating func borrow(controller: Int, normalized: Float, channel: Int, source: UInt8? = nil) -> [(
    knob: ParameterID, value: Float
  )] {
    let moved = knobs(controller: controller, normalized: normalized, channel: channel, source: source)
    for (knob, value) in moved { borrowed.note(knob, from: self[knob], to: value) }
    return moved
  }

  /// Forgets the knobs that the song has moved. Returns those to restore, with the values that they had before.
  public mutating func endBorrowing() -> [(knob: ParameterID, value: Float)] {
    var borrowed = borrowed
    self.borrowed = BorrowedKnobs()
    return borrowed.endBorrowing { self[$0] }
  }

  /// The value of a knob, in the unit of the scene. Read in place: a scene is several kilobytes.
  private subscript(knob: ParameterID) -> Float {
    mutating get { withUnsafePointer(to: &scene) { $0[knob] } }
  }
}
