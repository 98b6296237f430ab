import CRealtime

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
