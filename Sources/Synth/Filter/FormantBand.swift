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
