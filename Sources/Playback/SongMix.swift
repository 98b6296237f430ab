import Scenes

/// Changes to a song as it is played: muted channels and transposition. Every event of the song passes
/// through it on its way to the engine.
///
/// A note off is transposed like its note on, so no note hangs when the transposition changes.
struct SongMix {
  /// The transposition of the next notes in semitones; drums keep their keys.
  var transposition = 0
  /// The channels that play drums, a bit for each: by convention channel 10, until programs say otherwise.
  var drums = SongMix.kit
  static let kit: UInt16 = 1 << UInt16(Limits.drumChannel)
  /// The muted channels, a bit for each.
  private(set) var muted: UInt16 = 0

  // The semitones by which each held key of each channel was transposed; `free` for keys that are not held.
  private var moves = [Int8](repeating: SongMix.free, count: Limits.channels * 128)
  private static let free = Int8.min
  // For each channel the number of held keys, whether a pedal holds others, the pedals that are down, a bit for each,
  // and the frame of the last stroke.
  private var held = [Int](repeating: 0, count: Limits.channels)
  private var isRinging = [Bool](repeating: false, count: Limits.channels)
  private var pedals = [UInt8](repeating: 0, count: Limits.channels)
  private var struck = [Int64?](repeating: nil, count: Limits.channels)
  // The channel that stands for each channel: for the members of an MPE zone, its manager.
  private var homes = (0..<Limits.channels).map { $0 }

  // MARK: - Channels

  /// Mutes a channel, 0…15, and with the manager of an MPE zone its members; or unmutes it from its next note on.
  /// Returns whether its sounding notes must end.
  mutating func mute(_ channel: Int, _ isMuted: Bool) -> Bool {
    if (muted >> channel & 1 != 0) == isMuted { return false }
    muted ^= 1 << channel
    if isMuted { for member in homes.indices where homes[member] == channel { forget(member) } }
    return isMuted
  }

  /// The channels on which notes sound at a frame, a bit for each. A channel with a very short note counts for
  /// `shortest` frames.
  func sounding(at frame: Int64, shortest: Int64) -> UInt16 {
    var sounding: UInt16 = 0
    for channel in held.indices {
      let isRecent = struck[channel].map { frame - $0 < shortest } ?? false
      if held[channel] > 0 || isRinging[channel] || isRecent { sounding |= 1 << homes[channel] }
    }
    return sounding
  }

  // MARK: - Events

  /// Sends an event as it is to be played: transposed, or not at all if its channel is muted.
  mutating func pass(_ event: Event, to send: (Event) -> Void) {
    let channel = Int(event.target)
    guard homes.indices.contains(channel) else { return send(event) }
    follow(event, channel)
    switch event.kind {
    case .noteOn where event.value > 0:
      if muted >> homes[channel] & 1 != 0 { return }
      let (key, move) = (index(event), semitones(channel))
      // Otherwise the note off of the earlier stroke would go to the key of this one.
      if moves[key] != Self.free, moves[key] != move {
        send(
          moved(
            Event(
              frame: event.frame, kind: .noteOff, source: event.source, target: event.target, note: event.note
            ), moves[key]))
      }
      if moves[key] == Self.free { held[channel] += 1 }
      (moves[key], struck[channel]) = (move, event.frame)
      send(moved(event, move))
    case .noteOn, .noteOff:
      let key = index(event)
      let move = moves[key] == Self.free ? semitones(channel) : moves[key]
      if moves[key] != Self.free {
        (moves[key], held[channel]) = (Self.free, held[channel] - 1)
        isRinging[channel] = isRinging[channel] || pedals[channel] != 0
      }
      send(moved(event, move))
    case .keyPressure, .notePitch, .noteGain, .glideFrom, .keyBend, .keyPitch, .keyWheel, .keyBreath,
      .keyTimbre, .keyVolume, .keyExpression, .keyPan, .keyManagement, .strokePitch:
      let key = index(event)
      send(moved(event, moves[key] == Self.free ? semitones(channel) : moves[key]))
    default: send(event)
    }
  }

  /// Tracks pedals, MPE zones, and events other than note offs that end notes.
  private mutating func follow(_ event: Event, _ channel: Int) {
    switch event.kind {
    case .sustain, .sustain2, .sostenuto:
      let bit: UInt8 = event.kind == .sustain ? 1 : event.kind == .sustain2 ? 2 : 4
      if event.value >= 0.5 { pedals[channel] |= bit } else { pedals[channel] &= ~bit }
      if pedals[channel] == 0 { isRinging[channel] = false }
    case .resetControllers: (pedals[channel], isRinging[channel]) = (0, false)
    case .allSoundOff, .allNotesOff, .mono, .poly: forget(channel)
    case .mpeZone: setZone(manager: channel, members: Int(event.note))
    case .sourceGone, .setUp:
      for channel in held.indices {
        forget(channel)
        (pedals[channel], homes[channel]) = (0, channel)
      }
    default: break
    }
  }

  private mutating func forget(_ channel: Int) {
    for key in channel * 128..<channel * 128 + 128 { moves[key] = Self.free }
    (held[channel], isRinging[channel], struck[channel]) = (0, false, nil)
  }

  private mutating func setZone(manager: Int, members: Int) {
    for channel in homes.indices where homes[channel] == manager { homes[channel] = channel }
    let last = Limits.channels - 1
    for member in 0..<min(members, last) {
      if manager == 0 { homes[1 + member] = 0 } else if manager == last { homes[last - 1 - member] = last }
    }
  }

  private func index(_ event: Event) -> Int { Int(event.target) * 128 + Int(event.note & 127) }

  /// The transposition of a new note of a channel, semitones.
  private func semitones(_ channel: Int) -> Int8 {
    drums >> homes[channel] & 1 != 0 ? 0 : Int8(clamping: transposition)
  }

  /// The event transposed by semitones; by an octave less if there is no such key.
  private func moved(_ event: Event, _ semitones: Int8) -> Event {
    if semitones == 0 { return event }
    var event = event
    let key = Int(event.note) + Int(semitones)
    event.note = UInt8(clamping: key > 127 ? key - 12 : key < 0 ? key + 12 : key)
    return event
  }
}
