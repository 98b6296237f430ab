import Glibc
import Parameters
import Testing
@testable import Scenes
@testable import Synth

@Suite("Glides") struct GlideTests {
  private static func scene(_ knobs: [(String, Float)] = [], mode: Float = 2) -> Scene {
    .with(
      [
        ("/osc/1/wave", 0), ("/filter/cutoff", 20_000), ("/filter/track", 1), ("/play/mode", mode),
        ("/play/glide", 0.2), ("/amp/release", 2),
      ] + knobs)
  }

  /// The pitch that the voice in lane 0 has now, in keys.
  private func key(_ player: Player, lane: Int = 0) -> Float {
    69 + 12 * player.lanes.pointee.pitch[lane]
  }

  /// By time any way takes the time set, by rate each octave does: then 99 % are gone.
  @Test(
    "An exponential glide by time or by rate has gone 99 % of its way at the end of its time",
    arguments: [Float(0), 1], [1, 7, 12, 36])
  func exponentialGlide(mode: Float, interval: Int) {
    let player = Player(Self.scene([("/play/glidemode", mode)]))
    player.press(48)
    player.play(4_800)
    #expect(key(player) == 48)
    player.press(48 + interval)
    let seconds = mode == 0 ? 0.2 : 0.2 * Float(interval) / 12
    player.play(Int(seconds * 48_000) / 2)
    let half = 1 - (key(player) - 48) / Float(interval)
    player.play(Int(seconds * 48_000) / 2)
    let left = 1 - (key(player) - 48) / Float(interval)
    // A tenth is left after half the time. Measured: 0.8 % more, which is the control tick that the pitch lags by, and 10 %
    // for the semitone by rate, which takes only fifty ticks.
    #expect((half / 0.1 - 1).magnitude < 0.12 && (left / 0.01 - 1).magnitude < 0.12, "\(half), \(left)")
    player.play(48_000 * 3)
    #expect(key(player) == Float(48 + interval))
    #expect(player.engine.groups[0].modulators.gliding == 0)
  }

  /// A linear glide has gone half its way at half its time, and all of it at its time: by time for any interval, by rate
  /// for each octave.
  @Test(
    "A linear glide moves in proportion to time and arrives at the end of its time",
    arguments: [Float(2), 3], [1, 12, -7, 36])
  func linearGlide(mode: Float, interval: Int) {
    let player = Player(Self.scene([("/play/glidemode", mode), ("/play/glide", 1)]))
    player.press(60)
    player.play(4_800)
    player.press(60 + interval)
    let seconds = mode == 2 ? 1 : Float(abs(interval)) / 12
    let frames = Int(seconds * 48_000)
    for part in [Float(0.25), 0.5, 0.75] {
      player.play(4_800 + Int(part * Float(frames)) - player.left.count)
      let gone = (key(player) - 60) / Float(interval)
      // Measured: the control tick that the pitch lags by, 16 of 4,000 frames for the shortest glide.
      #expect((gone - part).magnitude < 0.005, "\(gone) of \(part)")
    }
    player.play(frames / 4 - 32)
    #expect(key(player) != Float(60 + interval))
    player.play(64)
    #expect(key(player) == Float(60 + interval))
    #expect(player.engine.groups[0].modulators.gliding == 0)
  }

  @Test("An interrupted linear glide restarts at its current pitch and follows the glide time knob")
  func interruptedGlide() {
    let player = Player(Self.scene([("/play/glidemode", 2), ("/play/glide", 2)]))
    player.press(48)
    player.play(4_800)
    player.press(60)
    player.play(48_000)
    #expect((key(player) - 54).magnitude < 0.02)
    player.press(66)
    player.play(24_000)
    // A quarter of the twelve semitones that are left.
    #expect((key(player) - 57).magnitude < 0.02)
    player.link.scene.publish(Self.scene([("/play/glidemode", 2), ("/play/glide", 0.5)]))
    player.play(12_000)
    // Half of them in a quarter of a second.
    #expect((key(player) - 63).magnitude < 0.1)
  }

  @Test("An octave glide is heard with a tenth of its way left after half its time") func audibleGlide() {
    let player = Player(Self.scene([("/play/glide", 2)]))
    player.press(45)
    player.play(9_600)
    player.press(57)
    player.play(48_000 - 1_200)
    player.left = []
    player.play(2_400)
    let octaves = Glibc.log2(player.left.pitch(rate: 48_000) / 110)
    #expect((octaves - 0.9).magnitude < 0.003, "\(octaves)")
  }

