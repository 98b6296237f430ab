import EngineHarness
import Glibc
import Parameters
import Testing
@testable import Scenes
@testable import Synth

/// What the oscillators can do beyond one waveform each: unison, sync, modulation of phase, ring, sub and noise.
@Suite("Oscillators") struct OscillatorTests {
  private static let open: [(String, Float)] = [
    ("/filter/cutoff", 20_000), ("/filter/track", 0), ("/amp/velocity", 0), ("/amp/attack", 0.001),
  ]

  /// Samples of a spectrum, and those before.
  private static let size = 16_384
  private static let before = 4_800

  private func play(
    _ knobs: [(String, Float)], note: Int = 57, frames: Int = OscillatorTests.before + OscillatorTests.size
  ) -> Player {
    let player = Player(Scene.with(Self.open + knobs))
    player.press(note, velocity: 1)
    player.play(frames, block: 256)
    return player
  }

  private func loudness(_ samples: some Sequence<Float>) -> Double {
    var (sum, count) = (0.0, 0.0)
    for sample in samples { (sum, count) = (sum + Double(sample) * Double(sample), count + 1) }
    return 10 * log10(sum / count)
  }

  private func spectrum(_ player: Player) -> Spectrum {
    Spectrum(player.left.dropFirst(Self.before), size: Self.size)
  }

  // MARK: - Unison

  /// Measured: 0.7 dB from the quietest to the loudest, over four notes.
  @Test("Unisons of 1 to 7 voices are equally loud within 2 dB") func unisonLoudness() {
    let levels = (1...7).map { count in
      let levels = [45, 52, 57, 64].map { note in
        loudness(
          play([("/osc/1/unison", Float(count)), ("/osc/1/detune", 30)], note: note, frames: 24_000).left
            .dropFirst(Self.before))
      }
      return levels.reduce(0, +) / 4
    }
    let spread = (levels.max() ?? 0) - (levels.min() ?? 0)
    print("unison: loudness within \(spread) dB")
    #expect(spread < 2)
  }

  @Test("A unison is the same left and right with spread 0, and stereo within 3 dB with spread 1")
  func unisonSpread() {
    let narrow = play([("/osc/1/unison", 7), ("/osc/1/spread", 0)], frames: 9_600)
    #expect(narrow.left == narrow.right)
    let wide = play([("/osc/1/unison", 7), ("/osc/1/spread", 1)], frames: 9_600)
    #expect(wide.left != wide.right)
    let (left, right) = (loudness(wide.left), loudness(wide.right))
    #expect(abs(left - right) < 3)
  }

  @Test("The seven voices of a unison lie at their detuned frequencies") func unisonDetune() {
    let cents = [-1.024, -0.585, -0.182, 0, 0.185, 0.579, 1].map { 60 * $0 }
    let spectrum = spectrum(
      play([("/osc/1/wave", 0), ("/osc/1/unison", 7), ("/osc/1/detune", 60), ("/osc/1/spread", 0)], note: 93))
    for one in cents {
      let hertz = 1_760 * exp2(one / 1200)
      // A sine of the unison, against what lies between two of them.
      #expect(spectrum.power(from: hertz - 4, to: hertz + 4) > 1_000 * spectrum.power(from: 1_500, to: 1_550))
    }
  }

  @Test("With one unison voice, detune, spread and blend change no sample") func unisonOfOne() {
    let one = play([], frames: 4_800)
    let turned = play([("/osc/1/detune", 90), ("/osc/1/spread", 1), ("/osc/1/blend", 0.2)], frames: 4_800)
    #expect(one.left == turned.left && one.right == turned.right)
  }

  // MARK: - Phase

  /// The same key some times, each a quarter of a second; beside another one that is too soft to be heard, if there is one.
  private func strike(_ times: Int, _ knobs: [(String, Float)], beside other: Int? = nil) -> [[Float]] {
    let player = Player(Scene.with(Self.open + knobs + [("/amp/release", 0.01), ("/amp/velocity", 1)]))
    if let other { player.press(other, velocity: 1e-4) }
    return (0..<times).map { _ in
      player.press(57, velocity: 1)
      player.left = []
      player.play(12_000, block: 256)
      defer {
        player.release(57)
        player.play(4_800, block: 256)
      }
      return player.left
    }
  }

