/// The rotary speaker of a part: a crossover, a horn for what lies above it and a drum for what lies below, which turn in
/// front of two microphones. The horn bends the pitch and swings in level, the drum swings in level.
///
/// The cabinet has one input, the mean of both sides. It is normally heard alone: a full mix replaces the dry sound. A
/// partial mix makes a comb above 300 Hz, since the horn is late by up to a millisecond. Below 300 Hz, dry and wet sound are
/// nearly in phase. Therefore the mix fades linearly between them: with equal power it would be up to 3 dB louder halfway.
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

  /// Jumps to the knobs. Rotors that turn already go on.
  @_noLocks
  mutating func snap(_ knobs: UnsafePointer<RotaryKnobs>) {
    rotors.begin(knobs)
    microphones.snap(knobs, rotors)
  }

  /// Continues the turning of other rotors, before the first `snap`: of the sound that a recall replaces.
  @_noLocks
  mutating func keep(_ rotors: Rotors) { self.rotors = rotors }

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

  /// Replaces some frames by what the microphones hear, without the dry sound.
  @_noLocks
  mutating func process(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int
  ) {
    cleared = 0
    crossover.process(left, right, frames: frames, pairs)
    rings.write(pairs, at: tick &+ done, frames: frames)
    hear(from: done & ~3, to: done &+ frames)
    copy(output + done, to: left, frames: frames)
    copy(output + (Limits.controlFrames &+ done), to: right, frames: frames)
    done &+= frames
  }

  /// Writes what both microphones hear from frame `from` of a tick to frame `to`, and up to three frames after it.
  @_noLocks @inline(never)
  private func hear(from: Int, to: Int) {
    let (gain, step) = (microphones.gains.from, microphones.gains.step)
    let right = output + Limits.controlFrames
    var i = from
    while i < to {
      let frame = UnsafePointer(counted + i).four
      let drum = rings.behind(drumDelay, of: 0, at: tick &+ i).four
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

  /// Clears the memory, 16 KiB per call; true when all of it is clear. The rotors begin anew.
  @_noLocks
  mutating func forget() -> Bool {
    (tick, done, rotors) = (0, 0, Rotors())
    crossover.reset()
    // The table of frame numbers is kept.
    let sound = memory.distance(to: counted)
    cleared = clear(memory, from: cleared, count: sound)
    return cleared == sound
  }
}
