// Memory operations shared by the effects with delays.

extension SIMD8<Float> {
  /// 0, 1, 2 … 7.
  static var counting: Lanes { @_noLocks @inline(__always) get { Lanes(0, 1, 2, 3, 4, 5, 6, 7) } }
}

/// Copies some frames without writing beyond them.
@_noLocks @inline(__always)
func copy(_ from: UnsafePointer<Float>, to: UnsafeMutablePointer<Float>, frames: Int) {
  var i = 0
  while i &+ 8 <= frames {
    (to + i).eight = (from + i).eight
    i &+= 8
  }
  while i < frames {
    to[i] = from[i]
    i &+= 1
  }
}

/// Samples that an effect clears per call: 16 KiB.
var clearedAtOnce: Int { @_noLocks get { 4_096 } }

/// Clears the next `clearedAtOnce` samples of a memory that is clear before `from`, and returns the index up to which
/// it is clear.
@_noLocks
func clear(_ memory: UnsafeMutablePointer<Float>, from: Int, count: Int) -> Int {
  let end = min(from &+ clearedAtOnce, count)
  var i = from
  while i &+ 8 <= end {
    (memory + i).eight = Lanes.zero
    i &+= 8
  }
  while i < end {
    memory[i] = 0
    i &+= 1
  }
  return end
}