  @Test(
    "With a glide time of 0, glide settings and glide messages change no bit",
    arguments: [Float(0), 1, 2])
  func zeroTime(mode: Float) {
    func render(_ knobs: [(String, Float)], messages: Bool) -> [UInt32] {
      let player = Player(Self.scene([("/play/glide", 0)] + knobs, mode: mode))
      for step in 0..<20 {
        if messages {
          player.send(.glide, value: step % 2 == 0 ? 1 : 0)
          player.send(.glideFrom, note: 30)
        }
        player.press(40 + step * 5 % 17)
        player.play(500)
        player.lift(40 + (step * 5 + 12) % 17)
      }
      return player.left.bits
    }
    let plain = render([], messages: false)
    #expect(plain.contains { Float(bitPattern: $0).magnitude > 0.05 })
    #expect(isSame(render([("/play/glidemode", 1), ("/play/glidewhen", 1)], messages: true), plain))
  }

  @Test("A new glide starts at the current pitch of an unfinished one, also on the way back")
  func unfinishedGlide() {
    let player = Player(Self.scene())
    player.press(48)
    player.play(4_800)
    player.press(60)
    player.play(4_800)
    let between = key(player)
    #expect(between > 55 && between < 59.9)
    player.press(40)
    player.play(16)
    #expect((key(player) - between).magnitude < 0.2)
    player.play(480)
    #expect(key(player) < between - 1)
    // And so it does on the way back.
    let lower = key(player)
    player.lift(40)
    player.play(16)
    #expect((key(player) - lower).magnitude < 0.2)
    player.play(96_000)
    #expect(key(player) == 60)
  }

  @Test("The key tracking of the filter follows the gliding pitch") func keyTracking() {
    let player = Player(Self.scene())
    player.press(48)
    player.play(4_800)
    player.press(72)
    for _ in 0..<200 {
      player.play(100)
      let tracked = player.engine.source(.key, of: 0)
      #expect((tracked - (key(player) - 60) / 12).magnitude < 1e-5)
    }
  }

  @Test("A pitch bend of an octave adds an octave to the pitch during a glide") func bendDuringGlide() {
    func pitch(bend: Float) -> Double {
      let player = Player(Self.scene([("/play/bend", 12), ("/play/glide", 1)]))
      player.send(.bend, value: bend)
      player.press(45)
      player.play(9_600)
      player.press(57)
      player.play(12_000)
      player.left = []
      player.play(2_400)
      return player.left.pitch(rate: 48_000)
    }
    #expect((Glibc.log2(pitch(bend: 1) / pitch(bend: 0)) - 1).magnitude < 0.003)
  }

  @Test("Glides of two octaves in 50 ms leave no corner in the waveform that would click")
  func smoothGlide() {
    let player = Player(Self.scene([("/play/glide", 0.05)]))
    for step in 0..<20 {
      player.press(step % 2 == 0 ? 45 : 69)
      player.play(4_800)
      player.lift(step % 2 == 0 ? 69 : 45)
    }
    // A sine of 440 Hz at 0.16 has corners of 0.0006. Measured 0.0007.
    #expect(player.left.largestCorner < 0.0009, "\(player.left.largestCorner)")
  }

  // MARK: - When

  @Test("The first note does not glide; a later one glides from the last note, even long after its end")
  func firstNote() {
    let player = Player(Self.scene(mode: 1))
    player.press(48)
    player.play(160)
    #expect(key(player) == 48)
    player.lift(48)
    player.play(160_000)
    #expect(player.voices == 0)
    // From the last note that was played, though it has long ended.
    player.press(60)
    player.play(160)
    #expect(key(player) < 51)
  }

  @Test(
    "Set to legato, a note glides only while another key is down, not for a note held by the pedal",
    arguments: [Float(0), 1, 2])
  func legatoGlide(mode: Float) {
    let player = Player(Self.scene([("/play/glidewhen", 1)], mode: mode))
    player.press(48)
    player.play(160)
    player.lift(48)
    player.play(160)
    player.press(60)
    player.play(160)
    let lane = mode == 0 ? 1 : 0
    #expect(key(player, lane: lane) == 60)
    player.press(72)
    player.play(160)
    #expect(key(player, lane: mode == 0 ? 2 : 0) < 65)
    // A note that the pedal alone holds is no key that is down.
    player.send(.panic)
    player.play(4_800)
    player.send(.sustain, value: 1)
    player.press(48)
    player.lift(48, at: player.left.count + 100)
    player.play(200)
    player.press(60)
    player.play(160)
    #expect(player.heldKeys == (mode == 0 ? [48, 60] : [60]))
    #expect((0..<2).contains { key(player, lane: $0) == 60 })
  }

