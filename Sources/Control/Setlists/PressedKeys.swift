import Synth

/// The keys of keyboards and surfaces that are down, for a recall that waits until the last one is released. A value
/// type that reads no clock.
struct PressedKeys {
  private struct Key: Hashable {
    let source, channel, note: UInt8
  }
  private var keys: Set<Key> = []

  var isEmpty: Bool { keys.isEmpty }

  /// Forgets all keys.
  mutating func removeAll() { keys = [] }

  /// Updates the keys after an event of a keyboard or a surface.
  mutating func take(_ event: Event) {
    let key = Key(source: event.source, channel: event.target, note: event.note)
    switch event.kind {
    case .noteOn: if event.value > 0 { keys.insert(key) } else { keys.remove(key) }
    case .noteOff: keys.remove(key)
    case .allNotesOff, .allSoundOff:
      keys = keys.filter { $0.source != event.source || $0.channel != event.target }
    case .sourceGone, .setUp: keys = keys.filter { $0.source != event.source }
    default: break
    }
  }
}
