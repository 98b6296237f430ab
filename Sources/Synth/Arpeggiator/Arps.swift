import Scenes

/// The arpeggiators of all parts.
struct Arps: ~Copyable {
  private let parts: UnsafeMutablePointer<ArpPart>
  private let entries: UnsafeMutablePointer<ArpEntry>
  private let gates: UnsafeMutablePointer<StepGate>
  private let keys: UnsafeMutablePointer<ChordKey>
  private let strokes: UnsafeMutablePointer<Strum.Stroke>
  /// Parts with something to be played or to be ended, one bit each; while it is 0, arpeggiators cost nothing.
  private(set) var busy: UInt32 = 0
  /// Parts whose arpeggiator or chord memory may hold keys, one bit each.
  private(set) var used: UInt32 = 0

  init() {
    parts = .allocate(capacity: Limits.parts)
    entries = .allocate(capacity: Limits.parts * Limits.arpKeys)
    entries.initialize(repeating: ArpEntry(), count: Limits.parts * Limits.arpKeys)
    gates = .allocate(capacity: Limits.parts * Limits.stepNotes)
    gates.initialize(repeating: StepGate(), count: Limits.parts * Limits.stepNotes)
    keys = .allocate(capacity: Limits.parts * Limits.arpKeys)
    keys.initialize(repeating: ChordKey(), count: Limits.parts * Limits.arpKeys)
    strokes = .allocate(capacity: Limits.parts * Limits.strumNotes)
    strokes.initialize(repeating: Strum.Stroke(), count: Limits.parts * Limits.strumNotes)
    for part in 0..<Limits.parts {
      (parts + part).initialize(to: Arps.part(part, entries, gates, keys, strokes))
    }
  }

  deinit {
    parts.deallocate()
    entries.deallocate()
    gates.deallocate()
    keys.deallocate()
    strokes.deallocate()
  }

  /// Returns to the initial state: no keys, no steps.
  mutating func reset() {
    for part in 0..<Limits.parts { parts[part] = Arps.part(part, entries, gates, keys, strokes) }
    (busy, used) = (0, 0)
  }

  /// The arpeggiator of a part in its initial state, with its share of the memory.
  private static func part(
    _ part: Int, _ entries: UnsafeMutablePointer<ArpEntry>, _ gates: UnsafeMutablePointer<StepGate>,
    _ keys: UnsafeMutablePointer<ChordKey>, _ strokes: UnsafeMutablePointer<Strum.Stroke>
  ) -> ArpPart {
    ArpPart(
      ArpEntries(entries + part * Limits.arpKeys), StepGates(gates + part * Limits.stepNotes),
      ChordKeys(keys + part * Limits.arpKeys), Strum(strokes + part * Limits.strumNotes), number: part)
  }

  /// The arpeggiator of part 0…7, in place.
  @_noLocks
  subscript(part: Int) -> UnsafeMutablePointer<ArpPart> { parts + part }

  /// Makes the next step of each part the first of a bar.
  @_noLocks
  func beginBars() {
    for part in 0..<Limits.parts {
      parts[part].bar = Int64.min
    }
  }

  /// Marks a part as busy.
  @_noLocks
  mutating func wake(_ part: Int) {
    busy |= 1 &<< UInt32(truncatingIfNeeded: part)
    used |= 1 &<< UInt32(truncatingIfNeeded: part)
  }

  /// Updates `busy` and `used` after a frame or an event.
  @_noLocks
  mutating func updateActivity() {
    var left = used
    while left != 0 {
      let part = left.trailingZeroBitCount
      let bit = UInt32(1) &<< UInt32(truncatingIfNeeded: part)
      if parts[part].isBusy { busy |= bit } else { busy &= ~bit }
      if parts[part].isBusy || parts[part].chordKeys.count > 0 { used |= bit } else { used &= ~bit }
      left &= left &- 1
    }
  }

  /// The frame of the next end of a note or stroke; the largest number when there is none.
  @_noLocks
  func nextFrame(_ line: BeatLine) -> Int64 {
    var (next, left) = (Int64.max, busy)
    while left != 0 {
      let part = parts + left.trailingZeroBitCount
      next = min(next, min(part.pointee.nextStroke(line), part.pointee.gates.nextFrame(line)))
      left &= left &- 1
    }
    return next
  }
}

