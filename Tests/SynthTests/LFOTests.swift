import EngineHarness
import Glibc
import Testing
@testable import Scenes
@testable import Synth

/// The low-frequency oscillators, each shape against its formula, and the clocks that they go by.
@Suite("Low-frequency oscillators") struct LFOTests {
  private static let tick = Float(Limits.controlFrames) / 48_000

  nonisolated(unsafe) private static let steps: UnsafeMutablePointer<Float> = {
    let steps = UnsafeMutablePointer<Float>.allocate(capacity: 16)
    for step in 0..<16 { steps[step] = Float(step * 7 % 16) / 8 - 1 }
    return steps
  }()

  private static func control(_ wave: LFOWave) -> LFOControl {
    var control = LFOControl()
    control.wave = wave
    control.steps = UnsafePointer(steps)
    return control
  }

  /// The random number of a period, or of a sixteenth of one.
  private static func number(_ index: Int) -> Double {
    Double(noise(mixed(LaneWords(repeating: UInt32(index)) &* 0x9e37_79b9 &+ 77))[0])
  }

  @Test("Each LFO waveform follows its formula for 2,000 control ticks", arguments: LFOWave.allCases)
  func waveforms(_ wave: LFOWave) {
    var lfo = LFOLanes()
    lfo.seed[5] = 77
    let rate: Float = 7
    let numbers = (0...10).map(Self.number)
    for step in 1...2_000 {
      let value = lfo.advance(
        Self.control(wave), rate: Lanes(repeating: rate), passed: step == 1 ? 0 : Self.tick,
        seconds: Self.tick)[5]
      let cycles = Double(rate) * Double(Self.tick) * Double(step)
      let phase = cycles - cycles.rounded(.down)
      let s = phase < 0.5 ? 2 * phase : 2 * phase - 2
      let period = Int(cycles) + 1
      let expected =
        switch wave {
        case .sine: sin(2 * Double.pi * phase)
        case .triangle: phase < 0.25 ? 4 * phase : phase < 0.75 ? 2 - 4 * phase : 4 * phase - 4
        case .saw: s
        case .square: phase < 0.5 ? 1.0 : -1
        case .down: phase < 0.5 ? 1 - s : -1 - s
        case .hold: numbers[period]
        case .noise:
          Self.number(16 * period + Int(16 * phase))
            + (Self.number(16 * period + Int(16 * phase) + 1) - Self.number(16 * period + Int(16 * phase)))
            * (16 * phase - (16 * phase).rounded(.down))
        case .steps: Double(Self.steps[Int(16 * phase)])
        case .random:
          numbers[period] + (numbers[period + 1] - numbers[period]) * (0.5 - 0.5 * cos(Double.pi * phase))
        }
      // Near a jump either side is right. Measured 3e-4: the phase is added up in single precision for 0.7 s.
      // Steps and noise change sixteen times faster.
      let sixteenth = 16 * phase - (16 * phase).rounded()
      let nearJump =
        min(phase, 1 - phase, abs(phase - 0.5)) < 1e-3 || wave == .steps && abs(sixteenth) < 0.016
      let isSmooth = wave == .sine || wave == .triangle || wave == .random || wave == .noise
      let most = wave == .noise ? 32e-3 : 2e-3
      if isSmooth || !nearJump { #expect(abs(Double(value) - expected) < most, "\(cycles)") }
    }
  }

  @Test("LFO waves and modes keep their numbers, with sine, triangle, saw and square first")
  func waveNumbers() {
    #expect(LFOWave.allCases.prefix(4) == [.sine, .triangle, .saw, .square])
    for (index, wave) in LFOWave.allCases.enumerated() { #expect(LFOWave.at(Float(index)) == wave) }
    for (index, mode) in LFOMode.allCases.enumerated() { #expect(LFOMode.at(Float(index)) == mode) }
  }

  @Test("Each note length for tempo sync, also dotted or triplet, lasts its number of beats")
  func noteLengths() {
    let expected: [String: Float] = [
      "off": 0, "8/1": 32, "4/1": 16, "2/1": 8, "1/1": 4, "1/2d": 3, "1/2": 2, "1/2t": 4 / 3, "1/4d": 1.5,
      "1/4": 1, "1/4t": 2 / 3, "1/8d": 0.75, "1/8": 0.5, "1/8t": 1 / 3, "1/16d": 0.375, "1/16": 0.25,
      "1/16t": 1 / 6, "1/32d": 0.1875, "1/32": 0.125, "1/32t": 1 / 12,
    ]
    #expect(NoteLength.names.count == expected.count)
    for (index, name) in NoteLength.names.enumerated() {
      #expect(abs(NoteLength.beats(Float(index)) - (expected[name] ?? -1)) < 1e-6, "\(name)")
    }
  }

  /// The LFO of each voice of a player, and the amplitude that it gives.
  private static func values(_ player: Player) -> [Float] {
    player.voiceNumbers.map {
      player.engine.source(.lfo, of: $0)
    }
  }

  @Test("The LFO mode gives voices phases of their own, random phases, or one shared phase")
  func phaseModes() {
    func player(_ mode: Float) -> Player {
      let player = Player(.with([("/lfo/1/mode", mode), ("/lfo/1/wave", 2), ("/lfo/1/rate", 2)]))
      player.press(60)
      player.press(64, at: 1_600)
      player.press(67, at: 7_000)
      player.play(9_600)
      return player
    }
    // 0.2 s at 2 Hz are 0.4 of a period, at -1…1 from 0: 0.8. A note within a tick is early by its
    // part of one, which is as it ever was: measured 1.4e-3.
    let own = Self.values(player(0))
    for (value, start) in zip(own, [0, 1_600, 7_000]) {
      #expect(abs(value - 2 * 2 * Float(9_600 - start) / 48_000) < 2e-3)
    }
    #expect(Set(Self.values(player(1))).count == 3)
    let all = Self.values(player(2))
    #expect(Set(all).count == 1 && abs(all[0] - 0.8) < 1e-6)
  }

  @Test("After 24 hours a shared LFO has not drifted, and a change of its rate makes no phase jump")
  func noDrift() {
    var clock = LFOClock()
    let day: Int64 = 24 * 3_600 * 48_000
    var frame: Int64 = 0
    while frame < day {
      _ = clock.periods(at: frame, rate: 3.7, sampleRate: 48_000)
      frame += 48_000 * 16
    }
    let rate = Double(Float(3.7))
    #expect(abs(clock.periods(at: day, rate: 3.7, sampleRate: 48_000) - rate * 24 * 3_600) < 1e-6)
    let before = clock.periods(at: day + 160, rate: 9, sampleRate: 48_000)
    let after = clock.periods(at: day + 176, rate: 9, sampleRate: 48_000)
    #expect(abs(after - before - 9.0 * 16 / 48_000) < 1e-6)
  }

  /// A route moves the rate of an LFO that all voices share: what is the same for all by as much as that of each voice, and
  /// what differs by the mean. All voices stay together.
  @Test(
    "A route to the rate of a shared LFO changes the rate and keeps all voices in phase",
    arguments: [
      (ModulationSource.constant, 1.0), (.wheel, 0.5), (.pressure, 0.5), (.bend, -0.5), (.breath, 0.5),
      (.pedal, 0.5),
      (.macro1, 0.5), (.velocity, 0.5),
    ])
  func sharedRateRoute(_ source: ModulationSource, _ value: Double) {
    let knobs: [(String, Float)] = [
      ("/lfo/1/mode", 2), ("/lfo/1/wave", 2), ("/lfo/1/rate", 1.5), ("/lfo/2/mode", 2), ("/lfo/2/wave", 2),
      ("/lfo/2/rate", 6), ("/lfo/3/mode", 2), ("/lfo/3/wave", 2), ("/lfo/3/rate", 2), ("/macro/1", 0.5),
      ("/play/bend", 0),
    ]
    let player = Player(
      .with(
        knobs + ModulationTests.slot(1, source, .lfoRate, 0.4)
          + ModulationTests.slot(2, source, .lfo2Rate, -0.2)
          + ModulationTests.slot(3, .lfo2, .cutoff, 0.1) + ModulationTests.slot(4, source, .lfo3Rate, 0.3)
          + ModulationTests.slot(5, .lfo3, .cutoff, 0.1)))
    for kind in [Event.Kind.wheel, .pressure, .breath, .sustain] { player.send(kind, value: 0.5) }
    player.send(.bend, value: -0.5)
    player.press(60, velocity: 0.75)
    player.press(64, at: 1_605, velocity: 0.25)
    player.play(4_800)
    func values(_ source: ModulationSource) -> [Float] {
      player.voiceNumbers.map {
        player.engine.source(source, of: $0)
      }
    }
    let before = (values(.lfo), values(.lfo2), values(.lfo3))
    player.play(1_920)
    for (source, (before, hertz)) in [
      (ModulationSource.lfo, (before.0, 1.5 * exp2(2 * value))), (.lfo2, (before.1, 6 * exp2(-value))),
      (.lfo3, (before.2, 2 * exp2(1.5 * value))),
    ] {
      let now = values(source)
      #expect(Set(before).count == 1 && Set(now).count == 1)
      let gone = Double(now[0] - before[0])
      // Measured 2e-6.
      #expect(abs((gone < 0 ? gone + 2 : gone) - 2 * 0.04 * hertz) < 1e-4, "\(source)")
    }
  }

  @Test("A tempo-synced shared LFO ignores modulation of its rate") func syncedRateRoute() {
    let knobs = [("/lfo/1/mode", 2), ("/lfo/1/wave", 2), ("/lfo/1/sync", 12)] as [(String, Float)]
    let plain = ModulationTests.play(knobs)
    let moved = ModulationTests.play(knobs + ModulationTests.slot(1, .constant, .lfoRate, 0.5))
    #expect(Self.values(plain) == Self.values(moved))
  }

  @Test("Shared LFOs give the same bits with blocks of 7, 64 and 256 frames", arguments: [0, 0.4] as [Float])
  func blockSizes(_ amount: Float) {
    func play(_ block: Int) -> [UInt32] {
      var knobs: [(String, Float)] = [
        ("/lfo/1/mode", 2), ("/lfo/1/wave", 5), ("/lfo/1/rate", 30), ("/lfo/1/pitch", 600),
        ("/lfo/1/sync", 18),
        ("/tempo", 211), ("/lfo/2/mode", 2), ("/lfo/2/wave", 6), ("/lfo/2/rate", 17), ("/lfo/3/mode", 2),
        ("/lfo/3/wave", 7), ("/lfo/3/rate", 3),
      ]
      knobs += ModulationTests.slot(1, .lfo2, .cutoff, 0.3)
      knobs += ModulationTests.slot(2, .velocity, .lfo2Rate, amount)
      knobs += ModulationTests.slot(3, .wheel, .pan, amount)
      knobs +=
        ModulationTests.slot(4, .lfo3, .level, 0.3) + ModulationTests.slot(5, .velocity, .lfo3Rate, amount)
      let player = Player(.with(knobs))
      player.send(.wheel, at: 700, value: 0.6)
      player.press(60, at: 37)
      player.press(64, at: 1_003, velocity: 0.3)
      player.release(60, at: 4_111)
      player.play(9_600, block: block)
      return player.left.bits
    }
    let one = play(64)
    #expect(isSame(one, play(7)) && isSame(one, play(256)))
  }

  @Test("A shared LFO at 1/8 and 90 BPM runs at 3 Hz and keeps its phase when the tempo changes")
  func sharedTempoSync() {
    let sync = Float(NoteLength.names.firstIndex(of: "1/8") ?? 0)
    func player(_ tempo: Float) -> Player {
      let player = Player(
        .with([("/tempo", tempo), ("/lfo/1/sync", sync), ("/lfo/1/mode", 2), ("/lfo/1/wave", 2)]))
      player.press(60)
      player.play(4_800)
      return player
    }
    // 0.1 s of 3 Hz.
    #expect(abs(Self.values(player(90))[0] - 0.6) < 1e-4)
    // A new tempo goes on from the beat that it comes in: another 0.1 s at 4 Hz.
    let other = player(90)
    var scene = Scene.with([("/tempo", 120), ("/lfo/1/sync", sync), ("/lfo/1/mode", 2), ("/lfo/1/wave", 2)])
    scene[0].generation = 0
    other.link.scene.publish(scene)
    other.play(4_800)
    #expect(abs(Self.values(other)[0] - (2 * 0.7 - 2)) < 1e-4)
  }

  @Test("A per-voice LFO at 1/4 and 60 BPM runs at 1 Hz from the start of its note") func voiceTempoSync() {
    let sync = Float(NoteLength.names.firstIndex(of: "1/4") ?? 0)
    let player = Player(.with([("/tempo", 60), ("/lfo/1/sync", sync), ("/lfo/1/wave", 2)]))
    player.press(60, at: 100)
    player.play(12_100)
    #expect(abs(Self.values(player)[0] - 0.5) < 2e-3)
  }

  @Test("An LFO with a delay of 0.1 s and a fade of 0.2 s has its full depth after 0.3 s") func fadeIn() {
    let player = Player(
      .with([("/lfo/1/wave", 3), ("/lfo/1/rate", 0.02), ("/lfo/1/delay", 0.1), ("/lfo/1/fade", 0.2)]))
    player.press(60)
    for (seconds, expected) in [(0.05, 0.0), (0.1, 0), (0.2, 0.5), (0.25, 0.75), (0.31, 1), (0.5, 1)] {
      player.play(Int(seconds * 48_000) - player.left.count)
      // The value is that of the next tick. Measured 2e-3, which is that tick.
      #expect(abs(Double(Self.values(player)[0]) - expected) < 4e-3, "\(seconds)")
    }
  }

  @Test(
    "An LFO starts each note at the phase that its knob sets",
    arguments: [(0.25, 0.5), (0.5, -1), (0.75, -0.5), (0.125, 0.25)] as [(Float, Float)])
  func startPhase(_ phase: Float, _ value: Float) {
    let player = Player(.with([("/lfo/1/wave", 2), ("/lfo/1/rate", 0.02), ("/lfo/1/phase", phase)]))
    player.press(60)
    player.play(16)
    #expect(abs(Self.values(player)[0] - value) < 1e-3)
  }

  @Test("Sample-and-hold LFOs differ between voices and hold their first value for a full period")
  func sampleAndHold() {
    let player = Player(.with([("/lfo/1/wave", 5), ("/lfo/1/rate", 10)]))
    for note in [60, 64, 67] { player.press(note) }
    var values: [[Float]] = []
    for _ in 0..<300 {
      player.play(16)
      values.append(Self.values(player))
    }
    // Three periods of 300 ticks at 3 kHz.
    for voice in 0..<3 {
      let steps = (1..<300).filter { values[$0][voice] != values[$0 - 1][voice] }
      #expect(steps == [299] || steps.isEmpty, "\(steps)")
    }
    #expect(Set(values[0]).count == 3)
  }
}
