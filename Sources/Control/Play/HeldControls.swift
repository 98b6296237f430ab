import Synth

/// The keys, wheels and pedals that surfaces hold, each with the parts it was pressed on. A release goes to the same parts,
/// even if the focus has changed or the tablet has vanished meanwhile.
struct HeldControls {
  private struct HeldControl: Hashable {
    let source: Int
    let kind: Event.Kind
    let note: Int
    /// Whether the message named its part; the release then names it as well.
    let isNamed: Bool
  }
  // A bit for each part.
  private var parts: [HeldControl: Int] = [:]

  /// The parts that receive an event meant for the parts `meant`. It presses or releases the control.
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
    // A key is let go where it was pressed, a wheel or a pedal here too: it may have stood anywhere.
    let rest = isKey && held != 0 ? held : held | aimed
    return (0..<Limits.parts).filter { rest & 1 << $0 != 0 }
  }

  /// Wheels and pedals that a source alone holds, and the parts; it holds nothing more. Its keys end by themselves.
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

  /// Everything was let go.
  mutating func removeAll() { parts.removeAll() }

  /// Where a wheel or pedal is when no hand is on it.
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
