import EngineHarness
import Glibc
import Testing
@testable import Scenes
@testable import Synth

/// The knobs of the reverb, each from end to end: size, pre-delay, swing, and the decay of bass and treble.
@Suite("Reverb knobs") struct ReverbKnobTests {
  private static func knobs(_ set: (inout ReverbKnobs) -> Void) -> ReverbKnobs {
    var knobs = ReverbKnobs()
    (knobs.size, knobs.decay, knobs.low, knobs.high, knobs.width) = (1, 2, 1, 1, 1)
    set(&knobs)
    return knobs
  }

  /// The answer of a room to an impulse on both sides.
  private static func answer(_ frames: Int, _ set: (inout ReverbKnobs) -> Void) -> [Float] {
    var (knobs, reverb) = (knobs(set), Reverb(rate: 48_000))
    defer { reverb.deallocate() }
    reverb.control.snap(&knobs, &knobs)
    var x = [Float](repeating: 0, count: frames)
    x[0] = 1
    return playInTicks(
      x, x, aim: { _ in reverb.control.aim(&knobs, &knobs, frames: 16) },
      process: { reverb.process($0, $1, frames: $2) }
    ).left
  }

  @Test("The size scales the delay lines from 25 to 100 % of their length, in a change of 50 ms")
  func roomSize() {
    var (set, reverb) = (Self.knobs { $0.size = 1 }, Reverb(rate: 48_000))
    defer { reverb.deallocate() }
    reverb.control.snap(&set, &set)
    let longest = (0..<8).map { Float(reverb.control.lengths[$0]) }
    #expect(longest == [2_473, 2_767, 3_217, 3_571, 4_057, 4_409, 4_723, 5_101])
    for (size, share) in [(0, 0.25), (0.5, 0.625), (-1, 0.25), (2, 1)] as [(Float, Float)] {
      set.size = size
      var ticks = 0
      repeat {
        reverb.control.passed = 16
        reverb.control.aim(&set, &set, frames: 16)
        ticks += 1
      } while reverb.control.fades && ticks < 1_000
      #expect((0..<8).allSatisfy { abs(Float(reverb.control.lengths[$0]) - share * longest[$0]) <= 1 })
      #expect((150...153).contains(ticks), "\(size): \(ticks)")
    }
  }

  @Test("The pre-delay delays the reverb by exactly its time, up to 200 ms") func preDelayTime() {
    let first = Self.answer(4_800) { $0.preDelay = 0 }
    for (seconds, frames) in [(0.05, 2_400), (0.2, 9_600), (0.3, 9_600)] as [(Float, Int)] {
      let later = Self.answer(frames + 4_800) { $0.preDelay = seconds }
      #expect(later[..<frames].allSatisfy { $0 == 0 })
      let begins = (first.firstIndex { $0 != 0 } ?? 0, later.firstIndex { $0 != 0 } ?? 0)
      #expect(begins.1 == begins.0 + frames, "\(begins)")
    }
  }

  @Test("Every other delay line swings by up to 16 samples, at 0.25 to 0.49 Hz") func lineModulation() {
    var (set, reverb) = (Self.knobs { $0.modulation = 1 }, Reverb(rate: 48_000))
    defer { reverb.deallocate() }
    reverb.control.snap(&set, &set)
    var turns = [Int](repeating: 0, count: 4)
    var (last, most) = ([Int32](repeating: 8, count: 4), [Int32](repeating: 0, count: 4))
    for _ in 0..<60_000 {
      reverb.control.passed = 16
      reverb.control.aim(&set, &set, frames: 16)
      let whole = UnsafeRawPointer(reverb.control.weights + 5).assumingMemoryBound(to: Int32.self)
      for line in 0..<4 {
        if last[line] < 8, whole[line] >= 8 { turns[line] += 1 }
        (last[line], most[line]) = (whole[line], max(most[line], whole[line]))
      }
    }
    // In 20 seconds.
    for line in 0..<4 {
      let expected = 20 * (0.25 + 0.08 * Double(line))
      #expect(abs(Double(turns[line]) - expected) <= 1, "line \(line): \(turns[line])")
      #expect((14...16).contains(most[line]))
    }
  }

