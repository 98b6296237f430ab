import Scenes

// The sequence of a part: played by a key, or beside the keys.

extension Arps {
  /// Plays the next step of the sequence that the keys of a part play: the newest key transposes it.
  @_noLocks
  mutating func playSequenceStep(_ ensemble: inout Ensemble, _ part: Int) {
    let arp = self[part]
    let step = arp.pointee.grid.next
    let length = sequenceLength(ensemble, part)
    let index = wrapped(step &- arp.pointee.origin, length)
    arp.pointee.at = Int(index)
    let isChosen = arp.pointee.random.next() < ensemble.patch(part).arp.pointee.chance
    guard let entry = arp.pointee.newestEntry else { return }
    let this = ensemble.patch(part).sequence.step(Int(index))
    if this.velocity == 0, !this.isTie { return }
    let end = sequenceEnd(ensemble, part, arp.pointee.grid, step, index, length)
    if this.isTie, tie(ensemble, part, key: Int(entry.pointee.note.key) &+ this.note, beside: false, to: end)
    {
      return
    }
    if !isChosen { return }
    if this.ratchet > 1, !this.isTie {
      let divided = divide(ensemble, arp.pointee.grid, step, count: this.ratchet, gate: gate(this))
      arp.pointee.ratchet = divided.ratchet
      return strikeSequence(&ensemble, part, this, entry, end: divided.end)
    }
    strikeSequence(&ensemble, part, this, entry, end: end)
  }

  /// Strikes the next note of a step that is divided.
  @_noLocks
  mutating func repeatSequence(_ ensemble: inout Ensemble, _ part: Int, end start: Double, _ length: Double) {
    let this = ensemble.patch(part).sequence.step(max(0, self[part].pointee.at))
    guard let entry = self[part].pointee.newestEntry else { return }
    strikeSequence(&ensemble, part, this, entry, end: start + gate(this) * length)
  }

  /// Plays the steps of the sequence beside the keys that are due, while the transport runs.
  @_noLocks
  mutating func playBeside(_ ensemble: inout Ensemble, _ part: Int) {
    let (arp, line) = (self[part], ensemble.renderer.beatClock.line)
    arp.pointee.besideGrid.follow(ensemble.patch(part).arp, at: ensemble.frame, line, rate: ensemble.rate)
    if arp.pointee.besideGrid.followJumps(at: ensemble.frame, line) {
      arp.pointee.besideRatchet = Ratchet()
      endSteps(&ensemble, of: part, beside: true)
    }
    arp.pointee.besideGrid.skip(to: ensemble.frame, line)
    let grid = arp.pointee.besideGrid
    let plays = ensemble.renderer.beatClock.isRunning && !arp.pointee.rests
    let length = sequenceLength(ensemble, part)
    if arp.pointee.besideRatchet.isGoing,
      grid.frame(of: arp.pointee.besideRatchet.position(grid), line) <= ensemble.frame
    {
      let ratchet = arp.pointee.besideRatchet
      arp.pointee.besideRatchet.begun &+= 1
      let this = ensemble.patch(part).sequence.step(Int(wrapped(ratchet.step, length)))
      if plays {
        strikeBeside(&ensemble, part, this, end: ratchet.position(grid) + gate(this) * ratchet.length(grid))
      }
    }
    if grid.frame(of: grid.position(grid.next), line) > ensemble.frame { return }
    arp.pointee.besideGrid.pass()
    arp.pointee.besideRatchet = Ratchet()
    if !plays {
      if arp.pointee.entries.count == 0 { arp.pointee.at = -1 }
      return
    }
    let index = wrapped(grid.next, length)
    if arp.pointee.entries.count == 0 { arp.pointee.at = Int(index) }
    let this = ensemble.patch(part).sequence.step(Int(index))
    if this.velocity == 0, !this.isTie { return }
    let end = sequenceEnd(ensemble, part, grid, grid.next, index, length)
    if this.isTie, tie(ensemble, part, key: middleKey(ensemble, part) &+ this.note, beside: true, to: end) {
      return
    }
    if this.ratchet > 1, !this.isTie {
      let divided = divide(ensemble, grid, grid.next, count: this.ratchet, gate: gate(this))
      arp.pointee.besideRatchet = divided.ratchet
      return strikeBeside(&ensemble, part, this, end: divided.end)
    }
    strikeBeside(&ensemble, part, this, end: end)
  }

