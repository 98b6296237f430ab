import Scenes

// The steps of arpeggios and sequences, at their frames: notes end before the events of a frame, and begin after
// them.

extension Arps {
  /// Ends the notes of steps that are due.
  @_noLocks
  func endSteps(_ ensemble: inout Ensemble) {
    let line = ensemble.renderer.beatClock.line
    var left = busy
    while left != 0 {
      let part = left.trailingZeroBitCount
      let arp = self[part]
      var index = 0
      while index < arp.pointee.gates.count {
        if arp.pointee.gates[index].pointee.frame(line) <= ensemble.frame {
          endStep(&ensemble, index, part: part)
        } else {
          index &+= 1
        }
      }
      left &= left &- 1
    }
  }

  /// Plays the strokes that are due.
  @_noLocks
  mutating func play(_ ensemble: inout Ensemble) {
    var left = busy
    while left != 0 {
      let part = left.trailingZeroBitCount
      followJumps(&ensemble, part)
      if self[part].pointee.strum.count > 0 { playStrum(&ensemble, part) }
      let hasKeys = self[part].pointee.entries.count > 0
      if hasKeys { playKeys(&ensemble, part) }
      if self[part].pointee.isBeside {
        playBeside(&ensemble, part)
      } else if !hasKeys {
        self[part].pointee.at = -1
      }
      left &= left &- 1
    }
    updateActivity()
  }

  /// Ends the notes of steps after a jump of the beat line, if no grid does so: their ends may now be far away.
  @_noLocks
  func followJumps(_ ensemble: inout Ensemble, _ part: Int) {
    let (arp, jumps) = (self[part], ensemble.renderer.beatClock.line.jumps)
    if arp.pointee.jumps == jumps { return }
    arp.pointee.jumps = jumps
    if arp.pointee.entries.count == 0 || !arp.pointee.grid.isInBeats {
      endSteps(&ensemble, of: part, beside: false)
    }
    if !arp.pointee.isBeside || !arp.pointee.besideGrid.isInBeats {
      endSteps(&ensemble, of: part, beside: true)
    }
  }

  /// Plays the steps of the keys of a part that are due.
  @_noLocks
  private mutating func playKeys(_ ensemble: inout Ensemble, _ part: Int) {
    let (arp, knobs, line) = (self[part], ensemble.patch(part).arp, ensemble.renderer.beatClock.line)
    let next = arp.pointee.grid.next
    arp.pointee.grid.follow(knobs, at: ensemble.frame, line, rate: ensemble.rate)
    if arp.pointee.grid.followJumps(at: ensemble.frame, line) { endSteps(&ensemble, of: part, beside: false) }
    arp.pointee.grid.skip(to: ensemble.frame, line)
    let moved = arp.pointee.grid.next &- next
    if moved != 0 {
      arp.pointee.ratchet = Ratchet()
      if !isTied(to: arp.pointee.grid, knobs) { arp.pointee.origin &+= moved }
    }
    if arp.pointee.ratchet.isGoing,
      arp.pointee.grid.frame(of: arp.pointee.ratchet.position(arp.pointee.grid), line) <= ensemble.frame
    {
      repeatStep(&ensemble, part)
    }
    if arp.pointee.grid.frame(of: arp.pointee.grid.position(arp.pointee.grid.next), line) <= ensemble.frame {
      arp.pointee.ratchet = Ratchet()
      playStep(&ensemble, part)
      arp.pointee.grid.pass()
    }
  }

  /// Whether the rhythm is tied to the beat line instead of beginning with a key.
  @_noLocks
  func isTied(to grid: ArpGrid, _ knobs: UnsafePointer<ArpKnobs>) -> Bool {
    if !grid.isCommon { return false }
    switch ArpRetrigger.at(knobs.pointee.retrigger) {
    case .off: return true
    case .chord, .key, .bar: return false
    }
  }

  /// Plays the next step of a part's keys, which is due.
  @_noLocks
  private mutating func playStep(_ ensemble: inout Ensemble, _ part: Int) {
    let arp = self[part]
    if arp.pointee.joins {
      arp.pointee.joins = false
      endKeys(&ensemble, part)
    }
    releaseEntries(ensemble, part)
    let set = arp.pointee.pitches(chord(ensemble, part), isRunning: ensemble.renderer.beatClock.isRunning)
    if set.isEmpty {
      arp.pointee.at = -1
      return
    }
    switch arp.pointee.role {
    case .sequence: playSequenceStep(&ensemble, part)
    case .arpeggio: playArpeggioStep(&ensemble, part, set)
    case .notes, .chords: break
    }
  }

