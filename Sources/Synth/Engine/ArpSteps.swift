// The steps of an arpeggio: which notes they play.

extension Engine {
  /// Plays the next step of an arpeggio. `set` are its pitches.
  @_noLocks
  mutating func playArpStep(_ part: Int, _ set: PitchSet) {
    let (arp, knobs) = (arps[part], patch(part).arp)
    let step = arp.pointee.grid.next
    let index = restartAt(step, part)
    let steps = Int64(max(1, min(knobs.pointee.steps, 16)))
    arp.pointee.at = Int(index % steps)
    let kind = ArpStep.at(knobs.step(arp.pointee.at))
    let gate = gate(knobs)
    // A note before a tie extends into the step of the tie, which then determines its end.
    let isHeld =
      switch ArpStep.at(knobs.step(Int((index &+ 1) % steps))) {
      case .tie: true
      default: false
      }
    let end =
      isHeld
      ? arp.pointee.grid.position(step &+ 1) + gate * arp.pointee.grid.length(of: step &+ 1)
      : stepEnd(arp.pointee.grid, step, gate: gate)
    var (notes, isAccented, isChord) = (1, false, false)
    switch kind {
    case .rest: return
    case .tie: return extendSteps(of: part, beside: false, to: end)
    case .on: break
    case .accent: isAccented = true
    case .double: notes = 2
    case .triple: notes = 3
    case .quad: notes = 4
    case .chord: isChord = true
    }
    var random = knobs.pointee.lock >= 0.5 ? lockedRandom(part, index) : arp.pointee.random
    let isChosen = random.next() < knobs.pointee.chance
    if isChosen, !isChord || arp.pointee.cursor.isAtStart {
      arp.pointee.cursor.step(knobs, set, arp.pointee.entries, chord(part), &random)
    }
    if knobs.pointee.lock < 0.5 { arp.pointee.random = random }
    if !isChosen { return }
    if notes > 1 {
      let divided = divide(arp.pointee.grid, step, count: notes, gate: gate)
      arp.pointee.ratchet = divided.ratchet
      return strike(part, set, isChord: false, isAccented: false, end: divided.end)
    }
    strike(part, set, isChord: isChord, isAccented: isAccented, end: end)
  }

  /// Strikes the next note of a step that is divided.
  @_noLocks
  mutating func repeatStep(_ part: Int) {
    let (arp, knobs) = (arps[part], patch(part).arp)
    let start = arp.pointee.ratchet.position(arp.pointee.grid)
    let length = arp.pointee.ratchet.length(arp.pointee.grid)
    arp.pointee.ratchet.begun &+= 1
    switch arp.pointee.role {
    case .sequence: repeatSequence(part, end: start, length)
    case .arpeggio:
      let set = arp.pointee.pitches(chord(part), isRunning: renderer.beatClock.isRunning)
      if set.contains(max(0, arp.pointee.cursor.pitch)) || isChordMode(knobs) {
        strike(part, set, isChord: false, isAccented: false, end: start + gate(knobs) * length)
      }
    case .notes, .chords: break
    }
  }

  /// The number of a step in the rhythm. Restarts the order of the notes at a new bar or a repetition.
  @_noLocks
  private func restartAt(_ step: Int64, _ part: Int) -> Int64 {
    let (arp, knobs) = (arps[part], patch(part).arp)
    switch ArpRetrigger.at(knobs.pointee.retrigger) {
    case .bar:
      let bar = arp.pointee.grid.bar(of: step, at: frame, renderer.beatClock)
      if bar != arp.pointee.bar {
        (arp.pointee.bar, arp.pointee.origin) = (bar, step)
        arp.pointee.cursor = ArpCursor()
      }
    case .chord, .key, .off: break
    }
    // Negative only after a jump back.
    var index = step &- arp.pointee.origin
    if index < 0 { index = index % Self.lockedSteps &+ Self.lockedSteps }
    let repeats = knobs.pointee.length >= 1 || knobs.pointee.lock >= 0.5 && isRandom(knobs)
    if repeats, index % repetition(knobs) == 0 { arp.pointee.cursor = ArpCursor() }
    return index
  }

  /// The random numbers of a step that repeats its choices.
  @_noLocks
  private func lockedRandom(_ part: Int, _ index: Int64) -> RandomNumbers {
    let step = index % repetition(patch(part).arp)
    return RandomNumbers(UInt32(truncatingIfNeeded: 1_000 &* (part &+ 1) &+ Int(step)))
  }

  /// Steps after which the order of the notes restarts, or choices repeat: 16 unless the knob says otherwise.
  @_noLocks
  private func repetition(_ knobs: UnsafePointer<ArpKnobs>) -> Int64 {
    knobs.pointee.length >= 1 ? Int64(min(knobs.pointee.length, 32)) : 16
  }

  /// The length of a note as a share of its step.
  @_noLocks
  private func gate(_ knobs: UnsafePointer<ArpKnobs>) -> Double {
    Double(max(0.01, min(knobs.pointee.gate, 2)))
  }

  @_noLocks
  private func isRandom(_ knobs: UnsafePointer<ArpKnobs>) -> Bool {
    switch ArpMode.at(knobs.pointee.mode) {
    case .random, .shuffle, .walk: true
    default: false
    }
  }

  @_noLocks
  private func isChordMode(_ knobs: UnsafePointer<ArpKnobs>) -> Bool {
    switch ArpMode.at(knobs.pointee.mode) {
    case .chord: true
    default: false
    }
  }

  // The least common multiple of all lengths of a rhythm (1…16), so that negative numbers keep their places.
  private static var lockedSteps: Int64 { @_noLocks get { 720_720 } }

  /// Strikes the note of the cursor, or all notes, transposed by the octave of the cursor.
  @_noLocks
  private mutating func strike(_ part: Int, _ set: PitchSet, isChord: Bool, isAccented: Bool, end: Double) {
    let (arp, knobs, chord) = (arps[part], patch(part).arp, chord(part))
    let isAll = isChord || isChordMode(knobs)
    var struck = PitchSet()
    var pitch = isAll ? set.lowest : arp.pointee.cursor.pitch
    while let this = pitch {
      pitch = isAll ? set.above(this) : nil
      // Keys beyond the highest sound an octave lower.
      var key = this &+ 12 &* arp.pointee.cursor.octave
      while key > 127 { key &-= 12 }
      if let entry = arp.pointee.entry(for: this, chord), !struck.contains(key) {
        struck.insert(key)
        let velocity = stepVelocity(part, entry, isAccented: isAccented)
        strikeStep(part, entry, key: key, velocity: velocity, end: end)
      }
    }
  }

  /// The velocity of a step's note, 0…1.
  @_noLocks
  private func stepVelocity(_ part: Int, _ entry: UnsafeMutablePointer<ArpEntry>, isAccented: Bool) -> Float {
    let (arp, knobs) = (arps[part], patch(part).arp)
    var velocity = entry.pointee.note.velocity
    switch ArpVelocity.at(knobs.pointee.velocity) {
    case .played: break
    case .first: velocity = arp.pointee.entries[0].pointee.note.velocity
    case .fixed: velocity = max(1, min(knobs.pointee.fixed, 127)) / 127
    case .pressure:
      var note = entry.pointee.note
      if entry.pointee.isDown { controllers.assignFinger(&note) }
      velocity = max(1 / 127, controllers.pressure(note))
    }
    let accent = isAccented ? max(0, min(knobs.pointee.accent, 1)) : 0
    return velocity + (1 - velocity) * accent
  }
}
