import Glibc
import Scratch
import Testing
@testable import Scenes
@testable import Synth

/// Eight lanes read a wavetable, each at its own level, position and phase. They are compared with the formula, computed for one
/// sample at a time in double precision.
struct TableReaderTests {
  private let table = PreparedWavetable(
    WaveSpectrum(frames: 5) { position, phase in sin(2 * .pi * phase) + position * (1 - 2 * phase) })
  private var change = TableChange()
  private var lanes = TableLanes()
  private let used: UInt8 = 0b1011_0111
  private let frames = 16
  private let phase = Phases(0, 1 << 30, .min, .max, -7, 123_456_789, -987_654_321, 5)
  private let advance = Phases(
    4_000_000, 9_000_000, 30_000_000, 0, 70_000_000, 200_000_000, -1_000, 900_000_000)
  // Beyond both ends, at both ends, on a frame, and between frames.
  private let ends: [Float] = [0, 0.05, 0.049, 0.95, 0.99, 0.5, 0.275, 0.7]
  private let steps: [Float] = [0, 0, 0.01, 0, -0.02, 0.001, 0, 0.03]

  init() {
    change.change(to: table.address, atOnce: true)
    lanes.aim(increments, change, used: used, started: 0xff)
  }

  private var increments: Lanes { larger(numbers(advance) * 0x1p-31, Lanes(repeating: 1e-4)) }

  private var pulse: PulseWidth {
    var pulse = PulseWidth(.zero)
    for lane in 0..<8 {
      pulse.end[lane] = Int32(truncatingIfNeeded: Int64(Double(ends[lane]) * 0x1p32))
      pulse.step[lane] = Int32(Double(steps[lane]) * 0x1p31) &* 2
    }
    return pulse
  }

  @Test("A lane sounds as the formula says, and one that is not used is silent")
  func steady() {
    expect(first: 0)
  }

  @Test("A lane fades to another level, wherever in the update the block begins", arguments: [0, 24])
  mutating func fades(first: Int) {
    let before = lanes
    lanes.aim(increments * 3, change, used: used, started: 0)
    #expect((0..<8).contains { lanes.now[$0] != before.now[$0] })
    expect(first: first)
  }

  /// Compares all samples of a block that begins `first` frames after the update.
  private func expect(first: Int) {
    var (lanes, change) = (lanes, change)
    var offsets = [Phases](repeating: .zero, count: frames)
    for i in 0..<frames {
      offsets[i] = Phases(0, 0, 0, 1 << 20, 0, -(1 << 24), 0, 0) &* Phases(repeating: Int32(i))
    }
    var block = [Lanes](repeating: Lanes(repeating: .nan), count: frames)
    let reader = TableReader(&lanes, &change, used: used, first: first)
    reader.fill(&block, offsets, phase, advance, pulse, frames: frames)
    var largest = 0.0
    for (i, offset) in offsets.enumerated() {
      let at = phase &+ advance &* Phases(repeating: Int32(i)) &+ offset
      for lane in 0..<8 {
        let isUsed = used >> lane & 1 != 0
        let gain = min(Double(lanes.fade[lane]) + Double(first + i) * Double(TableLanes.perFrame), 1)
        let now = sample(lanes.now[lane], lane, at[lane], i)
        let before = gain < 1 ? sample(lanes.before[lane], lane, at[lane], i) : now
        let expected = isUsed ? before + (now - before) * gain : 0
        largest = max(largest, abs(Double(block[i][lane]) - expected))
      }
    }
    // Measured: 1.4e-7, from single precision.
    #expect(largest < 5e-7)
    let alone = reader.samples(at: phase &+ offsets[0], pulse)
    #expect((0..<8).allSatisfy { alone[$0] == block[0][$0] })
  }

  /// The sample of a lane by the formula.
  private func sample(_ word: UInt32, _ lane: Int, _ phase: Int32, _ i: Int) -> Double {
    guard let wavetable = UnsafePointer<Wavetable>(bitPattern: table.address) else { return .nan }
    let level = wavetable.pointee.levels[Int(word & 0xff)]
    let last = wavetable.pointee.frames - 1
    let position = (Double(ends[lane]) + Double(i) * Double(steps[lane]) - 0.05) / 0.9
    let place = max(0, min(position, 1)) * Double(last)
    let frame = min(Int(place), last - 1)
    let period = Double(UInt32(bitPattern: phase)) * 0x1p-32 * Double(1 << level.bits)
    let z = period - Double(Int(period)) - 0.5
    let weights = [
      ((-0.15578801 * z + 0.25194475) * z - 0.15429463) * z + 0.0343273,
      ((0.4689607 * z - 0.25194475) * z - 0.53743831) * z + 0.46567255,
      ((-0.4689607 * z - 0.25194475) * z + 0.53743831) * z + 0.46567255,
      ((0.15578801 * z + 0.25194475) * z + 0.15429463) * z + 0.0343273,
    ]
    func value(_ frame: Int) -> Double {
      let samples = level.samples + frame * level.stride + Int(period)
      return (0..<4).reduce(0) { $0 + weights[$1] * Double(samples[$1]) }
    }
    return value(frame) + (value(frame + 1) - value(frame)) * (place - Double(frame))
  }
}