  /// The chord that the keys of a part play.
  @_noLocks
  func chord(_ ensemble: borrowing Ensemble, _ part: Int) -> Chord { Chord(ensemble.patch(part).chord) }

  /// Begins the steps of a part with a key, at its frame: at once, or with the next step of the beat line.
  @_noLocks
  func beginSteps(_ ensemble: borrowing Ensemble, _ part: Int, withKey: Bool) {
    let (arp, knobs, line) = (self[part], ensemble.patch(part).arp, ensemble.renderer.beatClock.line)
    arp.pointee.grid.follow(knobs, at: ensemble.frame, line, rate: ensemble.rate)
    let isFollowing = ensemble.renderer.beatClock.leader != BeatClock.noLeader
    let startsWithKey =
      switch ArpStart.at(knobs.pointee.start) {
      case .key: withKey
      case .beat: false
      }
    if startsWithKey, !isFollowing || !arp.pointee.grid.isInBeats {
      arp.pointee.grid.begin(at: ensemble.frame, line)
    } else {
      let late = startsWithKey ? Int64(Limits.lateKeySeconds * ensemble.rate) : 0
      arp.pointee.grid.join(at: ensemble.frame &- late, line)
    }
    arp.pointee.ratchet = Ratchet()
    restartOrder(ensemble, part)
  }

  /// Restarts the order of the notes and the rhythm with the next step.
  @_noLocks
  func restartOrder(_ ensemble: borrowing Ensemble, _ part: Int) {
    let (arp, clock) = (self[part], ensemble.renderer.beatClock)
    arp.pointee.cursor = ArpCursor()
    arp.pointee.bar = arp.pointee.grid.bar(of: arp.pointee.grid.next, at: ensemble.frame, clock)
    arp.pointee.origin = isTied(to: arp.pointee.grid, ensemble.patch(part).arp) ? 0 : arp.pointee.grid.next
  }

  /// Restarts all steps after the transport has started: the first step is on its first pulse.
  @_noLocks
  func start(_ ensemble: inout Ensemble) {
    let line = ensemble.renderer.beatClock.line
    for part in 0..<Limits.parts {
      let arp = self[part]
      arp.pointee.rests = false
      if arp.pointee.entries.count > 0 {
        endSteps(&ensemble, of: part, beside: false)
        arp.pointee.grid.follow(ensemble.patch(part).arp, at: ensemble.frame, line, rate: ensemble.rate)
        arp.pointee.grid.join(at: ensemble.frame, line, starts: true)
        arp.pointee.ratchet = Ratchet()
        restartOrder(ensemble, part)
      }
      if arp.pointee.isBeside {
        endSteps(&ensemble, of: part, beside: true)
        arp.pointee.besideGrid.follow(ensemble.patch(part).arp, at: ensemble.frame, line, rate: ensemble.rate)
        arp.pointee.besideGrid.join(at: ensemble.frame, line, starts: true)
        arp.pointee.besideRatchet = Ratchet()
      }
    }
  }

  /// Lets the sequences beside the keys resume after a panic, because the transport continues.
  @_noLocks
  func resume() {
    for part in 0..<Limits.parts {
      self[part].pointee.rests = false
    }
  }

  /// Plays the next step of an arpeggio. `set` are its pitches.
  @_noLocks
  mutating func playArpeggioStep(_ ensemble: inout Ensemble, _ part: Int, _ set: PitchSet) {
    let (arp, knobs) = (self[part], ensemble.patch(part).arp)
    let step = arp.pointee.grid.next
    let index = restartAt(ensemble, step, part)
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
      : stepEnd(ensemble, arp.pointee.grid, step, gate: gate)
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
    var random = knobs.pointee.lock >= 0.5 ? lockedRandom(ensemble, part, index) : arp.pointee.random
    let isChosen = random.next() < knobs.pointee.chance
    if isChosen, !isChord || arp.pointee.cursor.isAtStart {
      arp.pointee.cursor.step(knobs, set, arp.pointee.entries, chord(ensemble, part), &random)
    }
    if knobs.pointee.lock < 0.5 { arp.pointee.random = random }
    if !isChosen { return }
    if notes > 1 {
      let divided = divide(ensemble, arp.pointee.grid, step, count: notes, gate: gate)
      arp.pointee.ratchet = divided.ratchet
      return strikePitches(&ensemble, part, set, isChord: false, isAccented: false, end: divided.end)
    }
    strikePitches(&ensemble, part, set, isChord: isChord, isAccented: isAccented, end: end)
  }

