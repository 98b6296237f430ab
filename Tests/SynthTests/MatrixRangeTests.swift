import EngineHarness
import Glibc
import Parameters
import Testing
@testable import Scenes
@testable import Synth

/// The ends of the matrix: what a whole amount is on each target, and the first and last choice of each list.
@Suite("Ranges of the modulation matrix") struct MatrixRangeTests {
  /// In the units of the sums: octaves, decibels, radians, or a knob's whole way.
  @Test(
    "An amount of 100 % moves each modulation target by its full range",
    arguments: ModulationTarget.allCases)
  func fullAmount(_ target: ModulationTarget) {
    let expected: Double =
      switch target {
      case .cutoff: 10
      case .lfoRate, .lfo2Rate, .lfo3Rate, .ampSpeed, .filterSpeed, .speed3, .glideSpeed: 5
      case .filterAmount: 8
      case .mode, .filterFM: 4
      case .drive: 24
      // From 20 Hz to 8 kHz, and from 1 cent to 200.
      case .highpass: log2(400)
      case .detune1, .detune2, .detune3: log2(200)
      case .feedback1, .feedback2, .feedback3: 1.5
      case .pm, .pm2: 20
      // 30 cents.
      case .drift1, .drift2, .drift3: exp2(30.0 / 1_200) - 1
      default: 1
      }
    #expect(abs(Double(target.range) / expected - 1) < 0.01, "\(target)")
  }

  @Test("Source and target numbers select their list entries, and numbers out of range are clamped")
  func choiceNumbers() {
    for (index, target) in ModulationTarget.allCases.dropLast().enumerated() {
      #expect(ModulationTarget.at(Float(index)) == target)
    }
    for (choice, name) in ModulationSource.names.enumerated() {
      #expect(ModulationSource.allCases[ModulationSource.index(Float(choice))].rawValue == name)
    }
    for beyond: Float in [1e9, .infinity] {
      #expect(ModulationTarget.at(beyond) == ModulationTarget.allCases.dropLast().last)
      #expect(ModulationSource.index(beyond) == ModulationSource.foot.index)
    }
    #expect(ModulationTarget.at(-1) == .off && ModulationSource.index(-1) == 0)
  }

  /// Tablets and programs send the number of a choice, so a new source is a new number.
  @Test("Every modulation source keeps its number, from off at 0 to foot at 25") func sourceNumbers() {
    #expect(
      ModulationSource.names.joined(separator: " ")
        == "off constant amp-envelope filter-envelope envelope-3 lfo-1 lfo-2 velocity release key random "
        + "alternate macro-1 macro-2 wheel bend pressure key-pressure timbre expression breath pedal "
        + "macro-3 macro-4 lfo-3 foot")
  }

  @Test("The key is worth 1/5 per octave in a slot, both as source and as scale") func keySource() {
    #expect(ModulationSource.normalizingFactor(ModulationSource.key.index) == 0.2)
    let sine: [(String, Float)] = [("/osc/1/wave", 0), ("/filter/cutoff", 20_000)]
    // An octave above middle C a fifth of an octave, by either.
    for (source, scale) in [(ModulationSource.key, ModulationSource.off), (.constant, .key)] {
      let player = ModulationTests.play(
        sine + ModulationTests.slot(1, source, .pitch, 1, scale: scale), note: 72, frames: 14_400)
      let hertz = 440 * exp2(3.0 / 12 + 0.2)
      #expect(abs(Array(player.left[4_800...]).pitch(rate: 48_000) - hertz) < 0.05)
    }
  }

  /// The depths that every sound has, at their ends: what each source at 1 brings, measured in the voice's sums.
  @Test("The fixed modulation depths of a sound, such as LFO to pitch, add their exact amounts")
  func fixedDepths() {
    let patch = UnsafeMutablePointer<Patch>.allocate(capacity: 1)
    let routes = UnsafeMutablePointer<ModulationRoutes>.allocate(capacity: 1)
    let sums = UnsafeMutablePointer<Lanes>.allocate(capacity: ModulationTarget.count)
    let values = UnsafeMutablePointer<Lanes>.allocate(capacity: ModulationSource.count)
    defer {
      patch.deallocate()
      routes.deallocate()
      sums.deallocate()
      values.deallocate()
    }
    func sum(_ sources: [ModulationSource], _ target: ModulationTarget, _ set: (inout Patch) -> Void) -> Float
    {
      patch.initialize(to: Patch())
      set(&patch.pointee)
      routes.initialize(to: ModulationRoutes())
      sums.initialize(repeating: .zero, count: ModulationTarget.count)
      values.initialize(repeating: .zero, count: ModulationSource.count)
      for source in sources { values[source.index] = Lanes(repeating: 1) }
      routes.snap(patch)
      let all = routes.pointee.toVoice | routes.pointee.toSources
      UnsafePointer(routes).add(all, values, to: sums)
      return sums[target.index][3]
    }
    #expect(sum([.lfo], .pitch) { $0.lfo.pitch = 600 } == 0.5)
    #expect(sum([.lfo, .touch], .pitch) { $0.lfo.wheel = 600 } == 0.5)
    #expect(sum([.lfo], .pitch) { $0.lfo.wheel = 600 } == 0)
    #expect(sum([.patchBend], .pitch) { $0.play.bend = 6 } == 0.5)
    #expect(sum([.lfo], .cutoff) { $0.lfo.cutoff = 2 } == 2)
    #expect(sum([.filterEnvelope], .cutoff) { $0.filter.amount = 3 } == 3)
    #expect(sum([.key], .cutoff) { $0.filter.track = 0.5 } == 0.5)
    #expect(sum([.velocity], .cutoff) { $0.filter.velocity = 2 } == 2)
    #expect(sum([.lfo], .level) { $0.lfo.level = 0.5 } == 0.25)
    #expect(sum([.envelope3], .pitch) { $0.envelope3.pitch = -24 } == -2)
    #expect(sum([.velocity], .ampSpeed) { $0.amplifier.envelope.speed = 2 } == 2)
    #expect(sum([.velocity], .filterSpeed) { $0.filter.envelope.speed = 2 } == 2)
    #expect(sum([.velocity], .speed3) { $0.envelope3.envelope.speed = 2 } == 2)
  }

  @Test(
    "An effect's mix moves alone and within 0 to 1; at 0 every effect but the drive is off",
    arguments: RackEffect.all)
  func effectMixes(_ effect: RackEffect) {
    func moved(_ mix: Float, on: Float = 1, by move: Float) -> (mixes: [Float], isOn: Bool) {
      var scene = Scene.with([(effect.on, on), (effect.mix, mix)])
      var moves = SIMD16<Float>.zero
      moves[effect.index] = move
      scene[0].patch.effects.moveMixes(by: moves)
      let mixes = RackEffect.all.map { other in
        Table.rows.first { $0.address == other.mix }.map { scene[0].patch[$0] } ?? .nan
      }
      return (mixes, scene[0].patch.effects.on & 1 << UInt32(effect.index) != 0)
    }
    let still = moved(0.25, by: 0).mixes
    for (move, wanted) in [(0.5, 0.75), (2, 1), (-3, 0)] as [(Float, Float)] {
      var expected = still
      expected[effect.index] = wanted
      #expect(moved(0.25, by: move).mixes == expected)
    }
    // One that is on is heard where it is mixed in; the drive makes the sound late at any mix.
    #expect(moved(0, by: 0.5).isOn && !moved(1, on: 0, by: 0).isOn)
    #expect(moved(0.25, by: -1).isOn == (effect.target == .driveMix))
  }
}
