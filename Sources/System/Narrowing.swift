// Integers from floating-point numbers. A message, a file, a device or a command line may hold any number, and the
// standard library's `Int(number)` ends the program for NaN, for infinity and for numbers out of range. Where pipit reads,
// .ci/narrowing refuses that conversion; these take its place.

extension Int {
  /// The whole part of a number: the nearest end of the range for a number beyond it, 0 for NaN.
  @_noLocks @inlinable
  public init(clamping number: Double) {
    // 2^63 is the first Double above the range, -2^63 the first in it.
    if number >= 0x1p63 {
      self = .max
    } else if number >= -0x1p63 {
      self = Int(number)
    } else {
      self = number < 0 ? .min : 0
    }
  }

  /// The whole part of a number: the nearest end of the range for a number beyond it, 0 for NaN.
  @_noLocks @inlinable
  public init(clamping number: Float) { self.init(clamping: Double(number)) }

  /// The whole part of a number, or 0 for NaN, clamped to `range`.
  @inlinable
  public init(clamping number: Double, to range: ClosedRange<Int>) {
    self = Swift.max(range.lowerBound, Swift.min(Int(clamping: number), range.upperBound))
  }

  /// The whole part of a number, or 0 for NaN, clamped to `range`.
  @inlinable
  public init(clamping number: Float, to range: ClosedRange<Int>) {
    self.init(clamping: Double(number), to: range)
  }
}

extension FixedWidthInteger {
  /// The whole part of a number: the nearest end of the range for a number beyond it, 0 for NaN. The range of `UInt64` ends
  /// at that of `Int`.
  @inlinable
  public init(clamping number: Double) { self.init(clamping: Int(clamping: number)) }

  /// The whole part of a number: the nearest end of the range for a number beyond it, 0 for NaN. The range of `UInt64` ends
  /// at that of `Int`.
  @inlinable
  public init(clamping number: Float) { self.init(clamping: Int(clamping: number)) }
}