  /// Strikes the next note of a step that is divided.
  @_noLocks
  mutating func repeatStep(_ ensemble: inout Ensemble, _ part: Int) {
    let (arp, knobs) = (self[part], ensemble.patch(part).arp)
    let start = arp.pointee.ratchet.position(arp.pointee.grid)
    let length = arp.pointee.ratchet.length(arp.pointee.grid)
    arp.pointee.ratchet.begun &+= 1
    switch arp.pointee.role {
    case .sequence: repeatSequence(&ensemble, part, end: start, length)
    case .arpeggio:
      let set = arp.pointee.pitches(chord(ensemble, part), isRunning: ensemble.renderer.beatClock.isRunning)
      if set.contains(max(0, arp.pointee.cursor.pitch)) || isChordMode(knobs) {
        strikePitches(
          &ensemble, part, set, isChord: false, isAccented: false, end: start + gate(knobs) * length)
      }
    case .notes, .chords: break
    }
  }

  /// The number of a step in the rhythm. Restarts the order of the notes at a new bar or a repetition.
  @_noLocks
  private func restartAt(_ ensemble: borrowing Ensemble, _ step: Int64, _ part: Int) -> Int64 {
    let (arp, knobs) = (self[part], ensemble.patch(part).arp)
    switch ArpRetrigger.at(knobs.pointee.retrigger) {
    case .bar:
      let bar = arp.pointee.grid.bar(of: step, at: ensemble.frame, ensemble.renderer.beatClock)
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
  private func lockedRandom(_ ensemble: borrowing Ensemble, _ part: Int, _ index: Int64) -> RandomNumbers {
    let step = index % repetition(ensemble.patch(part).arp)
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
  private mutating func strikePitches(
    _ ensemble: inout Ensemble, _ part: Int, _ set: PitchSet, isChord: Bool, isAccented: Bool, end: Double
  ) {
    let (arp, knobs, chord) = (self[part], ensemble.patch(part).arp, chord(ensemble, part))
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
        let velocity = stepVelocity(ensemble, part, entry, isAccented: isAccented)
        strikeStep(&ensemble, part, entry, key: key, velocity: velocity, end: end)
      }
    }
  }

  /// The velocity of a step's note, 0…1.
  @_noLocks
  private func stepVelocity(
    _ ensemble: borrowing Ensemble, _ part: Int, _ entry: UnsafeMutablePointer<ArpEntry>, isAccented: Bool
  ) -> Float {
    let (arp, knobs) = (self[part], ensemble.patch(part).arp)
    var velocity = entry.pointee.note.velocity
    switch ArpVelocity.at(knobs.pointee.velocity) {
    case .played: break
    case .first: velocity = arp.pointee.entries[0].pointee.note.velocity
    case .fixed: velocity = max(1, min(knobs.pointee.fixed, 127)) / 127
    case .pressure:
      var note = entry.pointee.note
      if entry.pointee.isDown { ensemble.controllers.assignFinger(&note) }
      velocity = max(1 / 127, ensemble.controllers.pressure(note))
    }
    let accent = isAccented ? max(0, min(knobs.pointee.accent, 1)) : 0
    return velocity + (1 - velocity) * accent
  }

  /// Strikes the note of a pitch from its entry, as a step of the part, until a position of the grid.
  @_noLocks
  mutating func strikeStep(
    _ ensemble: inout Ensemble, _ part: Int, _ entry: UnsafeMutablePointer<ArpEntry>, key: Int,
    velocity: Float, end: Double
  ) {
    var note = entry.pointee.note
    if entry.pointee.isDown { ensemble.controllers.assignFinger(&note) }
    note.followsKey = entry.pointee.isDown
    note.key = UInt8(truncatingIfNeeded: max(0, min(key, 127)))
    note.velocity = velocity
    note.id = note.id(Note.stepBit, key: note.key)
    strikeStep(
      &ensemble, part, note, end: end, isInBeats: self[part].pointee.grid.isInBeats,
      group: entry.pointee.group)
  }

  /// Strikes a note of a step. A sounding one of the same key ends first.
  @_noLocks
  mutating func strikeStep(
    _ ensemble: inout Ensemble, _ part: Int, _ note: Note, end: Double, isInBeats: Bool, group: UInt8
  ) {
    guard let shift = ensemble.scene.part(part).pointee.tuning.shift(note.key) else { return }
    let arp = self[part]
    let same = arp.pointee.gates.index(ofKeyOf: note.id)
    if same < arp.pointee.gates.count {
      // If the same finger plays it, its voice is struck again.
      if arp.pointee.gates[same].pointee.id == note.id {
        arp.pointee.gates.remove(same)
      } else {
        endStep(&ensemble, same, part: part)
      }
    }
    if arp.pointee.gates.count == Limits.stepNotes { endStep(&ensemble, 0, part: part) }
    var note = note
    (note.tuningOctaves, note.held) = (shift, Note.byStep)
    ensemble.strike(note, part: part, group: group)
    var gate = StepGate()
    (gate.id, gate.end, gate.isInBeats) = (note.id, end, isInBeats)
    arp.pointee.gates.add(gate)
    wake(part)
  }

  /// Ends the note of a gate. A sustain pedal that is down holds it if the pedal is set to hold the notes of steps.
  @_noLocks
  func endStep(_ ensemble: inout Ensemble, _ index: Int, part: Int) {
    let arp = self[part]
    let id = arp.pointee.gates[index].pointee.id
    arp.pointee.gates.remove(index)
    var voice = ensemble.voices.pool.nextHeld(by: id, 0)
    while voice < Limits.lanes {
      if Int(ensemble.voices.notes[voice].part) == part {
        let held = heldWithoutStep(ensemble, ensemble.voices.notes[voice])
        if held == 0 { ensemble.voices.release(voice) } else { ensemble.voices.notes[voice].held = held }
      }
      voice = ensemble.voices.pool.nextHeld(by: id, voice &+ 1)
    }
    let stack = ensemble.played[part].pointee.stack
    let held = stack.index(of: id)
    if held < stack.count {
      stack[held].pointee.held = heldWithoutStep(ensemble, stack[held].pointee)
      ensemble.settleMono(part)
    }
  }

  /// Ends the notes of all steps of a part: those of the keys, or those beside them.
  @_noLocks
  func endSteps(_ ensemble: inout Ensemble, of part: Int, beside: Bool) {
    let arp = self[part]
    var index = 0
    while index < arp.pointee.gates.count {
      if (arp.pointee.gates[index].pointee.id & Note.besideBit != 0) == beside {
        endStep(&ensemble, index, part: part)
      } else {
        index &+= 1
      }
    }
  }

  /// Moves the ends of the sounding notes of a part's steps to a position: a tie.
  @_noLocks
  func extendSteps(of part: Int, beside: Bool, to end: Double) {
    let (arp, gates) = (self[part], self[part].pointee.gates)
    let isInBeats = beside ? arp.pointee.besideGrid.isInBeats : arp.pointee.grid.isInBeats
    var index = 0
    while index < gates.count {
      if (gates[index].pointee.id & Note.besideBit != 0) == beside {
        (gates[index].pointee.end, gates[index].pointee.isInBeats) = (end, isInBeats)
      }
      index &+= 1
    }
  }

  /// The holders of a note of a step after its gate.
  @_noLocks
  private func heldWithoutStep(_ ensemble: borrowing Ensemble, _ note: Note) -> UInt8 {
    let held = note.held & ~Note.byStep
    switch ArpPedal.at(ensemble.patch(Int(note.part)).arp.pointee.pedal) {
    case .sustain: return ensemble.controllers.sustains(note) ? held | Note.bySustain : held
    case .latch, .ignore: return held
    }
  }

  /// A step that is divided, without the notes whose time has passed, and the end of the note that begins now.
  @_noLocks
  func divide(_ ensemble: borrowing Ensemble, _ grid: ArpGrid, _ step: Int64, count: Int, gate: Double) -> (
    ratchet: Ratchet, end: Double
  ) {
    let line = ensemble.renderer.beatClock.line
    var ratchet = Ratchet(step, count: count)
    while ratchet.isGoing, grid.frame(of: ratchet.position(grid), line) < ensemble.frame {
      ratchet.begun &+= 1
    }
    let isLate = grid.frame(of: grid.position(step), line) < ensemble.frame
    let start = isLate ? grid.position(at: ensemble.frame, line) : grid.position(step)
    return (ratchet, start + gate * ratchet.length(grid))
  }

  /// The end of a step's note. A late step gets the rest of its length.
  @_noLocks
  func stepEnd(_ ensemble: borrowing Ensemble, _ grid: ArpGrid, _ step: Int64, gate: Double) -> Double {
    let line = ensemble.renderer.beatClock.line
    let start = grid.position(step)
    if grid.frame(of: start, line) >= ensemble.frame { return start + gate * grid.length(of: step) }
    let now = grid.position(at: ensemble.frame, line)
    return now + gate * max(grid.position(step &+ 1) - now, 0.1 * grid.length)
  }
}
