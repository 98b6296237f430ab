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