  @Test("In poly mode all notes of a chord glide from the last note that was played") func chordGlide() {
    let player = Player(Self.scene(mode: 0))
    player.press(48)
    player.play(4_800)
    for key in [60, 64, 67] { player.press(key) }
    player.play(16)
    for lane in 1...3 { #expect((key(player, lane: lane) - 48).magnitude < 0.5) }
    #expect(key(player) == 48)
    player.play(96_000)
    #expect((0..<4).map { key(player, lane: $0) } == [48, 60, 64, 67])
  }

  @Test("A keyboard's portamento switch turns off its own glides, and not those of other keyboards")
  func portamentoSwitch() {
    let player = Player(Self.scene())
    player.send(.glide, value: 0)
    player.press(48)
    player.play(160)
    player.press(60)
    player.play(160)
    #expect(key(player) == 60)
    // Another keyboard's switch is its own.
    player.press(72, source: 1)
    player.play(160)
    #expect(key(player) < 65)
    player.play(96_000)
    player.send(.glide, value: 1)
    player.press(36)
    player.play(160)
    #expect(key(player) > 60)
  }

  @Test(
    "Controller 5 sets the glide time only while controller 65 is on, and controller 121 resets both",
    arguments: [Float(0), 1, 2])
  func portamentoTime(mode: Float) {
    let player = Player(Self.scene([("/play/glide", 0), ("/amp/release", 0.005)], mode: mode))
    /// How far from its key a note is 160 frames after its stroke.
    func way(_ note: Int) -> Float {
      player.press(note, at: player.left.count)
      player.play(160)
      let pitches = player.voiceNumbers.map { self.key(player, lane: $0) }
      defer {
        player.lift(note, at: player.left.count)
        player.play(4_800)
      }
      #expect(pitches.count == 1)
      return (pitches[0] - Float(note)).magnitude
    }
    _ = way(36)
    player.send(.glideTime, value: 2)
    #expect(way(60) == 0)
    player.send(.glide, value: 1)
    #expect(way(84) > 20)
    player.send(.glideTime, value: 0)
    #expect(way(36) == 0)
    player.send(.glideTime, value: 2)
    #expect(way(84) > 20)
    player.send(.resetControllers)
    #expect(way(36) == 0)
    // Switched on again it has no time any more but the sound's, which is none.
    player.send(.glide, value: 1)
    #expect(way(84) == 0)
  }

  @Test("The sound's own glide time applies until controllers 5 and 65 together replace it")
  func soundTime() {
    func left(_ messages: [(Event.Kind, Float)]) -> Float {
      let player = Player(Self.scene([("/play/glide", 0.2)]))
      for (kind, value) in messages { player.send(kind, value: value) }
      player.press(48)
      player.play(4_800)
      player.press(60)
      player.play(9_600)
      return 60 - key(player)
    }
    let plain = left([])
    #expect((plain / 0.12 - 1).magnitude < 0.12)
    #expect(left([(.glideTime, 2)]) == plain && left([(.glide, 1)]) == plain)
    // A tenth of the way to 99 %: 63 % are left.
    #expect((left([(.glideTime, 2), (.glide, 1)]) / 7.57 - 1).magnitude < 0.02)
    #expect(left([(.glideTime, 2), (.glide, 1), (.resetControllers, 0)]) == plain)
    #expect(left([(.glideTime, 2), (.glide, 0)]) == 0)
  }

  @Test("Controller 84 sets the starting key of one glide, even with the portamento switch off")
  func portamentoControl() {
    let player = Player(Self.scene([("/play/glidewhen", 1)]))
    player.send(.glide, value: 0)
    player.send(.glideFrom, note: 84)
    player.press(60)
    player.play(160)
    #expect(key(player) > 75)
    player.play(96_000)
    player.lift(60)
    player.press(62)
    player.play(160)
    #expect(key(player) == 62)
  }

  @Test("A glide continues unchanged when its voice moves to another lane") func movedVoice() {
    func render(compacts: Bool) -> [UInt32] {
      let player = Player(Self.scene([("/play/glide", 1), ("/amp/release", 0.005)], mode: 0))
      player.engine.compacts = compacts
      for key in 0..<20 { player.press(40 + key) }
      player.play(4_000)
      for key in 0..<20 where key % 9 != 0 { player.lift(40 + key) }
      player.play(16_000)
      #expect(player.groups == (compacts ? 1 : 3))
      // Lanes are added up in another order.
      return player.left.map { ($0 * 100_000).rounded().bitPattern }
    }
    let (moved, still) = (render(compacts: true), render(compacts: false))
    let difference = zip(moved, still).map {
      (Float(bitPattern: $0) - Float(bitPattern: $1)).magnitude
    }
    #expect((difference.max() ?? 1) <= 2)
  }

  @Test("Glides are bit-identical for blocks of 1 to 3,072 frames") func anySplitGivesTheSameBits() {
    func render(_ block: Int) -> [UInt32] {
      let player = Player(Self.scene([("/play/glide", 0.03)]))
      for (index, note) in [48, 55, 60, 40, 67].enumerated() {
        player.press(note, at: 337 * index)
        player.lift(note, at: 337 * index + 402)
      }
      player.play(3_072, block: block)
      return player.left.bits
    }
    let whole = render(3_072)
    for block in [1, 7, 16, 100, 256] { #expect(isSame(render(block), whole), "block \(block)") }
  }
}
