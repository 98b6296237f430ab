/// A value of four voices that moves in a straight line.
struct QuadRamp {
  var value: Quad
  var step: Quad

  @_noLocks @inline(__always)
  init(value: Quad, step: Quad) { (self.value, self.step) = (value, step) }

  @_noLocks @inline(__always)
  mutating func move() { value += step }

  @_noLocks @inline(__always)
  func scaled(_ factor: Float) -> QuadRamp { QuadRamp(value: value * factor, step: step * factor) }
}

extension Ramp {
  var low: QuadRamp { @_noLocks @inline(__always) get { QuadRamp(value: value.lowHalf, step: step.lowHalf) } }
  var high: QuadRamp {
    @_noLocks @inline(__always) get { QuadRamp(value: value.highHalf, step: step.highHalf) }
  }
}
