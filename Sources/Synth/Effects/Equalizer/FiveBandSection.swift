/// One band of the equalizer: a state-variable filter on both channels, whose coefficients move in straight lines from tick to
/// tick.
///
/// A band of 0 dB is out of the way: nothing of it is computed.
struct FiveBandSection {
  /// Whether it does anything, and whether its coefficients move.
  private(set) var isHeard = false
  private(set) var moves = false
  // What sounds on while the coefficients rest.
  var direct = DirectSection()
  // The state-variable filter while they move, the coefficients of both channels one by one, because the loop reads them so.
  private var first = SIMD2<Double>.zero
  private var second = SIMD2<Double>.zero
  private var c1 = SIMD2<Double>.zero
  private var c2 = SIMD2<Double>.zero
  private var g2 = SIMD2<Double>.zero
  private var m0 = SIMD2<Double>(repeating: 1)
  private var m1 = SIMD2<Double>.zero
  private var m2 = SIMD2<Double>.zero
  // Frequency, decibels and quality of the last tick.
  private var knobs = SIMD4<Float>(repeating: -1)
  private var step = MatchedSection.Coefficients.zero
  // Last, since of a band behind one of an odd size compilers believe that it lies at an odd place.
  private var goal = MatchedSection.neutral

  /// Decibels that are none.
  private static var least: Float { @_noLocks get { 0.001 } }

  /// Which of the curves a band has.
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

  /// Puts the coefficients where the knobs are.
  @_noLocks
  mutating func arrive(_ kind: Kind, _ next: SIMD4<Float>, rate: Double) {
    knobs = next
    isHeard = next.y.magnitude >= Self.least
    goal = isHeard ? Self.coefficients(kind, knobs, rate) : MatchedSection.neutral
    moves = false
    direct = DirectSection(goal, first: .zero, second: .zero)
  }

  /// Whether anything is to be done at a tick.
  @_noLocks @inline(__always)
  func needs(_ next: SIMD4<Float>) -> Bool { moves || !all(next .== knobs) }

  /// Goes to the knobs, frequency, decibels and quality, over the next `frames`.
  @_noLocks
  mutating func aim(_ kind: Kind, _ next: SIMD4<Float>, rate: Double, frames: Int) {
    let isNothing = next.y.magnitude < Self.least
    if all(next .== knobs) || (isNothing && !isHeard) {
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
    let beginsHere = !isHeard
    if moves { place(goal) } else { begin() }
    // On its way to nothing its poles stay where they are, so that only what it adds fades out.
    goal = isNothing ? Self.plain(goal) : Self.coefficients(kind, next, rate)
    if beginsHere { place(Self.plain(goal)) }
    step = (goal - SIMD8(c1.x, c2.x, g2.x, m0.x, m1.x, m2.x, 0, 0)) * (1 / Double(frames))
    moves = true
  }

  /// The poles of some coefficients alone.
  @_noLocks
  private static func plain(_ c: MatchedSection.Coefficients) -> MatchedSection.Coefficients {
    SIMD8(c[0], c[1], c[2], 1, 0, 0, 0, 0)
  }

  /// Has its coefficients here.
  @_noLocks
  private mutating func place(_ c: MatchedSection.Coefficients) {
    c1 = SIMD2(repeating: c[0])
    c2 = SIMD2(repeating: c[1])
    g2 = SIMD2(repeating: c[2])
    m0 = SIMD2(repeating: c[3])
    m1 = SIMD2(repeating: c[4])
    m2 = SIMD2(repeating: c[5])
  }

  /// Begins to move, from rest or from nothing.
  @_noLocks
  private mutating func begin() {
    if isHeard {
      (first, second) = direct.state(goal)
      place(goal)
    } else {
      (first, second) = (.zero, .zero)
      isHeard = true
    }
  }

  /// Has arrived, and rests.
  @_noLocks
  private mutating func rest() {
    direct = DirectSection(goal, first: first, second: second)
    moves = false
  }

  /// Is out of the way.
  @_noLocks
  private mutating func leave() {
    (isHeard, moves) = (false, false)
    direct = DirectSection()
  }

  /// One sample of both channels while the coefficients move.
  @_noLocks @inline(__always)
  private mutating func process(_ x: SIMD2<Double>) -> SIMD2<Double> {
    let band = (c1 * first + c2 * x) - c2 * second
    let y = (m0 * x + m2 * second) + m1 * band
    first = (band + band) - first
    second += g2 * band
    return y
  }

  /// Some frames in place, while the coefficients move.
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

  /// Empties its memory of sound.
  @_noLocks
  mutating func forget() {
    (first, second) = (.zero, .zero)
    direct.forget()
  }
}
