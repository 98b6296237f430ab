/// How far the end of a pulse lies behind its beginning, as a phase, and what it moves by for each sample.
struct PulseWidth {
  var end: Phases
  var step = Phases.zero

  @_noLocks @inline(__always)
  init(_ end: Phases) { self.end = end }

  /// Of a width that moves: a part of the period, of which 1 is a whole one.
  @_noLocks @inline(__always)
  init(_ width: Ramp) { (end, step) = (phases(width.value) &<< 1, phases(width.step) &<< 1) }

  /// The same so many frames later, or earlier.
  @_noLocks @inline(__always)
  func moved(by frames: Int) -> PulseWidth {
    var moved = self
    moved.end &+= way(step, frames)
    return moved
  }
}
