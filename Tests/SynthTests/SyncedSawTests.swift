import Testing

@testable import Synth

/// Synchronized saws whose jumps are smoothed where they are, beside the same computed at every sample.
@Suite struct SyncedSawTests {
  private static let rows = Limits.controlFrames + Limits.lanesPerGroup

  /// The largest difference between both, of any phases, pitches and ratios up to `octaves` above 20 Hz.
  private static func difference(_ octaves: Float, _ random: inout SystemRandomNumberGenerator, _ frames: Int)
    -> Float
  {
    let master = exp2(Lanes.random(in: 0...octaves, using: &random)) * (40 / 48_000)
    let value = Lanes.random(in: 0.3...4, using: &random)
    let step = Lanes.random(in: -1e-4...1e-4, using: &random)
    let source = SyncMaster(
      phase: Phases.random(in: Int32.min...Int32.max, using: &random), advance: phases(master),
      steepness: Lanes(repeating: 1), ratio: Ramp(value: value, step: step))
    var saw = SyncedSaw(source, advance: phases(master * value), shift: Lanes.zero)
    let base = (0..<rows).map { _ in Lanes.random(in: -1...1, using: &random) * BandLimitedStep.scale }
    var x = base
    x.withUnsafeMutableBufferPointer {
      guard let x = $0.baseAddress else { return }
      saw.add(UnsafePointer(x), x, frames: frames)
    }
    var most: Float = 0
    var phase = source.phase
    for i in 0..<frames {
      let wanted =
        base[i] * BandLimitedStep.unit
        + saw.sample(phase, multiplyAdd(step, Lanes(repeating: Float(i)), value))
      let difference = magnitude(x[i] * BandLimitedStep.unit - wanted)
      most = max(most, difference.max())
      phase &+= source.advance
    }
    return most
  }

  /// Both must lie on the same side of each jump, or they would differ by all of it.
  @Test(arguments: [4, 8] as [Float]) func theyAreTheSame(_ octaves: Float) {
    var random = SystemRandomNumberGenerator()
    for round in 0..<1_000 {
      let difference = Self.difference(octaves, &random, round % Limits.controlFrames + 1)
      #expect(difference < 1e-5)
      if difference >= 1e-5 { break }
    }
  }

  /// Lanes without a voice have no master, and ratios leap when knobs do; a lane that is no number would spread to all.
  @Test(
    arguments: [(0, 1, 2_147_483_648, 0), (40, 5_000_000, 3, 30), (40, 40, 24_000, -1_000)]
      as [(Int32, Int32, Float, Float)])
  func theyAreNumbersAtAnyRatio(_ master: Int32, _ advance: Int32, _ ratio: Float, _ step: Float) {
    for start in stride(from: Int32.min, to: Int32.max - 4_000_000, by: 3_999_971) {
      let phases = Phases(0, 7, 99, 1_000, 70_001, 500_009, 1_000_003, 3_000_017) &+ start
      let ramp = Ramp(value: Lanes(repeating: ratio), step: Lanes(repeating: step))
      let source = SyncMaster(
        phase: phases, advance: Phases(repeating: master * 1_000_000), steepness: Lanes(repeating: 1),
        ratio: ramp)
      var saw = SyncedSaw(source, advance: Phases(repeating: advance), shift: Lanes.zero)
      var x = [Lanes](repeating: .zero, count: Self.rows)
      x.withUnsafeMutableBufferPointer {
        guard let x = $0.baseAddress else { return }
        saw.add(UnsafePointer(x), x, frames: Limits.controlFrames)
      }
      let largest =
        x.prefix(Limits.controlFrames).map { magnitude($0).max() * BandLimitedStep.unit }.max() ?? 0
      let isBounded = largest < 1_000 && x.allSatisfy { sum($0).isFinite }
      #expect(isBounded, "from \(start): \(largest)")
      if !isBounded { break }
    }
  }
}
