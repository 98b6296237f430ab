/// Where a lane reads in a part of a block: phases from one on, and the position between the frames.
struct TableCourse {
  let phase: UInt32
  let advance: UInt32
  /// Offsets of the phase of each sample, `Limits.lanesPerGroup` words apart.
  let offsets: UnsafePointer<UInt32>
  /// The position 0…1 at the beginning, and its change per sample. It may lie beyond the ends, where it is limited.
  let position: Float
  let step: Float
  let frames: Int

  @_noLocks @inline(__always)
  init(
    phase: UInt32, advance: UInt32, offsets: UnsafePointer<UInt32>, position: Float, step: Float, frames: Int
  ) {
    (self.phase, self.advance, self.offsets) = (phase, advance, offsets)
    (self.position, self.step, self.frames) = (position, step, frames)
  }
}
