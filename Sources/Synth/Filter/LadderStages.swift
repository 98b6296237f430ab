/// The four stages of a ladder in each of eight voices: one-poles, trapezoidal integration (Zavalishin, "The Art of VA
/// Filter Design", 2018).
struct LadderStages {
  /// The integrators.
  var one = Lanes.zero
  var two = Lanes.zero
  var three = Lanes.zero
  var four = Lanes.zero

  /// At rest.
  @_noLocks init() {}

  /// The input of the first stage, and the outputs of all.
  typealias Outputs = (input: Lanes, one: Lanes, two: Lanes, three: Lanes, four: Lanes)

  /// Processes one sample. The feedback passes a cubic, e - 4e³/27, which is flat from ±1.5 on. Its argument is what the
  /// last stage would output without the cubic, so no iteration is needed, and a self-oscillation is in tune at any
  /// level: a cubic without memory changes the loop's gain, but not its phase.
  @_noLocks @inline(__always)
  mutating func process(_ x: Lanes, _ loop: LadderLoop, bound: Lanes) -> Outputs {
    let (part, rest) = (loop.part.value, 1 - loop.part.value)
    let held = multiplyAdd(multiplyAdd(multiplyAdd(one, part, two), part, three), part, four)
    let e = multiplyAdd(loop.ofStages.value, held, loop.ofInput.value * x)
    let c = smaller(larger(e, -bound), bound)
    let saturated = multiplySubtract(c * Self.cubicFactor, c * c, from: c)
    let u = multiplySubtract(loop.feedback.value, saturated, from: loop.input.value * x)
    let a = multiplyAdd(part, u, rest * one)
    let b = multiplyAdd(part, a, rest * two)
    let d = multiplyAdd(part, b, rest * three)
    let y = multiplyAdd(part, d, rest * four)
    one = 2 * a - one
    two = 2 * b - two
    three = 2 * d - three
    four = 2 * y - four
    return (u, a, b, d, y)
  }

  /// Where the cubic is flat, and its factor.
  static var bound: Float { @_noLocks get { 1.5 } }
  private static var cubicFactor: Float { @_noLocks get { 4 / 27 } }

  @_noLocks
  mutating func reset(_ lane: Int) { (one[lane], two[lane], three[lane], four[lane]) = (0, 0, 0, 0) }
}
