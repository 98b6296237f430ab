// How the lines of a chorus are read, four frames at a time.

extension ChorusSwing {
  /// Reads all lines from the frame `from` of a tick to the frame `to`, and up to three before and after; `counted` holds
  /// 0, 1, 2 … What comes out is for the left side, and `Limits.controlFrames` behind it for the right.
  @_noLocks
  func read(
    _ rings: ChorusRings, tick: Int, from: Int, to: Int, counted: UnsafePointer<Float>,
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
    // Two that differ sound as loud as one by these.
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
    _ line: Int, _ rings: ChorusRings, at: Int, _ first: Int, _ to: Int, _ counted: UnsafePointer<Float>,
    _ output: UnsafeMutablePointer<Float>
  ) {
    let step = SIMD4<Float>(repeating: steps[line])
    var i = 0
    while first &+ i < to {
      // Four lines for each eight frames.
      let place = ((first &+ i) & 8) / 2 &+ line
      let whole = Int(Int32(bitPattern: places[place].bitPattern))
      let points = SixPoints(multiplyAdd((counted + i).four, step, SIMD4<Float>(repeating: offsets[place])))
      (output + i).four = points.between(rings.behind(whole &+ 3, of: line, at: at &+ i))
      i &+= 4
    }
  }

  /// Two lines that swing against each other, around the middle between two samples or a sample: so they are always at
  /// mirrored places between samples.
  @_noLocks @inline(never)
  private func readMirrored(
    _ rings: ChorusRings, at: Int, _ first: Int, _ to: Int, _ counted: UnsafePointer<Float>,
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>
  ) {
    let step = SIMD4<Float>(repeating: steps[0])
    var i = 0
    while first &+ i < to {
      let place = ((first &+ i) & 8) / 2
      let whole = Int(Int32(bitPattern: places[place].bitPattern))
      let points = SixPoints(multiplyAdd((counted + i).four, step, SIMD4<Float>(repeating: offsets[place])))
      let other = twiceMiddle &- 1 &- whole
      (left + i).four = points.between(rings.behind(whole &+ 3, of: 0, at: at &+ i))
      (right + i).four = points.mirrored(rings.behind(other &+ 3, of: 1, at: at &+ i))
      i &+= 4
    }
  }
}
