// Reading the lines of a chorus, four frames at a time.

extension ChorusSwing {
  /// Reads all lines from frame `from` to frame `to` of a tick, and up to three frames before and after; `counted`
  /// holds 0, 1, 2 … The left side is written to `output`, the right one `Limits.controlFrames` after it.
  @_noLocks
  func read(
    _ rings: PairRings, tick: Int, from: Int, to: Int, counted: UnsafePointer<Float>,
    _ output: UnsafeMutablePointer<Float>
  ) {
    let first = from & ~3
    let (left, right) = (output + first, output + (Limits.controlFrames &+ first))
    let n = counted + first
    guard case .ensemble = mode else {
      return readMirrored(rings, at: tick &+ first, first, to, n, left, right)
    }
    let middle = output + (2 &* Limits.controlFrames &+ first)
    read(0, rings, at: tick &+ first, first, to, n, left)
    read(1, rings, at: tick &+ first, first, to, n, right)
    read(2, rings, at: tick &+ first, first, to, n, middle)
    // With these gains, two different lines sound as loud as one.
    let (sides, both): (Float, Float) = (0.8, 0.6)
    var i = 0
    while first &+ i < to {
      let x = UnsafePointer(middle + i).four * both
      (left + i).four = (left + i).four * sides + x
      (right + i).four = (right + i).four * sides + x
      i &+= 4
    }
  }

  @_noLocks @inline(never)
  private func read(
    _ line: Int, _ rings: PairRings, at: Int, _ first: Int, _ to: Int, _ counted: UnsafePointer<Float>,
    _ output: UnsafeMutablePointer<Float>
  ) {
    let step = SIMD4<Float>(repeating: steps[line])
    var i = 0
    while first &+ i < to {
      // Each eight frames of a tick have an entry for each of four lines.
      let index = ((first &+ i) & 8) / 2 &+ line
      let whole = Int(Int32(bitPattern: wholes[index].bitPattern))
      let points = SixPoints(multiplyAdd((counted + i).four, step, SIMD4<Float>(repeating: offsets[index])))
      (output + i).four = points.between(rings.delayed(by: whole &+ 3, of: line, at: at &+ i))
      i &+= 4
    }
  }

  /// Reads two lines modulated in antiphase around a delay of a whole or half number of samples, so that their
  /// fractional read positions always mirror each other.
  @_noLocks @inline(never)
  private func readMirrored(
    _ rings: PairRings, at: Int, _ first: Int, _ to: Int, _ counted: UnsafePointer<Float>,
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>
  ) {
    let step = SIMD4<Float>(repeating: steps[0])
    var i = 0
    while first &+ i < to {
      let index = ((first &+ i) & 8) / 2
      let whole = Int(Int32(bitPattern: wholes[index].bitPattern))
      let points = SixPoints(multiplyAdd((counted + i).four, step, SIMD4<Float>(repeating: offsets[index])))
      let other = twiceMiddle &- 1 &- whole
      (left + i).four = points.between(rings.delayed(by: whole &+ 3, of: 0, at: at &+ i))
      (right + i).four = points.mirrored(rings.delayed(by: other &+ 3, of: 1, at: at &+ i))
      i &+= 4
    }
  }
}
