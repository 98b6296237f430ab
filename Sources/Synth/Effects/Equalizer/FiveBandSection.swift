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
