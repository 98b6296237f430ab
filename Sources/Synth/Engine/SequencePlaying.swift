// The sequence of a part: played by a key, or beside the keys.

extension Engine {
  /// Plays the next step of the sequence that the keys of a part play: the newest key transposes it.
  @_noLocks
  mutating func playSequenceStep(_ part: Int) {
    let arp = arps[part]
    let step = arp.pointee.grid.next
    let length = sequenceLength(part)
    let index = wrapped(step &- arp.pointee.origin, length)
    arp.pointee.at = Int(index)
    let isChosen = arp.pointee.random.next() < patch(part).arp.pointee.chance
    guard let entry = arp.pointee.newestEntry else { return }
    let this = patch(part).sequence.step(Int(index))
    if this.velocity == 0, !this.isTie { return }
    let end = sequenceEnd(part, arp.pointee.grid, step, index, length)
    if this.isTie, tie(part, key: Int(entry.pointee.note.key) &+ this.note, beside: false, to: end) { return }
    if !isChosen { return }
    if this.ratchet > 1, !this.isTie {
      let divided = divide(arp.pointee.grid, step, count: this.ratchet, gate: gate(this))
      arp.pointee.ratchet = divided.ratchet
      return strikeSequence(part, this, entry, end: divided.end)
    }
    strikeSequence(part, this, entry, end: end)
  }

  /// Strikes the next note of a step that is divided.
  @_noLocks
  mutating func repeatSequence(_ part: Int, end start: Double, _ length: Double) {
    let this = patch(part).sequence.step(max(0, arps[part].pointee.at))
    guard let entry = arps[part].pointee.newestEntry else { return }
    strikeSequence(part, this, entry, end: start + gate(this) * length)
  }

  /// Plays the steps of the sequence beside the keys that are due, while the transport runs.
  @_noLocks
  mutating func playBeside(_ part: Int) {
    let (arp, line) = (arps[part], renderer.beatClock.line)
    arp.pointee.besideGrid.follow(patch(part).arp, at: frame, line, rate: rate)
    if arp.pointee.besideGrid.followJumps(at: frame, line) {
      arp.pointee.besideRatchet = Ratchet()
      endSteps(of: part, beside: true)
    }
    arp.pointee.besideGrid.skip(to: frame, line)
    let grid = arp.pointee.besideGrid
    let plays = renderer.beatClock.isRunning && !arp.pointee.rests
    let length = sequenceLength(part)
    if arp.pointee.besideRatchet.isGoing,
      grid.frame(of: arp.pointee.besideRatchet.position(grid), line) <= frame
    {
      let ratchet = arp.pointee.besideRatchet
      arp.pointee.besideRatchet.begun &+= 1
      let this = patch(part).sequence.step(Int(wrapped(ratchet.step, length)))
      if plays {
        strikeBeside(part, this, end: ratchet.position(grid) + gate(this) * ratchet.length(grid))
      }
    }
    if grid.frame(of: grid.position(grid.next), line) > frame { return }
    arp.pointee.besideGrid.pass()
    arp.pointee.besideRatchet = Ratchet()
    if !plays {
      if arp.pointee.entries.count == 0 { arp.pointee.at = -1 }
      return
    }
    let index = wrapped(grid.next, length)
    if arp.pointee.entries.count == 0 { arp.pointee.at = Int(index) }
    let this = patch(part).sequence.step(Int(index))
    if this.velocity == 0, !this.isTie { return }
    let end = sequenceEnd(part, grid, grid.next, index, length)
    if this.isTie, tie(part, key: middleKey(part) &+ this.note, beside: true, to: end) { return }
    if this.ratchet > 1, !this.isTie {
      let divided = divide(grid, grid.next, count: this.ratchet, gate: gate(this))
      arp.pointee.besideRatchet = divided.ratchet
      return strikeBeside(part, this, end: divided.end)
    }
    strikeBeside(part, this, end: end)
  }

  // MARK: - Steps

  @_noLocks
  private func wrapped(_ step: Int64, _ length: Int64) -> Int64 {
    let index = step % length
    return index < 0 ? index &+ length : index
  }

  @_noLocks
  private func sequenceLength(_ part: Int) -> Int64 {
    Int64(max(1, min(patch(part).sequence.pointee.length, Float(StepSequence.mostSteps))))
  }

  /// The key on which the sequence beside the keys plays note 0: middle C, transposed by its part.
  @_noLocks
  private func middleKey(_ part: Int) -> Int { 60 &+ scene.part(part).pointee.input.semitones }

  @_noLocks
  private func gate(_ step: SequenceStep) -> Double { Double(step.gate) / 100 }

  /// The end of a step's note; if the next step is a tie, the end is within that step.
  @_noLocks
  private func sequenceEnd(_ part: Int, _ grid: ArpGrid, _ step: Int64, _ index: Int64, _ length: Int64)
    -> Double
  {
    let sequence = patch(part).sequence
    let next = sequence.step(Int((index &+ 1) % length))
    if next.isTie { return grid.position(step &+ 1) + gate(next) * grid.length(of: step &+ 1) }
    return stepEnd(grid, step, gate: gate(sequence.step(Int(index))))
  }

  /// Extends the sounding notes of a part's sequence to a position, if one of them has the key of the tie. Otherwise
  /// they end after the next stroke.
  @_noLocks
  private func tie(_ part: Int, key: Int, beside: Bool, to end: Double) -> Bool {
    let arp = arps[part]
    var one = Note()
    one.id = (beside ? Note.besideBit : 0) | UInt32(truncatingIfNeeded: key & 127)
    let isSame = arp.pointee.gates.index(ofKeyOf: one.id) < arp.pointee.gates.count
    let grid = beside ? arp.pointee.besideGrid : arp.pointee.grid
    let now = grid.position(at: frame &+ 1, renderer.beatClock.line)
    extendSteps(of: part, beside: beside, to: isSame ? end : now)
    return isSame
  }

  /// Strikes a step of the sequence on a key, with its chord. Keys outside 0…127 are left out.
  @_noLocks
  private mutating func strikeSequence(
    _ part: Int, _ step: SequenceStep, _ entry: UnsafeMutablePointer<ArpEntry>, end: Double
  ) {
    let base = Int(entry.pointee.note.key) &+ step.note
    if base < 0 || base > 127 { return }
    let keys = chord(part).keys(on: UInt8(base))
    var key = keys.lowest
    while let this = key {
      strikeStep(part, entry, key: this, velocity: Float(max(step.velocity, 1)) / 127, end: end)
      key = keys.above(this)
    }
  }

  /// Strikes a step of the sequence beside the keys: it has no source, and only the controllers of its part act on
  /// it.
  @_noLocks
  private mutating func strikeBeside(_ part: Int, _ step: SequenceStep, end: Double) {
    var event = Event(frame: frame, kind: .noteOn, source: UInt8(Limits.songSource), target: Event.part(part))
    event.value = Float(max(step.velocity, 1)) / 127
    let base = middleKey(part) &+ step.note
    if base < 0 || base > 127 { return }
    let keys = chord(part).keys(on: UInt8(base))
    var key = keys.lowest
    while let this = key {
      event.note = UInt8(this)
      var note = Note(event, part: part)
      note.id = note.id(Note.stepBit | Note.besideBit, key: note.key)
      strikeStep(part, note, end: end, isInBeats: arps[part].pointee.besideGrid.isInBeats, group: 0)
      key = keys.above(this)
    }
  }
}
