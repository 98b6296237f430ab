import EngineHarness
import Glibc
import Parameters
import Testing
@testable import Scenes
@testable import Synth

/// A compressor that listens to the beat or to another part, and ducks its sound.
@Suite("Ducking by a part or by the beat") struct DuckerTests {
  private static let pad: [(String, Float)] = [
    ("/osc/1/wave", 3), ("/amp/velocity", 0), ("/amp/attack", 0.001), ("/amp/level", -12),
    ("/lfo/1/wheel", 0), ("/filter/cutoff", 20_000),
  ]
  private static let ducked: [(String, Float)] = [
    ("/compressor/on", 1), ("/compressor/threshold", -40), ("/compressor/ratio", 4),
    ("/compressor/attack", 0.0005), ("/compressor/release", 0.05),
  ]

  // MARK: - A part

  /// A pad in part 1 that listens to a part, and a note in part 2, which is muted, from 0.2 s to 0.4 s.
  private static func ducker(source: Float, block: Int = 64, at offset: Int = 0) -> Player {
    var scene = Scene.with(pad + ducked + [("/compressor/source", source)])
    scene[1].patch = scene[0].patch
    scene[1].patch.effects = EffectKnobs()
    (scene[1].strip.on, scene[1].strip.mute) = (1, 1)
    let player = Player(scene)
    player.send(.noteOn, target: Event.part(0), note: 57, value: 1)
    player.send(.noteOn, at: 9_600 + offset, target: Event.part(1), note: 45, value: 1)
    player.send(.noteOff, at: 19_200 + offset, target: Event.part(1), note: 45, value: 1)
    player.play(33_600, block: block)
    return player
  }

  private static func level(_ player: Player, _ frames: Range<Int>) -> Double {
    20 * log10(Double(Array(player.left[frames]).peak) + 1e-12)
  }

  @Test("A note in the source part ducks the pad by 6 to 30 dB, and a silent part ducks nothing")
  func partDucks() {
    let player = Self.ducker(source: 9)
    let (before, during) = (Self.level(player, 7_200..<9_600), Self.level(player, 14_400..<19_200))
    let after = Self.level(player, 31_200..<33_600)
    #expect(before - during > 6 && before - during < 30, "\(before) \(during)")
    #expect(abs(after - before) < 1, "\(before) \(after)")
    // It ducks four ticks after it sounds.
    let plain = Self.ducker(source: 10)
    let first = zip(player.left, plain.left).enumerated().first { $1.0 != $1.1 }?.offset ?? 0
    #expect((9_664...9_680).contains(first - Limits.lookAhead), "\(first)")
    // A part that is silent ducks nothing: the third one.
    #expect(abs(Self.level(plain, 14_400..<19_200) - Self.level(plain, 7_200..<9_600)) < 0.1)
    #expect(abs(Self.level(plain, 7_200..<9_600) - before) < 0.1)
  }

  /// The level of a part is read four ticks late, whatever the blocks.
  @Test("Ducking by a part is bit-identical for blocks of 7, 48, 64 and 480 frames", arguments: [0, 5, 16])
  func partSplit(_ offset: Int) {
    let whole = Self.ducker(source: 9, at: offset).left.bits
    for block in [7, 48, 480] {
      let isTheSame = isSame(Self.ducker(source: 9, block: block, at: offset).left.bits, whole)
      #expect(isTheSame, "blocks of \(block)")
    }
  }

