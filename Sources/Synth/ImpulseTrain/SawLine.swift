/// A straight line in each of eight voices.
struct SawLine {
  var start = Lanes.zero
  var slope = Lanes.zero

  @_noLocks @inline(__always)
  init() {}

  /// Adds another line times `level`.
  @_noLocks @inline(__always)
  mutating func add(_ other: SawLine, _ level: Lanes) {
    start = multiplyAdd(other.start, level, start)
    slope = multiplyAdd(other.slope, level, slope)
  }
}
