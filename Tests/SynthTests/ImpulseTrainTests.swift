import Scratch
import Testing
@testable import Scenes
@testable import Synth

/// Sums of saws that are made of their jumps, beside the same computed at every sample.
@Suite("Saws and pulses made of impulses") struct ImpulseTrainTests {
  private var random = SeededRandom.ofRun

  /// What sums keep, and what they work in.
  private final class Memory {
    private let vectors: UnsafeMutablePointer<Lanes>

    init() {
      let count = ImpulseTail.count + ImpulseScratch.count + 2 * Limits.controlFrames
      vectors = .allocate(capacity: count)
      vectors.initialize(repeating: Lanes(repeating: 7), count: count)
    }

    deinit { vectors.deallocate() }

    var kept: ImpulseTail { ImpulseTail(vectors) }

    /// The samples of a sum, ±1 for each of its saws; of one with two sides, those of the left and then of the right.
    func samples(
      _ frames: Int, passed: Int = 0, planned: Int? = nil, isWide: Bool = false, continues: Bool = false,
      isKept: Bool = false,
      _ add: (inout ImpulseTrain) -> Void
    ) -> [Lanes] {
      var sum = ImpulseTrain(
        ImpulseScratch(vectors + ImpulseTail.count), kept,
        BlockPart(planned ?? passed + frames, from: passed, frames: frames), isWide: isWide,
        continues: continues, isKept: isKept)
      sum.begin(0, Lanes(repeating: 1), middle: 1)
      add(&sum)
      sum.place()
      let samples = vectors + (ImpulseTail.count + ImpulseScratch.count)
      sum.finish(samples, isWide ? samples + frames : samples)
      return (0..<(isWide ? 2 * frames : frames)).map { samples[$0] * BandLimitedStep.unit }
    }
  }

  /// The samples of a sum that keeps nothing.
  private static func samples(
    _ frames: Int, passed: Int = 0, planned: Int? = nil, _ add: (inout ImpulseTrain) -> Void
  ) -> [Lanes] {
    Memory().samples(frames, passed: passed, planned: planned, add)
  }

  private mutating func phases() -> Phases { Phases.random(in: Int32.min...Int32.max, using: &random) }

  /// Numbers of phase for each sample, so many octaves above 20 Hz at most.
  private mutating func way(_ octaves: Float) -> Lanes {
    exp2(Lanes.random(in: 0...octaves, using: &random)) * Float(40 / 48_000 * 2_147_483_648.0)
  }

  /// Saws whose jumps are 2. Measured: at most 4.6e-4 for all four.
  @Test(
    "Saws and pulses made of impulses are within 8e-4 of those computed at every sample",
    arguments: 1...4)
  mutating func sawsAndPulses(_ seed: Int) {
    for round in 0..<500 {
      let frames = (round + seed) % Limits.controlFrames + 1
      let ways = [way(7), way(7), way(7)]
      let starts = [phases(), phases(), phases()]
      // Of every other one the width moves.
      var width = PulseWidth(phases())
      if round & 1 == 0 { width.step = advances(ways[2] * Lanes.random(in: -0.4...0.9, using: &random)) }
      let found = Self.samples(frames) {
        $0.add(starts[0], way: ways[0], 0, 0)
        $0.add(starts[1], way: ways[1], 1, 0)
        $0.addPulses(starts[2], width, way: ways[2], 2, 0)
      }
      var most: Float = 0
      for i in 0..<frames {
        var wanted = Lanes.zero
        for saw in 0..<4 {
          let start: Phases = saw == 3 ? starts[2] &+ width.end : starts[saw]
          let way: Lanes = saw == 3 ? ways[2] + numbers(width.step) : ways[saw]
          let phase: Phases = start &+ advances(way) &* Phases(repeating: Int32(i))
          let steepness = 0.25 * BandLimitedStep.scale / way
          let (slope, offset) = (BandLimitedStep.slope(steepness), BandLimitedStep.offset(steepness))
          let value = BandLimitedStep.saw(numbers(phase), slope, offset, Lanes.zero)
          wanted += value * (saw == 3 ? -BandLimitedStep.unit : BandLimitedStep.unit)
        }
        most = max(most, magnitude(found[i] - wanted).max())
      }
      #expect(most < 8e-4)
    }
  }

  @Test("Splitting a control tick changes no bit of a sum of saws and pulses") mutating func splitTick() {
    for round in 0..<200 {
      let (begin, width, goal) = (phases(), PulseWidth(phases()), way(7))
      func samples(_ passed: Int, _ frames: Int) -> [Lanes] {
        Self.samples(frames, passed: passed, planned: Limits.controlFrames) {
          $0.add(begin, way: goal, 0, 0)
          $0.addPulses(begin, width, way: goal, 1, 0)
        }
      }
      let cut = round % (Limits.controlFrames - 1) + 1
      let whole = samples(0, Limits.controlFrames)
      let parts: [Lanes] = samples(0, cut) + samples(cut, Limits.controlFrames - cut)
      #expect(parts == whole)
    }
  }

