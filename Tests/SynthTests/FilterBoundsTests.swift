import EngineHarness
import Glibc
import Parameters
import Scratch
import Testing
@testable import Scenes
@testable import Synth

/// What the filter must not do, whatever its knobs do.
@Suite("Bounds of the filter") struct FilterBoundsTests {
  /// Everything jumps at every tick, each lane for itself, under a loud input: it stays bounded, and silence follows.
  @Test(
    "With every setting jumping at each control tick the filter output stays finite and below 60",
    arguments: [UInt64(1), 2, 3, 4])
  func nothingGrowsWhateverJumps(_ seed: UInt64) {
    var random = seed &* 0x9e37_79b9_7f4a_7c15
    func next(_ range: ClosedRange<Float>) -> Float {
      random ^= random << 13
      random ^= random >> 7
      random ^= random << 17
      return range.lowerBound + (range.upperBound - range.lowerBound) * Float(random >> 40) / 16_777_216
    }
    func lanes(_ range: ClosedRange<Float>) -> Lanes {
      var x = Lanes.zero
      for lane in 0..<8 { x[lane] = next(range) }
      return x
    }
    var (filter, drive, highpass) = (FilterLanes(), DriveLanes(), HighPassLanes())
    let needs = FilterNeeds(FilterNeeds.mixed | FilterNeeds.saturated | FilterNeeds.long | FilterNeeds.short)
    var before = FilterNeeds()
    var unit = Ramp()
    unit.rest(at: Lanes(repeating: 1))
    var (loudest, x, silence): (Float, [Lanes], Float) = (0, [Lanes](repeating: .zero, count: 16), 0)
    drive.begin()
    for tick in 0..<6_000 {
      // From time to time the corners of all.
      let corner = tick % 3 == 0
      filter.shape = FilterShape(
        // With one seed it rings by itself all the time.
        resonance: seed == 4 ? Lanes(repeating: 1) : lanes(corner ? 0.9...1.2 : 0...1),
        modes: FilterModes(lanes(0...4)),
        short: lanes(-1...2).clamped(lowerBound: .zero, upperBound: Lanes(repeating: 1)))
      drive.shape(decibels: lanes(0...24))
      highpass.cutoff = lanes(1...13)
      let cutoff = lanes(corner ? 14...15 : 2...15)
      drive.aim(perFrame: 1 / 16)
      if tick == 0 { highpass.begin(rate: 48_000) }
      highpass.aim(rate: 48_000, perFrame: 1 / 16)
      filter.aimShaped(
        at: cutoff, hertz: exp2(cutoff), rate: 48_000, perFrame: 1 / 16, needs: needs, before: before)
      before = needs
      let ends = tick >= 4_000
      for n in 0..<16 { x[n] = ends ? .zero : lanes(-2...2) }
      highpass.process(&x, frames: 16)
      drive.process(&x, frames: 16)
      var mix = [Lanes](repeating: .zero, count: 16)
      _ = filter.processShaped(&x, unit, mix: &mix, frames: 16, needs: needs)
      for n in 0..<16 {
        for lane in 0..<8 {
          #expect(mix[n][lane].isFinite)
          loudest = max(loudest, abs(mix[n][lane]))
          if tick > 5_900 { silence = max(silence, abs(mix[n][lane])) }
        }
      }
    }
    print("fuzz: loudest \(loudest), ringing \(silence)")
    #expect(loudest < 60 && silence < 5)
  }

  @Test("Random jumps of all filter knobs at each block leave the output finite and free of faults")
  func jumpingKnobs() {
    var scene = Scene.with([
      ("/osc/1/level", 1), ("/osc/2/level", 1), ("/osc/2/wave", 3), ("/amp/release", 0.05),
    ])
    let player = Player(scene)
    var random = SeededRandom.ofRun
    let rows = Table.rows.indices.filter { Table.rows[$0].address.hasPrefix("/filter/") }
    for block in 0..<400 {
      for row in rows {
        let range = Table.rows[row].kind.range
        let value = Bool.random(using: &random) ? Float.random(in: range, using: &random) : range.upperBound
        scene[ParameterID(row: row, part: 0)] = Table.rows[row].kind.clamped(value) ?? 0
      }
      player.link.scene.publish(scene)
      player.link.scene.service()
      if block % 7 == 0 { player.press(36 + block % 50) }
      if block % 11 == 0 { player.lift(36 + (block / 7 * 7) % 50) }
      player.play(64)
    }
    #expect(player.left.allSatisfy { $0.isFinite && abs($0) <= 1.001 })
    #expect(player.link.meters[.faults] == 0)
  }
}
