import EngineHarness
import Glibc
import Parameters
import Testing
@testable import Scenes
@testable import Synth

/// What goes out: no frame that is no number, the meters of every frame, and a limiter that is in time.
@Suite("Output faults, peaks and limiter recovery") struct OutputFaultTests {
  private static func master(_ level: Float = 0, equalizer: Float = 0) -> Master {
    var master = Master()
    master.level = level
    (master.equalizer.bypass, master.equalizer.gain) = (1 - equalizer, 12)
    (master.equalizer.frequency, master.equalizer.q) = (1_000, 1)
    return master
  }

  @Test(
    "A NaN or infinity in a block never reaches the output, and the next block is valid again",
    arguments: [1, 2, 7, 15, 16], [0, 1] as [Float])
  func nonFiniteFrames(_ frames: Int, _ equalizer: Float) {
    for place in 0..<2 * frames {
      var output = MasterOutput(rate: 48_000)
      var l = [Float](repeating: 0.25, count: 64)
      var r = l
      let knobs = Self.master(equalizer: equalizer)
      let before = output.process(&l, &r, frames: 64, tickOffset: 0, knobs)
      #expect(before)
      (l, r) = ([Float](repeating: 0.25, count: 64), [Float](repeating: 0.25, count: 64))
      if place < frames { l[place] = .nan } else { r[place - frames] = .infinity }
      let faulty = output.process(&l, &r, frames: frames, tickOffset: 0, knobs)
      #expect(!faulty && (l + r).allSatisfy { $0.isFinite }, "place \(place)")
      (l, r) = ([Float](repeating: 0.25, count: 64), [Float](repeating: 0.25, count: 64))
      let after = output.process(&l, &r, frames: 64, tickOffset: frames % 16, knobs)
      #expect(after && (l + r).allSatisfy { $0.isFinite }, "place \(place)")
    }
  }

  @Test("The output peak covers every frame of the left and the right side") func peakOfAllFrames() {
    for count in [1, 7, 8, 9, 16, 19] {
      for place in 0..<2 * count {
        var (l, r) = ([Float](repeating: 0.1, count: count), [Float](repeating: 0.1, count: count))
        if place < count { l[place] = -0.7 } else { r[place - count] = -0.7 }
        #expect(loudest(&l, &r, count) == 0.7, "\(place) of \(count)")
      }
    }
  }

  @Test("The gain reduction by the limiter of any output pair is metered", arguments: 0..<3)
  func reductionPerPair(_ part: Int) throws {
    var scene = Scene.with([("/osc/1/wave", 3), ("/amp/level", 12), ("/level", 6), ("/master/level", 6)])
    for other in 1..<3 { scene[other] = scene[0] }
    let player = OutputsPlayer(scene, outputs: try #require(PartOutputs("1-2,3-4,5-6")))
    for note in [45, 52, 57, 64] { player.press(note, target: Event.part(part)) }
    player.play(9_600)
    #expect(player.link.meters.takeReduction() > 2)
    #expect(player.link.meters.takePeak() > 0.8)
  }

  @Test("A limiter that was reset gives the same bits as a new one") func limiterReset() {
    func signal(_ level: Float) -> [Float] { (0..<9_600).map { level * sinf(Float($0) * 0.05) } }
    var used = Limiter(rate: 48_000)
    var new = Limiter(rate: 48_000)
    var (l, r) = (signal(8), signal(6))
    used.process(&l, &r, frames: 5_000)
    used.reset()
    _ = used.takeLowestGain()
    var (a, b) = (signal(0.5), signal(0.7))
    used.process(&a, &b, frames: a.count)
    var (c, d) = (signal(0.5), signal(0.7))
    new.process(&c, &d, frames: c.count)
    #expect(isSame(a.bits, c.bits) && isSame(b.bits, d.bits))
    #expect(used.takeLowestGain() == 1)
    #expect(c.peak > 0.4 && c[..<Limits.lookAhead].allSatisfy { $0 == 0 })
  }

  /// A quiet tone beside the loud one tells the gain.
  @Test("The limiter's gain recovers fast after a click and slowly after a second of loud sound")
  func gainRecovery() {
    func gains(loud: Range<Int>, _ level: Float, at frames: [Int]) -> [Float] {
      var limiter = Limiter(rate: 48_000)
      var l = (0..<120_000).map { i -> Float in
        loud.contains(i) ? level * (i % 2 == 0 ? 1 : 0.9) : 0.25
      }
      var r = l
      limiter.process(&l, &r, frames: l.count)
      return frames.map { l[loud.upperBound + $0] / 0.25 }
    }
    // Measured, and what it is as long as the times of both stages are.
    let click = gains(loud: 48_000..<48_001, 3.72, at: [480, 1_440, 4_800, 14_400])
    for (gain, measured) in zip(click, [0.418, 0.587, 0.749, 0.877] as [Float]) {
      #expect(abs(gain / measured - 1) < 0.02, "\(click)")
    }
    let long = gains(loud: 24_000..<72_000, 1.86, at: [480, 1_440, 4_800, 14_400, 28_800])
    for (gain, measured) in zip(long, [0.464, 0.479, 0.592, 0.791, 0.923] as [Float]) {
      #expect(abs(gain / measured - 1) < 0.02, "\(long)")
    }
  }
}
