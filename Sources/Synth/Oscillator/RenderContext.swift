/// What a group works with besides itself and its sound: room to compute in, and what all sounds share.
struct RenderContext {
  let sums: UnsafeMutablePointer<Lanes>
  /// For one block of `Limits.unisonFrames` samples, and as many zeros, which nobody writes.
  let scratch: UnsafeMutablePointer<Lanes>
  let zeros: UnsafeMutablePointer<Lanes>
  let room: MixerRoom
  let rate: Float
  /// Concert pitch, octaves above 1 Hz.
  var tune: Float

  /// Room for a waveform by itself.
  var wave: UnsafeMutablePointer<Lanes> { @_noLocks get { room.wave } }

  /// As many phases that are nothing.
  var offsets: UnsafePointer<Phases> {
    @_noLocks get { UnsafeRawPointer(zeros).assumingMemoryBound(to: Phases.self) }
  }
}
