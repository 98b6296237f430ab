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
