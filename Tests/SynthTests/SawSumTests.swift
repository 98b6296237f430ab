import Testing

@testable import Synth

/// Sums of saws that are made of their jumps, beside the same computed at every sample.
@Suite struct SawSumTests {
  private var random = SystemRandomNumberGenerator()

  /// The samples of a sum, ±1 for each of its saws.
  private static func samples(
    _ frames: Int, passed: Int = 0, _ add: (inout SawSum) -> Void
  ) -> [Lanes] {
    var room = [Lanes](repeating: Lanes(repeating: 7), count: SumRoom.count + frames)
    room.withUnsafeMutableBufferPointer {
      guard let base = $0.baseAddress else { return }
      var sum = SawSum(SumRoom(base), passed: passed, frames: frames, isWide: false)
      add(&sum)
      sum.finish(base + SumRoom.count, base + SumRoom.count)
    }
    return room[SumRoom.count...].map { $0 * BandLimitedStep.unit }
  }

  private mutating func phases() -> Phases { Phases.random(in: Int32.min...Int32.max, using: &random) }

  /// Numbers of phase for each sample, so many octaves above 20 Hz at most.
  private mutating func way(_ octaves: Float) -> Lanes {
    exp2(Lanes.random(in: 0...octaves, using: &random)) * Float(40 / 48_000 * 2_147_483_648.0)
  }

  /// Saws whose jumps are 2. Measured: at most 4.6e-4 for all four.
  @Test(arguments: 1...4) mutating func sawsAndPulsesAreTheSame(_ seed: Int) {
    for round in 0..<500 {
      let frames = (round + seed) % Limits.controlFrames + 1
      let ways = [way(7), way(7), way(7)]
      let starts = [phases(), phases(), phases()]
      let width = Phases.random(in: Int32.min...Int32.max, using: &random)
      let found = Self.samples(frames) {
        $0.add(starts[0], way: ways[0], period: SawSum.whole / ways[0], 0)
        $0.add(starts[1], way: ways[1], period: SawSum.whole / ways[1], 1)
        $0.addPulses(starts[2], width, period: SawSum.whole / ways[2], 2)
      }
      var most: Float = 0
      for i in 0..<frames {
        var wanted = Lanes.zero
        for saw in 0..<4 {
          let pulse = saw == 3 ? width : .zero
          let phase =
            starts[min(saw, 2)] &+ pulse &+ advances(ways[min(saw, 2)]) &* Phases(repeating: Int32(i))
          let steepness = 0.25 * BandLimitedStep.scale / ways[min(saw, 2)]
          let (slope, offset) = (BandLimitedStep.slope(steepness), BandLimitedStep.offset(steepness))
          let value = BandLimitedStep.saw(numbers(phase), slope, offset, Lanes.zero)
          wanted += value * (saw == 3 ? -BandLimitedStep.unit : BandLimitedStep.unit)
        }
        most = max(most, magnitude(found[i] - wanted).max())
      }
      #expect(most < 8e-4)
    }
  }

  @Test mutating func aTickThatIsCutGivesTheSameBits() {
    for round in 0..<200 {
      let (begin, width, goal) = (phases(), phases(), way(7))
      let advance = advances(goal)
      func samples(_ passed: Int, _ frames: Int) -> [Lanes] {
        let place = begin &+ advance &* Phases(repeating: Int32(passed))
        return Self.samples(frames, passed: passed) {
          $0.add(place &- Synth.way(advance, passed), way: goal, period: SawSum.whole / goal, 0)
          $0.addPulses(place &- Synth.way(advance, passed), width, period: SawSum.whole / goal, 1)
        }
      }
      let cut = round % (Limits.controlFrames - 1) + 1
      let whole = samples(0, Limits.controlFrames)
      let parts: [Lanes] = samples(0, cut) + samples(cut, Limits.controlFrames - cut)
      #expect(parts == whole)
    }
  }

