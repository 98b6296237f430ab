import Scenes

// Pedals also act on the notes of other devices.

extension Controllers {
  /// Whether a sustain pedal holds the note: that of its channel, that of its part, or that of another device that the
  /// part receives. Of the note's own device, only its own channel counts.
  @_noLocks
  func sustains(_ note: Note) -> Bool {
    let part = Int(note.part)
    return partState(part).sustain || channelState(note).sustain
      || pedals[part].sustainSources & ~bit(note.source) != 0
  }

  /// Whether a sostenuto pedal that has caught the note may still hold it, among the pedals that `sustains` considers.
  @_noLocks
  func catches(_ note: Note) -> Bool {
    let part = Int(note.part)
    return partState(part).sostenuto || channelState(note).sostenuto
      || pedals[part].sostenutoSources & ~bit(note.source) != 0
  }

  /// Whether the pedal that an event moves acts on a note.
  @_noLocks
  func reaches(_ event: Event, _ note: Note) -> Bool {
    if pedals[Int(note.part)].received & ReceivedControllers.pedalBit == 0 { return false }
    if Int(event.target) >= Limits.channels { return Int(event.target) &- Limits.channels == Int(note.part) }
    if event.source == note.source { return event.target == note.zoneManager }
    return receives(Int(note.part), event)
  }

  /// Depth of the soft pedals that act on a note, 0…1.
  @_noLocks
  func softness(_ note: Note) -> Float {
    let part = Int(note.part)
    var soft = max(channelState(note).soft, partState(part).soft)
    var others = pedals[part].softSources & ~bit(note.source)
    while others != 0 {
      var left = receivedChannels[part * Limits.sources + others.trailingZeroBitCount]
      while left != 0 {
        let state = channels + (others.trailingZeroBitCount * Limits.channels + left.trailingZeroBitCount)
        soft = max(soft, state.pointee.soft)
        left &= left &- 1
      }
      others &= others &- 1
    }
    return soft
  }

  /// Whether a legato switch that the part receives is down.
  @_noLocks
  func slurs(_ part: Int) -> Bool { partState(part).legato || pedals[part].legatoSources != 0 }

  /// Updates all parts after a pedal of a source has moved.
  @_noLocks
  func movedPedal(of source: UInt8) {
    for part in 0..<Limits.parts {
      gatherPedals(part: part, source: Int(source))
    }
  }

  /// Updates a part's pedals of a source, from all of its channels that the part receives.
  @_noLocks
  func gatherPedals(part: Int, source: Int) {
    let bit = bit(UInt8(source))
    let others = ~bit
    var left = receivedChannels[part * Limits.sources + source]
    var (product, balance) = (masters[source].volume, left == 0 ? 0 : masters[source].balance)
    var gathered = pedals[part]
    gathered.sustainSources &= others
    gathered.sostenutoSources &= others
    gathered.softSources &= others
    gathered.legatoSources &= others
    while left != 0 {
      var state = channels[source * Limits.channels + left.trailingZeroBitCount]
      state.mute(allBut: pedals[part].received)
      if state.sustain { gathered.sustainSources |= bit }
      if state.sostenuto { gathered.sostenutoSources |= bit }
      if state.soft > 0 { gathered.softSources |= bit }
      if state.legato { gathered.legatoSources |= bit }
      product *= state.expression * state.volume
      balance += state.balance
      left &= left &- 1
    }
    gathered.attenuatingSources =
      product < 1 ? gathered.attenuatingSources | bit : gathered.attenuatingSources & others
    pedals[part] = gathered
    expression[part * Limits.sources + source] = product
    balances[part * Limits.sources + source] = balance
  }

  @_noLocks
  func bit(_ source: UInt8) -> UInt32 { 1 << UInt32(source) }
}
