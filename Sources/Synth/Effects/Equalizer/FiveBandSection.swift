import CRealtime

/// One stereo band of the equalizer: a state-variable filter whose coefficients move linearly from tick to tick.
///
/// A band at 0 dB is inactive and costs nothing.
struct FiveBandSection {
  /// Whether the band is active, and whether its coefficients move.
  private(set) var isAudible = false
  private(set) var moves = false
  // The filter that runs while the coefficients rest.
  var direct = DirectSection()
  // The state-variable filter that runs while the coefficients move. Each coefficient is stored for both channels,
  // because the loop reads it as a vector.
  private var first = SIMD2<Double>.zero
  private var second = SIMD2<Double>.zero
  private var c1 = SIMD2<Double>.zero
  private var c2 = SIMD2<Double>.zero
  private var g2 = SIMD2<Double>.zero
  private var m0 = SIMD2<Double>(repeating: 1)
  private var m1 = SIMD2<Double>.zero
  private var m2 = SIMD2<Double>.zero
  // Frequency, decibels and Q at the last tick.
  private var knobs = SIMD4<Float>(repeating: -1)
  private var step = MatchedSection.Coefficients.zero
  // Declared last so that the size of a band is a multiple of its alignment; otherwise compilers assume that the next
  // band in memory is unaligned.
  private var goal = MatchedSection.neutral

  /// Gain in decibels below which a band counts as flat.
  private static var least: Float { @_noLocks get { 0.001 } }

  /// The curve of a band.
  enum Kind { case lowShelf, bell, highShelf }

  @_noLocks
  private static func coefficients(_ kind: Kind, _ knobs: SIMD4<Float>, _ rate: Double)
    -> MatchedSection.Coefficients
  {
    let hertz = Double(max(20, min(knobs.x, 20_000)))
    let decibels = Double(max(-18, min(knobs.y, 18)))
    switch kind {
    case .lowShelf: return MatchedSection.lowShelf(hertz: hertz, decibels: decibels, rate: rate)
    case .highShelf: return MatchedSection.highShelf(hertz: hertz, decibels: decibels, rate: rate)
    case .bell:
      let q = Double(max(0.3, min(knobs.z, 10)))
      return MatchedSection.bell(hertz: hertz, decibels: decibels, q: q, rate: rate)
    }
  }

  /// Jumps to the knobs and clears the state.
  @_noLocks
  mutating func snap(_ kind: Kind, _ next: SIMD4<Float>, rate: Double) {
    knobs = next
    isAudible = next.y.magnitude >= Self.least
    goal = isAudible ? Self.coefficients(kind, knobs, rate) : MatchedSection.neutral
    moves = false
    direct = DirectSection(goal, first: .zero, second: .zero)
  }

  /// Whether the band needs `aim` at a tick.
  @_noLocks @inline(__always)
  func needs(_ next: SIMD4<Float>) -> Bool { moves || !all(next .== knobs) }

  /// Aims at frequency, decibels and Q over the next `frames`.
  @_noLocks
  mutating func aim(_ kind: Kind, _ next: SIMD4<Float>, rate: Double, frames: Int) {
    let isNothing = next.y.magnitude < Self.least
    if all(next .== knobs) || (isNothing && !isAudible) {
      if moves { rest() }
      if isNothing { leave() }
      knobs = next
      return
    }
    knobs = next
    if isNothing, moves, goal[3] == 1, goal[4] == 0, goal[5] == 0 {
      leave()
      return
    }
    let beginsHere = !isAudible
    if moves { jump(goal) } else { begin() }
    // While the band fades out, its poles stay where they are and only its contribution fades.
    goal = isNothing ? Self.plain(goal) : Self.coefficients(kind, next, rate)
    if beginsHere { jump(Self.plain(goal)) }
    step = (goal - SIMD8(c1.x, c2.x, g2.x, m0.x, m1.x, m2.x, 0, 0)) * (1 / Double(frames))
    moves = true
  }

  /// Coefficients with the given poles that pass the sound unchanged.
  @_noLocks
  private static func plain(_ c: MatchedSection.Coefficients) -> MatchedSection.Coefficients {
    SIMD8(c[0], c[1], c[2], 1, 0, 0, 0, 0)
  }

  /// Sets the coefficients without a ramp.
  @_noLocks
  private mutating func jump(_ c: MatchedSection.Coefficients) {
    c1 = SIMD2(repeating: c[0])
    c2 = SIMD2(repeating: c[1])
    g2 = SIMD2(repeating: c[2])
    m0 = SIMD2(repeating: c[3])
    m1 = SIMD2(repeating: c[4])
    m2 = SIMD2(repeating: c[5])
  }

  /// Begins to move, from rest or from inactivity.
  @_noLocks
  private mutating func begin() {
    if isAudible {
      (first, second) = direct.state(goal)
      jump(goal)
    } else {
      (first, second) = (.zero, .zero)
      isAudible = true
    }
  }

  /// Ends the ramp: switches to the direct form, which runs while the coefficients are constant.
  @_noLocks
  private mutating func rest() {
    direct = DirectSection(goal, first: first, second: second)
    moves = false
  }

  /// Becomes inactive.
  @_noLocks
  private mutating func leave() {
    (isAudible, moves) = (false, false)
    direct = DirectSection()
  }

