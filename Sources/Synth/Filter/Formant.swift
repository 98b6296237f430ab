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

/// One peak of a formant filter in each of eight voices: a band-pass at a level.
struct FormantBand {
  /// The integrators and their coefficients.
  var section = FilterSection()
  /// Half the level, because the pass adds twice the band-pass.
  var level = Ramp()

  /// Aims at a peak of this height at a frequency in Hz, with a bandwidth of `width` times the frequency. Both hold
  /// for the digital filter: the bilinear transform narrows a band-pass by ω / sin ω, and its damping is widened by
  /// that.
  @_noLocks @inline(__always)
  mutating func aim(hertz: Lanes, width: Lanes, height: Lanes, rate: Float, perFrame: Float) {
    let tangent = CutoffTangent(hertz: hertz, rate: rate)
    let (n, d) = (tangent.n, tangent.d)
    // With the damping k = 2 · half · (n² + d²) / 2nd, the
    // denominator d² + k·nd + n² is (n² + d²)(1 + half).
    let half = width * tangent.halfAngle
    let square = multiplyAdd(n, n, d * d)
    let whole = square * (1 + half)
    let (both, product) = (n * d, inverse(whole * (n * d)))
    section.aim(2 * product * both, n, d, perFrame: perFrame)
    level.aim(at: 0.5 * height * half * square * whole * product, perFrame: perFrame)
  }

  /// Adds the peak's output to some samples, or writes it there; its coefficients move, or stand still.
  @_noLocks @inline(__always)
  private mutating func pass(
    _ x: UnsafeMutablePointer<Lanes>, _ y: UnsafeMutablePointer<Lanes>, frames: Int, adds: Bool, moves: Bool
  ) {
    var (now, ramp) = (section, level)
    var i = 0
    while i < frames {
      let before = now.first
      _ = now.process(x[i])
      let peak = ramp.value * (before + now.first)
      y[i] = adds ? y[i] + peak : peak
      if moves {
        now.move()
        ramp.move()
      }
      i &+= 1
    }
    (section, level) = (now, ramp)
  }

  @_noLocks @inline(never)
  mutating func write(_ x: UnsafeMutablePointer<Lanes>, _ y: UnsafeMutablePointer<Lanes>, frames: Int) {
    pass(x, y, frames: frames, adds: false, moves: true)
  }

  @_noLocks @inline(never)
  mutating func add(_ x: UnsafeMutablePointer<Lanes>, _ y: UnsafeMutablePointer<Lanes>, frames: Int) {
    pass(x, y, frames: frames, adds: true, moves: true)
  }

  @_noLocks @inline(never)
  mutating func writeAtRest(_ x: UnsafeMutablePointer<Lanes>, _ y: UnsafeMutablePointer<Lanes>, frames: Int) {
    pass(x, y, frames: frames, adds: false, moves: false)
  }

  @_noLocks @inline(never)
  mutating func addAtRest(_ x: UnsafeMutablePointer<Lanes>, _ y: UnsafeMutablePointer<Lanes>, frames: Int) {
    pass(x, y, frames: frames, adds: true, moves: false)
  }

  @_noLocks @inline(__always)
  mutating func rest() {
    section.rest()
    level.step = .zero
  }

  /// Copies the coefficients of another peak, and their ramps.
  @_noLocks @inline(__always)
  mutating func follow(_ other: FormantBand) {
    section.follow(other.section)
    level = other.level
  }

  @_noLocks
  mutating func reset(_ lane: Int) {
    section.reset(lane)
    level.jump(lane, to: 0)
  }

  @_noLocks
  mutating func snap(_ lanes: SIMDMask<SIMD8<Int32>>, frames: Float) {
    section.snap(lanes, frames: frames)
    level.snap(lanes, frames: frames)
  }
}
