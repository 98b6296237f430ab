// The random modes, and the mode in the order of the strokes.

extension ArpCursor {
  /// Moves to a random note.
  @_noLocks
  mutating func pick(_ set: PitchSet, _ octaves: Octaves, _ random: inout RandomNumbers) {
    switch octaves.order {
    case .random: turn(octaves, &random)
    case .up, .down, .both:
      if passed >= set.count {
        passed = 0
        turn(octaves, &random)
      }
    }
    passed &+= 1
    pitch = set.key(random.below(set.count)) ?? 0
  }

  /// Plays each note once, in random order.
  @_noLocks
  mutating func shuffle(_ set: PitchSet, _ octaves: Octaves, _ random: inout RandomNumbers) {
    var left = set.without(seen)
    if left.isEmpty {
      if pitch >= 0 { turn(octaves, &random) }
      (seen, left) = (PitchSet(), set)
    }
    pitch = left.key(random.below(left.count)) ?? 0
    seen.insert(pitch)
  }

  /// Moves one note up or down, or stays, through all octaves as one range.
  @_noLocks
  mutating func walk(_ set: PitchSet, _ octaves: Octaves, _ random: inout RandomNumbers) {
    switch random.below(3) {
    case 0:
      if let above = set.above(pitch) { return pitch = above }
      if octave &+ 1 < octaves.count, let lowest = set.lowest { (octave, pitch) = (octave &+ 1, lowest) }
    case 1:
      if let below = set.below(pitch) { return pitch = below }
      if octave > 0, let highest = set.highest { (octave, pitch) = (octave &- 1, highest) }
    default: break
    }
    // Its key may have been removed.
    if !set.contains(pitch) { pitch = set.above(pitch) ?? set.highest ?? pitch }
  }

  /// Plays the keys in the order of their strokes, each with the notes of its chord. A pitch that an earlier key
  /// plays is left out.
  @_noLocks
  mutating func follow(
    _ entries: ArpEntries, _ chord: Chord, _ octaves: Octaves, _ random: inout RandomNumbers
  ) {
    if pitch >= 0 {
      if advance(entries, chord) { return }
      turn(octaves, &random)
    }
    (stroke, interval) = (0, -1)
    if !advance(entries, chord), pitch < 0 { pitch = 0 }
  }

  /// Advances to the note after the current one. False at the end.
  @_noLocks
  private mutating func advance(_ entries: ArpEntries, _ chord: Chord) -> Bool {
    var entry = 0
    while entry < entries.count {
      let note = entries[entry].pointee.note
      var index = note.order == stroke ? interval &+ 1 : 0
      while note.order >= stroke, index < chord.count {
        let key = Int(note.key) &+ chord[index]
        if entries[entry].pointee.isPlayed, key >= 0, key < 128, !isEarlier(key, entries, chord, entry) {
          (stroke, interval, pitch) = (note.order, index, key)
          return true
        }
        index &+= 1
      }
      entry &+= 1
    }
    return false
  }

  /// Whether an entry before position `end` plays a pitch.
  @_noLocks
  private func isEarlier(_ key: Int, _ entries: ArpEntries, _ chord: Chord, _ end: Int) -> Bool {
    var index = 0
    while index < end {
      let entry = entries[index]
      if entry.pointee.isPlayed, chord.contains(key &- Int(entry.pointee.note.key)) { return true }
      index &+= 1
    }
    return false
  }
}
