/// The part of a block that is rendered in one call, between two control updates: the whole block, unless another block
/// ends within it.
struct BlockPart {
  /// Frames of the whole block. The part covers the frames from `first` up to, but not including, `end`.
  let planned: Int
  let first: Int
  let end: Int

  @_noLocks @inline(__always)
  init(_ planned: Int, from first: Int, frames: Int) {
    (self.planned, self.first, end) = (planned, first, first &+ frames)
  }

  var frames: Int { @_noLocks @inline(__always) get { end &- first } }
  /// True when the part reaches the end of the block.
  var isLast: Bool { @_noLocks @inline(__always) get { end == planned } }
}
