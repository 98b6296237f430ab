/// The pedals of all sources as a part hears them. Which sources, one bit each.
struct PartPedals {
  /// Channels that the part answers to, one bit each.
  var channels: UInt32 = 0
  /// Which controllers it hears, in the bits of `HeardControllers`.
  var heard: UInt8 = 0
  /// Sources whose sustain pedal is down on one of them; the sostenuto, the soft pedal, the legato switch.
  var sustaining: UInt32 = 0
  var catching: UInt32 = 0
  var softening: UInt32 = 0
  var slurring: UInt32 = 0
  /// Sources whose expression pedals and volumes are not at their end.
  var expressing: UInt32 = 0

  /// At rest.
  @_noLocks init() {}

  /// The channel of General MIDI's drums, in the bits of `channels`.
  static var drums: UInt32 { @_noLocks get { 1 << UInt32(Limits.drumChannel) } }
  /// True of a part that is there for them: it answers to their channel alone.
  var isKit: Bool { @_noLocks get { channels == Self.drums } }
}

// Pedals act on what other devices play as well.

extension Controllers {
  /// Whether a sustain pedal holds the note: its own, its part's, or that of another device that the part hears. Of the
  /// same device only its own channel's counts.
  @_noLocks
  func sustains(_ note: Note) -> Bool {
    let part = Int(note.part)
    return ours(part).sustain || own(note).sustain || pedals[part].sustaining & ~bit(note.source) != 0
  }

  /// Whether a sostenuto pedal that has caught the note may hold it still: one of those that `sustains` means.
  @_noLocks
  func catches(_ note: Note) -> Bool {
    let part = Int(note.part)
    return ours(part).sostenuto || own(note).sostenuto || pedals[part].catching & ~bit(note.source) != 0
  }

  /// Whether the pedal that an event moves acts on a note.
  @_noLocks
  func reaches(_ event: Event, _ note: Note) -> Bool {
    if pedals[Int(note.part)].heard & HeardControllers.pedalBit == 0 { return false }
    if Int(event.target) >= Limits.channels { return Int(event.target) &- Limits.channels == Int(note.part) }
    if event.source == note.source { return event.target == note.zoneManager }
    return hears(Int(note.part), event)
  }

  /// How far down the soft pedals are that act on a note, 0…1.
  @_noLocks
  func softness(_ note: Note) -> Float {
    let part = Int(note.part)
    var soft = max(own(note).soft, ours(part).soft)
    var others = pedals[part].softening & ~bit(note.source)
    while others != 0 {
      var left = heardChannels[part * Limits.sources + others.trailingZeroBitCount]
      while left != 0 {
        let state = channels + (others.trailingZeroBitCount * Limits.channels + left.trailingZeroBitCount)
        soft = max(soft, state.pointee.soft)
        left &= left &- 1
      }
      others &= others &- 1
    }
    return soft
  }

  /// Whether a legato switch that the part hears is down.
  @_noLocks
  func slurs(_ part: Int) -> Bool { ours(part).legato || pedals[part].slurring != 0 }

  /// A pedal of a source has moved.
  @_noLocks
  func movedPedal(of source: UInt8) {
    var part = 0
    while part < Limits.parts {
      gatherPedals(part: part, source: Int(source))
      part &+= 1
    }
  }

  /// What a part hears of a source's pedals, on all channels that it hears of it.
  @_noLocks
  func gatherPedals(part: Int, source: Int) {
    let bit = bit(UInt8(source))
    let others = ~bit
    var (product, balance) = (masters[source].volume, Float(0))
    var gathered = pedals[part]
    gathered.sustaining &= others
    gathered.catching &= others
    gathered.softening &= others
    gathered.slurring &= others
    var left = heardChannels[part * Limits.sources + source]
    while left != 0 {
      var state = channels[source * Limits.channels + left.trailingZeroBitCount]
      state.mute(allBut: pedals[part].heard)
      if state.sustain { gathered.sustaining |= bit }
      if state.sostenuto { gathered.catching |= bit }
      if state.soft > 0 { gathered.softening |= bit }
      if state.legato { gathered.slurring |= bit }
      product *= state.expression * state.volume
      balance += state.balance
      left &= left &- 1
    }
    gathered.expressing = product < 1 ? gathered.expressing | bit : gathered.expressing & others
    pedals[part] = gathered
    expression[part * Limits.sources + source] = product
    balances[part * Limits.sources + source] = balance
  }

  @_noLocks
  func bit(_ source: UInt8) -> UInt32 { 1 << UInt32(source) }
}
