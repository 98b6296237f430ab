/// Where the wheels and pedals of one pair of hands stand.
struct Hands {
  /// -1…1.
  var bend: Float = 0
  /// 0…1.
  var wheel: Float = 0
  /// 0…1.
  var pressure: Float = 0
  /// 0…1.
  var expression: Float = 1
  /// True while the pedal is down.
  var sustain = false

  /// At rest.
  @_noLocks init() {}
}

/// The hands of all sources: on each MIDI channel their own, and one pair on each part for the tablets, which
/// act on whatever the part plays.
struct AllHands: ~Copyable {
  private let channels: UnsafeMutablePointer<Hands>
  private let parts: UnsafeMutablePointer<Hands>
  /// The source that touched a part last: its leaving puts the part's hands to rest.
  private let owners: UnsafeMutablePointer<UInt8>

  init() {
    channels = .allocate(capacity: Limits.sources * Limits.channels)
    parts = .allocate(capacity: Limits.parts)
    owners = .allocate(capacity: Limits.parts)
    reset()
  }

  /// All at rest.
  func reset() {
    channels.initialize(repeating: Hands(), count: Limits.sources * Limits.channels)
    parts.initialize(repeating: Hands(), count: Limits.parts)
    owners.initialize(repeating: 0, count: Limits.parts)
  }

  deinit {
    channels.deallocate()
    parts.deallocate()
    owners.deallocate()
  }

  /// The hands that an event means, in place. Its source and target are in range.
  @_noLocks
  func hands(_ event: Event) -> UnsafeMutablePointer<Hands> {
    if Int(event.target) < Limits.channels {
      return channels + Int(event.source) * Limits.channels + Int(event.target)
    }
    let part = Int(event.target) - Limits.channels
    owners[part] = event.source
    return parts + part
  }

  /// Whether a pedal holds the voice: its own, or its part's.
  @_noLocks
  func holds(_ voice: Voice) -> Bool {
    if parts[Int(voice.part)].sustain { return true }
    return own(voice).sustain
  }

  /// What its own hands and its part's do to a voice together.
  @_noLocks
  func touch(_ voice: Voice) -> Touch {
    let (mine, ours) = (own(voice), parts[Int(voice.part)])
    let bend = max(-1, min(mine.bend + ours.bend, 1))
    let wheel = max(max(mine.wheel, mine.pressure), max(ours.wheel, ours.pressure))
    let expression = mine.expression * ours.expression * voice.noteGain
    return Touch(bend: bend, notePitch: voice.notePitch, wheel: wheel, expression: expression)
  }

  /// Puts everything that a source moved to rest.
  @_noLocks
  func rest(source: UInt8) {
    var channel = 0
    while channel < Limits.channels {
      channels[Int(source) * Limits.channels + channel] = Hands()
      channel &+= 1
    }
    var part = 0
    while part < Limits.parts {
      if owners[part] == source { parts[part] = Hands() }
      part &+= 1
    }
  }

  @_noLocks
  private func own(_ voice: Voice) -> Hands {
    guard Int(voice.target) < Limits.channels else { return Hands() }
    return channels[Int(voice.source) * Limits.channels + Int(voice.target)]
  }
}
