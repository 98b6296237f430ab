// Pulses whose width moves in a straight line from update to update, in each lane separately.

extension OscillatorLanes {
  /// The pulse width: `end` in each lane, or `width` when that moves.
  @_noLocks @inline(__always)
  func pulse(_ end: Int32, isMoving: Bool) -> PulseWidth {
    isMoving ? PulseWidth(width) : PulseWidth(Phases(repeating: end))
  }

  /// Adds a pulse whose width moves: its second saw runs a little faster or slower than the first.
  @_noLocks
  func addMovingSquare(
    _ base: UnsafeMutablePointer<Lanes>, _ x: UnsafeMutablePointer<Lanes>, _ ramp: UnsafeMutablePointer<Ramp>,
    _ frames: Int
  ) {
    var s = phase
    let pulse = PulseWidth(width)
    var p = phase &+ pulse.end
    let unit = BandLimitedStep.unit
    var level = ramp.pointee.value * unit
    let (advance, other) = (advance, advance &+ pulse.step)
    let step = ramp.pointee.step * unit
    let (slope, offset) = (BandLimitedStep.slope(steepness), BandLimitedStep.offset(steepness))
    let none = hiddenZero(steepness)
    var i = 0
    while i < frames {
      let up = BandLimitedStep.saw(numbers(s), slope, offset, none)
      let down = BandLimitedStep.saw(numbers(p), slope, offset, none)
      x[i] = multiplyAdd(level, up - down, base[i])
      level += step
      s &+= advance
      p &+= other
      i &+= 1
    }
    ramp.pointee.value = level * BandLimitedStep.scale
  }
}
