import EngineHarness
import Glibc
import Parameters
import Testing
@testable import Scenes
@testable import Synth

/// The memory of wavetables, and how they are made.
@Suite("Wavetables in memory") struct WavetableMemoryTests {
  private typealias Playing = WavetablePlaying

  @Test("lie where they are read")
  func layout() {
    #expect(MemoryLayout<SoundTables>.offset(of: \.second) == MemoryLayout<TableChange>.stride)
    #expect(WavetableLevels.harmonics.count == WavetableLevels.count)
    #expect(MemoryLayout<TableLanes>.size % MemoryLayout<Lanes>.size == 0)
    for level in 0..<WavetableLevels.count {
      #expect(1 << WavetableLevels.bits(level) >= 6 * WavetableLevels.harmonics[level])
    }
  }

  @Test("are shared by parts, and freed when the last sound that reads them is silent")
  func freed() {
    var scene = Scene.with(Playing.knobs(.hollow, 0.5))
    scene[1].patch = scene[0].patch
    let player = Player(scene, running: true)
    player.press(60)
    player.play(4_800)
    #expect(player.link.scene.wavetableCount == 1)
    scene[0].patch = .initial
    scene[1].patch = .initial
    scene[0].generation += 1
    scene[1].generation += 1
    player.link.scene.publish(scene)
    player.play(4_800)
    player.link.scene.service()
    #expect(player.link.scene.wavetableCount == 1, "the held note still reads it")
    #expect(player.left.suffix(1_000).contains { abs($0) > 0.01 })
    player.release(60)
    player.play(96_000)
    player.link.scene.service()
    #expect(player.link.scene.wavetableCount == 0)
  }

  @Test("are freed one after the other when a knob runs through all of them")
  func turned() {
    var scene = Scene.with(Playing.knobs(.basic, 0.5))
    let player = Player(scene, running: true)
    player.press(60)
    for table in FactoryWavetable.allCases {
      scene.turn(Playing.knobs(table, 0.5))
      player.link.scene.publish(scene)
      player.play(64)
      player.link.scene.service()
      #expect(player.link.scene.wavetableCount <= 8)
    }
    player.play(4_800)
    player.link.scene.service()
    #expect(player.link.scene.wavetableCount == 1)
    #expect(player.left.allSatisfy { $0.isFinite && abs($0) <= 1 })
  }

  @Test("have a peak of 1 and no mean", arguments: FactoryWavetable.allCases)
  func made(table: FactoryWavetable) throws {
    let spectrum = table.spectrum()
    let isMeasured = (FactoryWavetable.allCases.firstIndex(of: table) ?? 0) > 31
    #expect(spectrum.frames == (isMeasured ? MeasuredTables.frames : FactoryWavetable.frames))
    let prepared = PreparedWavetable(spectrum)
    let memory = try #require(UnsafePointer<Wavetable>(bitPattern: prepared.address))
    var peak: Float = 0
    for index in 0..<WavetableLevels.count {
      let level = memory.pointee.levels[index]
      let count = 1 << Int(level.bits)
      for frame in 0..<spectrum.frames {
        let first = level.samples + frame * level.stride
        let samples = UnsafeBufferPointer(start: first + 1, count: count)
        #expect(samples.allSatisfy { $0.isFinite })
        let mean = samples.reduce(0, +) / Float(count)
        #expect(abs(mean) < 1e-5)
        #expect(first[0] == first[count] && first[count + 1] == first[1] && first[count + 2] == first[2])
        peak = max(peak, samples.reduce(0) { max($0, $1.magnitude) })
      }
      if index == 0 { #expect(peak > 0.5) }
    }
    #expect(abs(peak - 1) < 1e-6)
    // All frames are equally loud, and none is quieter than -16 dB; most partials has the overdriven guitar, with -15.3.
    let (level, count) = (memory.pointee.levels[0], 1 << Int(memory.pointee.levels[0].bits))
    let loudness = (0..<spectrum.frames).map { frame in
      let samples = UnsafeBufferPointer(start: level.samples + frame * level.stride, count: count)
      return 10 * log10(samples.reduce(0) { $0 + $1 * $1 } / Float(count))
    }
    let (low, high) = (loudness.min() ?? 0, loudness.max() ?? 0)
    print("wavetable \(table): loudness of its frames \(low) dB")
    #expect(high - low < 0.5 && low > -16)
  }

  @Test("of an instrument have the partials that were measured, and none above the last of them")
  func measured() {
    let piano = FactoryWavetable.piano.spectrum()
    func level(_ frame: Int, _ harmonic: Int) -> Float {
      let (cosine, sine) = piano[frame, harmonic]
      return 10 * log10(cosine * cosine + sine * sine + 1e-20)
    }
    // Key 42, from its row of figures.
    for (harmonic, below) in [(2, 5), (3, 9), (4, 15), (24, 27), (28, 35)] as [(Int, Float)] {
      #expect(abs(level(2, 1) - level(2, harmonic) - below) < 0.01, "harmonic \(harmonic)")
    }
    #expect(level(2, 161) < -150 && level(0, 161) < -150)
  }

  /// Old presets and tablets know them by their numbers.
  @Test("keep their places in the list")
  func places() {
    let names = FactoryWavetable.allCases.map(\.rawValue)
    #expect(names[0] == "basic" && names[8] == "tenor" && names[16] == "feedback" && names[31] == "random")
    #expect(names[32] == "piano" && names[47] == "koto" && names.count == 48)
    #expect(FactoryWavetable.at(-1) == .basic && FactoryWavetable.at(1_000) == .koto)
  }

  @Test("a transform and its inverse are nothing")
  func transform() {
    let transform = FourierTransform(bits: 6)
    let samples = (0..<64).map { Float(($0 * 37) % 64) / 64 }
    var (real, imaginary) = (samples, [Float](repeating: 0, count: 64))
    transform.transform(&real, &imaginary, sign: -1)
    transform.transform(&real, &imaginary, sign: 1)
    for (got, expected) in zip(real, samples) { #expect(abs(got / 64 - expected) < 1e-6) }
  }
}
