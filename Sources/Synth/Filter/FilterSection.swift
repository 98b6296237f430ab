/// One second-order section of a filter in each of eight voices: a state-variable filter, trapezoidal integration
/// (Zavalishin, "The Art of VA Filter Design", 2018; Simper, "Linear Trapezoidal Integrated SVF", 2013).
///
/// The coefficients move in a straight line between control ticks. This is stable at any speed: in these coordinates,
/// the step from state to state is a contraction for every cutoff and Q, and so is every mixture of two such steps.
struct FilterSection {
  /// Integrators of the band-pass and of the low-pass.
  var first = Lanes.zero
  var second = Lanes.zero
  var b1 = Ramp()
  var b2 = Ramp()
  var b3 = Ramp()

  /// The output as a sum: the input, twice the band-pass and twice the low-pass, each at a level.
  struct Mix {
    var input = Ramp()
    var band = Ramp()
    var low = Ramp()
  }

  /// Bounds the resonance: the band-pass is fed back through a cubic. The values hold for a control tick.
  struct Saturation {
    /// Weights in the feedback: of the first integrator, and of the input minus the second integrator.
    var fromFirst = Lanes.zero
    var fromInput = Lanes.zero
    /// Effect of the cubic's reduction on each integrator.
    var toFirst = Lanes.zero
    var toSecond = Lanes.zero
    /// The input at which the cubic is flat: 3, in each lane.
    var bound = Lanes(repeating: 3)
    /// Amount of the cubic, 0…1.
    var amount = Ramp()
  }

  /// Processes one sample. The output is the low-pass plus tan(ω/2) of the cutoff times the band-pass. That is the
  /// second integrator itself, and has one zero less at half the sample rate than the low-pass alone.
  @_noLocks @inline(__always)
  mutating func process(_ x: Lanes) -> Lanes {
    let v = x - second
    let next = multiplyAdd(b1.value, first, b2.value * v)
    second = multiplyAdd(b3.value, v, multiplyAdd(b2.value, first, second))
    first = next
    return second
  }

  /// Processes one sample and mixes the outputs.
  @_noLocks @inline(__always)
  mutating func process(_ x: Lanes, _ mix: Mix) -> Lanes {
    let (s, t) = (first, second)
    _ = process(x)
    return multiplyAdd(
      mix.low.value, t + second, multiplyAdd(mix.band.value, s + first, mix.input.value * x))
  }

  /// Processes one sample with a bounded resonance. The caller computes the output from the integrators before and
  /// after it.
  @_noLocks @inline(__always)
  mutating func saturate(_ x: Lanes, _ saturation: Saturation) {
    let q = multiplyAdd(saturation.fromFirst, first, saturation.fromInput * (x - second))
    let c = smaller(larger(q, -saturation.bound), saturation.bound)
    // Ordered for short dependency chains, because each sample depends on the one before.
    let less = multiplySubtract(c * Self.cubicFactor, c * c, from: c - q)
    let (toFirst, toSecond) = (
      saturation.toFirst * saturation.amount.value, saturation.toSecond * saturation.amount.value
    )
    _ = process(x)
    first = multiplyAdd(toFirst, less, first)
    second = multiplyAdd(toSecond, less, second)
  }

  /// Processes one sample with a bounded resonance and mixes the outputs.
  @_noLocks @inline(__always)
  mutating func saturate(_ x: Lanes, _ saturation: Saturation, _ mix: Mix) -> Lanes {
    let (s, t) = (first, second)
    saturate(x, saturation)
    let low = mix.low.value * (t + second)
    return multiplyAdd(mix.band.value, s + first, multiplyAdd(mix.input.value, x, low))
  }

  /// Factor of the cubic q - q³/27. The cubic reaches ±2 at q = ±3, where its slope is 0.
  static var cubicFactor: Float { @_noLocks get { 1 / 27 } }

  @_noLocks @inline(__always)
  mutating func move() {
    b1.move()
    b2.move()
    b3.move()
  }

  /// Aims at the coefficients for a g of n / d, with `twice` 2a / d².
  @_noLocks @inline(__always)
  mutating func aim(_ twice: Lanes, _ n: Lanes, _ d: Lanes, perFrame: Float) {
    let goals = Self.coefficients(twice, n, d)
    b1.aim(at: goals.0, perFrame: perFrame)
    b2.aim(at: goals.1, perFrame: perFrame)
    b3.aim(at: goals.2, perFrame: perFrame)
  }

  /// Sets the coefficients at once.
  @_noLocks @inline(__always)
  mutating func set(_ twice: Lanes, _ n: Lanes, _ d: Lanes) {
    (b1.value, b2.value, b3.value) = Self.coefficients(twice, n, d)
  }

