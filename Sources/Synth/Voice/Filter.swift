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
    var b1 = Lanes.zero
    var b2 = Lanes.zero
    var b3 = Lanes.zero
    var step1 = Lanes.zero
    var step2 = Lanes.zero
    var step3 = Lanes.zero

    /// Aims the coefficients at warped cutoff `g` and damping `k`.
    @_noLocks @inline(__always)
    mutating func aim(g: Lanes, k: Lanes, perFrame: Float) {
      let a = 1 / (1 + g * (g + k))
      step1 = (2 * a - 1 - b1) * perFrame
      step2 = (2 * g * a - b2) * perFrame
      step3 = (2 * g * g * a - b3) * perFrame
    }
  }

  var low = Section()
  var high = Section()

  /// Each section gives twice its low-pass output, which saves a multiplication: the amplifier takes it back.
  static var gain: Float { @_noLocks get { 4 } }

  /// Aims at a cutoff in octaves above 1 Hz and a resonance of 0…1.
  @_noLocks @inline(__always)
  mutating func aim(cutoff: Lanes, resonance: Lanes, rate: Float, perFrame: Float) {
    let highest = min(20_000, 0.45 * rate)
    let hertz = larger(smaller(exp2(cutoff), Lanes(repeating: highest)), Lanes(repeating: 16))
    let g = tangent(hertz * (Float.pi / rate))
    low.aim(g: g, k: Lanes(repeating: 1.847759), perFrame: perFrame)
    let damp = 1 - resonance
    high.aim(g: g, k: 0.03 + 0.735367 * damp * damp, perFrame: perFrame)
  }

  /// Filters `frames` samples in place.
  @_noLocks @inline(__always)
  mutating func process(_ x: UnsafeMutablePointer<Lanes>, frames: Int) {
    var (l, h) = (low, high)
    var i = 0
    while i < frames {
      let v = x[i] - l.second
      let first = l.b1 * l.first + l.b2 * v
      let second = l.second + l.b2 * l.first + l.b3 * v
      let y = l.second + second
      l.first = first
      l.second = second
      let w = y - h.second
      let third = h.b1 * h.first + h.b2 * w
      let fourth = h.second + h.b2 * h.first + h.b3 * w
      x[i] = h.second + fourth
      h.first = third
      h.second = fourth
      l.b1 += l.step1
      l.b2 += l.step2
      l.b3 += l.step3
      h.b1 += h.step1
      h.b2 += h.step2
      h.b3 += h.step3
      i &+= 1
    }
    (low, high) = (l, h)
  }

  /// Empties one lane.
  @_noLocks
  mutating func reset(_ lane: Int) {
    low.first[lane] = 0
    low.second[lane] = 0
    high.first[lane] = 0
    high.second[lane] = 0
  }

  /// Puts one lane's coefficients where they aim, without a way to it: for a voice that starts.
  @_noLocks
  mutating func arrive(_ lane: Int, frames: Float) {
    low.arrive(lane, frames: frames)
    high.arrive(lane, frames: frames)
  }
}

extension FilterLanes.Section {
  @_noLocks
  fileprivate mutating func arrive(_ lane: Int, frames: Float) {
    b1[lane] += step1[lane] * frames
    b2[lane] += step2[lane] * frames
    b3[lane] += step3[lane] * frames
    step1[lane] = 0
    step2[lane] = 0
    step3[lane] = 0
  }
}
