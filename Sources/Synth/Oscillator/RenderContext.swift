import Scenes

/// The resources that a group needs to render, besides its sound: scratch memory, and settings that all sounds share.
struct RenderContext {
  let sums: UnsafeMutablePointer<Lanes>
  /// Samples of one block, `Limits.unisonFrames`; and as many zeros, which are never written.
  let scratch: UnsafeMutablePointer<Lanes>
  let zeros: UnsafeMutablePointer<Lanes>
  let mixer: MixerScratch
  /// The reader of the wavetable that is filled next.
  let table: UnsafeMutablePointer<TableReader>
  let rate: Float
  /// Concert pitch, octaves above 1 Hz.
  var tune: Float
  /// Address of the memory of combs, a `CombPool`; 0 while no patch has one.
  var comb: UInt = 0

  /// Scratch memory for a waveform alone.
  var wave: UnsafeMutablePointer<Lanes> { @_noLocks get { mixer.wave } }

  /// Phase offsets of zero for one block.
  var offsets: UnsafePointer<Phases> {
    @_noLocks get { UnsafeRawPointer(zeros).assumingMemoryBound(to: Phases.self) }
  }
}

/// Scratch memory of a group's mixer: slots of `Limits.unisonFrames` samples, each followed by the spare vectors that a
/// `SparseSaw` writes.
struct MixerScratch {
  /// Size in vectors.
  static var count: Int { @_noLocks get { 12 &* slotSize &+ ImpulseScratch.count } }
  /// Vectors of one slot.
  static var slotSize: Int { @_noLocks get { Limits.unisonFrames &+ 8 } }
  let vectors: UnsafeMutablePointer<Lanes>

  @_noLocks
  private func slot(_ index: Int) -> UnsafeMutablePointer<Lanes> { vectors + index &* Self.slotSize }

  /// Samples of each oscillator, left and right, in ±2^31.
  @_noLocks
  func left(_ oscillator: Int) -> UnsafeMutablePointer<Lanes> { slot(oscillator < 2 ? oscillator : 10) }

  @_noLocks
  func right(_ oscillator: Int) -> UnsafeMutablePointer<Lanes> { slot(oscillator < 2 ? 2 &+ oscillator : 11) }

  /// The right side of the mix.
  var mix: UnsafeMutablePointer<Lanes> { @_noLocks get { slot(4) } }
  /// A waveform alone, and the waveform that it is cross-faded with.
  var wave: UnsafeMutablePointer<Lanes> { @_noLocks get { slot(5) } }
  var other: UnsafeMutablePointer<Lanes> { @_noLocks get { slot(6) } }
  /// Phase offset of each sample, while the oscillators are rendered.
  var offsets: UnsafeMutablePointer<Phases> {
    @_noLocks get { UnsafeMutableRawPointer(slot(7)).assumingMemoryBound(to: Phases.self) }
  }
  /// Modulation of the cutoff for each sample, in octaves, once the mix is made: where the third oscillator was, because the
  /// drive before the filter uses other slots.
  var octaves: UnsafeMutablePointer<Lanes> { @_noLocks get { slot(10) } }
  /// The unison voices on the left, and those on the right.
  var leftVoices: UnsafeMutablePointer<Lanes> { @_noLocks get { slot(8) } }
  var rightVoices: UnsafeMutablePointer<Lanes> { @_noLocks get { slot(9) } }
  /// Scratch memory of an oversampled drive, and of the drive that it is cross-faded with, once the mix is made.
  var drive: UnsafeMutablePointer<Lanes> { @_noLocks get { slot(5) } }
  var plainDrive: UnsafeMutablePointer<Lanes> { @_noLocks get { slot(0) } }
  /// The input of one of the filter's characters while several run, the output of one that does not filter in place, and
  /// the blend of all.
  var eased: UnsafeMutablePointer<Lanes> { @_noLocks get { slot(0) } }
  var filtered: UnsafeMutablePointer<Lanes> { @_noLocks get { slot(1) } }
  var blended: UnsafeMutablePointer<Lanes> { @_noLocks get { slot(2) } }
  /// Scratch memory of an `ImpulseTrain`.
  var sum: ImpulseScratch { @_noLocks get { ImpulseScratch(slot(12)) } }
}
