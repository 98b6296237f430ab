// Measurements of a recording.

extension [Float] {
  /// The largest step from sample to sample.
  public var largestStep: Float { zip(self, dropFirst()).map { abs($0 - $1) }.max() ?? 0 }

  /// The largest second difference: large for a click and small for a smooth wave.
  public var largestCorner: Float { zip(self, dropFirst()).map { $1 - $0 }.largestStep }

  /// The loudest sample.
  public var peak: Float { map(abs).max() ?? 0 }

  /// The bits, to compare two recordings exactly.
  public var bits: [UInt32] { map(\.bitPattern) }

  /// Upward zero crossings a second at `rate`.
  public func pitch(rate: Double) -> Double {
    var crossings: [Double] = []
    for i in 1..<count where self[i - 1] < 0 && self[i] >= 0 {
      crossings.append(Double(i - 1) + Double(self[i - 1] / (self[i - 1] - self[i])))
    }
    guard let first = crossings.first, let last = crossings.last, crossings.count > 1 else { return 0 }
    return rate * Double(crossings.count - 1) / (last - first)
  }
}

/// Compares whole recordings, so that a test failure does not print them.
public func isSame(_ a: [UInt32], _ b: [UInt32]) -> Bool { a == b }
