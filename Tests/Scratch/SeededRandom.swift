import Foundation

/// Random numbers that a seed repeats.
public struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  /// The numbers that belong to `seed`.
  public init(_ seed: UInt64) { state = seed }

  /// The next of them (SplitMix64).
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

extension SeededRandom {
  /// The seed that the environment variable `PIPIT_SEED` holds; nil without one.
  public static let chosenSeed = ProcessInfo.processInfo.environment["PIPIT_SEED"].flatMap { UInt64($0) }

  /// The seed of this run: `PIPIT_SEED`, or else one by chance, which is printed, so that a failure can be repeated.
  public static let seedOfRun: UInt64 = {
    if let chosenSeed { return chosenSeed }
    let seed = UInt64.random(in: 1...999_999)
    print("random numbers: PIPIT_SEED=\(seed) repeats those of this run")
    return seed
  }()

  /// Numbers that differ from run to run, by `seedOfRun`.
  public static var ofRun: SeededRandom { SeededRandom(seedOfRun) }

  /// True with a probability.
  public mutating func chance(_ probability: Double) -> Bool {
    Double.random(in: 0..<1, using: &self) < probability
  }
}
