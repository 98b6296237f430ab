/// What each of the eight lanes of a group keeps for itself, besides its oscillators, levels and modulation sources:
/// vectors and nothing else, so that a lane is copied by copying one place of every vector.
struct LaneState {
  var filter = FilterLanes()
  var filterEnvelope = EnvelopeLanes()
  var envelope = EnvelopeLanes()
  var envelope3 = EnvelopeLanes()
  var lfo = LFOLanes()
  var lfo2 = LFOLanes()
  /// The `noteID` of what sounds.
  var notes = LaneWords.zero
  /// Octaves from concert pitch.
  var pitch = Lanes.zero
  var glide = GlideLanes()
  /// Octaves that the note is moved by.
  var notePitch = Smoothed()
  /// What the last stroke has brought, and how it goes on from the one before.
  var stroke = StrokeLanes()
  /// Expression, and the gain of the note.
  var expression = Smoothed()
  /// The factor of the sound, envelope and all.
  var gain = Ramp()
  /// What may be in front of the filter.
  var highpass = HighPassLanes()
  var drive = DriveLanes()
}

/// The memory of a group's lanes: one block of vectors.
struct LaneBlock {
  /// Oscillators of a voice.
  static var oscillators: Int { @_noLocks get { 2 } }

  let vectors: UnsafeMutablePointer<Lanes>
  let state: UnsafeMutablePointer<LaneState>
  let oscillators: UnsafeMutablePointer<OscillatorLanes>
  let extras: UnsafeMutablePointer<LaneExtras>
  /// By oscillator, and by waveform.
  let levels: UnsafeMutablePointer<Ramp>
  /// How loud waveforms and unison voices are, by oscillator: of the group, not of a lane.
  let gains: UnsafeMutablePointer<OscillatorGains>
  /// By `ModulationSource`.
  let sources: UnsafeMutablePointer<Lanes>
  /// Where those of them go that the player moves, from `ModulationSource.firstPlayed` on.
  let played: UnsafeMutablePointer<Lanes>

  /// What sums of saws keep.
  let kept: ImpulseTail

  /// How many vectors a block holds.
  static var count: Int {
    @_noLocks get {
      let bytes =
        MemoryLayout<LaneState>.size + MemoryLayout<LaneExtras>.size + oscillators
        &* MemoryLayout<OscillatorLanes>.size
        + oscillators &* Waveform.count &* MemoryLayout<Ramp>.size
      return bytes / MemoryLayout<Lanes>.size &+ ModulationSource.count &+ ModulationSource.played
        &+ ImpulseTail.count
    }
  }

  /// The block at some memory, which it takes as its own.
  init(_ vectors: UnsafeMutablePointer<Lanes>, _ gains: UnsafeMutablePointer<OscillatorGains>) {
    (self.vectors, self.gains) = (vectors, gains)
    var place = UnsafeMutableRawPointer(vectors)
    func take<Part>(_ type: Part.Type, _ count: Int) -> UnsafeMutablePointer<Part> {
      defer { place += count * MemoryLayout<Part>.size }
      return place.bindMemory(to: type, capacity: count)
    }
    state = take(LaneState.self, 1)
    oscillators = take(OscillatorLanes.self, LaneBlock.oscillators)
    levels = take(Ramp.self, LaneBlock.oscillators * Waveform.count)
    sources = take(Lanes.self, ModulationSource.count)
    played = take(Lanes.self, ModulationSource.played)
    extras = take(LaneExtras.self, 1)
    kept = ImpulseTail(take(Lanes.self, ImpulseTail.count))
  }

  /// As new. Every group its own noise.
  func clear(_ group: Int) {
    vectors.update(repeating: .zero, count: LaneBlock.count)
    state.initialize(to: LaneState())
    extras.initialize(to: LaneExtras())
    extras.pointee.noise.words &+= LaneWords(repeating: UInt32(group) &* 0x9e37_79b9)
    for oscillator in 0..<LaneBlock.oscillators {
      oscillators[oscillator] = OscillatorLanes()
      oscillators[oscillator].words &+= LaneWords(repeating: UInt32(group + 100 * oscillator) &* 0x85eb_ca6b)
    }
    sources[ModulationSource.constant.index] = Lanes(repeating: 1)
  }

  @_noLocks @inline(__always)
  func levels(_ oscillator: Int) -> WaveformLevels { WaveformLevels(levels + oscillator &* Waveform.count) }

  /// Copies one lane into one of another block.
  @_noLocks
  func copy(_ lane: Int, to other: LaneBlock, _ place: Int) {
    let from = UnsafeMutableRawPointer(vectors).assumingMemoryBound(to: UInt32.self) + lane
    let to = UnsafeMutableRawPointer(other.vectors).assumingMemoryBound(to: UInt32.self) + place
    var vector = 0
    while vector < LaneBlock.count {
      to[vector &* Limits.lanesPerGroup] = from[vector &* Limits.lanesPerGroup]
      vector &+= 1
    }
  }
}
