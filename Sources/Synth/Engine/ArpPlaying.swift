// The steps of arpeggios and sequences, at their frames: notes end before the events of a frame, and begin after
// them.

extension Engine {
  /// Ends the notes of steps that are due.
  @_noLocks
  mutating func endSteps() {
    let line = renderer.beatClock.line
    var left = arps.busy
    while left != 0 {
      let part = left.trailingZeroBitCount
      let arp = arps[part]
      var index = 0
      while index < arp.pointee.gates.count {
        if arp.pointee.gates[index].pointee.frame(line) <= frame {
          endStep(index, part: part)
        } else {
          index &+= 1
        }
      }
      left &= left &- 1
    }
  }

  /// Plays the strokes that are due.
  @_noLocks
  mutating func playArps() {
    var left = arps.busy
    while left != 0 {
      let part = left.trailingZeroBitCount
      followJumps(part)
      if arps[part].pointee.strum.count > 0 { playStrum(part) }
      let hasKeys = arps[part].pointee.entries.count > 0
      if hasKeys { playKeys(part) }
      if arps[part].pointee.isBeside { playBeside(part) } else if !hasKeys { arps[part].pointee.at = -1 }
      left &= left &- 1
    }
    arps.updateActivity()
  }

  /// Ends the notes of steps after a jump of the beat line, if no grid does so: their ends may now be far away.
  @_noLocks
  mutating func followJumps(_ part: Int) {
    let (arp, jumps) = (arps[part], renderer.beatClock.line.jumps)
    if arp.pointee.jumps == jumps { return }
    arp.pointee.jumps = jumps
    if arp.pointee.entries.count == 0 || !arp.pointee.grid.isInBeats { endSteps(of: part, beside: false) }
    if !arp.pointee.isBeside || !arp.pointee.besideGrid.isInBeats { endSteps(of: part, beside: true) }
  }

  /// Plays the steps of the keys of a part that are due.
  @_noLocks
  private mutating func playKeys(_ part: Int) {
    let (arp, knobs, line) = (arps[part], patch(part).arp, renderer.beatClock.line)
    let next = arp.pointee.grid.next
    arp.pointee.grid.follow(knobs, at: frame, line, rate: rate)
    if arp.pointee.grid.followJumps(at: frame, line) { endSteps(of: part, beside: false) }
    arp.pointee.grid.skip(to: frame, line)
    let moved = arp.pointee.grid.next &- next
    if moved != 0 {
      arp.pointee.ratchet = Ratchet()
      if !isTied(to: arp.pointee.grid, knobs) { arp.pointee.origin &+= moved }
    }
    if arp.pointee.ratchet.isGoing,
      arp.pointee.grid.frame(of: arp.pointee.ratchet.position(arp.pointee.grid), line) <= frame
    {
      repeatStep(part)
    }
    if arp.pointee.grid.frame(of: arp.pointee.grid.position(arp.pointee.grid.next), line) <= frame {
      arp.pointee.ratchet = Ratchet()
      playStep(part)
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
  private mutating func playStep(_ part: Int) {
    let arp = arps[part]
    if arp.pointee.joins {
      arp.pointee.joins = false
      endKeys(part)
    }
    releaseEntries(part)
    let set = arp.pointee.pitches(chord(part), isRunning: renderer.beatClock.isRunning)
    if set.isEmpty {
      arp.pointee.at = -1
      return
    }
    switch arp.pointee.role {
    case .sequence: playSequenceStep(part)
    case .arpeggio: playArpStep(part, set)
    case .notes, .chords: break
    }
  }

  /// The chord that the keys of a part play.
  @_noLocks
  func chord(_ part: Int) -> Chord { Chord(patch(part).chord) }

  /// Begins the steps of a part with a key, at its frame: at once, or with the next step of the beat line.
  @_noLocks
  mutating func beginSteps(_ part: Int, withKey: Bool) {
    let (arp, knobs, line) = (arps[part], patch(part).arp, renderer.beatClock.line)
    arp.pointee.grid.follow(knobs, at: frame, line, rate: rate)
    let isFollowing = renderer.beatClock.leader != BeatClock.noLeader
    let startsWithKey =
      switch ArpStart.at(knobs.pointee.start) {
      case .key: withKey
      case .beat: false
      }
    if startsWithKey, !isFollowing || !arp.pointee.grid.isInBeats {
      arp.pointee.grid.begin(at: frame, line)
    } else {
      let late = startsWithKey ? Int64(Limits.lateKeySeconds * rate) : 0
      arp.pointee.grid.join(at: frame &- late, line)
    }
    arp.pointee.ratchet = Ratchet()
    restartOrder(part)
  }

  /// Restarts the order of the notes and the rhythm with the next step.
  @_noLocks
  func restartOrder(_ part: Int) {
    let (arp, clock) = (arps[part], renderer.beatClock)
    arp.pointee.cursor = ArpCursor()
    arp.pointee.bar = arp.pointee.grid.bar(of: arp.pointee.grid.next, at: frame, clock)
    arp.pointee.origin = isTied(to: arp.pointee.grid, patch(part).arp) ? 0 : arp.pointee.grid.next
  }

  /// Restarts all steps after the transport has started: the first step is on its first pulse.
  @_noLocks
  mutating func startArps() {
    let line = renderer.beatClock.line
    var part = 0
    while part < Limits.parts {
      let arp = arps[part]
      arp.pointee.rests = false
      if arp.pointee.entries.count > 0 {
        endSteps(of: part, beside: false)
        arp.pointee.grid.follow(patch(part).arp, at: frame, line, rate: rate)
        arp.pointee.grid.join(at: frame, line, starts: true)
        arp.pointee.ratchet = Ratchet()
        restartOrder(part)
      }
      if arp.pointee.isBeside {
        endSteps(of: part, beside: true)
        arp.pointee.besideGrid.follow(patch(part).arp, at: frame, line, rate: rate)
        arp.pointee.besideGrid.join(at: frame, line, starts: true)
        arp.pointee.besideRatchet = Ratchet()
      }
      part &+= 1
    }
  }

  /// Lets the sequences beside the keys resume after a panic, because the transport continues.
  @_noLocks
  func continueArps() {
    var part = 0
    while part < Limits.parts {
      arps[part].pointee.rests = false
      part &+= 1
    }
  }
}
