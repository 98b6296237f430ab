import Scenes

/// State of the eight lanes of a group, besides oscillators, levels and modulation sources. It consists of vectors
/// only, so that copying a lane means copying one element of every vector.
struct LaneState {
  var filter = FilterLanes()
  var filterEnvelope = EnvelopeLanes()
  var envelope = EnvelopeLanes()
  var envelope3 = EnvelopeLanes()
  var lfo = LFOLanes()
  var lfo2 = LFOLanes()
  var lfo3 = LFOLanes()
  /// The `noteID` of each lane's note.
  var notes = LaneWords.zero
  /// Octaves from concert pitch.
  var pitch = Lanes.zero
  var glide = GlideLanes()
  /// Shift of the note in octaves.
  var notePitch = Smoothed()
  /// Sources set by the last stroke, and their transition from the stroke before.
  var stroke = StrokeLanes()
  /// Gain from expression and the note.
  var expression = Smoothed()
  /// Pan of the key, -1…1.
  var pan = Smoothed()
  /// Gain of the lane, including the envelope.
  var gain = Ramp()
  /// Stages that may precede the filter.
  var highpass = HighPassLanes()
  var drive = DriveLanes()
}

/// The memory of a group's lanes: one block of vectors.
struct LaneBlock {
  /// Number of oscillators that may be rendered directly into the mix: the first ones.
  static var direct: Int { @_noLocks get { 2 } }
  /// Number of readers of wavetables: one for each oscillator, and one for each modulator of a phase.
  private static var tables: Int { @_noLocks get { 2 &* Limits.oscillators &- 1 } }

  let vectors: UnsafeMutablePointer<Lanes>
  /// The number of the group.
  let group: Int
  let state: UnsafeMutablePointer<LaneState>
  let oscillators: UnsafeMutablePointer<OscillatorLanes>
  let extras: UnsafeMutablePointer<LaneExtras>
  /// The levels of wavetables that are read: for each oscillator, then for the second and the third as modulators.
  let tables: UnsafeMutablePointer<TableLanes>
  /// Indexed by oscillator and waveform.
  let levels: UnsafeMutablePointer<Ramp>
  /// Gains of waveforms and unison voices by oscillator, shared by all lanes of the group.
  let gains: UnsafeMutablePointer<OscillatorGains>
  /// The sample rate of the drive, shared by all lanes of the group.
  let driveRate: UnsafeMutablePointer<DriveRate>
  /// Indexed by `ModulationSource`.
  let sources: UnsafeMutablePointer<Lanes>
  /// Targets of the sources that the player moves, from `ModulationSource.firstPlayed` on.
  let played: UnsafeMutablePointer<Lanes>

  /// Tails of the impulse trains.
  let kept: ImpulseTail

  /// State of an oversampled drive, left or right, after the tails.
  @_noLocks
  func driven(_ side: Int) -> UnsafeMutablePointer<Lanes> {
    kept.vectors + (ImpulseTail.count &+ side &* DriveOversampling.count)
  }

  /// Number of vectors in a block.
  static var count: Int {
    @_noLocks get {
      let bytes =
        MemoryLayout<LaneState>.size + MemoryLayout<LaneExtras>.size + Limits.oscillators
        &* MemoryLayout<OscillatorLanes>.size
        + direct &* Waveform.count &* MemoryLayout<Ramp>.size
        + tables &* MemoryLayout<TableLanes>.size
      return bytes / MemoryLayout<Lanes>.size &+ ModulationSource.count &+ ModulationSource.playedCount
        &+ ImpulseTail.count &+ 2 &* DriveOversampling.count
    }
  }

  /// The block of a group in the given memory, which it uses exclusively.
  init(
    _ group: Int, _ vectors: UnsafeMutablePointer<Lanes>, _ gains: UnsafeMutablePointer<OscillatorGains>,
    _ driveRate: UnsafeMutablePointer<DriveRate>
  ) {
    (self.group, self.vectors, self.gains, self.driveRate) = (group, vectors, gains, driveRate)
    var next = UnsafeMutableRawPointer(vectors)
    func take<Part>(_ type: Part.Type, _ count: Int) -> UnsafeMutablePointer<Part> {
      defer { next += count * MemoryLayout<Part>.size }
      return next.bindMemory(to: type, capacity: count)
    }
    state = take(LaneState.self, 1)
    oscillators = take(OscillatorLanes.self, Limits.oscillators)
    levels = take(Ramp.self, LaneBlock.direct * Waveform.count)
    sources = take(Lanes.self, ModulationSource.count)
    played = take(Lanes.self, ModulationSource.playedCount)
    extras = take(LaneExtras.self, 1)
    tables = take(TableLanes.self, LaneBlock.tables)
    kept = ImpulseTail(take(Lanes.self, ImpulseTail.count))
  }

  /// Returns to the initial state, with different noise for every group.
  func clear(_ group: Int) {
    vectors.update(repeating: .zero, count: LaneBlock.count)
    state.initialize(to: LaneState())
    extras.initialize(to: LaneExtras())
    tables.initialize(repeating: TableLanes(), count: LaneBlock.tables)
    driveRate.pointee = DriveRate()
    extras.pointee.noise.words &+= LaneWords(repeating: UInt32(group) &* 0x9e37_79b9)
    for oscillator in 0..<Limits.oscillators {
      oscillators[oscillator] = OscillatorLanes()
      oscillators[oscillator].words &+= LaneWords(repeating: UInt32(group + 100 * oscillator) &* 0x85eb_ca6b)
    }
    sources[ModulationSource.constant.index] = Lanes(repeating: 1)
  }

  @_noLocks @inline(__always)
  func levels(_ oscillator: Int) -> WaveformLevels { WaveformLevels(levels + oscillator &* Waveform.count) }

  /// Copies a lane to lane `otherLane` of another block.
  @_noLocks
  func copy(_ lane: Int, to other: LaneBlock, _ otherLane: Int) {
    let from = UnsafeMutableRawPointer(vectors).assumingMemoryBound(to: UInt32.self) + lane
    let to = UnsafeMutableRawPointer(other.vectors).assumingMemoryBound(to: UInt32.self) + otherLane
    for vector in 0..<LaneBlock.count {
      to[vector &* Limits.lanesPerGroup] = from[vector &* Limits.lanesPerGroup]
    }
  }
}
