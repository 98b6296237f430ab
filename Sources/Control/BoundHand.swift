import MIDI
import Parameters

/// A hand on a control that is bound to a knob: where it was, and whether the knob goes with it. A value without a clock.
struct BoundHand {
  // Where on the knob's way the hand was last.
  private var place: Float?
  // What the hand moved last, to what value, and the way of that before it was rounded to what the knob can have.
  private var moved: (knob: Knob, value: Float, way: Float)?
  // The knob goes with the hand.
  private var isCaught = false
  private var last: UInt8?

  /// Nobody has touched it.
  init() {}

  /// The hand has moved to a `value`. What the knob, which is at `present`, is to be set to; nil for nothing.
  mutating func move(_ binding: Binding, to value: MIDIValue, _ knob: Knob, at present: Float) -> Float? {
    let kind = Table.rows[knob.row].kind
    // Whoever else has moved it, by hand or by a recall: the hand has to come by again.
    if moved?.knob != knob || moved?.value != present { (moved, isCaught) = (nil, false) }
    let way = moved?.way ?? kind.way(of: present)
    let target = binding.low + (binding.high - binding.low) * value.unit
    let (before, ends) = (place, min(binding.low, binding.high)...max(binding.low, binding.high))
    var next: Float?
    switch binding.mode {
    case .jump: next = target
    case .pickup: next = isCaught ? target : pickUp(way, before, target, ends)
    case .scale: next = isCaught ? target : scale(way, before, target, ends)
    case .twos, .offset, .sign, .signReversed:
      let steps = Float(binding.mode.steps(value.sevenBits))
      let sign: Float = binding.low > binding.high ? -1 : 1
      next = steps == 0 ? nil : max(ends.lowerBound, min(way + sign * steps * kind.step, ends.upperBound))
    case .toggle, .cycle:
      if isPress(binding, value) { next = press(binding, kind, way, present) }
    case .press: break
    }
    if !binding.mode.isRelative { place = target }
    guard let next, let result = kind.value(way: next) else { return nil }
    moved = (knob, result, next)
    return result
  }

  /// Whether a message presses: it has come from below the middle, or says the same once more, as a button that sends
  /// nothing when it is let go.
  mutating func isPress(_ binding: Binding, _ value: MIDIValue) -> Bool {
    let number = value.sevenBits
    defer { last = number }
    if binding.kind == .program { return true }
    if binding.kind == .note { return value.raw > 0 }
    return number >= 64 && (last.map { $0 < 64 || $0 == number } ?? true)
  }

  /// The device is gone: its controls may be moved meanwhile.
  mutating func forget() { (place, isCaught, last) = (nil, false, nil) }

  private mutating func pickUp(
    _ way: Float, _ before: Float?, _ target: Float, _ ends: ClosedRange<Float>
  ) -> Float? {
    guard let before else {
      // The first movement: it is there, or it is not.
      isCaught = abs(target - way) <= 0.5 / 127
      return isCaught ? target : nil
    }
    if (before - way) * (target - way) <= 0 {
      isCaught = true
      return target
    }
    if ends.contains(way) { return nil }
    // A hand never comes by what lies beyond its ends: it draws the knob nearer.
    let drawn = way + target - before
    let (near, far) = (distance(drawn, ends), distance(way, ends))
    return near < far ? drawn : nil
  }

  private func distance(_ way: Float, _ ends: ClosedRange<Float>) -> Float {
    max(ends.lowerBound - way, way - ends.upperBound, 0)
  }

  private mutating func scale(
    _ way: Float, _ before: Float?, _ target: Float, _ ends: ClosedRange<Float>
  ) -> Float? {
    guard let before, before != target else { return nil }
    // Where the hand has no way left, it is at its end, and so is the knob.
    let end = target > before ? ends.upperBound : ends.lowerBound
    let left = end - before
    let moved = target - before
    let share = abs(left) < 1e-6 ? 1 : min(moved / left, 1)
    // Close to its end a hand would draw a knob that is far away there at once.
    let most = 4 * abs(moved)
    let next = way + max(-most, min((end - way) * share, most))
    isCaught = abs(next - target) < 0.25 / 127
    return next
  }

  private func press(_ binding: Binding, _ kind: Kind, _ way: Float, _ present: Float) -> Float {
    let (low, high) = (binding.low, binding.high)
    guard binding.mode == .cycle, kind.isDiscrete, kind.range.upperBound > 1 else {
      return abs(way - high) <= abs(way - low) ? low : high
    }
    let count = kind.range.upperBound
    let (first, last) = (min(low, high) * count, max(low, high) * count)
    let next = present + 1
    return (next > last.rounded() ? first.rounded() : max(next, first.rounded())) / count
  }
}
