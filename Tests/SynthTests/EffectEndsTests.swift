import EngineHarness
import Glibc
import Testing
@testable import Scenes
@testable import Synth

/// The drive and the delay at the ends of their knobs.
@Suite("Extremes of the drive and the delay") struct EffectEndsTests {
  private static func sine(_ hertz: Double, _ level: Double, _ count: Int) -> [Float] {
    (0..<count).map { Float(level * sin(2 * .pi * hertz / 48_000 * Double($0))) }
  }

  @Test("The tilt of the drive reaches 6 dB both ways and the gain 36 dB; larger values are clamped")
  func driveLimits() {
    func level(_ hertz: Double, gain: Float, tilt: Float) -> Double {
      var knobs = EffectKnobs()
      (knobs.drive.on, knobs.drive.mix, knobs.drive.tone) = (1, 1, 20_000)
      (knobs.drive.gain, knobs.drive.tilt) = (gain, tilt)
      // So quiet that nothing is bent, and that the level counts as a pause.
      var left = Self.sine(hertz, 1e-5, 9_600)
      var right = left
      EffectBench(knobs, rate: 48_000).process(&left, &right)
      return 20 * log10(Double(Array(left.suffix(4_800)).peak) / 1e-5)
    }
    let (low, high) = (level(60, gain: 0, tilt: 0), level(8_000, gain: 0, tilt: 0))
    for tilt: Float in [-6, 6] {
      #expect(abs(level(60, gain: 0, tilt: tilt) - low + Double(tilt)) < 0.5, "\(tilt)")
      #expect(abs(level(8_000, gain: 0, tilt: tilt) - high - Double(tilt)) < 0.8, "\(tilt)")
      #expect(level(60, gain: 0, tilt: 2 * tilt) == level(60, gain: 0, tilt: tilt))
    }
    // 12 dB more, of which the loudness takes back what a chord would have gained: 5.56.
    #expect(abs(level(1_000, gain: 36, tilt: 0) - level(1_000, gain: 24, tilt: 0) - 6.44) < 0.1)
    #expect(level(1_000, gain: 60, tilt: 0) == level(1_000, gain: 36, tilt: 0))
  }

  @Test("A new shape of the drive fades in linearly over 20 ms") func shapeFade() {
    let knobs = UnsafeMutablePointer<DriveKnobs>.allocate(capacity: 1)
    defer { knobs.deallocate() }
    func play(_ shapes: [Float]) -> [Float] {
      var set = DriveKnobs()
      (set.on, set.mix, set.tone, set.gain, set.shape) = (1, 1, 20_000, 20, shapes[0])
      knobs.initialize(to: set)
      var effect = EffectDrive(rate: 48_000)
      defer { effect.deallocate() }
      effect.snap(knobs, knobs)
      let x = Self.sine(200, 0.5, 9_600)
      return playInTicks(
        x, x,
        aim: { tick in
          knobs.pointee.shape = shapes[tick < 300 ? 0 : 1]
          effect.aim(knobs, knobs, frames: 16)
        }, process: { effect.process($0, $1, frames: $2) }
      ).left
    }
    let (old, new, fading) = (play([0, 0]), play([3, 3]), play([0, 3]))
    func share(_ frame: Int) -> Float {
      // The place near it where both differ most.
      let place = (frame - 60..<frame + 60).max { abs(new[$0] - old[$0]) < abs(new[$1] - old[$1]) } ?? frame
      return (fading[place] - old[place]) / (new[place] - old[place])
    }
    for (milliseconds, expected) in [(5, 0.25), (10, 0.5), (15, 0.75), (30, 1)] as [(Int, Float)] {
      #expect(abs(share(4_800 + 48 * milliseconds) - expected) < 0.2, "\(milliseconds) ms")
    }
  }

