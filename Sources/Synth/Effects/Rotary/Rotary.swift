import CRealtime
import Scenes

/// The rotary speaker of a part: a crossover, a horn for the treble above it and a drum for the bass below it, which
/// rotate in front of two microphones. The horn modulates pitch and level, the drum only the level.
///
/// The cabinet has one input, the mean of both sides. It is normally used alone: a full mix replaces the dry sound. A
/// partial mix makes a comb filter above 300 Hz, since the horn is delayed by up to a millisecond. Below 300 Hz, dry
/// and wet sound are nearly in phase. Therefore the mix fades linearly between them: with equal power it would be up
/// to 3 dB louder halfway.
struct Rotary {
  private let memory: UnsafeMutablePointer<Float>
  private let count: Int
  private let rate: Float
  private let rings: PairRings
  // Pairs of samples for drum and horn, and the outputs of both sides, for the frames of a tick.
  private let pairs: UnsafeMutablePointer<Float>
  private let output: UnsafeMutablePointer<Float>
  // 0, 1, 2 … 15, as in `Chorus`.
  private let counted: UnsafeMutablePointer<Float>
  private var crossover: RotaryCrossover
  private var microphones: RotaryMicrophones
  /// Horn and drum. They stand still while the sound rests.
  private(set) var rotors = Rotors()
  private let drumDelay: Int
  // The first frame of the tick, and the frames of it that have been rendered.
  private var tick = 0
  private var done = 0
  // Samples of memory that are cleared.
  private var cleared: Int

  /// A silent speaker for a sample rate. Control thread only.
  init(rate: Double) {
    let block = Limits.controlFrames
    let longest = Int(Double(RotaryMicrophones.longest) * rate) + 2 * block
    let ring = PairRings.memory(longest: longest, hasMean: false)
    count = ring + RotaryMicrophones.memory + 5 * block
    memory = .allocate(capacity: count)
    memory.initialize(repeating: 0, count: count)
    rings = PairRings(memory, longest: longest, hasMean: false)
    microphones = RotaryMicrophones(memory + ring, rate: Float(rate))
    pairs = memory + ring + RotaryMicrophones.memory
    output = pairs + 2 * block
    counted = output + 2 * block
    for i in 0..<block { counted[i] = Float(i) }
    crossover = RotaryCrossover(rate: rate)
    drumDelay = Int(RotaryMicrophones.drum * Float(rate) + RotaryMicrophones.shortest)
    self.rate = Float(rate)
    cleared = count
  }

  /// Frees the memory. Control thread only.
  func deallocate() { memory.deallocate() }

  /// Jumps to the knobs. Rotors that already turn continue.
  @_noLocks
  mutating func snap(_ knobs: UnsafePointer<RotaryKnobs>) {
    rotors.begin(knobs)
    microphones.snap(knobs, rotors)
  }

  /// Takes over other rotors, before the first `snap`: those of the sound that a recall replaces.
  @_noLocks
  mutating func continueRotation(of rotors: Rotors) { self.rotors = rotors }

  /// Aims at the knobs over the next `frames`; `chosen` holds the knobs' targets.
  @_noLocks
  mutating func aim(
    _ knobs: UnsafePointer<RotaryKnobs>, _ chosen: UnsafePointer<RotaryKnobs>, frames: Int
  ) {
    let seconds = Float(frames) / rate
    rotors.turn(chosen, seconds: seconds)
    microphones.aim(knobs, rotors, frames: frames, seconds: seconds)
    (tick, done) = (tick &+ done, 0)
  }

  /// Replaces some frames by the signals of the microphones, without the dry sound.
  @_noLocks
  mutating func process(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int
  ) {
    cleared = 0
    crossover.process(left, right, frames: frames, pairs)
    rings.write(pairs, at: tick &+ done, frames: frames)
    mixMicrophones(from: done & ~3, to: done &+ frames)
    copy(output + done, to: left, frames: frames)
    copy(output + (Limits.controlFrames &+ done), to: right, frames: frames)
    done &+= frames
  }