  /// b1 = 2a - 1, b2 = 2ga and b3 = 2g²a.
  @_noLocks @inline(__always)
  private static func coefficients(_ twice: Lanes, _ n: Lanes, _ d: Lanes) -> (Lanes, Lanes, Lanes) {
    (multiplyAdd(twice * d, d, Lanes(repeating: -1)), twice * n * d, twice * n * n)
  }

  @_noLocks @inline(__always)
  mutating func rest() {
    b1.step = .zero
    b2.step = .zero
    b3.step = .zero
  }

  /// Copies the coefficients of another section, and their ramps.
  @_noLocks @inline(__always)
  mutating func follow(_ other: FilterSection) { (b1, b2, b3) = (other.b1, other.b2, other.b3) }

  /// Clears the state of all lanes.
  @_noLocks
  mutating func silence() { (first, second) = (.zero, .zero) }

  /// Resets the state and the coefficients of one lane.
  @_noLocks
  mutating func reset(_ lane: Int) {
    (first[lane], second[lane]) = (0, 0)
    b1.jump(lane, to: 0)
    b2.jump(lane, to: 0)
    b3.jump(lane, to: 0)
  }

  /// Sets the coefficients of some lanes to the values that they would reach after `frames` samples.
  @_noLocks @inline(__always)
  mutating func snap(_ lanes: SIMDMask<SIMD8<Int32>>, frames: Float) {
    b1.snap(lanes, frames: frames)
    b2.snap(lanes, frames: frames)
    b3.snap(lanes, frames: frames)
  }
}

extension FilterSection.Mix {
  /// Aims at an output with these levels of low-pass, band-pass and high-pass, for a section with this damping. The
  /// high-pass is the input minus the low-pass and the damped band-pass.
  @_noLocks @inline(__always)
  mutating func aim(low: Lanes, band: Lanes, high: Lanes, damping: Lanes, perFrame: Float) {
    input.aim(at: high, perFrame: perFrame)
    self.band.aim(at: multiplySubtract(damping, high, from: band) * 0.5, perFrame: perFrame)
    self.low.aim(at: (low - high) * 0.5, perFrame: perFrame)
  }

  @_noLocks @inline(__always)
  mutating func move() {
    input.move()
    band.move()
    low.move()
  }

  /// Sets the levels of some lanes to the values that they would reach after `frames` samples.
  @_noLocks @inline(__always)
  mutating func snap(_ lanes: SIMDMask<SIMD8<Int32>>, frames: Float) {
    input.snap(lanes, frames: frames)
    band.snap(lanes, frames: frames)
    low.snap(lanes, frames: frames)
  }
}

// Some samples in place, with coefficients that move: a pass for each combination of features that a sound may use.
extension FilterSection {
  @_noLocks @inline(__always)
  mutating func process(_ x: UnsafeMutablePointer<Lanes>, frames: Int) {
    var section = self
    // Two at a time: the states exchange their registers, and exchange them back.
    var i = 0
    while i &+ 1 < frames {
      x[i] = section.process(x[i])
      section.move()
      x[i &+ 1] = section.process(x[i &+ 1])
      section.move()
      i &+= 2
    }
    if i < frames {
      x[i] = section.process(x[i])
      section.move()
    }
    self = section
  }

  @_noLocks
  mutating func process(_ x: UnsafeMutablePointer<Lanes>, _ mix: inout Mix, frames: Int) {
    var (section, levels) = (self, mix)
    var i = 0
    while i < frames {
      x[i] = section.process(x[i], levels)
      section.move()
      levels.move()
      i &+= 1
    }
    (self, mix) = (section, levels)
  }

  @_noLocks
  mutating func process(_ x: UnsafeMutablePointer<Lanes>, _ saturation: inout Saturation, frames: Int) {
    var (section, cubic) = (self, saturation)
    var i = 0
    while i < frames {
      section.saturate(x[i], cubic)
      x[i] = section.second
      section.move()
      cubic.amount.move()
      i &+= 1
    }
    (self, saturation) = (section, cubic)
  }

  @_noLocks
  mutating func process(
    _ x: UnsafeMutablePointer<Lanes>, _ saturation: inout Saturation, _ mix: inout Mix, frames: Int
  ) {
    var (section, cubic, levels) = (self, saturation, mix)
    var i = 0
    while i < frames {
      x[i] = section.saturate(x[i], cubic, levels)
      section.move()
      cubic.amount.move()
      levels.move()
      i &+= 1
    }
    (self, saturation, mix) = (section, cubic, levels)
  }
}
