/// The resonant 24 dB low-pass of eight voices: two state-variable filters in a row, trapezoidal integration
/// (Zavalishin, "The Art of VA Filter Design", 2018; Simper, "Linear Trapezoidal Integrated SVF", 2013).
///
/// The two make a Butterworth filter at no resonance; resonance raises the Q of the second. The coefficients
/// move in a straight line between control ticks. That is safe at any speed: in these coordinates the step
/// from state to state is a contraction for every cutoff and Q, and so is every mixture of two such steps.
struct FilterLanes {
  /// One second-order section: its two integrators, and the coefficients with their steps.
  struct Section {
    var first = Lanes.zero
    var second = Lanes.zero
    var b1 = Ramp()
    var b2 = Ramp()
    var b3 = Ramp()
  }

  var low = Section()
  var high = Section()
  /// The cutoff that the coefficients were last aimed at, octaves above 1 Hz.
  var aimed = Lanes.zero

  /// Each section gives twice its low-pass output, which saves a multiplication: the amplifier takes it back.
  static var gain: Float { @_noLocks get { 4 } }
  /// The damping of the first section, of a fourth-order Butterworth filter.
  static var damping: Float { @_noLocks get { 1.847759 } }
  /// Octaves by which a cutoff may differ from the one aimed at: 0.012 cents.
  static var tolerance: Float { @_noLocks get { 1e-5 } }

  /// The damping of the second section at a resonance of 0…1.
  @_noLocks
  static func damping(resonance: Float) -> Float {
    let rest = 1 - resonance
    return 0.03 + 0.735367 * rest * rest
  }

  /// Aims at a cutoff, in octaves above 1 Hz and in Hz, and a damping of the second section. Most sounds' filters stand
  /// still most of the time: returns true when no coefficient is to move, where that may be.
  @_noLocks @inline(__always)
  mutating func aim(
    at cutoff: Lanes, hertz: Lanes, damping: Float, rate: Float, perFrame: Float, mayRest: Bool
  ) -> Bool {
    if mayRest, sum(larger(magnitude(cutoff - aimed) - Self.tolerance, Lanes.zero)) == 0 {
      low.rest()
      high.rest()
      return true
    }
    aimed = cutoff
    let hertz = smaller(hertz, Lanes(repeating: min(20_000, 0.45 * rate)))
    // The tangent as the quotient n / d of its Padé approximant, within 0.02 % up to 1.45. What follows is
    // 1 / (1 + g·(g + k)) with g = n / d for both sections, with one division for the two.
    let x = hertz * (Float.pi / rate)
    let z = x * x
    let n = x * multiplyAdd(z - 105, z, Lanes(repeating: 945))
    let d = multiplyAdd(15 * z - 420, z, Lanes(repeating: 945))
    let (nn, dd, nd) = (n * n, d * d, n * d)
    let square = nn + dd
    let one = multiplyAdd(nd, Lanes(repeating: Self.damping), square)
    let two = multiplyAdd(nd, Lanes(repeating: damping), square)
    let inverse = 2 / (one * two)
    low.aim(inverse * two, nn, dd, nd, perFrame: perFrame)
    high.aim(inverse * one, nn, dd, nd, perFrame: perFrame)
    return false
  }

  /// Filters `frames` samples of `x` with coefficients that move, and adds them to the mix at a gain. Returns where the
  /// gain has come to.
  @_noLocks @inline(__always)
  mutating func process(
    _ x: UnsafeMutablePointer<Lanes>, _ gain: Ramp, mix: UnsafeMutablePointer<Lanes>, frames: Int
  ) -> Lanes {
    // One section after the other: states and coefficients of both are more than the registers hold.
    low.process(x, frames: frames)
    high.process(x, frames: frames)
    return Self.add(x, gain, to: mix, frames: frames)
  }