  @Test("A sidechain level that was unread for four ticks reads 0 until the part is measured again")
  func staleLevel() {
    var levels = SidechainLevels()
    defer { levels.deallocate() }
    /// The level that is read in a run of some ticks, in which the part is then measured.
    func run(_ tick: Int64, ticks: Int64 = 1, _ peak: Float) -> Float {
      let first = tick * 16
      let level = levels.level(2, at: first, first: first)
      levels.begin(at: first)
      for now in tick..<tick + ticks { levels.note(2, at: now * 16, peak) }
      levels.finish(at: (tick + ticks) * 16)
      return level
    }
    #expect(run(0, ticks: 4, 1) == 0)
    for tick: Int64 in [4, 8, 12, 16] { #expect(run(tick, ticks: 4, 1) == 1) }
    // Nobody listens for four ticks.
    for tick: Int64 in 24..<28 { #expect(run(tick, 0.5) == 0, "\(tick)") }
    #expect(run(28, 0.5) == 0.5)
  }

  // MARK: - The beat

  /// The same pad with the beat as its source, and without a compressor; without the delay of the limiter.
  private static func beaten(
    _ source: Float, tempo: Float, _ frames: Int, start: Int = 0, block: Int = 64
  ) -> (wet: [Float], dry: [Float]) {
    func render(_ knobs: [(String, Float)]) -> [Float] {
      let player = Player(.with(pad + knobs + [("/tempo", tempo)]))
      player.press(57)
      if start > 0 { player.send(.clockStart, at: start) }
      player.play(frames + Limits.lookAhead, block: block)
      return Array(player.left.dropFirst(Limits.lookAhead))
    }
    return (render(ducked + [("/compressor/source", source)]), render([]))
  }

  /// The reduction in octaves that the formula gives from beat 0 at a frame on: 30 dB along an S over the length, smoothed by
  /// the attack of 0.5 ms.
  private static func reductions(_ length: Double, tempo: Double, _ frames: Int) -> [Double] {
    let perFrame = Double(Float(tempo) / 60) / 48_000
    let (depth, share) = (30 / (20 * log10(2.0)), 1 - exp(-1 / (0.0005 * 48_000)))
    var reduction = 0.0
    return (0..<frames).map { frame in
      let beat = Double(frame) * perFrame + 1e-9
      let left = max(0, 1 - beat.truncatingRemainder(dividingBy: max(1, length)) / length)
      reduction += (depth * left * left * (3 - 2 * left) - reduction) * share
      return reduction
    }
  }

  /// Each frame has the gain of the formula, from the frame on in which the beat begins. The tempos have beats of whole and of
  /// broken numbers of frames. Measured: within 0.003 dB.
  @Test(
    "The beat ducks each frame within 0.02 dB of the formula, at 120 and at 97.3 BPM",
    arguments: [(1, 0.25), (2, 1.0 / 3), (3, 0.5), (4, 0.75), (5, 1), (6, 2), (7, 4)] as [(Float, Double)],
    [120, 97.3] as [Float])
  func beatGain(_ choice: (source: Float, length: Double), _ tempo: Float) {
    let (wet, dry) = Self.beaten(choice.source, tempo: tempo, 130_000)
    let expected = Self.reductions(choice.length, tempo: Double(tempo), 130_000)
    let least = Array(dry.suffix(4_800)).peak / 2
    var (worst, heard) = (0.0, 0)
    for frame in 2_400..<130_000 where abs(dry[frame]) > least {
      heard += 1
      let octaves = -log2(Double(wet[frame] / dry[frame]))
      worst = max(worst, abs(octaves - expected[frame]) * 6.02)
    }
    print("ducker: \(choice) at \(tempo): within \(worst) dB")
    #expect(worst < 0.02 && heard > 60_000)
  }

  @Test("A route from a modulation wheel at rest to the compressor mix leaves the ducking unchanged")
  func restingRoute() {
    let targets = ModulationTarget.allCases
    let mix = Float(targets.firstIndex(of: .compressorMix) ?? 0)
    let wheel = Float(ModulationSource.allCases.firstIndex(of: .wheel) ?? 0)
    let route: [(String, Float)] = [("/mod/1/source", wheel), ("/mod/1/target", mix), ("/mod/1/amount", -1)]
    func play(_ knobs: [(String, Float)]) -> [Float] {
      let player = Player(.with(Self.pad + Self.ducked + [("/compressor/source", 5)] + knobs))
      player.press(57)
      player.play(48_000)
      return player.left
    }
    let (plain, routed) = (play([]), play(route))
    let apart = zip(plain, routed).map { ($0 - $1).magnitude }.max() ?? 1
    #expect(apart < 1e-4 * plain.peak, "\(apart)")
  }

  @Test(
    "A transport start within a control tick ducks from its own frame on",
    arguments: [31_200, 31_205, 31_215])
  func transportStart(_ start: Int) {
    let (wet, dry) = Self.beaten(1, tempo: 120, 36_000, start: start)
    let first = (30_500..<36_000).first { abs(dry[$0]) > 1e-3 && wet[$0] != dry[$0] } ?? 0
    #expect((start...start + 1).contains(first), "\(first)")
  }

  @Test(
    "Ducking by the beat is bit-identical for blocks of 1, 7, 48, 64 and 480 frames",
    arguments: [0, 30_005])
  func beatSplit(_ start: Int) {
    let whole = Self.beaten(2, tempo: 133, 36_000, start: start).wet.bits
    for block in [1, 7, 48, 480] {
      let isTheSame = isSame(Self.beaten(2, tempo: 133, 36_000, start: start, block: block).wet.bits, whole)
      #expect(isTheSame, "blocks of \(block)")
    }
  }

  /// Jumps of the beat, of the source and of the switch under a held tone, with an attack of 20 ms: no step is larger than the
  /// sound's own.
  @Test("Restarting the beat, changing the source and bypassing add no click to a held tone")
  func noClicks() {
    let sine: [(String, Float)] = [("/osc/1/wave", 0), ("/compressor/attack", 0.02)]
    let tone = Self.pad + sine
    var scene = Scene.with(tone + [("/tempo", 120)])
    let player = Player(scene, running: true)
    player.link.scene.service()
    player.press(57)
    player.play(9_600)
    let rest = Array(player.left.suffix(4_800))
    player.left = player.left.suffix(2)
    for (index, source) in ([5, 0, 5, 9, 5, 1, 7, 0] as [Float]).enumerated() {
      let on: Float = index % 5 == 4 ? 0 : 1
      scene.turn(Self.ducked + sine + [("/compressor/source", source), ("/compressor/on", on)])
      player.link.scene.publish(scene)
      player.link.scene.service()
      player.play(3_300)
      player.send(.clockStart)
      player.play(3_300)
    }
    #expect(player.left.largestStep < 1.02 * rest.largestStep && player.left.peak < 1.02 * rest.peak)
  }
}