  /// Levels are per lane. Measured: at most 2.4e-7.
  @Test("In a stereo sum each saw has its own level on each side, within 2e-6") mutating func sideLevels() {
    for round in 0..<200 {
      let frames = round % Limits.controlFrames + 1
      let (ways, starts) = ([way(7), way(7), way(7)], [phases(), phases(), phases()])
      let level = Lanes.random(in: 0...1, using: &random)
      let sides: [(Float, Float)] = [(0.7, 0.7), (0.9, 0.2), (0.2, 0.9)]
      let found = Memory().samples(frames, isWide: true) {
        $0.begin(0, level, middle: 0.7, own: 0.9, other: 0.2)
        for saw in 0..<3 {
          $0.add(starts[saw], way: ways[saw], saw, saw)
        }
      }
      var wanted = [Lanes](repeating: .zero, count: 2 * frames)
      for saw in 0..<3 {
        let alone = Self.samples(frames) {
          $0.add(starts[saw], way: ways[saw], 0, 0)
        }
        for i in 0..<frames {
          wanted[i] += alone[i] * level * sides[saw].0
          wanted[frames + i] += alone[i] * level * sides[saw].1
        }
      }
      var most: Float = 0
      for i in 0..<2 * frames {
        most = max(most, magnitude(found[i] - wanted[i]).max())
      }
      #expect(most < 2e-6)
    }
  }

  /// What smooths a jump of 2 at a sample that lies so many samples behind it: as of a saw of 5,000 samples.
  private static func bend(_ distance: Double) -> Float {
    let way = Float(4_294_967_296.0 / 5_000)
    let steepness = Lanes(repeating: 0.25 * BandLimitedStep.scale / way)
    let (slope, offset) = (BandLimitedStep.slope(steepness), BandLimitedStep.offset(steepness))
    let begun: Float = distance < 0 ? BandLimitedStep.scale : -BandLimitedStep.scale
    let number = begun + Float(distance) * way
    let value = BandLimitedStep.saw(Lanes(repeating: number), slope, offset, .zero)[0]
    return (value - number) * BandLimitedStep.unit
  }

  /// A synchronized saw whose jumps are as short as those of saws by themselves, so many samples behind a reset.
  private static func shortSynced(_ since: Double, _ period: Double, _ masterPeriod: Double) -> Float {
    let ratio = masterPeriod / period
    let place = since / period
    var value = Float(2 * (place - place.rounded(.down)) - 1)
    for reset in [-masterPeriod, 0, masterPeriod] {
      let height = ratio - (ratio.rounded(.up) - 1)
      if abs(since - reset) < 5 { value += Float(height) * bend(since - reset) }
      var own = max(1, ((since - reset - 5) / period).rounded(.up))
      while own < ratio, reset + own * period < since + 5 {
        value += bend(since - reset - own * period)
        own += 1
      }
    }
    return value
  }

  /// From block to block: where each saw is goes on, whether its jumps are put once or anew.
  /// Measured: at most 9e-5, and 6.4e-4 where jumps are short.
  @Test(
    "Synced saws are within 2e-4 of those computed at every sample, or 8e-4 for short jumps",
    arguments: [1.2, 4, 20] as [Float])
  mutating func syncedSaws(_ highest: Float) {
    for round in 0..<60 {
      let (goal, ratio) = (way(5), Lanes.random(in: 0.3...highest, using: &random))
      let masterAdvance = advances(goal)
      let masterIncrement = numbers(masterAdvance)
      let sawWay = numbers(advances(smaller(goal * ratio, Lanes(repeating: 0.3 * BandLimitedStep.scale))))
      var phase = phases()
      let exact = sawWay / masterIncrement
      let memory = Memory()
      memory.kept.synced.begin(mask(0xff), 0, increment: sawWay, phase, masterIncrement: masterIncrement)
      let source = SyncMaster(
        phase: phase, advance: masterAdvance, steepness: Lanes(repeating: 1),
        ratio: Ramp(value: exact, step: .zero))
      let saw = SyncedSaw(
        source, advance: advances(sawWay), shift: .zero, farther: Lanes(repeating: 1))
      var (most, mostOfShort, isKept): (Float, Float, Bool) = (0, 0, false)
      for block in 0..<120 {
        let frames = block % 5 == 4 ? block % Limits.controlFrames + 1 : Limits.controlFrames
        let (continues, isWhole) = (isKept && block % 5 != 4, frames == Limits.controlFrames)
        isKept = isWhole && round & 1 == 0
        let found = memory.samples(frames, continues: continues && isWhole, isKept: isKept) {
          $0.begin(1, Lanes(repeating: 1), middle: 1)
          $0.addSynced(sawWay, phase, masterIncrement: masterIncrement)
        }
        for i in 0..<frames {
          let wanted = saw.sample(phase, exact)
          for lane in 0..<8 {
            if ImpulseTrain.whole / sawWay[lane] <= ImpulseTrain.shortPeriod {
              most = max(most, abs(found[i][lane] - wanted[lane]))
              continue
            }
            let unit = 4_294_967_296.0 / Double(masterAdvance[lane])
            let short = Self.shortSynced(
              (Double(phase[lane]) / 4_294_967_296 + 0.5) * unit, 4_294_967_296 / Double(sawWay[lane]), unit)
            mostOfShort = max(mostOfShort, abs(found[i][lane] - short))
          }
          phase &+= masterAdvance
        }
      }
      #expect(most < 2e-4)
      #expect(mostOfShort < 8e-4)
    }
  }

