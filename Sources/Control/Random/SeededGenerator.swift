import Glibc

/// Random numbers that follow from a seed: SplitMix64 by Sebastiano Vigna.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// A generator that starts from a seed.
  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number of 0..<1.
  mutating func unit() -> Float { Float.random(in: 0..<1, using: &self) }

  /// A number of the normal distribution with mean 0 and deviation 1, by the method of Box and Muller.
  mutating func normal() -> Float {
    let (one, other) = (1 - unit(), unit())
    return sqrt(-2 * log(one)) * cos(2 * .pi * other)
  }
}