// The switches of the arpeggiator, the chord memory and the sequence, turned while keys are held.
extension Arps {
  /// Follows the switches of a part's sound.
  @_noLocks
  mutating func follow(_ ensemble: borrowing Ensemble, _ part: Int, recalled: Bool) {
    let (arp, patch) = (self[part], ensemble.patch(part))
    let (role, before) = (ArpRole(patch), arp.pointee.role)
    let isOn = ensemble.scene.part(part).pointee.strip.on >= 0.5
    // Latched keys of a part that is off would play for ever.
    if !isOn { arp.pointee.entries.removeReleased() }
    if !role.equals(before) {
      arp.pointee.role = role
      arp.pointee.ratchet = Ratchet()
      if !role.hasSteps {
        // Keys that are down are not struck anew.
        arp.pointee.entries.removeAll()
        arp.pointee.joins = false
      } else if !before.hasSteps, !recalled {
        joinKeys(ensemble, part)
      }
    }
    let isBeside =
      switch SequenceMode.at(patch.sequence.pointee.mode) {
      case .beside: isOn
      case .off, .key: false
      }
    if isBeside != arp.pointee.isBeside {
      arp.pointee.isBeside = isBeside
      (arp.pointee.rests, arp.pointee.besideRatchet) = (false, Ratchet())
      if isBeside {
        wake(part)
        arp.pointee.besideGrid.follow(
          patch.arp, at: ensemble.frame, ensemble.renderer.beatClock.line, rate: ensemble.rate)
        arp.pointee.besideGrid.join(at: ensemble.frame, ensemble.renderer.beatClock.line)
      }
    }
  }

  /// Adds the keys of a part that are down to its arpeggio, which has been switched on: their notes end at the next
  /// step.
  @_noLocks
  private mutating func joinKeys(_ ensemble: borrowing Ensemble, _ part: Int) {
    let arp = self[part]
    var voice = ensemble.voices.next(0)
    while voice < Limits.lanes {
      join(ensemble.voices.notes[voice], part)
      voice = ensemble.voices.next(voice &+ 1)
    }
    let stack = ensemble.played[part].pointee.stack
    var index = 0
    while index < stack.count {
      join(stack[index].pointee, part)
      index &+= 1
    }
    index = 0
    while index < arp.pointee.chordKeys.count {
      join(arp.pointee.chordKeys[index].pointee.note, part)
      index &+= 1
    }
    if arp.pointee.entries.count == 0 { return }
    arp.pointee.joins = true
    wake(part)
    beginSteps(ensemble, part, withKey: false)
  }

  @_noLocks
  private func join(_ note: Note, _ part: Int) {
    if note.held & Note.byKey == 0 || Int(note.part) != part || note.id != note.keyEventID { return }
    if Int(note.source) == Limits.songSource { return }
    if !self[part].pointee.entries.add(ArpEntry(note, group: 0)) { self[part].pointee.refused &+= 1 }
  }

  /// Ends the notes of a part that keys hold, because the keys have joined its arpeggio.
  @_noLocks
  func endKeys(_ ensemble: inout Ensemble, _ part: Int) {
    self[part].pointee.chordKeys.removeAll()
    self[part].pointee.strum.removeAll()
    var voice = ensemble.voices.next(0)
    while voice < Limits.lanes {
      let note = ensemble.voices.notes[voice]
      if Int(note.part) == part, note.held & Note.byKey != 0, Int(note.source) != Limits.songSource {
        let held = note.held & ~Note.byKey
        if held == 0 { ensemble.voices.release(voice) } else { ensemble.voices.notes[voice].held = held }
      }
      voice = ensemble.voices.next(voice &+ 1)
    }
    let stack = ensemble.played[part].pointee.stack
    var index = 0
    while index < stack.count {
      if Int(stack[index].pointee.source) != Limits.songSource { stack[index].pointee.held &= ~Note.byKey }
      index &+= 1
    }
    ensemble.settleMono(part)
  }
}