  // MARK: - Steps

  @_noLocks
  private func wrapped(_ step: Int64, _ length: Int64) -> Int64 {
    let index = step % length
    return index < 0 ? index &+ length : index
  }

  @_noLocks
  private func sequenceLength(_ ensemble: borrowing Ensemble, _ part: Int) -> Int64 {
    Int64(max(1, min(ensemble.patch(part).sequence.pointee.length, Float(StepSequence.mostSteps))))
  }

  /// The key on which the sequence beside the keys plays note 0: middle C, transposed by its part.
  @_noLocks
  private func middleKey(_ ensemble: borrowing Ensemble, _ part: Int) -> Int {
    60 &+ ensemble.scene.part(part).pointee.input.semitones
  }

  @_noLocks
  private func gate(_ step: SequenceStep) -> Double { Double(step.gate) / 100 }

  /// The end of a step's note; if the next step is a tie, the end is within that step.
  @_noLocks
  private func sequenceEnd(
    _ ensemble: borrowing Ensemble, _ part: Int, _ grid: ArpGrid, _ step: Int64, _ index: Int64,
    _ length: Int64
  )
    -> Double
  {
    let sequence = ensemble.patch(part).sequence
    let next = sequence.step(Int((index &+ 1) % length))
    if next.isTie { return grid.position(step &+ 1) + gate(next) * grid.length(of: step &+ 1) }
    return stepEnd(ensemble, grid, step, gate: gate(sequence.step(Int(index))))
  }

  /// Extends the sounding notes of a part's sequence to a position, if one of them has the key of the tie. Otherwise
  /// they end after the next stroke.
  @_noLocks
  private func tie(_ ensemble: borrowing Ensemble, _ part: Int, key: Int, beside: Bool, to end: Double)
    -> Bool
  {
    let arp = self[part]
    var one = Note()
    one.id = (beside ? Note.besideBit : 0) | UInt32(truncatingIfNeeded: key & 127)
    let isSame = arp.pointee.gates.index(ofKeyOf: one.id) < arp.pointee.gates.count
    let grid = beside ? arp.pointee.besideGrid : arp.pointee.grid
    let now = grid.position(at: ensemble.frame &+ 1, ensemble.renderer.beatClock.line)
    extendSteps(of: part, beside: beside, to: isSame ? end : now)
    return isSame
  }

  /// Strikes a step of the sequence on a key, with its chord. Keys outside 0…127 are left out.
  @_noLocks
  private mutating func strikeSequence(
    _ ensemble: inout Ensemble, _ part: Int, _ step: SequenceStep, _ entry: UnsafeMutablePointer<ArpEntry>,
    end: Double
  ) {
    let base = Int(entry.pointee.note.key) &+ step.note
    if base < 0 || base > 127 { return }
    let keys = chord(ensemble, part).keys(on: UInt8(base))
    var key = keys.lowest
    while let this = key {
      strikeStep(&ensemble, part, entry, key: this, velocity: Float(max(step.velocity, 1)) / 127, end: end)
      key = keys.above(this)
    }
  }

  /// Strikes a step of the sequence beside the keys: it has no source, and only the controllers of its part act on
  /// it.
  @_noLocks
  private mutating func strikeBeside(
    _ ensemble: inout Ensemble, _ part: Int, _ step: SequenceStep, end: Double
  ) {
    var event = Event(
      frame: ensemble.frame, kind: .noteOn, source: UInt8(Limits.songSource), target: Event.part(part))
    event.value = Float(max(step.velocity, 1)) / 127
    let base = middleKey(ensemble, part) &+ step.note
    if base < 0 || base > 127 { return }
    let keys = chord(ensemble, part).keys(on: UInt8(base))
    var key = keys.lowest
    while let this = key {
      event.note = UInt8(this)
      var note = Note(event, part: part)
      note.id = note.id(Note.stepBit | Note.besideBit, key: note.key)
      strikeStep(
        &ensemble, part, note, end: end, isInBeats: self[part].pointee.besideGrid.isInBeats, group: 0)
      key = keys.above(this)
    }
  }
}
