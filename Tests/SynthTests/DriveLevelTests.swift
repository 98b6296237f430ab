import EngineHarness
import Glibc
import Testing
@testable import Scenes
@testable import Synth

/// A drive that is switched on keeps the loudness of soft and loud sounds, and does not make one swell or sink.
@Suite("Loudness of the drive") struct DriveLevelTests {
  private static func saws(_ rms: Float, _ frames: Int) -> [Float] {
    let hertz: [Float] = [130.8, 196, 261.6, 329.6, 392]
    let x = (0..<frames).map { i in
      hertz.reduce(Float(0)) { sum, hertz in
        let phase = hertz * Float(i) / 48_000 + hertz
        return sum + 2 * (phase - phase.rounded(.down)) - 1
      }
    }
    // Rounded off, as behind a filter.
    var (low, lower): (Float, Float) = (0, 0)
    let y = x.map { x in
      low += 0.3 * (x - low)
      lower += 0.3 * (low - lower)
      return lower
    }
    let factor = pow(10, rms / 20) / (y.reduce(0) { $0 + $1 * $1 } / Float(frames)).squareRoot()
    return y.map { $0 * factor }
  }

  private func play(_ x: [Float], _ shape: DriveShape, gain: Float) -> [Float] {
    var knobs = DriveKnobs()
    (knobs.on, knobs.shape, knobs.gain, knobs.tone, knobs.mix) = (1, Float(shape.rawValue), gain, 20_000, 1)
    var drive = EffectDrive(rate: 48_000)
    defer { drive.deallocate() }
    var chosen = knobs
    drive.snap(&knobs, &chosen, within: true)
    var (l, r) = (x, x)
    for tick in stride(from: 0, to: x.count, by: 16) {
      drive.aim(&knobs, &chosen, frames: 16)
      l.withUnsafeMutableBufferPointer { l in
        r.withUnsafeMutableBufferPointer { r in
          guard let l = l.baseAddress, let r = r.baseAddress else { return }
          drive.process(l + tick, r + tick, frames: 16)
        }
      }
    }
    return l
  }

  /// 6 dB above and below the level that the tables are for.
  @Test(
    "The drive keeps a chord of -24 or -12 dB within 2 LU of the intended loudness",
    arguments: DriveShape.allCases)
  func chordLoudness(_ shape: DriveShape) {
    var (worst, line): (Double, String) = (0, "")
    for rms in [-24, -12] as [Float] {
      let x = Self.saws(rms, 9_600)
      let dry = Loudness.ungated(x.suffix(4_800))
      for gain in [6, 18, 36] as [Float] {
        // The power makes levels alike.
        let meant = shape == .power ? Double((1 - DriveLoudness.exponent(gain)) * (-18 - rms)) : 0
        let change = Loudness.ungated(play(x, shape, gain: gain).suffix(4_800)) - dry - meant
        line += " \(rms) dB, +\(gain) dB \((change * 10).rounded() / 10)"
        worst = max(worst, abs(change))
      }
    }
    print("drive: change of loudness, \(shape):\(line) LU")
    #expect(worst < 2)
  }

  /// A sound that dies away by 40 dB a second is made louder by 2 dB a second at most; a steady one is left alone.
  @Test("The level estimate of the drive holds for a steady sound and falls by at most 2 dB per second")
  func slowFall() {
    var level = DriveLevel(rate: 48_000)
    func hear(_ amplitude: Float) {
      let x = (0..<16).map { amplitude * sin(Float($0) * .pi / 8) }
      x.withUnsafeBufferPointer { if let x = $0.baseAddress { level.measure(x, x) } }
    }
    for _ in 0..<600 { hear(0.25) }
    #expect(abs(level.decibels + 15.05) < 0.8)
    let steady = level.decibels
    for _ in 0..<3_000 { hear(0.25) }
    #expect(level.decibels == steady)
    for tick in 0..<3_000 { hear(0.25 * pow(10, -2 * Float(tick) / 3_000)) }
    #expect(level.decibels <= steady && level.decibels > steady - 2.01)
    // Nor does a pause.
    let before = level.decibels
    for _ in 0..<3_000 { hear(0.000_01) }
    #expect(before - level.decibels < 2.01)
  }

  /// Three notes after a recall, of a soft patch and a loud one, one that swells and one that dies away: the first is as loud
  /// as the others, from its beginning on, and keeps that.
  @Test(
    "The first two notes of a sound with drive are within 1 LU of the third from their start on",
    arguments: DriveShape.allCases)
  func firstNotes(_ shape: DriveShape) {
    let sounds: [[(String, Float)]] = [
      [], [("/amp/level", -18)], [("/amp/level", 6)], [("/filter/cutoff", 300)], [("/amp/attack", 1)],
      [("/amp/sustain", 0), ("/amp/decay", 0.5)],
    ]
    let knobs: [(String, Float)] = [
      ("/amp/sustain", 1), ("/amp/velocity", 0), ("/amp/release", 0.02), ("/drive/on", 1),
      ("/drive/gain", 18), ("/drive/shape", Float(shape.rawValue)), ("/lfo/1/wheel", 0),
    ]
    for sound in sounds {
      let player = Player(.with(knobs + sound))
      let notes = (0..<3).map { _ -> [Double] in
        player.left = []
        player.press(48)
        player.play(72_000)
        player.lift(48)
        player.play(24_000)
        return [480..<2_400, 2_400..<9_600, 9_600..<24_000, 24_000..<48_000, 48_000..<72_000].map {
          Loudness.ungated(player.left[$0])
        }
      }
      // What is much softer than the rest is not heard.
      let loudest = notes[2].max() ?? 0
      let pairs = zip(notes[0] + notes[1], notes[2] + notes[2]).filter { $1 > loudest - 4 }
      let worst = pairs.map { abs($0 - $1) }.max() ?? 100
      print("drive: first notes beside the third, \(shape), \(sound): \(worst) LU apart")
      #expect(worst < 1, "\(sound): \(notes)")
      // A steady sound stays as loud as it begins.
      if sound.isEmpty { #expect(abs(notes[0][1] - notes[0][4]) < 0.75) }
    }
  }
}
