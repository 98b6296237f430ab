// The modes in the order of the pitches.

extension ArpCursor {
  /// Moves up; after the highest note, to the lowest note of the next octave.
  @_noLocks
  mutating func rise(_ set: PitchSet, _ octaves: Octaves, _ random: inout RandomNumbers) {
    if let above = set.above(pitch) { return pitch = above }
    turn(octaves, &random)
    pitch = set.lowest ?? pitch
  }

  /// Moves down; after the lowest note, to the highest note of the next octave.
  @_noLocks
  mutating func fall(_ set: PitchSet, _ octaves: Octaves, _ random: inout RandomNumbers) {
    if let below = set.below(pitch) { return pitch = below }
    turn(octaves, &random)
    pitch = set.highest ?? pitch
  }

  /// Moves up and then down, or down and then up: in each octave by itself, or through all octaves if they are
  /// crossed.
  @_noLocks
  mutating func swing(
    _ mode: ArpMode, _ set: PitchSet, _ octaves: Octaves, _ random: inout RandomNumbers
  ) {
    let (isTwice, beginsHigh) =
      switch mode {
      case .upDownTwice: (true, false)
      case .downUp: (false, true)
      default: (false, false)
      }
    let crossed = octaves.areCrossed ? octaves.count : 0
    // The second half ends a note early, so that the note at the end is played once, by the next pass.
    if move(set, crossed, endsEarly: descends != beginsHigh && !isTwice && crossed == 0) { return }
    if descends == beginsHigh {
      descends = !beginsHigh
      if isTwice || move(set, crossed, endsEarly: !isTwice && crossed == 0) { return }
    } else {
      descends = beginsHigh
      if crossed > 0 {
        if !isTwice { _ = move(set, crossed, endsEarly: false) }
        return
      }
    }
    descends = beginsHigh
    if crossed > 0 { return }
    turn(octaves, &random)
    pitch = (beginsHigh ? set.highest : set.lowest) ?? pitch
  }

  /// Moves to the neighbour in the current direction, through all octaves if they are crossed. False at the end.
  @_noLocks
  private mutating func move(_ set: PitchSet, _ crossed: Int, endsEarly: Bool) -> Bool {
    if let neighbour = descends ? set.below(pitch) : set.above(pitch) {
      if endsEarly, (descends ? set.below(neighbour) : set.above(neighbour)) == nil { return false }
      pitch = neighbour
      return true
    }
    let other = descends ? octave &- 1 : octave &+ 1
    if other < 0 || other >= crossed { return false }
    octave = other
    pitch = (descends ? set.highest : set.lowest) ?? pitch
    return true
  }

  /// From the outside in: lowest, highest, second lowest, second highest.
  @_noLocks
  mutating func converge(_ set: PitchSet, _ octaves: Octaves, _ random: inout RandomNumbers) {
    if pitch >= 0 {
      let next = descends ? set.below(high) : set.above(low)
      if let next, next > low, next < high { return reach(next) }
      turn(octaves, &random)
    }
    (low, high, descends) = (-1, 128, false)
    if let lowest = set.lowest { reach(lowest) }
  }

  @_noLocks
  private mutating func reach(_ next: Int) {
    if descends { high = next } else { low = next }
    pitch = next
    descends.toggle()
  }

  /// From the inside out: the middle, the note above it, the note below it.
  @_noLocks
  mutating func diverge(_ set: PitchSet, _ octaves: Octaves, _ random: inout RandomNumbers) {
    if pitch >= 0 {
      let (above, below) = (set.above(high), set.below(low))
      if let next = descends ? below ?? above : above ?? below {
        if next > high { high = next } else { low = next }
        pitch = next
        descends.toggle()
        return
      }
      turn(octaves, &random)
    }
    pitch = set.key((set.count &- 1) / 2) ?? 0
    (low, high, descends) = (pitch, pitch, false)
  }
}
