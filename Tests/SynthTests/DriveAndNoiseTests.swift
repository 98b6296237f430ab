import Testing
@testable import Scenes
@testable import Synth

/// The drive in front of a voice's filter, and the noise, eight lanes at a time.
@Suite("Drive and noise in eight lanes") struct DriveAndNoiseTests {
  /// Against the mean of u - 4u³/27 in double precision, in blocks of any length.
  @Test(
    "The drive is within 2e-6 of the mean of its curve between two samples",
    arguments: [Float(2), 6, 12, 30])
  func driveCurve(_ decibels: Float) {
    func antiderivative(_ u: Double) -> Double {
      let a = min(abs(u), 1.5)
      return a * a / 2 - a * a * a * a / 27 + abs(u) - a
    }
    let power = Double(exp2(Lanes(repeating: -decibels * 0.332192809))[0])
    let level = 1 / power.squareRoot()
    let share = min(Double(decibels) / 3, 1)
    let bent = share * (0.913 * power + 0.087).squareRoot()
    var (drive, words) = (DriveLanes(), LaneWords(1, 2, 3, 4, 5, 6, 7, 8) &* 0x27d4_eb2f)
    drive.begin()
    drive.shape(decibels: Lanes(repeating: decibels))
    var (before, worst) = ([Double](repeating: 0, count: 8), 0.0)
    for block in 0..<200 {
      let frames = 1 + block % 16
      drive.aim(perFrame: 1 / Float(frames))
      var x = [Lanes](repeating: .zero, count: frames)
      for n in 0..<frames {
        words = scrambled(words)
        x[n] = noise(words)
      }
      let y = x
      drive.process(&x, frames: frames)
      for n in 0..<frames {
        for lane in 0..<8 {
          let u = level * Double(y[n][lane])
          let way = u - before[lane]
          let mean = (antiderivative(u) - antiderivative(before[lane])) / way
          let error = abs(bent * mean + (1 - share) * Double(y[n][lane]) - Double(x[n][lane]))
          // The first blocks fade in; where there is next to no way, so is what is divided.
          if block > 1, abs(way) > 0.01 { worst = max(worst, error) }
          before[lane] = u
        }
      }
    }
    #expect(worst < 2e-6)
  }

  /// What stands still comes out so, within the bends and beyond them: where there is no way, nothing is divided by it.
  @Test("A constant input comes out of the drive constant and finite") func constantInput() {
    var drive = DriveLanes()
    drive.begin()
    drive.shape(decibels: Lanes(repeating: 12))
    for level in [Float(0), 0.1, 1, -3, 0] {
      var x = [Lanes](repeating: Lanes(repeating: level), count: 32)
      for _ in 0..<2 {
        x = [Lanes](repeating: Lanes(repeating: level), count: 32)
        drive.aim(perFrame: 1 / 32)
        drive.process(&x, frames: 32)
      }
      #expect(x[31] == x[30])
      #expect(x[31][0].isFinite)
    }
  }

  /// Eight colours, one in each lane: left is right, and each is as loud as white within 2 dB, cut as it may be.
  @Test("Each lane has noise of its own colour, alike on both sides and about as loud as white")
  func laneColours() {
    var noise = NoiseLanes()
    noise.level.rest(at: Lanes(repeating: 1))
    noise.aim(atColor: Lanes(-1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 1), mask(255), perFrame: 1 / 16)
    let mix = NoiseMix(color: 0)
    var power = [Double](repeating: 0, count: 8)
    var count = 0.0
    for block in 0..<16_000 {
      let frames = 1 + block % 16
      var left = [Lanes](repeating: .zero, count: frames)
      var right = [Lanes](repeating: .zero, count: frames)
      noise.add(to: &left, &right, mix, isMoving: true, rate: 48_000, isOdd: false, frames: frames)
      #expect(left == right)
      for x in left where block >= 1_000 {
        for lane in 0..<8 { power[lane] += Double(x[lane] * x[lane]) }
        count += 1
      }
    }
    for lane in 0..<8 {
      // Neighbouring colours are made of the same words, and add up to more where they agree.
      let ratio = power[lane] / count * 3
      #expect(ratio > 0.63)
      #expect(ratio < 2)
    }
  }

  /// White, dark and bright: a random word is two samples, and a tick may be cut between them.
  @Test("Noise has the same samples however a control tick is split", arguments: [Float(0), -0.5, -0.8, 0.5])
  func splitTick(_ color: Float) {
    func samples(_ runs: [Int]) -> [Lanes] {
      var (noise, all, passed) = (NoiseLanes(), [Lanes](), 0)
      noise.level.rest(at: Lanes(repeating: 1))
      for frames in runs {
        var x = [Lanes](repeating: .zero, count: frames)
        x.withUnsafeMutableBufferPointer {
          guard let x = $0.baseAddress else { return }
          noise.add(
            to: x, x, NoiseMix(color: color), isMoving: false, rate: 48_000, isOdd: passed & 1 != 0,
            frames: frames)
        }
        all += x
        passed += frames
      }
      return all
    }
    let whole = samples([16])
    for runs in [[1, 15], [7, 9], [7, 1, 8], [8, 8]] { #expect(samples(runs) == whole) }
  }
}
