/// Width of a pulse: the distance from its beginning to its end, as a phase, and its change per sample.
struct PulseWidth {
  var end: Phases
  var step = Phases.zero

  @_noLocks @inline(__always)
  init(_ end: Phases) { self.end = end }

  /// From a width that moves, as a part of the period: 1 is a whole period.
  @_noLocks @inline(__always)
  init(_ width: Ramp) { (end, step) = (phases(width.value) &<< 1, phases(width.step) &<< 1) }

  /// The width after `frames` samples, or before if they are negative.
  @_noLocks @inline(__always)
  func moved(by frames: Int) -> PulseWidth {
    var moved = self
    moved.end &+= phaseChange(step, frames)
    return moved
  }
}
