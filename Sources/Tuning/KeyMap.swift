import Glibc

/// A keyboard mapping of a Scala `.kbm` file: the scale degree of each key, and a reference frequency.
public struct KeyMap: Sendable, Equatable {
  /// The retuned keys. The others stay in equal temperament.
  public let keys: ClosedRange<Int>
  /// The key of the first degree, at which the pattern begins.
  public let middle: Int
  /// The key of the reference frequency, and its line in the file.
  public let reference: Int
  private let referenceLine: Int?
  /// The pitch of the reference key, octaves from concert pitch.
  public let referenceOctaves: Double
  /// The degrees between two repetitions of the pattern; nil for the size of the scale.
  public let octaveDegree: Int?
  /// The degrees of the keys from the middle key on, nil for a key without a pitch; empty if each key is one degree.
  public let degrees: [Int?]

  /// One degree per key from middle C, whose pitch is that of equal temperament.
  public static let linear = KeyMap()

  private init() {
    (keys, middle, reference, referenceLine) = (0...127, 60, 60, nil)
    (referenceOctaves, octaveDegree, degrees) = (-0.75, nil, [])
  }

  /// The pitches of the 128 keys in a scale, octaves from concert pitch; nil for a key without one. Throws if the
  /// reference key has no pitch.
  public func octaves(of scale: Scale) throws(TuningError) -> [Double?] {
    guard let reference = octaves(key: reference, of: scale) else {
      throw TuningError(
        line: referenceLine, "the reference is key \(self.reference), to which the mapping gives no degree")
    }
    return (0..<128).map { key in
      if !keys.contains(key) { return Double(key - 69) / 12 }
      return octaves(key: key, of: scale).map { $0 - reference + referenceOctaves }
    }
  }

  /// The octaves from the middle key to `key` in a scale; nil for a key without a pitch.
  private func octaves(key: Int, of scale: Scale) -> Double? {
    if degrees.isEmpty { return scale.octaves(degree: key - middle) }
    let (repetition, index) = flooredQuotient(key - middle, degrees.count)
    let step = scale.octaves(degree: octaveDegree ?? scale.pitches.count)
    return degrees[index].map { Double(repetition) * step + scale.octaves(degree: $0) }
  }

  /// The size of the longest pattern.
  public static let longestPattern = 2048

  /// Reads a mapping from the bytes of a file. Throws for the first invalid line.
  public init(_ bytes: [UInt8]) throws(TuningError) {
    var lines = ScalaLines(bytes)
    func whole(_ what: String, _ range: ClosedRange<Int>) throws(TuningError) -> Int {
      guard let line = lines.nextFilled() else { throw lines.endError("\(what) is missing") }
      guard let number = line.integer, range.contains(number) else {
        throw lines.error("\(line.quoted) is not \(what); takes \(range.lowerBound) to \(range.upperBound)")
      }
      return number
    }
    let size = try whole("the size of the mapping", 0...KeyMap.longestPattern)
    let first = try whole("the first key", 0...127)
    let last = try whole("the last key", 0...127)
    if last < first { throw lines.error("the last key, \(last), is below the first, \(first)") }
    middle = try whole("the middle key", 0...127)
    reference = try whole("the reference key", 0...127)
    referenceLine = lines.number
    guard let line = lines.nextFilled() else {
      throw lines.endError("the frequency of the reference is missing")
    }
    guard let frequency = line.number, KeyMap.frequencies.contains(frequency) else {
      throw lines.error(
        "\(line.quoted) is not the frequency of the reference; takes Hz with a point, "
          + "\(Int(clamping: KeyMap.frequencies.lowerBound)) to \(Int(clamping: KeyMap.frequencies.upperBound))"
      )
    }
    referenceOctaves = log2(frequency / 440)
    let octave = try whole("the degree that the mapping repeats at", 0...Scale.mostDegrees)
    octaveDegree = octave == 0 ? nil : octave
    keys = first...last
    var degrees: [Int?] = []
    while degrees.count < size, let line = lines.nextFilled() {
      if line.isUnmapped {
        degrees.append(nil)
      } else if let degree = line.integer, degree.magnitude <= Scale.mostDegrees {
        degrees.append(degree)
      } else {
        throw lines.error(
          "\(line.quoted) is no degree; takes a number to \(Scale.mostDegrees), or x for a key without")
      }
    }
    // Keys without a pitch may be omitted at the end.
    self.degrees = degrees + Array(repeating: nil, count: size - degrees.count)
    if size > 0, let line = lines.nextFilled(), line.integer != nil || line.isUnmapped {
      throw lines.error("\(line.quoted) is a degree more than the size of the mapping, \(size)")
    }
  }

  /// The range of reference frequencies, Hz.
  static let frequencies = 1.0...20_000.0
}