  /// What the drive takes for the level of its input: the loudest of the last seconds, and never faster than 1 dB a second.
  @Test("The drive's level estimate holds through a pause of 10 s and moves by at most 1 dB per second")
  func slowLevel() {
    var level = DriveLevel(rate: 48_000)
    func hear(_ decibels: Double, seconds: Double) -> Float {
      let x = Self.sine(480, sqrt(2) * pow(10, decibels / 20), 4_800)
      x.withUnsafeBufferPointer { x in
        guard let x = x.baseAddress else { return }
        for tick in 0..<Int(seconds * 3_000) { level.measure(x + 16 * (tick % 300), x + 16 * (tick % 300)) }
      }
      return level.decibels
    }
    let loud = hear(-10, seconds: 2)
    #expect(abs(loud + 10) < 0.5)
    // A pause of some seconds changes nothing, nor do two seconds of what is softer.
    #expect(hear(-80, seconds: 10) == loud && hear(-24, seconds: 2) == loud)
    let after = hear(-24, seconds: 8)
    #expect(after < loud - 0.5, "\(after)")
    let later = hear(-24, seconds: 2)
    #expect(abs(after - later - 2) < 0.05, "\(after), \(later)")
    _ = hear(-24, seconds: 20)
    #expect(abs(level.decibels + 24) < 0.8)
    let up = hear(-12, seconds: 2)
    #expect(up > -24 && up < -21.9, "\(up)")
  }

  @Test("At the largest feedback of 1.1 each echo is 10 % louder; values out of range are clamped")
  func growingEchoes() {
    func echoes(_ feedback: Float) -> [Float] {
      let knobs = UnsafeMutablePointer<DelayKnobs>.allocate(capacity: 1)
      defer { knobs.deallocate() }
      var set = DelayKnobs()
      (set.time, set.feedback, set.highpass, set.lowpass) = (0.01, feedback, 20, 20_000)
      knobs.initialize(to: set)
      var delay = Delay(rate: 48_000)
      defer { delay.deallocate() }
      delay.snap(knobs, tempo: 2)
      var x = [Float](repeating: 0, count: 4_864)
      x[0] = 0.001
      let y = playInTicks(
        x, x, aim: { _ in delay.aim(knobs, knobs, tempo: 2, frames: 16) },
        process: { delay.process($0, $1, frames: $2) })
      return (1...10).map { y.left[480 * $0] }
    }
    let most = echoes(1.1)
    for (one, next) in zip(most, most.dropFirst()) { #expect(abs(next / one - 1.1) < 0.01) }
    #expect(echoes(5) == most && abs(echoes(-1)[1]) < 1e-6)
  }

  @Test("A synced delay too long for the memory stays in time, and a tempo change bends no pitch")
  func syncedDelay() {
    let knobs = UnsafeMutablePointer<DelayKnobs>.allocate(capacity: 1)
    defer { knobs.deallocate() }
    var set = DelayKnobs()
    (set.time, set.highpass, set.lowpass) = (0.5, 20, 20_000)
    for (tempo, sync, frames) in [(2.5, 1, 76_800), (2.5, 2, 76_800), (3, 3, 64_000), (3, 4, 64_000)]
      as [(Float, Float, Int)]
    {
      set.sync = sync
      knobs.initialize(to: set)
      var times = DelayTimes()
      times.snap(knobs, tempo: tempo, rate: 48_000, longest: 96_000)
      #expect(times.left == frames && times.right == frames, "\(tempo), \(sync)")
    }
    set.sync = 17
    knobs.initialize(to: set)
    var delay = Delay(rate: 48_000)
    defer { delay.deallocate() }
    delay.snap(knobs, tempo: 2)
    let x = Self.sine(1_000, 0.05, 24_000)
    let y = playInTicks(
      x, x, aim: { delay.aim(knobs, knobs, tempo: $0 < 750 ? 2 : 2.5, frames: 16) },
      process: { delay.process($0, $1, frames: $2) }
    ).left
    let spectrum = Spectrum(y[10_000..<18_192], size: 8_192)
    let tone = spectrum.power(from: 850, to: 1_150)
    #expect(10 * log10((spectrum.power(from: 20, to: 24_000) - tone) / tone) < -40)
  }

  @Test("The tempo comes within 0.4 % of a jittering clock whose mean has moved by 0.6 %")
  func jitteringClock() {
    var steady = SteadyTempo()
    steady.snap(2)
    for beat in 0..<40 { steady.follow(2.012 + (beat % 2 == 0 ? 0.003 : -0.003), seconds: 0.5) }
    #expect(abs(steady.perSecond / 2.012 - 1) < 0.004, "\(steady.perSecond)")
  }
}
