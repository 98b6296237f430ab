import Glibc
import Parameters
import Testing
@testable import Scenes
@testable import Synth

/// The modulation matrix.
@Suite("Modulation matrix") struct ModulationTests {
  static func choice(_ source: ModulationSource) -> Float {
    Float(ModulationSource.names.firstIndex(of: source.rawValue) ?? 0)
  }
  static func choice(_ target: ModulationTarget) -> Float { Float(target.index) }

  /// The knobs of a slot.
  static func slot(
    _ number: Int, _ source: ModulationSource, _ target: ModulationTarget, _ amount: Float,
    scale: ModulationSource = .off
  ) -> [(String, Float)] {
    [
      ("/mod/\(number)/source", choice(source)), ("/mod/\(number)/target", choice(target)),
      ("/mod/\(number)/amount", amount), ("/mod/\(number)/scale", choice(scale)),
    ]
  }

  /// One note of a sound.
  static func play(_ knobs: [(String, Float)], note: Int = 69, frames: Int = 9_600) -> Player {
    let player = Player(.with(knobs))
    player.press(note, velocity: 0.6)
    player.play(frames)
    return player
  }

  private static let bench: [(String, Float)] = [
    ("/osc/1/wave", 2), ("/osc/2/wave", 3), ("/osc/2/level", 0.5), ("/filter/cutoff", 700),
    ("/filter/amount", 3), ("/lfo/1/pitch", 20), ("/lfo/1/cutoff", 0.5), ("/lfo/1/level", 0.3),
  ]
  private static let sine: [(String, Float)] = [
    ("/osc/1/wave", 0), ("/filter/cutoff", 20_000), ("/amp/attack", 0.001), ("/amp/velocity", 0),
  ]

