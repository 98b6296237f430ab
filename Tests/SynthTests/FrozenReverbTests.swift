import EngineHarness
import Glibc
import Testing
@testable import Scenes
@testable import Synth

/// A reverb that is frozen keeps what is in it, for ever, and lets nothing in.
@Suite("Frozen reverb") struct FrozenReverbTests {
  /// A room by itself, as the rack plays it, tick by tick.
  private final class Room {
    var reverb = Reverb(rate: 48_000)
    var knobs = ReverbKnobs()

    init() {
      (knobs.preDelay, knobs.size, knobs.decay, knobs.low, knobs.high) = (0, 0.5, 1, 1, 0.5)
      (knobs.modulation, knobs.width) = (1, 1)
      reverb.control.snap(&knobs, &knobs)
    }

    deinit { reverb.deallocate() }

    func play(_ left: [Float], _ right: [Float]? = nil) -> (left: [Float], right: [Float]) {
      playInTicks(
        left, right ?? left, aim: { _ in reverb.control.aim(&knobs, &knobs, frames: 16) },
        process: { reverb.process($0, $1, frames: $2) })
    }
  }

  private static func noise(_ count: Int) -> [Float] {
    var words: UInt32 = 1
    return (0..<count).map { _ in
      words = words &* 1_664_525 &+ 1_013_904_223
      return Float(Int32(bitPattern: words)) / 4_294_967_296
    }
  }

  private static func decibels(_ x: some Collection<Float>) -> Double {
    10 * log10(x.reduce(0) { $0 + Double($1) * Double($1) } / Double(x.count))
  }

  /// A frozen room, and where its gate has closed.
  private static func frozen() -> Room {
    let room = Room()
    _ = room.play(noise(9_600))
    room.knobs.freeze = 1
    _ = room.play([Float](repeating: 0, count: 9_600))
    return room
  }

  @Test("Input to a frozen reverb changes no bit of its output, neither at once nor later")
  func frozenInput() {
    func answer(_ input: [Float]) -> [UInt32] {
      let room = Self.frozen()
      let one = room.play(input, input.map { -0.7 * $0 })
      let after = room.play([Float](repeating: 0, count: 9_600))
      return (one.left + one.right + after.left + after.right).bits
    }
    let silence = answer([Float](repeating: 0, count: 9_600))
    #expect(silence.contains { Float(bitPattern: $0).magnitude > 0.01 })
    #expect(isSame(answer(Self.noise(9_600)), silence))
  }

  /// Measured within 2 dB: its modes beat.
  @Test("After 24 s a frozen reverb is as loud within 3 dB in the bass, the middle and the treble")
  func frozenLevel() {
    let room = Self.frozen()
    let first = room.play([Float](repeating: 0, count: 32_768)).left
    for _ in 0..<24 { _ = room.play([Float](repeating: 0, count: 48_000)) }
    let last = room.play([Float](repeating: 0, count: 32_768)).left
    let (before, after) = (Spectrum(first, size: 32_768), Spectrum(last, size: 32_768))
    for (low, high) in [(60.0, 250.0), (500, 2_000), (4_000, 10_000)] {
      let change = 10 * log10(after.power(from: low, to: high) / before.power(from: low, to: high))
      #expect(abs(change) < 3, "\(low) Hz: \(change) dB")
    }
  }

  @Test("An unfrozen reverb decays by more than 25 dB in half a second and lets input in again")
  func unfrozenReverb() {
    let room = Self.frozen()
    let before = Self.decibels(room.play([Float](repeating: 0, count: 4_800)).left)
    room.knobs.freeze = 0
    _ = room.play([Float](repeating: 0, count: 24_000))
    let after = Self.decibels(room.play([Float](repeating: 0, count: 4_800)).left)
    // Half a second and a bit of a tail of one second: 30 dB and more, with the treble's faster fall.
    #expect(before - after > 25, "\(before - after) dB")
    let answer = room.play(Self.noise(9_600)).left
    #expect(Self.decibels(answer.suffix(4_800)) > after + 20)
  }
}
