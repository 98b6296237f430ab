import EngineHarness
import Glibc
@testable import Scenes
@testable import Synth

/// A rotary speaker without its dry sound, with knobs that a test moves.
final class RotaryPlaying {
  let knobs = UnsafeMutablePointer<RotaryKnobs>.allocate(capacity: 1)
  let rate: Double
  var rotary: Rotary
  // Frames that have been played, for the phases of sines.
  private var played = 0

  init(_ speed: RotarySpeed, rate: Double = 48_000, _ change: (inout RotaryKnobs) -> Void = { _ in }) {
    var set = RotaryKnobs()
    (set.on, set.mix, set.speed, set.rate, set.inertia) = (1, 1, Float(speed.rawValue), 1, 1)
    (set.horn, set.spread) = (0.5, 1)
    change(&set)
    (rotary, self.rate) = (Rotary(rate: rate), rate)
    knobs.initialize(to: set)
    rotary.snap(knobs)
  }

  deinit {
    rotary.deallocate()
    knobs.deallocate()
  }

  func play(_ left: [Float], _ right: [Float], cuts: [Int] = [16]) -> (left: [Float], right: [Float]) {
    playInTicks(left, right, cuts: cuts, aim: { _ in rotary.aim(knobs, knobs, frames: 16) }) {
      rotary.process($0, $1, frames: $2)
    }
  }

  /// What both microphones hear of a sine at half of full scale that goes on from call to call.
  func sine(_ hertz: Double, seconds: Double) -> (left: [Float], right: [Float]) {
    let count = Int(seconds * rate / 16) * 16
    let x = (played..<played + count).map { Float(0.5 * sin(2 * .pi * hertz / rate * Double($0))) }
    played += count
    return play(x, x)
  }

  /// The level of each 10 ms, relative to that of the sine that goes in.
  func levels(_ hertz: Double, seconds: Double) -> [Double] {
    let (heard, block) = (sine(hertz, seconds: seconds).left, Int(rate / 100))
    return stride(from: 0, to: heard.count - block, by: block).map { from in
      let power = heard[from..<from + block].reduce(0) { $0 + Double($1) * Double($1) }
      return (power / Double(block) / 0.125).squareRoot()
    }
  }
}
