/// One second-order section of a filter in each of eight voices: a state-variable filter, trapezoidal integration
/// (Zavalishin, "The Art of VA Filter Design", 2018; Simper, "Linear Trapezoidal Integrated SVF", 2013).
///
/// Its coefficients move in a straight line between control ticks. That is safe at any speed: in these coordinates the
/// step from state to state is a contraction for every cutoff and Q, and so is every mixture of two such steps.
struct FilterSection {
  /// The integrators: of the band-pass and of the low-pass.
  var first = Lanes.zero
  var second = Lanes.zero
  var b1 = Ramp()
  var b2 = Ramp()
  var b3 = Ramp()

  /// What comes out, as a sum: the input, twice the band-pass and twice the low-pass, each at a level.
  struct Mix {
    var input = Ramp()
    var band = Ramp()
    var low = Ramp()
  }

  /// What keeps the resonance bounded: the band-pass, fed back, is bent by a cubic. These hold for a control tick.
  struct Saturation {
    /// What the feedback takes from the first integrator and from the input without the second one.
    var fromFirst = Lanes.zero
    var fromInput = Lanes.zero
    /// How far what the cubic takes away moves the integrators.
    var toFirst = Lanes.zero
    var toSecond = Lanes.zero
    /// Where the cubic is flat: 3, in each lane.
    var bound = Lanes(repeating: 3)
    /// How much of the cubic there is: nothing to all, 0…1.
    var amount = Ramp()
  }

  /// One sample: the low-pass and, tan(ω/2) of the cutoff times as loud, the band-pass. That is the second integrator as
  /// it stands, and has one zero less at half the sample rate than the low-pass alone.
  @_noLocks @inline(__always)
  mutating func process(_ x: Lanes) -> Lanes {
    let v = x - second
    let next = multiplyAdd(b1.value, first, b2.value * v)
    second = multiplyAdd(b3.value, v, multiplyAdd(b2.value, first, second))
    first = next
    return second
  }

  /// One sample, mixed.
  @_noLocks @inline(__always)
  mutating func process(_ x: Lanes, _ mix: Mix) -> Lanes {
    let (s, t) = (first, second)
    _ = process(x)
    return multiplyAdd(
      mix.low.value, t + second, multiplyAdd(mix.band.value, s + first, mix.input.value * x))
  }

  /// One sample with a bounded resonance, to be taken from the integrators before and after it.
  @_noLocks @inline(__always)
  mutating func saturate(_ x: Lanes, _ saturation: Saturation) {
    let q = multiplyAdd(saturation.fromFirst, first, saturation.fromInput * (x - second))
    let c = smaller(larger(q, -saturation.bound), saturation.bound)
    // In such an order that no step waits longer than it must: each sample waits for the one before.
    let less = multiplySubtract(c * Self.bend, c * c, from: c - q)
    let (toFirst, toSecond) = (
      saturation.toFirst * saturation.amount.value, saturation.toSecond * saturation.amount.value
    )
    _ = process(x)
    first = multiplyAdd(toFirst, less, first)
    second = multiplyAdd(toSecond, less, second)
  }

  /// The cubic is q - q³/27, which is flat at ±3, where it is ±2.
  static var bend: Float { @_noLocks get { 1 / 27 } }

  @_noLocks @inline(__always)
  mutating func move() {
    b1.move()
    b2.move()
    b3.move()
  }

  /// Aims at b1 = 2a - 1, b2 = 2ga and b3 = 2g²a, where g is n / d and `twice` is 2a / d².
  @_noLocks @inline(__always)
  mutating func aim(_ twice: Lanes, _ n: Lanes, _ d: Lanes, perFrame: Float) {
    b1.aim(at: multiplyAdd(twice * d, d, Lanes(repeating: -1)), perFrame: perFrame)
    b2.aim(at: twice * n * d, perFrame: perFrame)
    b3.aim(at: twice * n * n, perFrame: perFrame)
  }

  @_noLocks @inline(__always)
  mutating func rest() {
    b1.step = .zero
    b2.step = .zero
    b3.step = .zero
  }

  /// Takes the coefficients of another one, and where they go.
  @_noLocks @inline(__always)
  mutating func follow(_ other: FilterSection) { (b1, b2, b3) = (other.b1, other.b2, other.b3) }

  /// Empties it of its sound.
  @_noLocks
  mutating func silence() { (first, second) = (.zero, .zero) }

  /// Empties one lane, coefficients and all.
  @_noLocks
  mutating func reset(_ lane: Int) {
    (first[lane], second[lane]) = (0, 0)
    b1.jump(lane, to: 0)
    b2.jump(lane, to: 0)
    b3.jump(lane, to: 0)
  }

  /// Puts some lanes' coefficients where they aim, without a way to it.
  @_noLocks @inline(__always)
  mutating func arrive(_ lanes: SIMDMask<SIMD8<Int32>>, frames: Float) {
    b1.arrive(lanes, frames: frames)
    b2.arrive(lanes, frames: frames)
    b3.arrive(lanes, frames: frames)
  }
}

extension FilterSection.Mix {
  /// Aims at an output of so much low-pass, band-pass and high-pass, of a section with this damping: the high-pass is
  /// what the input has besides the other two.
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

  /// Puts some lanes where they aim.
  @_noLocks @inline(__always)
  mutating func arrive(_ lanes: SIMDMask<SIMD8<Int32>>, frames: Float) {
    input.arrive(lanes, frames: frames)
    band.arrive(lanes, frames: frames)
    low.arrive(lanes, frames: frames)
  }
}

// Some samples in place, with coefficients that move: a pass for each of what a sound may use.
extension FilterSection {
  @_noLocks @inline(__always)
  mutating func process(_ x: UnsafeMutablePointer<Lanes>, frames: Int) {
    var section = self
    // Two at a time: the states change places, and back.
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
    var (section, bending) = (self, saturation)
    var i = 0
    while i < frames {
      section.saturate(x[i], bending)
      x[i] = section.second
      section.move()
      bending.amount.move()
      i &+= 1
    }
    (self, saturation) = (section, bending)
  }

  @_noLocks
  mutating func process(
    _ x: UnsafeMutablePointer<Lanes>, _ saturation: inout Saturation, _ mix: inout Mix, frames: Int
  ) {
    var (section, bending, levels) = (self, saturation, mix)
    var i = 0
    while i < frames {
      let (s, t) = (section.first, section.second)
      section.saturate(x[i], bending)
      let low = levels.low.value * (t + section.second)
      x[i] = multiplyAdd(levels.band.value, s + section.first, multiplyAdd(levels.input.value, x[i], low))
      section.move()
      bending.amount.move()
      levels.move()
      i &+= 1
    }
    (self, saturation, mix) = (section, bending, levels)
  }
}
