/// Room for what the mixer of one group works on: places of `Limits.unisonFrames` samples, each with the spare ones behind
/// it that a `SparseSaw` takes.
struct MixerRoom {
  /// Vectors that it takes.
  static var count: Int { @_noLocks get { 10 &* place &+ ImpulseScratch.count } }
  /// Vectors of one place.
  static var place: Int { @_noLocks get { Limits.unisonFrames &+ 8 } }
  let vectors: UnsafeMutablePointer<Lanes>

  @_noLocks
  private func place(_ index: Int) -> UnsafeMutablePointer<Lanes> { vectors + index &* Self.place }

  /// Each oscillator, left and right, in numbers of ±2^31.
  @_noLocks
  func left(_ oscillator: Int) -> UnsafeMutablePointer<Lanes> { place(oscillator) }

  @_noLocks
  func right(_ oscillator: Int) -> UnsafeMutablePointer<Lanes> { place(2 &+ oscillator) }

  /// The right side of the mix.
  var mix: UnsafeMutablePointer<Lanes> { @_noLocks get { place(4) } }
  /// A waveform by itself, and the one that it fades into.
  var wave: UnsafeMutablePointer<Lanes> { @_noLocks get { place(5) } }
  var other: UnsafeMutablePointer<Lanes> { @_noLocks get { place(6) } }
  /// How far each sample is moved in phase.
  var offsets: UnsafeMutablePointer<Phases> {
    @_noLocks get { UnsafeMutableRawPointer(place(7)).assumingMemoryBound(to: Phases.self) }
  }
  /// The voices of a unison that lie left, and those that lie right.
  var leftVoices: UnsafeMutablePointer<Lanes> { @_noLocks get { place(8) } }
  var rightVoices: UnsafeMutablePointer<Lanes> { @_noLocks get { place(9) } }
  /// What a `ImpulseTrain` works in.
  var sum: ImpulseScratch { @_noLocks get { ImpulseScratch(place(10)) } }
}
