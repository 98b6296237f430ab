/// A part of a block that is made between two updates of control rate: the whole of it, if no other block ends within.
struct BlockPart {
  /// Frames of the whole, and those before the part and up to its end.
  let planned: Int
  let first: Int
  let end: Int

  @_noLocks @inline(__always)
  init(_ planned: Int, from first: Int, frames: Int) {
    (self.planned, self.first, end) = (planned, first, first &+ frames)
  }

  var frames: Int { @_noLocks @inline(__always) get { end &- first } }
  /// True where nothing of the block is left behind it.
  var isLast: Bool { @_noLocks @inline(__always) get { end == planned } }
}
