import Glibc
import Parameters
import Scratch
import Testing
@testable import Scenes
@testable import Synth

@Suite("Engine") struct EngineTests {
  @Test("A note stamped with frame 1,005 starts there, delayed only by the look-ahead of the limiter")
  func startSample() {
    let player = Player()
    player.press(60, at: 1_005)
    player.play(1_200)
    // The limiter's look-ahead is all the delay there is; a sine's first sample is 0 itself.
    let first = player.left.firstIndex { $0 != 0 } ?? 0
    #expect((1_005...1_008).contains(first - Limits.lookAhead))
  }

  @Test("Keys 33, 60, 69 and 96 sound within 0.2 cents of equal temperament", arguments: [33, 60, 69, 96])
  func noteTuning(note: Int) {
    let player = Player(.with([("/osc/1/wave", 0), ("/filter/cutoff", 20_000)]))
    player.press(note)
    player.play(9_600)
    let pitch = Array(player.left[2_400...]).pitch(rate: 48_000)
    let expected = 440 * Glibc.exp2(Double(note - 69) / 12)
    // Measured within 0.02 cents at note 33, where the fewest periods are counted; the bound is ten times that.
    #expect(abs(1200 * Glibc.log2(pitch / expected)) < 0.2)
  }

  @Test("A full pitch bend with a bend range of 12 semitones raises A3 to 440 Hz") func octaveBend() {
    let player = Player(.with([("/osc/1/wave", 0), ("/filter/cutoff", 20_000), ("/play/bend", 12)]))
    player.send(.bend, value: 1)
    player.press(57)
    player.play(9_600)
    #expect(abs(Array(player.left[4_800...]).pitch(rate: 48_000) - 440) < 0.1)
  }

