/// Triangular noise of two quantization steps peak to peak, added before samples are rounded to 16 bits. It turns
/// rounding distortion into hiss, and lets a decaying tail continue below the last bit. The sequence is the same in
/// every run.
struct Dither {
  private var state: UInt64 = 1

  /// The next value, within -1…1 quantization steps.
  @_noLocks @inline(__always)
  mutating func next() -> Float {
    // Knuth's linear congruential generator; its high bits are random enough. The difference of two uniform numbers
    // has a triangular distribution.
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let one = Int32(truncatingIfNeeded: state >> 48)
    let other = Int32(truncatingIfNeeded: state >> 32 & 0xFFFF)
    return Float(one &- other) * (1 / 65_536)
  }
}
