/// The formant filter of eight voices: four parallel band-passes at the peaks of a vowel.
struct FormantLanes {
  var one = FormantBand()
  var two = FormantBand()
  var three = FormantBand()
  var four = FormantBand()
  /// The cutoff of the last `aim`, octaves above 1 Hz.
  private var aimed = Lanes.zero

  /// Aims at the peaks of a shape, moved by a cutoff in octaves above 1 Hz. Returns true when no coefficient has to move,
  /// if `mayRest` allows that.
  @_noLocks
  mutating func aim(at cutoff: Lanes, _ shape: FormantShape, rate: Float, perFrame: Float, mayRest: Bool)
    -> Bool
  {
    if mayRest, !isAny(larger(magnitude(cutoff - aimed) - FilterLanes.tolerance, Lanes.zero)) {
      one.rest()
      two.rest()
      three.rest()
      four.rest()
      return true
    }
    aimed = cutoff
    let factor = exp2(FormantShape.shift(cutoff))
    one.aim(shape.one, factor, rate: rate, perFrame: perFrame)
    two.aim(shape.two, factor, rate: rate, perFrame: perFrame)
    three.aim(shape.three, factor, rate: rate, perFrame: perFrame)
    four.aim(shape.four, factor, rate: rate, perFrame: perFrame)
    return false
  }

  /// Begins silent at a cutoff.
  @_noLocks
  mutating func begin(at cutoff: Lanes, _ shape: FormantShape, rate: Float) {
    one.section.silence()
    two.section.silence()
    three.section.silence()
    four.section.silence()
    _ = aim(at: cutoff, shape, rate: rate, perFrame: 1, mayRest: false)
    snap(mask(0xff), frames: 1)
  }

  /// Filters some samples into others, with coefficients that move or stand still.
  @_noLocks
  mutating func process(
    _ x: UnsafeMutablePointer<Lanes>, to y: UnsafeMutablePointer<Lanes>, frames: Int, moves: Bool
  ) {
    if moves {
      one.write(x, y, frames: frames)
      two.add(x, y, frames: frames)
      three.add(x, y, frames: frames)
      four.add(x, y, frames: frames)
    } else {
      one.writeAtRest(x, y, frames: frames)
      two.addAtRest(x, y, frames: frames)
      three.addAtRest(x, y, frames: frames)
      four.addAtRest(x, y, frames: frames)
    }
  }

  /// Copies the coefficients of another filter, and their ramps.
  @_noLocks
  mutating func follow(_ other: UnsafePointer<FormantLanes>) {
    one.follow(other.pointee.one)
    two.follow(other.pointee.two)
    three.follow(other.pointee.three)
    four.follow(other.pointee.four)
  }

  /// Resets one lane.
  @_noLocks
  mutating func reset(_ lane: Int) {
    one.reset(lane)
    two.reset(lane)
    three.reset(lane)
    four.reset(lane)
  }

  /// Sets the coefficients of some lanes to the values that they would reach after `frames` samples.
  @_noLocks
  mutating func snap(_ lanes: SIMDMask<SIMD8<Int32>>, frames: Float) {
    one.snap(lanes, frames: frames)
    two.snap(lanes, frames: frames)
    three.snap(lanes, frames: frames)
    four.snap(lanes, frames: frames)
  }
}

extension FormantBand {
  @_noLocks @inline(__always)
  fileprivate mutating func aim(_ peak: FormantShape.Peak, _ factor: Lanes, rate: Float, perFrame: Float) {
    aim(hertz: peak.hertz * factor, width: peak.width, height: peak.height, rate: rate, perFrame: perFrame)
  }
}
