import Scratch
import Testing
@testable import Scenes
@testable import Synth

/// Saws that are smoothed only near their jumps, beside the same computed at every sample: the same bits.
@Suite("Sparse saw smoothing") struct SparseSawTests {
  private static let rows = Limits.controlFrames + Limits.lanesPerGroup

  private static func smoothed(
    _ phase: Phases, _ advance: Phases, _ reach: Phases, _ level: Lanes, _ base: [Lanes], _ frames: Int
  ) -> (low: [Lanes], all: [Lanes], line: [Lanes]) {
    let steepness = 2_147_483_648 / numbers(reach)
    let none = steepness - steepness
    var (low, all) = (base, base)
    var s = phase
    for i in 0..<frames {
      low[i] = multiplyAdd(level, numbers(s), base[i])
      let correction = BandLimitedStep.correction(
        numbers(s), BandLimitedStep.slope(steepness), BandLimitedStep.offset(steepness), none)
      all[i] = multiplyAdd(level, correction, low[i])
      s &+= advance
    }
    let line = low
    low.withUnsafeMutableBufferPointer {
      guard let x = $0.baseAddress else { return }
      SparseSaw(advance: advance, reach: reach, steepness: steepness).smooth(
        x, from: phase, level, frames: frames)
    }
    return (low, all, line)
  }

  /// Any pitch that is low enough, any phase, any number of frames; also of a voice of a unison, whose reach is that of the
  /// first one, two semitones higher or lower.
  @Test(
    "Saws that are smoothed only near their jumps have the bits of saws smoothed at every sample",
    arguments: [1, 1.1225, 0.8909] as [Float])
  func smoothedJumps(_ detune: Float) {
    var random = SeededRandom.ofRun
    var jumps = 0
    for round in 0..<4_000 {
      let octaves = Lanes.random(in: -16...0, using: &random)
      let way = exp2(octaves) * 0.0624
      let (advance, reach) = (phases(way), phases(way * detune) &<< 2)
      #expect(SparseSaw.pays(advance))
      let phase = Phases.random(in: Int32.min...Int32.max, using: &random)
      let level = Lanes.random(in: 0...1e-9, using: &random)
      let base = (0..<Self.rows).map { _ in Lanes.random(in: -1...1, using: &random) }
      let frames = round % Limits.controlFrames + 1
      let (low, all, line) = Self.smoothed(phase, advance, reach, level, base, frames)
      #expect(low == all, "phase \(phase), advance \(advance), \(frames) frames")
      if all != line { jumps += 1 }
      if low != all { break }
    }
    // Most of these pitches are far too low for a jump in every block.
    #expect(jumps > 500)
  }

  @Test("A single voice above the pitch limit rules out sparse smoothing") func highPitch() {
    var advance = Phases(repeating: 1_000)
    advance[3] = (1 << 27) + 1
    #expect(!SparseSaw.pays(advance))
  }
}