  /// Two sides: each saw is heard as loud as it is on each, and what lies on one alone is not on the other. Levels are per
  /// lane. Measured: at most 2.4e-7.
  @Test mutating func eachSideHasItsLevels() {
    for round in 0..<200 {
      let frames = round % Limits.controlFrames + 1
      let (ways, starts) = ([way(7), way(7), way(7)], [phases(), phases(), phases()])
      let level = Lanes.random(in: 0...1, using: &random)
      let sides: [(Float, Float)] = [(0.7, 0.7), (0.9, 0), (0.2, 0.6)]
      var room = [Lanes](repeating: Lanes(repeating: 7), count: SumRoom.count + 2 * frames)
      room.withUnsafeMutableBufferPointer {
        guard let base = $0.baseAddress else { return }
        var sum = SawSum(SumRoom(base), passed: 0, frames: frames, isWide: true)
        for saw in 0..<3 {
          sum.setLevel(level, left: sides[saw].0, right: sides[saw].1)
          sum.add(starts[saw], way: ways[saw], period: SawSum.whole / ways[saw], saw)
        }
        sum.finish(base + SumRoom.count, base + SumRoom.count + frames)
      }
      var wanted = [Lanes](repeating: .zero, count: 2 * frames)
      for saw in 0..<3 {
        let alone = Self.samples(frames) {
          $0.add(starts[saw], way: ways[saw], period: SawSum.whole / ways[saw], 0)
        }
        for i in 0..<frames {
          wanted[i] += alone[i] * level * sides[saw].0
          wanted[frames + i] += alone[i] * level * sides[saw].1
        }
      }
      var most: Float = 0
      for i in 0..<2 * frames {
        most = max(most, magnitude(room[SumRoom.count + i] * BandLimitedStep.unit - wanted[i]).max())
      }
      #expect(most < 2e-6)
    }
  }

  /// From block to block: where each saw is goes on. Measured: at most 3.4e-4.
  @Test(arguments: [1.2, 4, 20] as [Float]) mutating func synchronizedSawsAreTheSame(_ highest: Float) {
    for _ in 0..<60 {
      let (goal, ratio) = (way(5), Lanes.random(in: 0.3...highest, using: &random))
      let masterAdvance = advances(goal)
      let masterWay = numbers(masterAdvance)
      let sawWay = numbers(advances(smaller(goal * ratio, Lanes(repeating: 0.3 * BandLimitedStep.scale))))
      var phase = phases()
      let exact = sawWay / masterWay
      var place = SyncedPlace()
      place.begin(mask(0xff), phase, exact)
      let source = SyncMaster(
        phase: phase, advance: masterAdvance, steepness: Lanes(repeating: 1),
        ratio: Ramp(value: exact, step: .zero))
      let saw = SyncedSaw(source, advance: advances(sawWay), shift: .zero)
      var most: Float = 0
      for block in 0..<120 {
        let frames = block % 5 == 4 ? block % Limits.controlFrames + 1 : Limits.controlFrames
        let found = Self.samples(frames) {
          $0.add(
            &place, 0, advance: advances(sawWay), way: sawWay, period: SawSum.whole / sawWay, phase,
            masterAdvance: masterAdvance, ratio: exact)
        }
        for i in 0..<frames {
          most = max(most, magnitude(found[i] - saw.sample(phase, exact)).max())
          phase &+= masterAdvance
        }
      }
      #expect(most < 6e-4)
    }
  }

  /// Lanes without a voice may stand still, or go at any speed beside their master's; a lane that is no number would spread
  /// to all.
  @Test(
    arguments: [(1, 1), (1, 2_000_000_000), (2_000_000_000, 1), (40_000_000, 41_000_000), (800, 900_000_000)]
      as [(Int32, Int32)])
  mutating func theyAreNumbersAtAnySpeed(_ master: Int32, _ advance: Int32) {
    let (masterWay, way) = (Float(master), Float(advance))
    var (place, phase) = (SyncedPlace(), phases())
    place.begin(mask(0x0f), phase, Lanes(repeating: way / masterWay))
    for _ in 0..<3_000 {
      let found = Self.samples(Limits.controlFrames) {
        $0.add(
          &place, 0, advance: Phases(repeating: advance), way: Lanes(repeating: way),
          period: Lanes(repeating: SawSum.whole / way), phase, masterAdvance: Phases(repeating: master),
          ratio: Lanes(repeating: way / masterWay))
      }
      phase &+= Phases(repeating: master) &* Phases(repeating: Int32(Limits.controlFrames))
      let isBounded = found.allSatisfy { magnitude($0).max() < 3 }
      #expect(isBounded)
      if !isBounded { break }
      if phase[0] & 7 == 0 { phase = phases() }
    }
  }
}
