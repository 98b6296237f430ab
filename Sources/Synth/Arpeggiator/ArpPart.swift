import Scenes

/// The arpeggiator, the chord memory and the sequence of a part.
struct ArpPart {
  /// The function of the keys.
  var role = ArpRole.notes
  /// The keys of the arpeggio or of the sequence.
  var entries: ArpEntries
  /// The notes that steps have begun.
  var gates: StepGates
  /// The number of jumps of the beat line that the ends of these notes have followed.
  var jumps: UInt32 = 0
  /// The keys that play chords, and the strummed notes that are still to be played.
  var chordKeys: ChordKeys
  var strum: Strum
  /// The grid of the steps that the keys play, the position in the notes, and a divided step.
  var grid = ArpGrid()
  var cursor = ArpCursor()
  var ratchet = Ratchet()
  /// The first step of the rhythm.
  var origin: Int64 = 0
  /// The bar of the last step.
  var bar: Int64 = 0
  /// True when notes that were held before the arpeggiator was switched on end at the next step.
  var joins = false
  /// The steps of the sequence beside the keys, while it is switched on.
  var besideGrid = ArpGrid()
  var besideRatchet = Ratchet()
  var isBeside = false
  /// True after a panic: the sequence beside the keys rests until the transport starts.
  var rests = false
  var random: RandomNumbers
  /// The step of the rhythm or the sequence that was played last; below 0 while nothing plays.
  var at = -1
  /// Keys refused because there was no room.
  var refused: UInt64 = 0

  /// A part in its initial state, with its memory.
  @_noLocks
  init(_ entries: ArpEntries, _ gates: StepGates, _ keys: ChordKeys, _ strum: Strum, number: Int) {
    (self.entries, self.gates, chordKeys, self.strum) = (entries, gates, keys, strum)
    random = RandomNumbers(UInt32(truncatingIfNeeded: number))
  }

  /// True while there is something to be played or to be ended.
  var isBusy: Bool {
    @_noLocks get { isBeside || entries.count | gates.count | strum.count != 0 || at >= 0 }
  }

  /// The frame of the next stroke; the largest number when there is none.
  @_noLocks
  func nextStroke(_ line: BeatLine) -> Int64 {
    var next = strum.nextFrame
    if entries.count > 0 {
      next = min(next, grid.frame(of: grid.position(grid.next), line))
      if ratchet.isGoing { next = min(next, grid.frame(of: ratchet.position(grid), line)) }
    }
    if isBeside {
      next = min(next, besideGrid.frame(of: besideGrid.position(besideGrid.next), line))
      if besideRatchet.isGoing {
        next = min(next, besideGrid.frame(of: besideRatchet.position(besideGrid), line))
      }
    }
    return next
  }

  /// The pitches of the arpeggio: those of keys that are down and, while the transport runs, of keys that a latch or
  /// a pedal keeps.
  @_noLocks
  func pitches(_ chord: Chord, isRunning: Bool) -> PitchSet {
    var set = PitchSet()
    var index = 0
    while index < entries.count {
      let entry = entries[index]
      entry.pointee.isPlayed = entry.pointee.isDown || isRunning
      if entry.pointee.isPlayed { set.formUnion(chord.keys(on: entry.pointee.note.key)) }
      index &+= 1
    }
    return set
  }

  /// The entry that plays a pitch: the newest whose key is down, otherwise the newest; nil when its key was removed.
  @_noLocks
  func entry(for pitch: Int, _ chord: Chord) -> UnsafeMutablePointer<ArpEntry>? { newest(pitch, chord) }

  /// The newest entry whose key is down, otherwise the newest; nil when none is played.
  var newestEntry: UnsafeMutablePointer<ArpEntry>? { @_noLocks get { newest(nil, Chord()) } }

  /// The newest entry of those that play a pitch; of all if that is nil.
  @_noLocks
  private func newest(_ pitch: Int?, _ chord: Chord) -> UnsafeMutablePointer<ArpEntry>? {
    var best: UnsafeMutablePointer<ArpEntry>?
    var index = 0
    while index < entries.count {
      let entry = entries[index]
      var plays = entry.pointee.isPlayed
      if let pitch, plays { plays = chord.contains(pitch &- Int(entry.pointee.note.key)) }
      if plays {
        if let other = best, other.pointee.isDown, !entry.pointee.isDown {} else { best = entry }
      }
      index &+= 1
    }
    return best
  }
}

/// The function of the keys of a part, as the switches of its sound set it.
enum ArpRole {
  /// Each key plays its note.
  case notes
  /// Each key plays a chord.
  case chords
  /// The keys play an arpeggio.
  case arpeggio
  /// The keys play the sequence.
  case sequence

  /// The role for a sound. The sequence takes precedence over the arpeggio, and that over chords.
  @_noLocks
  init(_ patch: UnsafePointer<Patch>) {
    switch SequenceMode.at(patch.sequence.pointee.mode) {
    case .key: self = .sequence
    case .off, .beside:
      self = patch.arp.pointee.on >= 0.5 ? .arpeggio : patch.chord.pointee.on >= 0.5 ? .chords : .notes
    }
  }

  /// Whether keys play steps.
  var hasSteps: Bool {
    @_noLocks get {
      switch self {
      case .notes, .chords: false
      case .arpeggio, .sequence: true
      }
    }
  }

  // The `==` that the compiler makes is not known to be free of locks.
  @_noLocks
  func equals(_ other: ArpRole) -> Bool {
    switch (self, other) {
    case (.notes, .notes), (.chords, .chords), (.arpeggio, .arpeggio), (.sequence, .sequence): true
    default: false
    }
  }
}