  /// Seconds in which a band falls by 60 dB, from 0.15 s on.
  private static func decay(_ x: [Float], _ hertz: Double) -> Double {
    func power(_ at: Double) -> Double {
      let from = Int(at * 48_000)
      return 10
        * log10(
          (0..<4).map {
            Spectrum(x[from + 4_096 * $0..<from + 4_096 * ($0 + 1)], size: 4_096)
              .power(from: hertz / 1.3, to: hertz * 1.3)
          }.reduce(0, +))
    }
    return 60 * 0.3 / (power(0.15) - power(0.45))
  }

  @Test("Bass and treble have decay times of their own, and the midrange keeps its decay time")
  func bassAndTreble() {
    let x = Self.answer(43_200) { ($0.low, $0.high) = (0.4, 0.3) }
    // The treble has its time at 8 kHz, and the bass most of its time an octave below 200 Hz. Measured.
    for (hertz, seconds) in [(80.0, 1.26), (1_000, 1.72), (5_000, 0.76), (13_000, 0.51)] {
      #expect(abs(Self.decay(x, hertz) / seconds - 1) < 0.12, "\(hertz) Hz: \(Self.decay(x, hertz)) s")
    }
    let dark = Self.answer(43_200) { $0.high = 0.3 }
    for (hertz, seconds) in [(2_000.0, 1.52), (5_000, 0.78), (10_000, 0.57)] {
      #expect(abs(Self.decay(dark, hertz) / seconds - 1) < 0.1, "\(hertz) Hz: \(Self.decay(dark, hertz)) s")
    }
    // The bass that lasts longer than the middle, and the middle as it was.
    let long = Self.answer(43_200) { $0.low = 2 }
    #expect(Self.decay(long, 80) > 3 && abs(Self.decay(long, 1_000) / 2 - 1) < 0.1)
  }

  /// The seconds in which the band around 8 kHz falls by 60 dB: twice the time from -5 to -35 dB of what is left to come.
  private static func trebleDecay(_ x: [Float]) -> Double {
    let frames = stride(from: 0, to: x.count - 1_024, by: 256).map {
      Spectrum(x[$0..<$0 + 1_024], size: 1_024).power(from: 7_000, to: 9_000)
    }
    var (left, sum) = ([Double](), 0.0)
    for power in frames.reversed() {
      sum += power
      left.append(sum)
    }
    left.reverse()
    func time(_ decibels: Double) -> Double {
      Double(left.firstIndex { 10 * log10($0 / left[0]) < decibels } ?? left.count) * 256 / 48_000
    }
    return 2 * (time(-35) - time(-5))
  }

  /// The treble's knob is the decay at 8 kHz, as a multiple of the decay. Measured: 0.97 to 1.18 times that, and never
  /// less than 0.26 s, in which the all-passes ring at a decay of a second.
  @Test(
    "The treble knob sets the decay at 8 kHz as a multiple of the decay time, within 20 %",
    arguments: [1, 3] as [Float], [0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1] as [Float])
  func trebleTime(_ decay: Float, _ high: Float) {
    for modulation in [0, 0.5] as [Float] {
      let x = Self.answer(96_000) {
        ($0.decay, $0.high, $0.size, $0.modulation) = (decay, high, 0.3, modulation)
      }
      let seconds = Self.trebleDecay(x)
      let label = Double(decay * high)
      print("reverb: high \(high) of \(decay) s, modulation \(modulation): \(seconds / label) of its label")
      #expect(label < 0.3 ? seconds < 0.3 : abs(seconds / label - 1) < 0.2)
    }
  }
}
