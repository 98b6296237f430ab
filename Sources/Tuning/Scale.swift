/// A scale of a Scala `.scl` file: its pitches up to the interval at which it repeats.
public struct Scale: Sendable, Equatable {
  /// The description in the file; may be empty.
  public let about: String
  /// The pitches after the first degree, octaves above it. The last is the interval at which the scale repeats.
  public let pitches: [Double]

  /// A scale of at least one pitch.
  init(about: String, pitches: [Double]) {
    precondition(!pitches.isEmpty)
    (self.about, self.pitches) = (about, pitches)
  }

  /// Twelve equal steps to the octave.
  public static let equal = Scale(about: "twelve equal steps", pitches: (1...12).map { Double($0) / 12 })

  /// The most degrees of a scale.
  public static let mostDegrees = 4096

  /// The largest distance of a pitch from the first degree, octaves.
  static let reach = 64.0

  /// The octaves from the first degree to another, in any repetition above or below.
  public func octaves(degree: Int) -> Double {
    let (repetition, index) = flooredQuotient(degree, pitches.count)
    return Double(repetition) * (pitches.last ?? 0) + (index == 0 ? 0 : pitches[index - 1])
  }

  /// Reads a scale from the bytes of a file. Throws for the first invalid line.
  public init(_ bytes: [UInt8]) throws(TuningError) {
    var lines = ScalaLines(bytes)
    guard let about = lines.next() else {
      throw lines.endError("a scale has a description, a number of notes and that many pitches")
    }
    guard let counted = lines.nextFilled() else { throw lines.endError("the number of notes is missing") }
    guard let count = counted.integer else {
      throw lines.error(
        "\(counted.quoted) is no number of notes; the first line is the description, the second the number of notes"
      )
    }
    guard (1...Scale.mostDegrees).contains(count) else {
      throw lines.error("\(count) is no number of notes; takes 1 to \(Scale.mostDegrees)")
    }
    var pitches: [Double] = []
    while pitches.count < count {
      guard let line = lines.nextFilled() else {
        throw lines.endError("it has \(pitches.count) of \(count) pitches")
      }
      guard let pitch = line.pitch else {
        throw lines.error(
          "\(line.quoted) is no pitch; takes cents with a point, as 701.955, or a ratio, as 3/2")
      }
      guard pitch.magnitude <= Scale.reach else {
        throw lines.error("\(line.quoted) is too far from the first degree")
      }
      pitches.append(pitch)
    }
    // The rest is a remark, unless it is another pitch.
    if let line = lines.nextFilled(), line.pitch != nil {
      throw lines.error("\(line.quoted) is a pitch more than the \(count) of the file")
    }
    self.init(about: about.text, pitches: pitches)
  }
}

/// The quotient rounded down, and the remainder, which is never negative.
func flooredQuotient(_ number: Int, _ divisor: Int) -> (quotient: Int, remainder: Int) {
  let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
  return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
}
