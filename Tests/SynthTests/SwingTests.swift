import EngineHarness
import Glibc
import Testing
@testable import Scenes
@testable import Synth

/// How late the lines of the chorus are, against their formula.
@Suite("Chorus delay times") struct SwingTests {
  /// How late both sides are at each frame, in milliseconds: what is left of a ramp of slope 1, without the low-pass.
  private static func lateness(
    mode: Float, speed: Float = 1, depth: [Float], seconds: Double, gain: Double = 1
  ) -> (left: [Double], right: [Double]) {
    let knobs = UnsafeMutablePointer<ChorusKnobs>.allocate(capacity: 1)
    defer { knobs.deallocate() }
    var set = ChorusKnobs()
    (set.mode, set.rate, set.depth) = (mode, speed, depth[0])
    knobs.initialize(to: set)
    var chorus = Chorus(rate: 48_000)
    defer { chorus.deallocate() }
    chorus.snap(knobs)
    let ramp = (0..<Int(seconds * 48_000)).map { Float($0) / 65_536 }
    let y = playInTicks(
      ramp, ramp,
      aim: {
        knobs.pointee.depth = depth[16 * $0 < ramp.count / 2 ? 0 : depth.count - 1]
        chorus.aim(knobs, knobs, frames: 16)
      }, process: { chorus.process($0, $1, frames: $2) })
    func late(_ side: [Float]) -> [Double] {
      ramp.indices.map { (Double(ramp[$0]) - Double(side[$0]) / gain) * 65_536.0 / 48 - 2.97 / 48 }
    }
    return (late(y.left), late(y.right))
  }

  /// The ensemble: three lines around 5 ms, a third of a turn apart, that swing by 1.5 ms 0.6 times a second, and by a tenth of
  /// it ten times as fast; both sides hear the third at 0.6, and one of the others at 0.8.
  @Test(
    "The ensemble has three delay lines a third of a turn apart, with the calculated delays",
    arguments: [1, 2] as [Float], [1, 0.5] as [Float])
  func ensembleLines(_ speed: Float, _ depth: Float) {
    let (left, right) = Self.lateness(mode: 3, speed: speed, depth: [depth], seconds: 1.5, gain: 1.4)
    func line(_ turn: Double, _ seconds: Double) -> Double {
      let (slow, fast) = (0.6 * Double(speed) * seconds, 6 * Double(speed) * seconds)
      let swing = sin(2 * .pi * (slow + turn)) + 0.1 * sin(2 * .pi * (fast + turn))
      return 5 + 1.5 * Double(depth) * swing
    }
    for frame in stride(from: 960, to: left.count, by: 111) {
      // The low-pass of the lines is late too.
      let seconds = Double(frame - 3) / 48_000
      let middle = 0.6 * line(-1.0 / 3, seconds)
      let expected = (
        (0.8 * line(0, seconds) + middle) / 1.4, (0.8 * line(1.0 / 3, seconds) + middle) / 1.4
      )
      #expect(abs(left[frame] - expected.0) < 0.03, "frame \(frame)")
      #expect(abs(right[frame] - expected.1) < 0.03, "frame \(frame)")
    }
  }

  @Test(
    "The rate and depth knobs scale the built-in rate and swing of chorus types I and II",
    arguments: [(0, 0.513, 1.9), (1, 0.863, 1.9)] as [(Float, Double, Double)])
  func rateAndDepth(_ mode: (number: Float, hertz: Double, depth: Double)) {
    for (speed, depth) in [(2, 1), (4, 0.5), (0.5, 0.25)] as [(Float, Float)] {
      let hertz = mode.hertz * Double(speed)
      let left = Self.lateness(mode: mode.number, speed: speed, depth: [depth], seconds: 0.6 / hertz).left
      let swung = left.dropFirst(960)
      let most = swung.max() ?? 0
      #expect(abs(most - 3.4 - mode.depth * Double(depth)) < 0.05, "\(speed), \(depth): \(most)")
      let half = Double(left.firstIndex(of: most) ?? 0) / 48_000
      #expect(abs(half - 0.5 / hertz) < 0.02 / hertz + 0.004, "\(speed): \(half)")
    }
  }

  @Test("A jump of the chorus depth is smoothed and bends the pitch by less than 4 %") func depthJump() {
    for (from, to) in [(0, 1), (1, 0)] as [(Float, Float)] {
      let left = Self.lateness(mode: 0, depth: [from, to], seconds: 0.8).left
      let steps = zip(left[1_000...], left[999...]).map { ($0 - $1).magnitude * 48 }
      // 1.9 ms in 0.1 s are a fiftieth of a frame for each frame, and the swing itself a two hundredth.
      #expect((steps.max() ?? 1) < 0.04, "\(steps.max() ?? 1)")
    }
  }
}
