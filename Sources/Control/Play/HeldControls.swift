import Synth

/// The keys, wheels and pedals that surfaces hold, with the parts for which each was pressed. A release goes to the
/// same parts, even if the focus has changed or the tablet has disconnected in the meantime.
struct HeldControls {
  private struct HeldControl: Hashable {
    let source: Int
    let kind: Event.Kind
    let note: Int
    /// Whether the message named its part; then the release names it as well.
    let isNamed: Bool
  }
  // One bit for each part.
  private var parts: [HeldControl: Int] = [:]

  /// Presses or releases the control. Returns the parts that receive an event meant for the parts `meant`.
  mutating func parts(
    _ kind: Event.Kind, source: Int, isNamed: Bool, meant: [Int], note: Int, value: Float
  ) -> [Int] {
    let isKey = kind == .noteOn || kind == .noteOff
    let control = HeldControl(source: source, kind: isKey ? .noteOn : kind, note: note, isNamed: isNamed)
    let (aimed, held) = (meant.reduce(0) { $0 | 1 << $1 }, parts[control] ?? 0)
    if !HeldControls.isRest(kind, value) {
      parts[control] = held | aimed
      return meant
    }
    if isNamed {
      let rest = held & ~aimed
      parts[control] = rest == 0 ? nil : rest
      return meant
    }
    parts[control] = nil
    // A key is released on the parts where it was pressed. A wheel or a pedal is also released on the parts meant
    // now, where it may have any position.
    let rest = isKey && held != 0 ? held : held | aimed
    return (0..<Limits.parts).filter { rest & 1 << $0 != 0 }
  }

  /// Forgets the controls that a source holds. Returns the wheels and pedals that no other source holds, with their
  /// parts; its keys need no release.
  mutating func leave(_ source: Int) -> [(kind: Event.Kind, part: Int)] {
    let own = parts.filter { $0.key.source == source }
    parts = parts.filter { $0.key.source != source }
    var left: [(kind: Event.Kind, part: Int)] = []
    for (control, held) in own where control.kind != .noteOn {
      let others = parts.filter { $0.key.kind == control.kind }.reduce(0) { $0 | $1.value }
      left += (0..<Limits.parts).filter { held & ~others & 1 << $0 != 0 }.map { (control.kind, $0) }
    }
    return left
  }

  /// Forgets all held controls.
  mutating func removeAll() { parts.removeAll() }

  /// The position of a wheel or pedal at rest.
  static func rest(_ kind: Event.Kind) -> Float { kind == .expression ? 1 : 0 }

  private static func isRest(_ kind: Event.Kind, _ value: Float) -> Bool {
    switch kind {
    case .noteOff: true
    case .noteOn: value <= 0
    case .sustain: value < 0.5
    default: value == rest(kind)
    }
  }
}
