/// Scratch memory of a group's mixer: slots of `Limits.unisonFrames` samples, each followed by the spare vectors that a
/// `SparseSaw` writes.
struct MixerRoom {
  /// Size in vectors.
  static var count: Int { @_noLocks get { 10 &* place &+ ImpulseScratch.count } }
  /// Vectors of one slot.
  static var place: Int { @_noLocks get { Limits.unisonFrames &+ 8 } }
  let vectors: UnsafeMutablePointer<Lanes>

  @_noLocks
  private func place(_ index: Int) -> UnsafeMutablePointer<Lanes> { vectors + index &* Self.place }

  /// Samples of each oscillator, left and right, in ±2^31.
  @_noLocks
  func left(_ oscillator: Int) -> UnsafeMutablePointer<Lanes> { place(oscillator) }

  @_noLocks
  func right(_ oscillator: Int) -> UnsafeMutablePointer<Lanes> { place(2 &+ oscillator) }

  /// The right side of the mix.
  var mix: UnsafeMutablePointer<Lanes> { @_noLocks get { place(4) } }
  /// A waveform alone, and the waveform that it is cross-faded with.
  var wave: UnsafeMutablePointer<Lanes> { @_noLocks get { place(5) } }
  var other: UnsafeMutablePointer<Lanes> { @_noLocks get { place(6) } }
  /// Phase offset of each sample.
  var offsets: UnsafeMutablePointer<Phases> {
    @_noLocks get { UnsafeMutableRawPointer(place(7)).assumingMemoryBound(to: Phases.self) }
  }
  /// The unison voices on the left, and those on the right.
  var leftVoices: UnsafeMutablePointer<Lanes> { @_noLocks get { place(8) } }
  var rightVoices: UnsafeMutablePointer<Lanes> { @_noLocks get { place(9) } }
  /// Scratch memory of an `ImpulseTrain`.
  var sum: ImpulseScratch { @_noLocks get { ImpulseScratch(place(10)) } }
}
