import Scenes

/// The position of an arpeggio, as a pitch and an octave instead of an index: keys that are added or removed then
/// neither repeat nor skip a note.
struct ArpCursor {
  /// The pitch, before octaves; below 0 before the first note.
  var pitch = -1
  /// The octave above it, 0…3.
  var octave = 0
  /// Whether a mode with two directions goes down, and whether the octaves do.
  var descends = false
  var octavesDescend = false
  /// The position in `ArpMode.converge` and `diverge`.
  var low = -1
  var high = 128
  /// The notes that `ArpMode.shuffle` has played.
  var seen = PitchSet()
  /// The number of notes that `ArpMode.random` has played in this octave.
  var passed = 0
  /// The stroke that `ArpMode.played` has reached, and the index of the note in its chord.
  var stroke: UInt64 = 0
  var interval = -1
  /// The number of times that the note has been played.
  private var times = 0

  /// Before the first note.
  @_noLocks init() {}

  /// True before the first note.
  var isAtStart: Bool { @_noLocks get { pitch < 0 } }

  /// Moves to the note of the next step.
  @_noLocks
  mutating func step(
    _ knobs: UnsafePointer<ArpKnobs>, _ set: PitchSet, _ entries: ArpEntries, _ chord: Chord,
    _ random: inout RandomNumbers
  ) {
    let mode = ArpMode.at(knobs.pointee.mode)
    times &+= 1
    if !isAtStart, times < Int(max(1, min(knobs.pointee.repeats, 8))), canRepeat(mode, set) { return }
    times = 0
    let octaves = Octaves(knobs)
    if isAtStart {
      octave = octaves.first(&random)
      octavesDescend = false
      begin(mode, set, octaves)
      if pitch >= 0 { return }
    }
    octave = min(octave, octaves.count &- 1)
    switch mode {
    case .up: rise(set, octaves, &random)
    case .down: fall(set, octaves, &random)
    case .upDown, .upDownTwice, .downUp: swing(mode, set, octaves, &random)
    case .converge: converge(set, octaves, &random)
    case .diverge: diverge(set, octaves, &random)
    case .played: follow(entries, chord, octaves, &random)
    case .random: pick(set, octaves, &random)
    case .shuffle: shuffle(set, octaves, &random)
    case .walk: walk(set, octaves, &random)
    case .chord:
      if pitch >= 0 { turn(octaves, &random) }
      pitch = set.lowest ?? 0
    }
  }

  /// Whether the note can be repeated: its key must still be in the set.
  @_noLocks
  private func canRepeat(_ mode: ArpMode, _ set: PitchSet) -> Bool {
    switch mode {
    case .chord: true
    default: set.contains(pitch)
    }
  }

  /// Sets the first note of the modes that begin at an end of the set; the other modes choose it themselves.
  @_noLocks
  private mutating func begin(_ mode: ArpMode, _ set: PitchSet, _ octaves: Octaves) {
    switch mode {
    case .up, .upDown, .upDownTwice: (pitch, descends) = (set.lowest ?? -1, false)
    case .down: pitch = set.highest ?? -1
    case .downUp:
      (pitch, descends) = (set.highest ?? -1, true)
      if octaves.areCrossed { octave = octaves.count &- 1 }
    case .walk: pitch = set.lowest ?? -1
    case .converge, .diverge, .played, .random, .shuffle, .chord: break
    }
  }

  /// Moves to the next octave of the order.
  @_noLocks
  mutating func turn(_ octaves: Octaves, _ random: inout RandomNumbers) {
    octave = octaves.next(octave, &octavesDescend, &random)
  }
}

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

/// The octaves that an arpeggio covers, and their order.
struct Octaves {
  /// 1…4.
  let count: Int
  let order: ArpOrder

  /// The octaves of the knobs.
  @_noLocks
  init(_ knobs: UnsafePointer<ArpKnobs>) {
    count = Int(max(1, min(knobs.pointee.octaves, 4)))
    order = ArpOrder.at(knobs.pointee.order)
  }

  /// True if modes with two directions cross all octaves before they turn.
  var areCrossed: Bool {
    @_noLocks get {
      switch order {
      case .both: count > 1
      case .up, .down, .random: false
      }
    }
  }

  /// The first octave.
  @_noLocks
  func first(_ random: inout RandomNumbers) -> Int {
    switch order {
    case .up, .both: 0
    case .down: count &- 1
    case .random: random.below(count)
    }
  }

  /// The octave after another one; `descends` is the direction of `ArpOrder.both`, which plays its ends once.
  @_noLocks
  func next(_ octave: Int, _ descends: inout Bool, _ random: inout RandomNumbers) -> Int {
    switch order {
    case .up: return octave &+ 1 < count ? octave &+ 1 : 0
    case .down: return octave > 0 ? octave &- 1 : count &- 1
    case .random: return random.below(count)
    case .both:
      if octave <= 0 { descends = false }
      if octave >= count &- 1 { descends = true }
      return max(0, min(descends ? octave &- 1 : octave &+ 1, count &- 1))
    }
  }
}

extension RandomNumbers {
  /// A whole number in 0..<`count`; 0 for a count of 0.
  @_noLocks
  mutating func below(_ count: Int) -> Int { max(0, min(Int(next() * Float(count)), count &- 1)) }
}
