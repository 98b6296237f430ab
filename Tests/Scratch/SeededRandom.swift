import Foundation

/// Reproducible random numbers from a seed.
public struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  /// The sequence of `seed`.
  public init(_ seed: UInt64) { state = seed }

  /// The next number (SplitMix64).
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

extension SeededRandom {
  /// The seed in the environment variable `PIPIT_SEED`; nil if it is not set.
  public static let chosenSeed = ProcessInfo.processInfo.environment["PIPIT_SEED"].flatMap { UInt64($0) }

  /// The seed of this run: `PIPIT_SEED`, or else a random one, which is printed so that a failure can be reproduced.
  public static let seedOfRun: UInt64 = {
    if let chosenSeed { return chosenSeed }
    let seed = UInt64.random(in: 1...999_999)
    print("random numbers: PIPIT_SEED=\(seed) repeats those of this run")
    return seed
  }()

  /// A sequence with the seed `seedOfRun`, which differs from run to run.
  public static var ofRun: SeededRandom { SeededRandom(seedOfRun) }

  /// True with the given probability.
  public mutating func chance(_ probability: Double) -> Bool {
    Double.random(in: 0..<1, using: &self) < probability
  }
}