  @Test("The 16 slots lie in a row after the oscillators, and routes begin the sound parameters")
  func slotLayout() {
    #expect(
      MemoryLayout<Patch>.offset(of: \Patch.slot1) == Limits.oscillators
        * MemoryLayout<OscillatorKnobs>.stride)
    #expect(
      MemoryLayout<Patch>.offset(of: \Patch.slot16)
        == Limits.oscillators * MemoryLayout<OscillatorKnobs>.stride
        + (Limits.slots - 1) * MemoryLayout<SlotKnobs>.stride)
    #expect(MemoryLayout<SoundParameters>.offset(of: \.routes) == 0)
    #expect(MemoryLayout<SoundParameters>.offset(of: \.oscillators) == MemoryLayout<ModulationRoutes>.stride)
    #expect(
      ModulationSource.count <= 32 && ModulationSource.playedCount <= 16 && ModulationTarget.count <= 128)
    #expect(ModulationSource.names.count == ModulationSource.count - 5)
    #expect(ModulationTarget.names.count == ModulationTarget.count)
  }

  @Test("Sixteen slots with an amount of 0 give the same bits as no matrix") func zeroAmounts() {
    var knobs = Self.bench
    for number in 1...Limits.slots {
      knobs += Self.slot(number, .lfo, ModulationTarget.allCases[1 + number % 6], 0, scale: .velocity)
    }
    #expect(isSame(Self.play(knobs).left.bits, Self.play(Self.bench).left.bits))
  }

  /// Measured 2e-7.
  @Test(
    "Sixteen slots on one target add up to the same sum in any order",
    arguments: [ModulationTarget.pitch, .cutoff, .level])
  func slotOrder(_ target: ModulationTarget) {
    let sources: [ModulationSource] = [
      .velocity, .key, .random, .constant, .ampEnvelope, .filterEnvelope, .macro1, .alternate,
      .macro2, .wheel, .pressure, .timbre, .expression, .breath, .lfo, .lfo2,
    ]
    func sums(_ order: [Int]) -> Lanes {
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
      patch.initialize(to: Patch())
      routes.initialize(to: ModulationRoutes())
      sums.initialize(repeating: .zero, count: ModulationTarget.count)
      for index in 0..<ModulationSource.count {
        values[index] = Lanes(0.1, -0.7, 0.33, 1, -1, 0, 0.9, 0.123) * (1 - 0.05 * Float(index))
      }
      for (number, index) in order.enumerated() {
        patch.slots[number].source = Self.choice(sources[index])
        patch.slots[number].target = Self.choice(target)
        patch.slots[number].amount = 0.17 - 0.04 * Float(index % 8) + 0.01 * Float(index / 8)
      }
      routes.snap(patch)
      UnsafePointer(routes).add(routes.pointee.toVoice, values, to: sums)
      return sums[target.index]
    }
    let one = sums(Array(0..<Limits.slots))
    for order in [(0..<16).reversed(), [3, 1, 14, 0, 5, 7, 12, 6, 15, 9, 2, 8, 4, 10, 13, 11]] {
      #expect((0..<8).allSatisfy { abs(sums(order)[$0] - one[$0]) < 1e-6 * ModulationTarget.cutoff.range })
    }
    #expect(one.max() > 0.05)
  }

  @Test(
    "An amount of 100 % on the pitch, of all oscillators or of one, is an octave",
    arguments: [(1.0, 880.0), (-1.0, 220.0), (0.5, 622.254)])
  func pitchAmount(_ amount: Double, _ hertz: Double) {
    for target in [ModulationTarget.pitch, .pitch1] {
      let player = Self.play(Self.sine + Self.slot(3, .constant, target, Float(amount)), frames: 24_000)
      // Measured 2e-5 Hz.
      #expect(abs(Array(player.left[4_800...]).pitch(rate: 48_000) - hertz) < 0.01)
    }
    let other = Self.play(Self.sine + Self.slot(3, .constant, .pitch2, Float(amount)), frames: 24_000)
    #expect(isSame(other.left.bits, Self.play(Self.sine, frames: 24_000).left.bits))
  }

  @Test("The scale source multiplies a slot: the wheel sets how far velocity raises the pitch")
  func scaleSource() {
    let knobs = Self.sine + Self.slot(1, .velocity, .pitch, 1, scale: .wheel)
    let still = Self.play(knobs)
    #expect(isSame(still.left.bits, Self.play(Self.sine).left.bits))
    let player = Player(.with(knobs))
    player.send(.wheel, value: 0.5)
    player.press(69, velocity: 0.6)
    player.play(24_000)
    let hertz = 440 * exp2(0.5 * 0.6)
    #expect(abs(Array(player.left[4_800...]).pitch(rate: 48_000) - hertz) < 0.01)
  }

  @Test(
    "Each performance controller reaches a voice as its modulation source",
    arguments: [
      (Event.Kind.wheel, ModulationSource.wheel), (.pressure, .pressure), (.keyPressure, .keyPressure),
      (.timbre, .timbre), (.breath, .breath), (.sustain, .pedal), (.expression, .expression),
      (.wheel, .touch),
      (.bend, .bend), (.pressure, .touch),
    ])
  func controllerSources(_ kind: Event.Kind, _ source: ModulationSource) {
    let player = Player(.with(Self.sine))
    player.press(69)
    player.play(480)
    player.send(kind, note: 69, value: 0.75)
    player.play(9_600)
    let voice = player.voiceNumbers[0]
    #expect(abs(player.engine.source(source, of: voice) - 0.75) < 1e-4)
  }

  /// A controller that moves a knob as well reaches a voice by the event that it also is: the hand that moves it farthest
  /// counts, and 121 resets it. No number of a source is too large.
  @Test("The foot controller is a modulation source: its highest value counts, and a reset clears it")
  func anAssignableControllerIsASource() throws {
    #expect(ModulationSource.assignable.count <= ControllerState().assignable.scalarCount)
    let player = Player(.with(Self.sine))
    func foot() -> Float {
      player.play(9_600)
      let voice = player.voiceNumbers[0]
      return player.engine.source(.foot, of: voice)
    }
    func turn(_ value: Float, target: UInt8 = 0) throws {
      let knob = Event(frame: 0, kind: .controller, target: target, note: 4, value: value)
      player.link.midi.push(try #require(knob.engineEvent))
    }
    player.press(69)
    #expect(foot() == 0)
    try turn(0.75)
    #expect(abs(foot() - 0.75) < 1e-4)
    try turn(1, target: Event.part(0))
    try turn(7)
    player.link.midi.push(Event(frame: 0, kind: .assignable, note: 127, value: 0.1))
    player.link.midi.push(
      Event(frame: 0, kind: .assignable, note: UInt8(ModulationSource.pedal.index), value: 0.1))
    #expect(abs(foot() - 1) < 1e-4)
    try turn(0, target: Event.part(0))
    player.send(.resetControllers)
    #expect(foot() < 1e-4)
  }

  @Test("Each note has its own release velocity, alternate, key and random source") func noteSources() {
    let player = Player(.with(Self.sine + [("/amp/release", 5)]))
    for note in [60, 64, 67, 84] { player.press(note) }
    player.play(480)
    player.send(.noteOff, note: 60, value: 0.4)
    player.play(480)
    func values(_ source: ModulationSource) -> [Float] {
      let voices = player.voiceNumbers.sorted {
        player.engine.note($0).order < player.engine.note($1).order
      }
      return voices.map { player.engine.source(source, of: $0) }
    }
    #expect(values(.release) == [0.4, 0, 0, 0])
    #expect(values(.alternate) == [1, -1, 1, -1])
    let octaves: [Float] = [0, 4 / 12, 7 / 12, 2]
    #expect(values(.key) == octaves)
    let random = values(.random)
    #expect(Set(random).count == 4 && random.allSatisfy { abs($0) <= 1 })
  }

  @Test("The random source is evenly spread over 4,000 notes, and neighbours are uncorrelated")
  func randomSpread() {
    let numbers = (1...4_000).map { ModulationSource.random($0) }
    // Measured: mean -0.005, standard deviation 0.575 (0.577 for an even spread), neighbours 0.004.
    let mean = numbers.reduce(0, +) / 4_000
    let spread = (numbers.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / 4_000).squareRoot()
    let next = zip(numbers, numbers.dropFirst()).map { $0 * $1 }.reduce(0, +) / 4_000
    #expect(abs(mean) < 0.05 && abs(spread - 0.577) < 0.02 && abs(next) < 0.03, "\(mean) \(spread) \(next)")
  }

  @Test("A slot that moves from one target to another fades first and makes no click") func retargetedSlot() {
    let long = Self.sine + [("/amp/release", 5)]
    let player = Player(.with(long + Self.slot(1, .constant, .level, -0.8)))
    player.press(69)
    player.play(9_600)
    player.link.scene.publish(.with(long + Self.slot(1, .constant, .cutoff, -0.1)))
    player.play(19_200)
    let still = Array(player.left[4_800..<9_600]).largestCorner
    // From a fifth of the level to all of it: five times the corner of the quiet tone is the loud tone's own.
    #expect(player.left.largestCorner < 5.5 * still)
  }
}
