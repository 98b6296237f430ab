// What the events of the players do to the voices.

extension Engine {
  /// Plays an event, at this frame. Whatever it holds, nothing is indexed out of range.
  @_noLocks
  mutating func play(_ event: Event) {
    guard Int(event.source) < Limits.sources, Int(event.target) < Limits.channels + Limits.parts,
      event.note < 128, event.value.isFinite
    else { return }
    switch event.kind {
    case .noteOn: if event.value > 0 { noteOn(event) } else { noteOff(event) }
    case .noteOff: noteOff(event)
    case .bend:
      hands.hands(event).pointee.bend = max(-1, min(event.value, 1))
      touchAll()
    case .wheel:
      hands.hands(event).pointee.wheel = max(0, min(event.value, 1))
      touchAll()
    case .pressure:
      hands.hands(event).pointee.pressure = max(0, min(event.value, 1))
      touchAll()
    case .expression:
      hands.hands(event).pointee.expression = max(0, min(event.value, 1))
      touchAll()
    case .sustain: sustain(event)
    case .resetControllers:
      hands.hands(event).pointee = Hands()
      lift()
      touchAll()
    case .allNotesOff: end(source: event.source, target: event.target, at: 2)
    case .allSoundOff: end(source: event.source, target: event.target, at: 3)
    case .sourceGone:
      hands.rest(source: event.source)
      end(source: event.source, target: nil, at: 2)
      lift()
      touchAll()
    case .panic: panic()
    case .notePitch, .noteGain: shape(event)
    case .controller, .program: break
    }
  }

  /// Moves the pitch or the loudness of a note that is held.
  @_noLocks
  private mutating func shape(_ event: Event) {
    var index = 0
    while index < Limits.lanes {
      if voices.voices[index].isHeld, isSame(voices.voices[index], event) {
        switch event.kind {
        case .notePitch: voices.voices[index].notePitch = max(-127, min(event.value, 127))
        default: voices.voices[index].noteGain = max(0, min(event.value, 1))
        }
        touch(index)
        voices.group(index).pointee.settle(voices.lane(index))
      }
      index &+= 1
    }
  }

  /// Every voice fades at once, every wheel and pedal comes to rest.
  @_noLocks
  mutating func panic() {
    var source = 0
    while source < Limits.sources {
      hands.rest(source: UInt8(source))
      source &+= 1
    }
    var index = 0
    while index < Limits.lanes {
      voices.fade(index)
      index &+= 1
    }
  }

  /// Releases the notes of all sources in a range: their ring has lost events, among them perhaps note offs.
  @_noLocks
  mutating func releaseSources(from first: Int, to last: Int) {
    var source = first
    while source < last {
      hands.rest(source: UInt8(source))
      end(source: UInt8(source), target: nil, at: 2)
      source &+= 1
    }
    lift()
    touchAll()
  }

  // MARK: - Notes

  @_noLocks
  private mutating func noteOn(_ event: Event) {
    if Int(event.target) >= Limits.channels {
      start(event, part: Int(event.target) - Limits.channels)
      return
    }
    var part = 0
    while part < Limits.parts {
      let strip = scene.part(part).pointee.strip
      if strip.on >= 0.5, strip.channel == 0 || Int(strip.channel) == Int(event.target) + 1 {
        start(event, part: part)
      }
      part &+= 1
    }
  }

  @_noLocks
  private mutating func start(_ event: Event, part: Int) {
    // The same key again lets go of what it held before, or pedals would pile it up.
    var index = 0
    while index < Limits.lanes {
      let voice = voices.voices[index]
      if voice.isHeld, voice.part == UInt8(part), isSame(voice, event) { voices.release(index) }
      index &+= 1
    }
    let home = scene.part(part)
    let voice = Voice(event, part: part, generation: home.pointee.generation)
    guard let started = voices.start(voice, patch(part), tune: tune) else { return }
    touch(started)
    voices.begin(started)
  }

  @_noLocks
  private mutating func noteOff(_ event: Event) {
    var index = 0
    while index < Limits.lanes {
      let voice = voices.voices[index]
      if voice.state == Voice.held, isSame(voice, event) {
        if hands.holds(voice) {
          voices.voices[index].state = Voice.sustained
        } else {
          voices.release(index)
        }
      }
      index &+= 1
    }
  }

  /// The key that started a voice is known by who pressed it and where, not by the part it plays: a part whose
  /// channel changes meanwhile must not keep the note.
  @_noLocks
  private func isSame(_ voice: Voice, _ event: Event) -> Bool {
    voice.source == event.source && voice.target == event.target && voice.note == event.note
  }

  @_noLocks
  private mutating func end(source: UInt8, target: UInt8?, at stage: Int) {
    var index = 0
    while index < Limits.lanes {
      let voice = voices.voices[index]
      if voice.isSounding, voice.source == source, target == nil || voice.target == target {
        if stage == 3 { voices.fade(index) } else { voices.release(index) }
      }
      index &+= 1
    }
  }

  // MARK: - Hands

  @_noLocks
  private mutating func sustain(_ event: Event) {
    hands.hands(event).pointee.sustain = event.value >= 0.5
    lift()
  }

  /// Lets go of the voices that no pedal holds any more.
  @_noLocks
  private mutating func lift() {
    var index = 0
    while index < Limits.lanes {
      let voice = voices.voices[index]
      if voice.state == Voice.sustained, !hands.holds(voice) { voices.release(index) }
      index &+= 1
    }
  }

  @_noLocks
  func touch(_ index: Int) {
    let voice = voices.voices[index]
    voices.group(index).pointee.touch(
      voices.lane(index), voices.patch(index), velocity: voice.velocity, hands.touch(voice),
      pans[Int(voice.part)])
  }

  /// Lets hands and strips act on every voice; each follows smoothly from the next control tick on.
  @_noLocks
  func touchAll() {
    var index = 0
    while index < Limits.lanes {
      if voices.voices[index].state != Voice.free { touch(index) }
      index &+= 1
    }
  }
}
