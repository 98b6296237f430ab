import MIDI
import Parameters

/// The state of a control that is bound to a knob: its position, and whether the knob follows it. A value type that
/// reads no clock.
struct BoundControlState {
  // The position of the control in the knob's range, 0…1.
  private var position: Float?
  // The knob that the control moved last, its value, and its normalized value before rounding.
  private var moved: (knob: ParameterID, value: Float, normalized: Float)?
  // Whether the knob follows the control.
  private var isCaught = false
  private var last: UInt8?

  /// The state of a control that has not been moved.
  init() {}

  /// Handles a movement of the control to `value`. `kind` describes the knob, `present` is its value before. Returns the
  /// new value of the knob; nil to leave it unchanged.
  mutating func move(
    _ binding: Binding, to value: MIDIValue, _ knob: ParameterID, _ kind: Kind, at present: Float
  ) -> Float? {
    let binding = binding.fitted(to: kind)
    // Another control or a recall has changed the knob since: this control must pick it up again.
    if moved?.knob != knob || moved?.value != present { (moved, isCaught) = (nil, false) }
    let normalized = moved?.normalized ?? kind.normalized(present)
    let target = binding.low + (binding.high - binding.low) * value.unit
    let (before, ends) = (position, min(binding.low, binding.high)...max(binding.low, binding.high))
    var next: Float?
    switch binding.mode {
    case .jump: next = target
    case .pickup: next = isCaught ? target : pickUp(normalized, before, target, ends)
    case .scale: next = isCaught ? target : scale(normalized, before, target, ends)
    case .twos, .offset, .sign, .signReversed:
      let steps = Float(binding.mode.steps(value.sevenBits))
      let sign: Float = binding.low > binding.high ? -1 : 1
      next =
        steps == 0 ? nil : max(ends.lowerBound, min(normalized + sign * steps * kind.step, ends.upperBound))
    case .toggle, .cycle:
      if isPress(binding, value) { next = press(binding, kind, normalized, present) }
    case .press: break
    }
    if !binding.mode.isRelative { position = target }
    guard let next, let result = kind.value(normalized: next) else { return nil }
    moved = (knob, result, next)
    return result
  }

  /// Whether a message is a press: its value rises from the lower to the upper half, or a button that sends nothing
  /// when released repeats it.
  mutating func isPress(_ binding: Binding, _ value: MIDIValue) -> Bool {
    let number = value.sevenBits
    defer { last = number }
    if binding.kind == .program { return true }
    if binding.kind == .note { return value.raw > 0 }
    return number >= 64 && (last.map { $0 < 64 || $0 == number } ?? true)
  }

  /// Forgets the position, because the control of a disconnected device may be moved before it returns.
  mutating func forget() { (position, isCaught, last) = (nil, false, nil) }

  private mutating func pickUp(
    _ normalized: Float, _ before: Float?, _ target: Float, _ ends: ClosedRange<Float>
  ) -> Float? {
    guard let before else {
      // The first movement: the knob is caught only if it is already at the position of the control.
      isCaught = abs(target - normalized) <= 0.5 / 127
      return isCaught ? target : nil
    }
    if (before - normalized) * (target - normalized) <= 0 {
      isCaught = true
      return target
    }
    if ends.contains(normalized) { return nil }
    // The knob is outside the range of the control, which cannot reach it: each movement brings it closer.
    let drawn = normalized + target - before
    let (near, far) = (distance(drawn, ends), distance(normalized, ends))
    return near < far ? drawn : nil
  }

  private func distance(_ normalized: Float, _ ends: ClosedRange<Float>) -> Float {
    max(ends.lowerBound - normalized, normalized - ends.upperBound, 0)
  }

  private mutating func scale(
    _ normalized: Float, _ before: Float?, _ target: Float, _ ends: ClosedRange<Float>
  ) -> Float? {
    guard let before, before != target else { return nil }
    // When the control reaches the end of its range, so does the knob.
    let end = target > before ? ends.upperBound : ends.lowerBound
    let left = end - before
    let moved = target - before
    let share = abs(left) < 1e-6 ? 1 : min(moved / left, 1)
    // Limits the step: near the end of its range, the control would otherwise move a distant knob in one step.
    let most = 4 * abs(moved)
    let next = normalized + max(-most, min((end - normalized) * share, most))
    isCaught = abs(next - target) < 0.25 / 127
    return next
  }

  private func press(_ binding: Binding, _ kind: Kind, _ normalized: Float, _ present: Float) -> Float {
    let (low, high) = (binding.low, binding.high)
    guard binding.mode == .cycle, kind.isDiscrete, kind.range.upperBound > 1 else {
      return abs(normalized - high) <= abs(normalized - low) ? low : high
    }
    let count = kind.range.upperBound
    let (first, last) = (min(low, high) * count, max(low, high) * count)
    let next = present + 1
    return (next > last.rounded() ? first.rounded() : max(next, first.rounded())) / count
  }
}
