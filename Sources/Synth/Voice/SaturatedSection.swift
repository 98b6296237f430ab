/// A section with a bounded resonance in four of its voices: half of the lanes at a time, so that all of it stays in
/// registers. What the cubic takes away is reckoned in units in which it is c³ itself.
struct SaturatedSection {
  private var first: Quad
  private var second: Quad
  private var b1: Quad
  private var b2: Quad
  private var b3: Quad
  private let steps: (Quad, Quad, Quad)
  private let fromFirst: Quad
  private let fromInput: Quad
  private let toFirst: Quad
  private let toSecond: Quad
  private var amount: Quad
  private let amountStep: Quad
  private let bound: Quad

  /// The unit: 27^-½; and where the cubic is flat.
  private static var unit: Float { @_noLocks get { 0.192450090 } }

  @_noLocks @inline(__always)
  private init(_ section: FilterSection, _ saturation: FilterSection.Saturation, _ half: Int) {
    let isLow = half == 0
    first = isLow ? section.first.lowHalf : section.first.highHalf
    second = isLow ? section.second.lowHalf : section.second.highHalf
    b1 = isLow ? section.b1.value.lowHalf : section.b1.value.highHalf
    b2 = isLow ? section.b2.value.lowHalf : section.b2.value.highHalf
    b3 = isLow ? section.b3.value.lowHalf : section.b3.value.highHalf
    steps = (
      isLow ? section.b1.step.lowHalf : section.b1.step.highHalf,
      isLow ? section.b2.step.lowHalf : section.b2.step.highHalf,
      isLow ? section.b3.step.lowHalf : section.b3.step.highHalf
    )
    amount =
      (isLow ? saturation.amount.value.lowHalf : saturation.amount.value.highHalf) * (1 / Self.unit)
    amountStep = (isLow ? saturation.amount.step.lowHalf : saturation.amount.step.highHalf) * (1 / Self.unit)
    fromFirst = (isLow ? saturation.fromFirst.lowHalf : saturation.fromFirst.highHalf) * Self.unit
    fromInput = (isLow ? saturation.fromInput.lowHalf : saturation.fromInput.highHalf) * Self.unit
    toFirst = isLow ? saturation.toFirst.lowHalf : saturation.toFirst.highHalf
    toSecond = isLow ? saturation.toSecond.lowHalf : saturation.toSecond.highHalf
    bound = (isLow ? saturation.bound.lowHalf : saturation.bound.highHalf) * Self.unit
  }

  /// One sample. Returns the low-pass, as `FilterSection` has it.
  @_noLocks @inline(__always)
  private mutating func process(_ x: Quad) -> Quad {
    let v = x - second
    let q = multiplyAdd(fromFirst, first, fromInput * v)
    let c = smaller(larger(q, -bound), bound)
    let less = ((c - q) - c * c * c) * amount
    let low = multiplyAdd(b3, v, multiplyAdd(b2, first, second))
    first = multiplyAdd(toFirst, less, multiplyAdd(b1, first, b2 * v))
    second = multiplyAdd(toSecond, less, low)
    b1 += steps.0
    b2 += steps.1
    b3 += steps.2
    amount += amountStep
    return second
  }

  /// Every second of some vectors in place.
  @_noLocks @inline(__always)
  private mutating func process(_ x: UnsafeMutablePointer<Quad>, frames: Int) {
    var i = 0
    while i < 2 &* frames {
      x[i] = process(x[i])
      i &+= 2
    }
  }

  /// Some samples of a section in place.
  @_noLocks
  static func process(
    _ section: inout FilterSection, _ saturation: inout FilterSection.Saturation,
    _ x: UnsafeMutablePointer<Lanes>,
    frames: Int
  ) {
    let halves = UnsafeMutableRawPointer(x).assumingMemoryBound(to: Quad.self)
    var (low, high) = (SaturatedSection(section, saturation, 0), SaturatedSection(section, saturation, 1))
    low.process(halves, frames: frames)
    high.process(halves + 1, frames: frames)
    saturation.amount.pass(frames: frames)
    section.first = Lanes(lowHalf: low.first, highHalf: high.first)
    section.second = Lanes(lowHalf: low.second, highHalf: high.second)
    section.b1.value = Lanes(lowHalf: low.b1, highHalf: high.b1)
    section.b2.value = Lanes(lowHalf: low.b2, highHalf: high.b2)
    section.b3.value = Lanes(lowHalf: low.b3, highHalf: high.b3)
  }
}