  /// The same with coefficients that stay.
  @_noLocks @inline(__always)
  mutating func processAtRest(
    _ x: UnsafeMutablePointer<Lanes>, _ gain: Ramp, mix: UnsafeMutablePointer<Lanes>, frames: Int
  ) -> Lanes {
    var (l, h) = (low, high)
    var i = 0
    while i < frames {
      x[i] = h.process(l.process(x[i]))
      i &+= 1
    }
    (low, high) = (l, h)
    return Self.add(x, gain, to: mix, frames: frames)
  }

  @_noLocks @inline(__always)
  private static func add(
    _ x: UnsafeMutablePointer<Lanes>, _ gain: Ramp, to mix: UnsafeMutablePointer<Lanes>, frames: Int
  ) -> Lanes {
    var now = gain.value
    var i = 0
    while i < frames {
      mix[i] = multiplyAdd(x[i], now, mix[i])
      now += gain.step
      i &+= 1
    }
    return now
  }

  /// Takes the coefficients of another filter, and where they go; its own sound stays.
  @_noLocks
  mutating func follow(_ other: FilterLanes) {
    let (one, two) = (low, high)
    self = other
    (low.first, low.second) = (one.first, one.second)
    (high.first, high.second) = (two.first, two.second)
  }

  /// Empties one lane, coefficients and all.
  @_noLocks
  mutating func reset(_ lane: Int) {
    low.reset(lane)
    high.reset(lane)
  }

  /// Puts some lanes' coefficients where they aim, without a way to it: for voices that start.
  @_noLocks
  mutating func arrive(_ lanes: SIMDMask<SIMD8<Int32>>, frames: Float) {
    low.arrive(lanes, frames: frames)
    high.arrive(lanes, frames: frames)
  }
}

extension FilterLanes.Section {
  /// One sample: twice the low-pass output.
  @_noLocks @inline(__always)
  fileprivate mutating func process(_ x: Lanes) -> Lanes {
    let v = x - second
    let next = multiplyAdd(b1.value, first, b2.value * v)
    let last = multiplyAdd(b3.value, v, multiplyAdd(b2.value, first, second))
    let y = second + last
    (first, second) = (next, last)
    return y
  }

  /// Some samples in place, with coefficients that move.
  @_noLocks @inline(__always)
  fileprivate mutating func process(_ x: UnsafeMutablePointer<Lanes>, frames: Int) {
    var section = self
    var i = 0
    while i < frames {
      x[i] = section.process(x[i])
      section.move()
      i &+= 1
    }
    self = section
  }

  @_noLocks @inline(__always)
  fileprivate mutating func move() {
    b1.value += b1.step
    b2.value += b2.step
    b3.value += b3.step
  }

  /// Aims at b1 = 2a - 1, b2 = 2ga and b3 = 2g²a, where `twice` is 2a / d².
  @_noLocks @inline(__always)
  fileprivate mutating func aim(_ twice: Lanes, _ nn: Lanes, _ dd: Lanes, _ nd: Lanes, perFrame: Float) {
    b1.aim(at: multiplyAdd(twice, dd, Lanes(repeating: -1)), perFrame: perFrame)
    b2.aim(at: twice * nd, perFrame: perFrame)
    b3.aim(at: twice * nn, perFrame: perFrame)
  }

  @_noLocks @inline(__always)
  fileprivate mutating func rest() {
    b1.step = .zero
    b2.step = .zero
    b3.step = .zero
  }

  @_noLocks
  fileprivate mutating func reset(_ lane: Int) {
    (first[lane], second[lane]) = (0, 0)
    b1.jump(lane, to: 0)
    b2.jump(lane, to: 0)
    b3.jump(lane, to: 0)
  }

  @_noLocks @inline(__always)
  fileprivate mutating func arrive(_ lanes: SIMDMask<SIMD8<Int32>>, frames: Float) {
    b1.arrive(lanes, frames: frames)
    b2.arrive(lanes, frames: frames)
    b3.arrive(lanes, frames: frames)
  }
}
