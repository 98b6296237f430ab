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