  @Test("Notes with wheel and pitch bend are bit-identical for blocks of 1 to 1,536 frames")
  func anySplitGivesTheSameBits() {
    func render(_ block: Int) -> [UInt32] {
      let player = Player(
        .with([("/osc/2/level", 0.5), ("/osc/2/fine", 7), ("/filter/amount", 3), ("/lfo/1/cutoff", 1)]))
      for (index, note) in [48, 55, 60, 64, 67].enumerated() { player.press(note, at: 37 * index) }
      player.send(.wheel, at: 333, value: 1)
      player.lift(55, at: 501)
      player.send(.bend, at: 600, value: -0.5)
      player.play(1_536, block: block)
      return player.left.bits + player.right.bits
    }
    let whole = render(1_536)
    #expect(whole.contains { Float(bitPattern: $0).magnitude > 0.05 })
    for block in [1, 7, 16, 64, 100, 256] { #expect(isSame(render(block), whole), "block \(block)") }
  }

  /// The same of oscillators that are sums of jumps, which go on from block to block: unisons of saws and of pulses, one that
  /// is synchronized while its pitch moves, and such whose levels move.
  @Test(
    "Unison and sync oscillators are bit-identical for blocks of 1 to 3,072 frames",
    arguments: [
      [("/osc/2/wave", 2)], [("/osc/2/wave", 3), ("/sub/wave", 1)], [("/osc/2/sync", 1)],
      [("/osc/2/sync", 1), ("/mod/2/target", Float(ModulationTarget.level2.index))],
      [
        ("/osc/2/sync", 1), ("/noise/level", 0.3), ("/noise/color", -0.5), ("/filter/drive", 12),
        ("/filter/resonance", 1),
      ],
    ] as [[(String, Float)]])
  func unisonSplit(_ knobs: [(String, Float)]) {
    let all: [(String, Float)] = [
      ("/osc/1/wave", 2), ("/osc/1/unison", 7), ("/osc/2/level", 0.5), ("/osc/2/unison", 5),
      ("/osc/2/spread", 1),
      ("/sub/level", 0.4), ("/lfo/1/rate", 5), ("/lfo/2/rate", 7),
      ("/mod/1/source", ModulationTests.choice(.lfo as ModulationSource)), ("/mod/1/amount", 0.5),
      ("/mod/1/target", Float(ModulationTarget.pitch2.index)),
      ("/mod/2/source", ModulationTests.choice(.lfo2 as ModulationSource)), ("/mod/2/amount", 0.5),
      ("/mod/2/target", Float(ModulationTarget.pan.index)),
    ]
    func render(_ block: Int) -> [UInt32] {
      let player = Player(.with(all + knobs))
      for (index, note) in [31, 43, 60, 77, 91].enumerated() { player.press(note, at: 137 * index) }
      player.lift(60, at: 801)
      player.send(.bend, at: 1_200, value: 0.3)
      player.play(3_072, block: block)
      return player.left.bits + player.right.bits
    }
    let whole = render(3_072)
    #expect(whole.contains { Float(bitPattern: $0).magnitude > 0.05 })
    for block in [1, 7, 16, 64, 100, 256] { #expect(isSame(render(block), whole), "block \(block)") }
  }

  @Test("An engine that was reset plays a phrase with the same bits as a new one") func resetEqualsNew() {
    let scene = Scene.with([("/osc/2/wave", 4), ("/osc/2/level", 0.5), ("/master/eq/bypass", 0)])
    func phrase(_ player: Player) -> [UInt32] {
      player.left = []
      player.press(50, at: 3)
      player.press(62, at: 70)
      player.play(1_000)
      return player.left.bits
    }
    let player = Player(scene)
    let first = phrase(player)
    player.send(.sustain, value: 1)
    player.send(.bend, value: 1)
    player.play(100)
    player.engine.reset()
    #expect(isSame(phrase(player), first))
  }

  @Test("After the last release has ended, no voice is left and the output is exactly 0") func lastRelease() {
    let player = Player(.with([("/amp/release", 0.02)]))
    player.press(60)
    player.play(1_000)
    #expect(player.voices == 1)
    player.lift(60)
    player.play(3_000)
    #expect(player.voices == 0)
    #expect(player.left.suffix(500).allSatisfy { $0 == 0 })
  }

  @Test(
    "A NaN in the state of the filter ends all voices as one fault, and the next note sounds",
    arguments: [0, 5])
  func filterFault(lane: Int) {
    let player = Player(.with([("/amp/release", 0.01)]))
    player.press(60)
    player.play(640)
    let filter = player.engine.groups[0].block.state
    filter.pointee.filter.high.second[lane] = .nan
    filter.pointee.filter.low.b1.value[lane] = .nan
    player.play(640)
    #expect(player.link.meters[.faults] == 1 && player.voices == 0)
    player.left = []
    player.press(60)
    player.play(2_400)
    #expect(player.left.allSatisfy { $0.isFinite } && player.left.peak > 0.05)
    #expect(player.link.meters[.faults] == 1)
  }

  @Test("Parts play the notes of their own channel and the notes addressed to the part itself")
  func partChannels() {
    var scene = Scene.initial
    scene[1].strip.on = 1
    scene[0].strip.channel = 1
    let player = Player(scene)
    player.send(.noteOn, target: 0, note: 60, value: 1)
    player.send(.noteOn, target: 1, note: 62, value: 1)
    player.send(.noteOn, target: 2, note: 64, value: 1)
    player.send(.noteOn, target: Event.part(5), note: 65, value: 1)
    player.play(64)
    #expect(player.voices == 3)
  }

  @Test("Pan hard left silences the right side, and mute silences the part") func panAndMute() {
    var scene = Scene.initial
    scene[0].strip.pan = -1
    let player = Player(scene)
    player.press(60)
    player.play(2_000)
    #expect(player.left.peak > 0.05)
    #expect(player.right.peak < 1e-6)
    scene[0].strip.mute = 1
    player.link.scene.publish(scene)
    player.play(6_000)
    #expect(player.left.suffix(500).map(abs).max() ?? 1 < 1e-4)
  }

  @Test("Random events with NaN, infinite and huge values cause no trap, no fault and no NaN sample")
  func randomEvents() {
    var random = SeededRandom.ofRun
    let player = Player(.with([("/amp/release", 0.005)]))
    let kinds: [Event.Kind] = [
      .noteOn, .noteOff, .bend, .wheel, .pressure, .expression, .sustain, .allNotesOff, .allSoundOff,
      .resetControllers, .sourceGone, .controller, .program,
    ]
    for _ in 0..<40 {
      for _ in 0..<50 {
        let value =
          [Float.nan, .infinity, -.infinity, 1e30, -1, 0, 0.5, 1].randomElement(using: &random) ?? 0
        player.link.midi.push(
          Event(
            frame: Int64(bitPattern: random.next()) >> Int64.random(in: 0..<63, using: &random),
            kind: kinds.randomElement(using: &random) ?? .noteOn,
            source: UInt8.random(in: 0...255, using: &random),
            target: .random(in: 0...255, using: &random), note: .random(in: 0...255, using: &random),
            value: value))
      }
      player.play(64)
    }
    // What lies in the far future keeps the ring waiting; the tests of the rings' users keep that out.
    #expect((player.left + player.right).allSatisfy { $0.isFinite })
    #expect(player.link.meters[.faults] == 0)
  }
}

@Suite("Pedals and held notes") struct HoldingTests {
  private let short = Scene.with([("/amp/release", 0.005)])

  @Test("The sustain pedal holds the voice of a released key until the pedal is released")
  func sustainPedal() {
    let player = Player(short)
    player.send(.sustain, value: 1)
    player.press(60)
    player.lift(60, at: 100)
    player.play(2_000)
    #expect(player.voices == 1)
    player.send(.sustain, value: 0)
    player.play(2_000)
    #expect(player.voices == 0)
  }

  @Test("Unplugging a keyboard ends its own notes, not those of others, and releases its sustain pedal")
  func unpluggedKeyboard() {
    let player = Player(short)
    player.send(.sustain, source: 1, value: 1)
    player.press(60, source: 1)
    player.press(62, source: 1)
    player.lift(62, source: 1)
    player.press(64, source: 2)
    player.play(100)
    #expect(player.voices == 3)
    player.send(.sourceGone, source: 1)
    player.play(2_000)
    #expect(player.voices == 1)
    // Back again, the pedal is up.
    player.press(60, source: 1)
    player.lift(60, source: 1)
    player.play(2_000)
    #expect(player.voices == 1)
  }

  @Test("The sustain pedal of one device holds notes of another on parts that hear its channel")
  func separatePedal() {
    var scene = short
    scene[1] = scene[0]
    scene[1].strip.channel = 5
    scene[0].strip.channel = 1
    let player = Player(scene)
    player.send(.sustain, source: 1, value: 1)
    player.press(60)
    player.press(60, target: 4)
    player.lift(60, at: 50)
    player.lift(60, at: 50, target: 4)
    player.play(2_000)
    #expect(player.voices == 1)
    // Its own pedal goes down and up again: the other is still down.
    player.send(.sustain, value: 1)
    player.send(.sustain, value: 0)
    player.play(2_000)
    #expect(player.voices == 1)
    player.send(.sourceGone, source: 1)
    player.play(2_000)
    #expect(player.voices == 0)
  }

  @Test("Pedals on one channel of a device do not act on notes of its other channels") func pedalChannels() {
    let player = Player(short)
    player.send(.sustain, target: 1, value: 1)
    player.send(.expression, target: 1, value: 0)
    player.press(60)
    player.play(1_000)
    #expect(player.left.contains { $0.magnitude > 0.01 })
    player.lift(60)
    player.play(2_000)
    #expect(player.voices == 0)
  }

  @Test("A part that leaves a sustain pedal's channel releases the notes that the pedal held")
  func partLeavesPedal() {
    let player = Player(short)
    player.send(.sustain, source: 1, target: 3, value: 1)
    player.press(60)
    player.lift(60, at: 50)
    player.play(2_000)
    #expect(player.voices == 1)
    var scene = short
    scene[0].strip.channel = 1
    player.link.scene.publish(scene)
    player.play(2_000)
    #expect(player.voices == 0)
  }

  @Test("Expression pedals of other devices scale a note by the square of each value")
  func expressionPedals() {
    func peak(_ pedals: [Float]) -> Float {
      let player = Player(short)
      for (source, value) in pedals.enumerated() {
        player.send(.expression, source: source + 1, value: value)
      }
      player.press(60)
      player.play(4_000)
      return player.left.map(\.magnitude).max() ?? 0
    }
    let whole = peak([])
    #expect(abs(peak([0.5]) / whole - 0.25) < 0.001)
    #expect(abs(peak([0.5, 0.5]) / whole - 0.0625) < 0.001)
    #expect(peak([0]) == 0)
  }

  @Test("The tablet's sustain pedal holds notes of its part until the tablet disconnects")
  func tabletPedal() {
    let player = Player(short)
    player.link.control.push(
      Event(frame: 0, kind: .sustain, source: UInt8(Limits.surfaceSources), target: Event.part(0), value: 1))
    player.press(60)
    player.lift(60, at: 50)
    player.play(2_000)
    #expect(player.voices == 1)
    player.link.control.push(Event(frame: 0, kind: .sourceGone, source: UInt8(Limits.surfaceSources)))
    player.play(2_000)
    #expect(player.voices == 0)
  }

  @Test("A note-off still ends its note after the part has moved to another channel") func movedPart() {
    let player = Player(short)
    player.press(60)
    player.play(100)
    var scene = short
    scene[0].strip.channel = 9
    player.link.scene.publish(scene)
    player.lift(60)
    player.play(2_000)
    #expect(player.voices == 0)
  }

  @Test("An overrun of the event ring releases the notes that might hang") func ringOverrun() {
    let player = Player(short)
    player.press(60)
    player.play(100)
    for _ in 0...Limits.ringEvents { player.send(.wheel, at: 0, value: 0) }
    #expect(player.link.midi.dropped > 0)
    player.play(3_000)
    #expect(player.voices == 0)
  }

  @Test("A note-on that waits in a full event ring ends although its note-off was dropped")
  func waitingNotes() {
    let player = Player(short)
    for _ in 0..<Limits.ringEvents - 1 { player.send(.wheel, at: 200, value: 0) }
    player.press(60, at: 300)
    player.lift(60, at: 300)
    #expect(player.link.midi.dropped == 1)
    player.play(3_000)
    #expect(player.voices == 0)
  }

  @Test("A panic ends 40 voices of three sources despite a held pedal, down to an output of exactly 0")
  func panicEndsEverything() {
    let player = Player()
    for note in 40..<80 { player.press(note, source: note % 3) }
    player.send(.sustain, value: 1)
    player.play(500)
    #expect(player.voices == 40)
    player.send(.panic)
    player.play(1_000)
    #expect(player.voices == 0)
    #expect(player.left.suffix(300).allSatisfy { $0 == 0 })
  }
}