  /// Measured: within 0.06 dB of each other.
  @Test("With random phase and drift, repeated notes differ but are equally loud within 1 dB")
  func randomPhase() {
    let notes = strike(8, [("/osc/1/random", 1), ("/osc/1/drift", 8)])
    for one in notes.indices {
      for other in notes.indices where other < one { #expect(notes[one] != notes[other]) }
    }
    let levels = notes.map { loudness($0) }
    let spread = (levels.max() ?? 0) - (levels.min() ?? 0)
    print("repeated: level within \(spread) dB")
    #expect(spread < 1)
  }

  @Test("Without random phase and drift, repeated notes are the same to the bit") func repeatedNotes() {
    let notes = strike(2, [])
    #expect(notes[0] == notes[1])
  }

  private static let beating: [(String, Float)] = [
    ("/osc/1/unison", 3), ("/osc/1/detune", 4), ("/osc/1/random", 1), ("/osc/2/level", 0.7),
    ("/osc/2/fine", 3),
    ("/osc/2/unison", 2), ("/osc/2/detune", 6), ("/osc/2/random", 1),
  ]

  /// Measured: free, 10 dB from the softest to the loudest of eight equal strokes.
  @Test(
    "With phase start reset or key, repeated notes of beating oscillators are the same to the bit",
    arguments: [PhaseStart.reset, .key])
  func phaseStartRules(_ start: PhaseStart) {
    let ruled = (1...2).map { ("/osc/\($0)/start", Float(start.rawValue)) }
    let notes = strike(8, Self.beating + ruled)
    #expect(notes.allSatisfy { $0 == notes[0] })
    #expect(notes[0].contains { abs($0) > 0.1 })
    let levels = strike(8, Self.beating).map { loudness($0) }
    let spread = (levels.max() ?? 0) - (levels.min() ?? 0)
    print("equal strokes that begin freely: level within \(spread) dB")
    #expect(spread > 2)
  }

  /// Measured: within 0.2 dB of each other.
  @Test("With drift, notes that start at a fixed phase differ but are equally loud within 1 dB")
  func driftAfterReset() {
    let notes = strike(8, Self.beating + [("/osc/1/start", 1), ("/osc/2/start", 1), ("/osc/1/drift", 4)])
    for one in notes.indices {
      for other in notes.indices where other < one { #expect(notes[one] != notes[other]) }
    }
    let levels = notes.map { loudness($0) }
    let spread = (levels.max() ?? 0) - (levels.min() ?? 0)
    print("equal strokes that begin by rule and drift: level within \(spread) dB")
    #expect(spread < 1)
  }

  @Test("A unison without random phase is over 3 dB louder than one with random phase")
  func unisonPhaseShare() {
    let knobs: [(String, Float)] = [
      ("/osc/1/wave", 0), ("/osc/1/unison", 7), ("/osc/1/detune", 1), ("/osc/1/spread", 0),
      ("/osc/1/start", 1),
    ]
    let together = loudness(strike(1, knobs)[0])
    let apart = loudness(strike(1, knobs + [("/osc/1/random", 1)])[0])
    print("seven voices together: \(together - apart) dB above those apart")
    #expect(together - apart > 3)
  }

  @Test("Phase start by key gives each of 128 keys and three oscillators a phase of its own")
  func phaseByKey() {
    func phase(_ start: PhaseStart, _ oscillator: Int, _ key: UInt8) -> Int32? {
      var numbers = start.numbers(oscillator: oscillator, key: key)
      return numbers?.phase()
    }
    #expect(phase(.free, 0, 60) == nil)
    #expect(phase(.reset, 0, 60) == phase(.reset, 0, 61))
    let phases = (0..<3).flatMap { oscillator in (0...127).map { phase(.key, oscillator, $0) } }
    #expect(Set(phases).count == 3 * 128)
    #expect(Set((0..<3).map { phase(.reset, $0, 60) }).count == 3)
  }

  /// In lanes that others have left, which a voice keeps from being freed.
  @Test("Repeated notes of a synced oscillator start alike") func syncedNoteStart() {
    let knobs: [(String, Float)] = [
      ("/osc/1/level", 0), ("/osc/2/level", 0.7), ("/osc/2/sync", 1), ("/osc/2/semitone", 7),
    ]
    let notes = strike(3, knobs, beside: 33)
    // From sample to sample: what is taken out of their mean is still on its way.
    let steps = notes.map { note in zip(note.dropFirst(), note).map { $0 - $1 } }
    for note in steps.dropFirst() {
      #expect(zip(note, steps[0]).allSatisfy { abs($0 - $1) < 5e-5 })
    }
  }

  @Test("The same performance with random phase, drift and noise gives the same bits")
  func samePerformance() {
    let knobs: [(String, Float)] = [
      ("/osc/1/random", 1), ("/osc/1/unison", 5), ("/osc/2/level", 0.5), ("/osc/2/drift", 10),
      ("/noise/level", 0.3),
    ]
    #expect(play(knobs, frames: 9_600).left == play(knobs, frames: 9_600).left)
  }

  // MARK: - Two oscillators

  /// At any ratio: also a little above a whole number, where it has just jumped by itself when it begins anew, and up to
  /// ten, 8.8 kHz. Measured at worst: saw -81.5 dB, pulse -83.7 dB.
  @Test(
    "A synced saw or pulse aliases below -78 dB at ratios up to ten",
    arguments: [(45, 110.0), (57, 220), (69, 440), (81, 880)])
  func syncAliases(_ note: Int, _ hertz: Double) {
    let ratios: [(Float, Float, Float)] = [
      (0, 5, 45), (2, -9, 30), (2, 9, 25), (0, 0, 7), (1, 0, 10), (2, 4, 0), (3, 1, 0), (3, 2, 10), (3, 4, 0),
    ]
    for (octave, semitone, fine) in ratios {
      for wave in [2, 3] as [Float] {
        let knobs: [(String, Float)] = [
          ("/osc/1/level", 0), ("/osc/2/level", 0.7), ("/osc/2/sync", 1), ("/osc/2/wave", wave),
          ("/osc/2/octave", octave), ("/osc/2/semitone", semitone), ("/osc/2/fine", fine),
        ]
        let aliasing = spectrum(play(knobs, note: note)).aliasing(of: hertz)
        #expect(aliasing < -78, "wave \(wave), octave \(octave), semitone \(semitone), fine \(fine)")
      }
    }
  }

  /// Where a synchronized oscillator is follows from the first one's phase and the ratio of both: turned there it sounds as
  /// one that began there.
  @Test("A synced oscillator retuned under a note ends up as one that started at that tuning")
  func syncRetune() throws {
    let still: [(String, Float)] = [("/osc/1/level", 0), ("/osc/2/level", 0.7), ("/osc/2/sync", 1)]
    let row = try #require(Table.rows.firstIndex { $0.address == "/osc/2/fine" })
    var scene = Scene.with(Self.open + still + [("/osc/2/fine", -100)])
    let turned = Player(scene, running: true)
    turned.press(45, velocity: 1)
    turned.play(4_800, block: 256)
    scene[ParameterID(row: row, part: 0)] = 100
    turned.link.scene.publish(scene)
    turned.play(9_600, block: 256)
    let begun = play(still + [("/osc/2/fine", 100)], note: 45, frames: 14_400)
    // From sample to sample: what is taken out of the mean is still on its way.
    let differences = zip(turned.left[9_600...], begun.left[9_600...]).map { $0 - $1 }
    #expect(differences.largestStep < 1e-5)
  }

  @Test("Phase modulation with index 1.5 gives the sidebands of the Bessel functions within 0.1 dB")
  func modulationSidebands() {
    // Carrier an octave above the modulator, so that no two sidebands meet before the carrier's fourth from below.
    let knobs: [(String, Float)] = [
      ("/osc/1/wave", 0), ("/osc/1/octave", 3), ("/osc/2/wave", 0), ("/osc/2/level", 0), ("/osc/1/pm", 1.5),
    ]
    let spectrum = spectrum(play(knobs, note: 57))
    let carrier = spectrum.power(from: 1_750, to: 1_770)
    for (order, ratio) in [(1, jn(1, 1.5) / j0(1.5)), (2, jn(2, 1.5) / j0(1.5)), (3, jn(3, 1.5) / j0(1.5))] {
      for side in [-1.0, 1] {
        let hertz = 1_760 + side * Double(order) * 220
        let measured = 10 * log10(spectrum.power(from: hertz - 10, to: hertz + 10) / carrier)
        #expect(abs(measured - 20 * log10(abs(ratio))) < 0.1, "sideband \(order)")
      }
    }
  }

  @Test("Ring modulation of two sines gives only their sum and difference frequencies")
  func ringModulation() {
    let knobs: [(String, Float)] = [
      ("/osc/1/wave", 0), ("/osc/1/level", 0), ("/osc/2/wave", 0), ("/osc/2/level", 0),
      ("/osc/2/semitone", 7),
      ("/ring/level", 1),
    ]
    let spectrum = spectrum(play(knobs, note: 69))
    let (low, high) = (440 * (exp2(7.0 / 12) - 1), 440 * (exp2(7.0 / 12) + 1))
    let pair = spectrum.power(from: low - 15, to: low + 15) + spectrum.power(from: high - 15, to: high + 15)
    #expect(pair > 1e7 * (spectrum.power(from: 40, to: 18_000) - pair))
  }

  @Test("Feedback adds harmonics to a sine, keeps its pitch, and aliases below -80 dB")
  func feedbackHarmonics() {
    let plain = spectrum(play([("/osc/1/wave", 0)]))
    let bright = spectrum(play([("/osc/1/wave", 0), ("/osc/1/feedback", 1)]))
    #expect(plain.power(from: 430, to: 450) < 1e-6 * plain.power(from: 210, to: 230))
    #expect(bright.power(from: 430, to: 450) > 0.01 * bright.power(from: 210, to: 230))
    #expect(bright.aliasing(of: 220) < -80)
  }

  // MARK: - Sub and noise

  @Test(
    "The sub oscillator plays exactly one or two octaves below the first oscillator",
    arguments: [(1, 110.0), (2, 55)])
  func subOctaves(_ octave: Int, _ hertz: Double) {
    for wave in 0..<3 {
      let knobs: [(String, Float)] = [
        ("/osc/1/level", 0), ("/sub/level", 0.7), ("/sub/octave", Float(octave)), ("/sub/wave", Float(wave)),
      ]
      let spectrum = spectrum(play(knobs))
      #expect(spectrum.aliasing(of: hertz) < -85)
      #expect(spectrum.power(from: hertz - 3, to: hertz + 3) > 0.4 * spectrum.power(from: 20, to: 18_000))
    }
  }

  /// Decibels an octave between 100 Hz and 12.8 kHz, as measured: -6.0, -3.0, 0.1, 6.1; and within 2.0 dB as loud, of which
  /// the filter takes 0.9 from violet.
  @Test("The noise color gives slopes from -6 to +6 dB per octave at levels within 2.5 dB")
  func noiseSlopes() {
    var levels: [Double] = []
    for (color, slope) in [(-1.0, -6.02), (-0.5, -3.01), (0, 0), (1, 6.02)] {
      let player = play(
        [("/osc/1/level", 0), ("/noise/level", 0.7), ("/noise/color", Float(color))],
        frames: Self.before + 4 * Self.size)
      var (low, high) = (0.0, 0.0)
      for part in 0..<4 {
        let spectrum = Spectrum(player.left.dropFirst(Self.before + part * Self.size), size: Self.size)
        low += spectrum.power(from: 100, to: 200)
        high += spectrum.power(from: 3_200, to: 6_400)
      }
      // Five octaves apart, and a band five octaves higher holds 32 times as many bins.
      #expect(abs(10 * log10(high / low / 32) / 5 - slope) < 0.3)
      levels.append(loudness(player.left.dropFirst(Self.before)))
    }
    #expect((levels.max() ?? 0) - (levels.min() ?? 0) < 2.5)
  }

  // MARK: - Smoothness

  /// Everything that changes how a voice is made, turned on and off under a note: no step is larger than the waveform's
  /// own by more than a little.
  @Test(
    "Unison, sync, modulation, sub and noise make no click when switched under a note",
    arguments: [
      "/osc/1/unison", "/osc/1/pm", "/ring/level", "/osc/1/feedback", "/osc/2/sync", "/sub/level",
      "/noise/level",
    ])
  func switchUnderNote(_ address: String) throws {
    let row = try #require(Table.rows.firstIndex { $0.address == address })
    let still: [(String, Float)] = [
      ("/osc/1/wave", 0), ("/osc/2/wave", 0), ("/osc/2/level", 0.5), ("/osc/2/semitone", 7),
      ("/osc/1/spread", 0), ("/sub/wave", 0),
      ("/noise/color", -1),
    ]
    var scene = Scene.with(Self.open + still)
    let player = Player(scene, running: true)
    player.press(45, velocity: 1)
    player.play(9_600, block: 256)
    let most = Table.rows[row].kind.range.upperBound
    // Deep modulation is fast by itself.
    let value: Float = address == "/osc/1/pm" ? 1 : most
    for turn in 0..<2 {
      scene[ParameterID(row: row, part: 0)] = turn == 0 ? value : Table.rows[row].initial
      player.link.scene.publish(scene)
      player.play(9_600, block: 256)
    }
    let x = player.left
    let before = Array(x[4_800..<9_600]).largestStep
    let on = Array(x[14_400..<19_200]).largestStep
    // Measured 1.35 for the unison and 1.86 for sync, whose phase is another, and 1.00 for the rest.
    #expect(Array(x[9_600...]).largestStep < 2.2 * max(before, on))
  }

  // MARK: - Memory

  @Test("Oscillators and phases found by number lie at the memory offsets of their fields")
  func lanesLayout() {
    var extras = LaneExtras()
    withUnsafeMutablePointer(to: &extras) { place in
      func offset(_ pointer: UnsafeMutableRawPointer) -> Int { pointer - UnsafeMutableRawPointer(place) }
      let layout = MemoryLayout<LaneExtras>.self
      #expect(offset(place.masters) == layout.offset(of: \.masters))
      #expect(offset(place.oscillator(0)) == layout.offset(of: \.first))
      #expect(offset(place.oscillator(1)) == layout.offset(of: \.second))
      #expect(offset(place.phases(0)) == layout.offset(of: \.first.phases))
      #expect(offset(place.phases(1)) == layout.offset(of: \.second.phases))
    }
    #expect(MemoryLayout<LaneExtras>.size % MemoryLayout<Lanes>.size == 0)
  }
}
