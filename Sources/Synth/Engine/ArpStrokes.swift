// Notes of steps: how they begin, and how they end.

extension Engine {
  /// Strikes the note of a pitch from its entry, as a step of the part, until a position of the grid.
  @_noLocks
  mutating func strikeStep(
    _ part: Int, _ entry: UnsafeMutablePointer<ArpEntry>, key: Int, velocity: Float, end: Double
  ) {
    var note = entry.pointee.note
    if entry.pointee.isDown { controllers.assignFinger(&note) }
    note.followsKey = entry.pointee.isDown
    note.key = UInt8(truncatingIfNeeded: max(0, min(key, 127)))
    note.velocity = velocity
    note.id = note.id(Note.stepBit, key: note.key)
    strikeStep(part, note, end: end, isInBeats: arps[part].pointee.grid.isInBeats, group: entry.pointee.group)
  }

  /// Strikes a note of a step. A sounding one of the same key ends first.
  @_noLocks
  mutating func strikeStep(_ part: Int, _ note: Note, end: Double, isInBeats: Bool, group: UInt8) {
    guard let shift = scene.part(part).pointee.tuning.shift(note.key) else { return }
    let arp = arps[part]
    let same = arp.pointee.gates.index(ofKeyOf: note.id)
    if same < arp.pointee.gates.count {
      // If the same finger plays it, its voice is struck again.
      if arp.pointee.gates[same].pointee.id == note.id {
        arp.pointee.gates.remove(same)
      } else {
        endStep(same, part: part)
      }
    }
    if arp.pointee.gates.count == Limits.stepNotes { endStep(0, part: part) }
    var note = note
    (note.tuningOctaves, note.held) = (shift, Note.byStep)
    strike(note, part: part, group: group)
    var gate = StepGate()
    (gate.id, gate.end, gate.isInBeats) = (note.id, end, isInBeats)
    arp.pointee.gates.add(gate)
    arps.wake(part)
  }

  /// Ends the note of a gate. A sustain pedal that is down holds it if the pedal is set to hold the notes of steps.
  @_noLocks
  mutating func endStep(_ index: Int, part: Int) {
    let arp = arps[part]
    let id = arp.pointee.gates[index].pointee.id
    arp.pointee.gates.remove(index)
    var voice = voices.pool.nextHeld(by: id, 0)
    while voice < Limits.lanes {
      if Int(voices.notes[voice].part) == part {
        let held = heldWithoutStep(voices.notes[voice])
        if held == 0 { voices.release(voice) } else { voices.notes[voice].held = held }
      }
      voice = voices.pool.nextHeld(by: id, voice &+ 1)
    }
    let stack = played[part].pointee.stack
    let held = stack.index(of: id)
    if held < stack.count {
      stack[held].pointee.held = heldWithoutStep(stack[held].pointee)
      settleMono(part)
    }
  }

  /// Ends the notes of all steps of a part: those of the keys, or those beside them.
  @_noLocks
  mutating func endSteps(of part: Int, beside: Bool) {
    let arp = arps[part]
    var index = 0
    while index < arp.pointee.gates.count {
      if (arp.pointee.gates[index].pointee.id & Note.besideBit != 0) == beside {
        endStep(index, part: part)
      } else {
        index &+= 1
      }
    }
  }

  /// Moves the ends of the sounding notes of a part's steps to a position: a tie.
  @_noLocks
  func extendSteps(of part: Int, beside: Bool, to end: Double) {
    let (arp, gates) = (arps[part], arps[part].pointee.gates)
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
  private func heldWithoutStep(_ note: Note) -> UInt8 {
    let held = note.held & ~Note.byStep
    switch ArpPedal.at(patch(Int(note.part)).arp.pointee.pedal) {
    case .sustain: return controllers.sustains(note) ? held | Note.bySustain : held
    case .latch, .ignore: return held
    }
  }

  /// A step that is divided, without the notes whose time has passed, and the end of the note that begins now.
  @_noLocks
  func divide(_ grid: ArpGrid, _ step: Int64, count: Int, gate: Double) -> (ratchet: Ratchet, end: Double) {
    let line = renderer.beatClock.line
    var ratchet = Ratchet(step, count: count)
    while ratchet.isGoing, grid.frame(of: ratchet.position(grid), line) < frame { ratchet.begun &+= 1 }
    let isLate = grid.frame(of: grid.position(step), line) < frame
    let start = isLate ? grid.position(at: frame, line) : grid.position(step)
    return (ratchet, start + gate * ratchet.length(grid))
  }

  /// The end of a step's note. A late step gets the rest of its length.
  @_noLocks
  func stepEnd(_ grid: ArpGrid, _ step: Int64, gate: Double) -> Double {
    let line = renderer.beatClock.line
    let start = grid.position(step)
    if grid.frame(of: start, line) >= frame { return start + gate * grid.length(of: step) }
    let now = grid.position(at: frame, line)
    return now + gate * max(grid.position(step &+ 1) - now, 0.1 * grid.length)
  }
}
