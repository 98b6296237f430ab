import Synth

/// The steps of a song that determine its state at a position: the latest of each controller, program and the like.
/// Played in their order, they have the effect of all steps before the position, except for notes.
struct ChasedState {
  // The index of the latest step for each kind of event, channel and number.
  private var latest: [Int: Int] = [:]
  private var zones = MPEZones()
  // The keys that are down, by channel. One that is struck twice comes up once.
  private var keys = [Set<UInt8>](repeating: [], count: Limits.channels)

  /// The indices of the steps, in their order.
  var steps: [Int] { latest.values.sorted() }

  /// Adds a step before the position.
  mutating func pass(_ step: SongPlayback.Step, at index: Int) {
    let event: Event
    switch step {
    case .event(let step): event = step
    case .tempo: return latest[-1] = index
    // The song knows it for each place.
    case .meter: return
    }
    let channel = Int(event.target)
    switch event.kind {
    case .noteOn:
      if channel < keys.count { keys[channel].insert(event.note) }
      latest[Self.key(.glideFrom, event)] = nil
    case .noteOff: lift(event)
    // Messages about single keys, whose notes are not played.
    case .keyPressure, .notePitch, .noteGain: break
    // A reset discards everything before it except tempo and programs.
    case .setUp:
      latest = latest.filter { $0.key < 0 || $0.key >> 16 == Int(Event.Kind.program.rawValue) }
      latest[Self.key(event.kind, event)] = index
      zones = MPEZones()
    case .mpeZone:
      zones.choose(range: event.value)
      zones.set(manager: event.target, members: event.note)
      latest[Self.key(event.kind, event)] = index
    // The note of these events is a value.
    case .program, .glideFrom: latest[Self.key(event.kind, event)] = index
    default: latest[Self.key(event.kind, event) | Int(event.note)] = index
    }
  }

  /// When the last key of an MPE member channel is released, its pressure, wheel and breath end; bend and timbre
  /// stay.
  private mutating func lift(_ event: Event) {
    let channel = Int(event.target)
    guard channel < keys.count else { return }
    keys[channel].remove(event.note)
    guard keys[channel].isEmpty, zones.isMember(event.target) else { return }
    for kind in [Event.Kind.pressure, .wheel, .breath] { latest[Self.key(kind, event)] = nil }
  }

  private static func key(_ kind: Event.Kind, _ event: Event) -> Int {
    Int(kind.rawValue) << 16 | Int(event.target) << 8
  }
}