  /// A sum that goes on from the block before, beside one that begins anew, while the pitch moves.
  /// Measured: at most 1.1e-4 where nothing moves, and 0.009 where the pitch moves by up to an octave in a tenth of a second.
  @Test(
    "A sum continued from the last block is within 3e-4 of a new one, or 0.02 while the pitch moves",
    arguments: [0, 2] as [Float])
  mutating func continuedSum(_ octavesPerTenth: Float) {
    for _ in 0..<40 {
      let memory = Memory()
      var (ways, starts) = ([way(6), way(6)], [phases(), phases()])
      let width = PulseWidth(phases())
      let step = exp2(
        Lanes.random(in: -0.5...0.5, using: &random) * (octavesPerTenth * Float(Limits.controlFrames) / 4_800)
      )
      var most: Float = 0
      for block in 0..<200 {
        let add: (inout ImpulseTrain) -> Void = {
          $0.begin(0, Lanes(repeating: 1), middle: 0.5, own: 1)
          $0.add(starts[0], way: ways[0], 0, 1)
          $0.addPulses(starts[1], width, way: ways[1], 7, 0)
        }
        let found = memory.samples(
          Limits.controlFrames, isWide: true, continues: block > 0, isKept: true, add)
        let wanted = Memory().samples(Limits.controlFrames, isWide: true, add)
        for i in 0..<2 * Limits.controlFrames { most = max(most, magnitude(found[i] - wanted[i]).max()) }
        for saw in 0..<2 {
          starts[saw] &+= phaseChange(advances(ways[saw]), Limits.controlFrames)
          ways[saw] *= step
        }
      }
      #expect(most < (octavesPerTenth == 0 ? 3e-4 : 0.02))
    }
  }

  /// Lanes without a voice may stand still, or go at any speed beside their master's; a lane that is no number would spread
  /// to all.
  @Test(
    "Synced saws stay below 3 at any speed of the saw and its master, in unused lanes too",
    arguments: [(1, 1), (1, 2_000_000_000), (2_000_000_000, 1), (40_000_000, 41_000_000), (800, 900_000_000)]
      as [(Int32, Int32)])
  mutating func extremeSpeeds(_ master: Int32, _ advance: Int32) {
    let (masterIncrement, way) = (Lanes(repeating: Float(master)), Lanes(repeating: Float(advance)))
    let memory = Memory()
    var phase = phases()
    memory.kept.synced.begin(mask(0x0f), 0, increment: way, phase, masterIncrement: masterIncrement)
    for round in 0..<3_000 {
      let found = memory.samples(Limits.controlFrames, continues: round & 4 != 0, isKept: true) {
        $0.begin(1, Lanes(repeating: 1), middle: 1)
        $0.addSynced(way, phase, masterIncrement: masterIncrement)
      }
      phase &+= Phases(repeating: master) &* Phases(repeating: Int32(Limits.controlFrames))
      let isBounded = found.allSatisfy { magnitude($0).max() < 3 }
      #expect(isBounded)
      if !isBounded { break }
      if phase[0] & 7 == 0 { phase = phases() }
    }
  }
}

extension ImpulseTrain {
  /// Adds saws, pulses and synchronized saws by themselves.
  fileprivate mutating func add(_ phase: Phases, way: Lanes, _ place: Int, _ pan: Int) {
    set(phase, way, place)
    add(1 << UInt8(place), pan)
  }

  fileprivate mutating func addPulses(
    _ phase: Phases, _ pulse: PulseWidth, way: Lanes, _ place: Int, _ pan: Int
  ) {
    set(phase, way, place)
    addPulses(1 << UInt8(place), pulse, pan)
  }

  fileprivate mutating func addSynced(_ way: Lanes, _ master: Phases, masterIncrement: Lanes) {
    scratch.motions(.increment, 0).pointee = way
    scratch.motions(.masterIncrement, 0).pointee = masterIncrement
    scratch.phases(.masterPhase, 0).pointee = master
    addSynced(1, 0)
  }

  private func set(_ phase: Phases, _ way: Lanes, _ place: Int) {
    scratch.motions(.increment, place).pointee = way
    scratch.phases(.phase, place).pointee = phase
  }
}
