/// Triangular noise of two steps peak to peak, which is added before rounding to few bits: what would be distortion
/// becomes hiss, and a tail fades on below the last bit. The same numbers each time.
struct Dither {
  private var state: UInt64 = 1

  /// The next number, within -1…1 steps.
  @_noLocks @inline(__always)
  mutating func next() -> Float {
    // Knuth's generator; its high bits are the random ones. The difference of two even numbers is triangular.
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let one = Int32(truncatingIfNeeded: state >> 48)
    let other = Int32(truncatingIfNeeded: state >> 32 & 0xFFFF)
    return Float(one &- other) * (1 / 65_536)
  }
}