  /// Writes the signals of both microphones from frame `from` of a tick to frame `to`, and up to three frames after
  /// it.
  @_noLocks @inline(never)
  private func mixMicrophones(from: Int, to: Int) {
    let (gain, step) = (microphones.gains.from, microphones.gains.step)
    let right = output + Limits.controlFrames
    var i = from
    while i < to {
      let frame = UnsafePointer(counted + i).four
      let drum = rings.delayed(by: drumDelay, of: 0, at: tick &+ i).four
      let horn = (
        microphones.horn(0, rings, tick: tick, i, frame), microphones.horn(1, rings, tick: tick, i, frame)
      )
      let hornGain = (
        multiplyAdd(frame, Quad(repeating: step[0]), Quad(repeating: gain[0])),
        multiplyAdd(frame, Quad(repeating: step[1]), Quad(repeating: gain[1]))
      )
      let drumGain = (
        multiplyAdd(frame, Quad(repeating: step[2]), Quad(repeating: gain[2])),
        multiplyAdd(frame, Quad(repeating: step[3]), Quad(repeating: gain[3]))
      )
      (output + i).four = multiplyAdd(horn.0, hornGain.0, drum * drumGain.0)
      (right + i).four = multiplyAdd(horn.1, hornGain.1, drum * drumGain.1)
      i &+= 4
    }
  }

  /// Clears the memory, 16 KiB per call; true when all of it is clear. The rotors restart.
  @_noLocks
  mutating func clearPiece() -> Bool {
    (tick, done, rotors) = (0, 0, Rotors())
    crossover.reset()
    // The table of frame numbers is kept.
    let sound = memory.distance(to: counted)
    cleared = clear(memory, from: cleared, count: sound)
    return cleared == sound
  }
}

/// The crossover of a rotary speaker (Linkwitz-Riley): a low-pass for the drum and a high-pass for the horn. Each
/// consists of two equal second-order sections, and both add up to an all-pass (S. H. Linkwitz, "Active crossover
/// networks for noncoincident drivers", JAES 24, 1976).
///
/// As in `ChorusFilter`, all four sections form one vector, and the second ones use the output of the sample before.
struct RotaryCrossover {
  // Low-pass and high-pass of the first section, low-pass and high-pass of the second.
  private var first = Quad.zero
  private var second = Quad.zero
  private var passed = Quad.zero
  private let gain: Quad
  private let a1: Quad
  private let a2: Quad

  /// The frequency in hertz at which both are at -6 dB.
  static let hertz = 800.0

  /// A crossover at rest for a sample rate.
  init(rate: Double) {
    let g = rt_tan64(Double.pi * Self.hertz / rate)
    let a0 = 1 + g * (g + 1.4142135623730951)
    let (low, high) = (Float(g * g / a0), Float(1 / a0))
    gain = Quad(low, high, low, high)
    a1 = Quad(repeating: Float((2 * g * g - 2) / a0))
    a2 = Quad(repeating: Float((1 + g * (g - 1.4142135623730951)) / a0))
  }

  /// Splits the mean of both sides: the drum's and the horn's samples, interleaved.
  @_noLocks @inline(__always)
  mutating func process(
    _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, frames: Int,
    _ pairs: UnsafeMutablePointer<Float>
  ) {
    var (s1, s2, y) = (first, second, passed)
    let (gain, a1, a2, twice) = (gain, a1, a2, rt_opaque(Quad(2, -2, 2, -2)))
    var i = 0
    while i < frames {
      let mean = 0.5 * (left[i] + right[i])
      let x = rt_opaque(Quad(lowHalf: SIMD2(mean, mean), highHalf: y.lowHalf)) * gain
      y = s1 + x
      s1 = (s2 + x * twice) - a1 * y
      s2 = x - a2 * y
      UnsafeMutableRawPointer(pairs + 2 &* i).storeBytes(of: y.highHalf, as: SIMD2<Float>.self)
      i &+= 1
    }
    (first, second, passed) = (s1, s2, y)
  }

  /// Clears the state.
  @_noLocks
  mutating func reset() { (first, second, passed) = (.zero, .zero, .zero) }
}
