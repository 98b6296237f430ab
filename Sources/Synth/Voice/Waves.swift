// The passes of an oscillator: each adds one waveform, at its level, to a block of at most
// `Limits.controlFrames` samples.

extension OscillatorLanes {
  /// Adds what is heard to `x`. An oscillator that is not heard stands still.
  @_noLocks @inline(__always)
  mutating func render(_ x: UnsafeMutablePointer<Lanes>, frames: Int) {
    if active == 0 { return }
    var end = phase
    if active & 4 != 0 { end = addSaw(x, frames) }
    if active & 8 != 0 { end = addSquare(x, frames) }
    if active & 1 != 0 { end = addSine(x, frames) }
    if active & 2 != 0 { end = addTriangle(x, frames) }
    if active & 16 != 0 { addNoise(x, frames) }
    if active == 16 { end = standStill(frames) }
    phase = end
  }

  @_noLocks @inline(__always)
  private mutating func addSaw(_ x: UnsafeMutablePointer<Lanes>, _ frames: Int) -> Lanes {
    var s = phase
    var level = saw.value
    let (advance, step) = (advance, saw.step)
    let slope = Edge.slope(advance)
    var i = 0
    while i < frames {
      x[i] += level * Edge.saw(s, slope)
      level += step
      s = moved(s, by: advance)
      i &+= 1
    }
    saw.value = level
    return s
  }

  /// A pulse is the difference of two saws; its mean is 0 at any width.
  @_noLocks @inline(__always)
  private mutating func addSquare(_ x: UnsafeMutablePointer<Lanes>, _ frames: Int) -> Lanes {
    var s = phase
    var level = square.value
    let (advance, step) = (advance, square.step)
    let slope = Edge.slope(advance)
    let shift = 2 * width.value
    var i = 0
    while i < frames {
      let other = moved(s, by: shift)
      x[i] += level * (Edge.saw(s, slope) - Edge.saw(other, slope))
      level += step
      s = moved(s, by: advance)
      i &+= 1
    }
    square.value = level
    return s
  }

  @_noLocks @inline(__always)
  private mutating func addSine(_ x: UnsafeMutablePointer<Lanes>, _ frames: Int) -> Lanes {
    var s = phase
    var level = sine.value
    let (advance, step) = (advance, sine.step)
    var i = 0
    while i < frames {
      x[i] += level * sinePi(s)
      level += step
      s = moved(s, by: advance)
      i &+= 1
    }
    sine.value = level
    return s
  }

  @_noLocks @inline(__always)
  private mutating func addTriangle(_ x: UnsafeMutablePointer<Lanes>, _ frames: Int) -> Lanes {
    var s = phase
    var level = triangle.value
    let (advance, step) = (advance, triangle.step)
    let slope = Corner.slope(advance)
    let depth = Corner.depth(slope)
    var i = 0
    while i < frames {
      x[i] += level * Corner.triangle(s, slope, depth)
      level += step
      s = moved(s, by: advance)
      i &+= 1
    }
    triangle.value = level
    return s
  }

  @_noLocks @inline(__always)
  private mutating func addNoise(_ x: UnsafeMutablePointer<Lanes>, _ frames: Int) {
    var word = words
    var level = noiseLevel.value
    let step = noiseLevel.step
    var i = 0
    while i < frames {
      word = scrambled(word)
      x[i] += level * noise(word)
      level += step
      i &+= 1
    }
    words = word
    noiseLevel.value = level
  }

  /// Moves the phase without a sound, for noise alone: another waveform may fade in.
  @_noLocks @inline(__always)
  private func standStill(_ frames: Int) -> Lanes {
    var s = phase
    var i = 0
    while i < frames {
      s = moved(s, by: advance)
      i &+= 1
    }
    return s
  }
}

/// The phase moved on, wrapped into -1..<1.
@_noLocks @inline(__always)
private func moved(_ s: Lanes, by way: Lanes) -> Lanes {
  let t = s + way
  return t - Lanes.zero.replacing(with: Lanes(repeating: 2), where: t .>= Lanes(repeating: 1))
}