  /// Processes one sample of both channels while the coefficients move.
  @_noLocks @inline(__always)
  private mutating func process(_ x: SIMD2<Double>) -> SIMD2<Double> {
    let band = (c1 * first + c2 * x) - c2 * second
    let y = (m0 * x + m2 * second) + m1 * band
    first = (band + band) - first
    second += g2 * band
    return y
  }

  /// Processes some frames in place while the coefficients move.
  @_noLocks
  mutating func move(_ x: UnsafeMutablePointer<SIMD2<Double>>, frames: Int) {
    var now = self
    let (d1, d2, d3) = (SIMD2(repeating: step[0]), SIMD2(repeating: step[1]), SIMD2(repeating: step[2]))
    let (d4, d5, d6) = (SIMD2(repeating: step[3]), SIMD2(repeating: step[4]), SIMD2(repeating: step[5]))
    var i = 0
    while i < frames {
      now.c1 += d1
      now.c2 += d2
      now.g2 += d3
      now.m0 += d4
      now.m1 += d5
      now.m2 += d6
      x[i] = now.process(x[i])
      i &+= 1
    }
    self = now
  }

  /// Clears the state.
  @_noLocks
  mutating func reset() {
    (first, second) = (.zero, .zero)
    direct.reset()
  }
}

/// A second-order filter section with constant coefficients: the transposed direct form II, which takes the fewest
/// instructions. It does not suit moving coefficients; while they move, its state is converted to that of a
/// state-variable filter, and back afterwards.
///
/// In double precision, which a low band needs in this form.
struct DirectSection {
  private var s1 = SIMD2<Double>.zero
  private var s2 = SIMD2<Double>.zero
  private var a1 = SIMD2<Double>.zero
  private var a2 = SIMD2<Double>.zero
  private var b0 = SIMD2<Double>(repeating: 1)
  private var b1 = SIMD2<Double>.zero
  private var b2 = SIMD2<Double>.zero

  /// A section that passes the sound unchanged.
  @_noLocks
  init() {}

  /// A section that continues the output of `FiveBandSection`'s state-variable filter with the same coefficients, from
  /// its states.
  @_noLocks
  init(_ c: MatchedSection.Coefficients, first: SIMD2<Double>, second: SIMD2<Double>) {
    let (c1, c2, g) = (c[0], c[1], 0.5 * c[2])
    let (p1, p2) = (2 * (g * g - 1) * c1, 2 * (1 + g * g) * c1 - 1)
    let low = 2 * c[5] * g * c2
    (a1, a2) = (SIMD2(repeating: p1), SIMD2(repeating: p2))
    b0 = SIMD2(repeating: c[3] + c[4] * c2)
    b1 = SIMD2(repeating: c[3] * p1 + low)
    b2 = SIMD2(repeating: c[3] * p2 - c[4] * c2 + low)
    // The outputs that each state contributes without further input.
    let see = SeenStates(c)
    s1 = see.a * first + see.b * second
    s2 = see.c * first + see.d * second + p1 * s1
  }

  /// The states with which the state-variable filter continues this section's output.
  @_noLocks
  func state(_ c: MatchedSection.Coefficients) -> (first: SIMD2<Double>, second: SIMD2<Double>) {
    let see = SeenStates(c)
    let determinant = see.a * see.d - see.b * see.c
    if determinant.magnitude < 1e-60 { return (.zero, .zero) }
    let (now, next) = (s1, s2 - a1 * s1)
    let unit = 1 / determinant
    return ((see.d * now - see.b * next) * unit, (see.a * next - see.c * now) * unit)
  }

  /// The contributions of a state-variable filter's two states to the output, now (`a` and `b`) and a sample later (`c`
  /// and `d`).
  private struct SeenStates {
    let a: Double
    let b: Double
    let c: Double
    let d: Double

    @_noLocks
    init(_ k: MatchedSection.Coefficients) {
      let (c1, c2, g2) = (k[0], k[1], k[2])
      a = k[4] * c1
      b = k[5] - k[4] * c2
      c = a * (2 * c1 - 1) + b * (g2 * c1)
      d = b * (1 - g2 * c2) - a * (2 * c2)
    }
  }

  /// The two state variables of the filter, each for both channels.
  typealias State = (s1: SIMD2<Double>, s2: SIMD2<Double>)

  var state: State {
    @_noLocks @inline(__always) get { (s1, s2) }
    @_noLocks @inline(__always) set { (s1, s2) = newValue }
  }

  /// Processes one sample of both channels, with a state kept by the caller.
  @_noLocks @inline(__always)
  func process(_ x: SIMD2<Double>, _ state: inout State) -> SIMD2<Double> {
    let y = rt_opaque_two(state.s1 + b0 * x)
    // Opaque; otherwise the compilers pair these with the other products across the channels and need twice as many
    // instructions.
    let (one, two) = (rt_opaque_two(a1 * y), rt_opaque_two(a2 * y))
    state.s1 = (state.s2 - one) + b1 * x
    state.s2 = b2 * x - two
    return y
  }

  /// Clears the state.
  @_noLocks
  mutating func reset() { (s1, s2) = (.zero, .zero) }
}
