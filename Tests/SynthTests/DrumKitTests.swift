import Glibc
import Parameters
import Testing
@testable import Scenes
@testable import Synth

/// General MIDI's drums: the keys of the kit, and which of them cut others off.
@Suite("General MIDI drum kit") struct DrumKitTests {
  private static let channel = UInt8(Limits.drumChannel)
  // As General MIDI numbers them.
  private static let (closed, pedal, open, crash) = (42, 44, 46, 49)

  /// A sine that goes on, louder the harder it is struck; part 1 on one channel, or on all for 0.
  private static func player(channel: Float = 10) -> Player {
    var scene = Scene.with([
      ("/osc/1/wave", 0), ("/osc/2/level", 0), ("/filter/cutoff", 20_000), ("/filter/track", 0),
      ("/amp/sustain", 1),
      ("/amp/velocity", 1), ("/amp/release", 2), ("/lfo/1/wheel", 0),
    ])
    scene[0].strip.channel = channel
    var drums = Drum.plain
    drums[closed] = Drum(key: 60, group: 1)
    drums[pedal] = Drum(key: 62, group: 1)
    drums[open] = Drum(key: 81, group: 1)
    drums[crash] = Drum(key: 76)
    drums[94] = .silent
    return Player(Link(scene, kit: Kit(drums)), running: false) { Engine(rate: 48_000, link: $0) }
  }

  /// A kit whose closed hat plays a sine at key 48, and whose crash a sine at key 84 that falls to silence.
  private static func soundKit(of patch: Patch) -> Player {
    var scene = Scene.initial
    scene[0].strip.channel = 10
    scene[0].patch = patch
    var low = Scene.with([
      ("/osc/1/wave", 0), ("/filter/cutoff", 20_000), ("/filter/track", 0), ("/amp/sustain", 1),
    ])[0].patch
    low.amplifier.velocity = 0
    var high = low
    high.amplifier.envelope.sustain = 0
    (high.amplifier.envelope.decay, high.amplifier.envelope.release) = (0.5, 0.5)
    var drums = Drum.plain
    drums[closed] = Drum(key: 60, group: 1, sound: 1, soundKey: 48)
    drums[pedal] = Drum(key: 62, group: 1)
    drums[crash] = Drum(key: 76, sound: 2, soundKey: 84)
    let kit = Kit(drums, patches: [kitPatch, low, high])
    return Player(Link(scene, kit: kit), running: false) { Engine(rate: 48_000, link: $0) }
  }

  private static let kitPatch = Scene.with([
    ("/osc/1/wave", 0), ("/osc/2/level", 0), ("/filter/cutoff", 20_000), ("/filter/track", 0),
    ("/amp/sustain", 1), ("/amp/release", 2),
  ])[0].patch

  @Test("A drum plays its own sound if the part has the preset of the kit, otherwise the part's sound")
  func ownSound() {
    let player = Self.soundKit(of: Self.kitPatch)
    setUp(player)
    press(player, Self.closed)
    #expect(key(player) == 48)
    // One without plays the sound of the part, and cuts the other as ever.
    press(player, Self.pedal)
    player.play(4_800)
    #expect(key(player) == 62 && player.voices == 1)
    let other = Self.soundKit(of: Patch.initial)
    setUp(other)
    press(other, Self.closed)
    #expect(key(other) == 60)
  }

  @Test("Of two kits a part plays the one whose preset it has, with the choke groups of that kit")
  func kitOfPreset() {
    var other = Self.kitPatch
    other.amplifier.level -= 1
    var (low, high) = (Self.kitPatch, Self.kitPatch)
    (low.amplifier.velocity, high.amplifier.velocity) = (0, 0.1)
    var drums = Drum.plain
    drums[Self.closed] = Drum(key: 60, group: 1, sound: 2, soundKey: 48)
    drums[Self.open] = Drum(key: 61, group: 1)
    var others = drums
    others[Self.closed] = Drum(key: 60, sound: 3, soundKey: 84)
    others[Self.crash] = Drum(key: 77)
    let kit = Kit(drums, others: [others], patches: [Self.kitPatch, other, low, high])
    for (patch, closed, crash, voices) in [(Self.kitPatch, 48, 49, 1), (other, 84, 77, 2)] {
      var scene = Scene.initial
      scene[0].strip.channel = 10
      scene[0].patch = patch
      let player = Player(Link(scene, kit: kit), running: false) { Engine(rate: 48_000, link: $0) }
      setUp(player)
      press(player, Self.closed)
      #expect(key(player) == closed)
      // The groups are those of the kit.
      press(player, Self.open)
      player.play(4_800)
      #expect(player.voices == voices)
      player.send(.allSoundOff, target: Self.channel)
      player.play(4_800)
      press(player, Self.crash)
      #expect(key(player) == crash)
    }
  }

  @Test("A drum's own sound frees its voices when it ends, and still plays after 100 strikes")
  func freedVoices() {
    let player = Self.soundKit(of: Self.kitPatch)
    setUp(player)
    for _ in 0..<100 {
      press(player, Self.crash)
      player.lift(Self.crash, target: Self.channel)
    }
    #expect(key(player) == 84)
    player.play(2 * 48_000)
    #expect(player.voices == 0)
    #expect(player.engine.sounds[Limits.parts].groups == 0)
  }

  @Test("A percussive drum ignores its note-off: the output is bit-identical for any key length")
  func keyLength() {
    let sounds = [1, 48, 480, 24_000].map { length in
      let player = Self.soundKit(of: Self.kitPatch)
      setUp(player)
      player.press(Self.crash, target: Self.channel, velocity: 0.8)
      player.play(length)
      player.lift(Self.crash, target: Self.channel)
      player.play(48_000 - length)
      return player.left
    }
    #expect(sounds[0].peak > 0.05)
    for sound in sounds { #expect(sound == sounds[0]) }
  }

  @Test("A note of 1 ms with an attack of 5 ms reaches 90 % of the peak of a note of 100 ms")
  func shortNote() {
    let peaks = [48, 4_800].map { length in
      let player = Player(
        .with([
          ("/osc/1/wave", 0), ("/filter/cutoff", 20_000), ("/amp/attack", 0.005), ("/amp/sustain", 1),
          ("/amp/release", 0.2),
        ]))
      player.press(69)
      player.play(length)
      player.lift(69)
      player.play(4_800)
      return player.left.peak
    }
    #expect(peaks[1] > 0.05 && peaks[0] > 0.9 * peaks[1], "\(peaks)")
  }

  private func setUp(_ player: Player, source: Int = 0) {
    player.send(.setUp, source: source, note: 1, value: 1)
  }

  private func press(_ player: Player, _ drum: Int, source: Int = 0, velocity: Float = 0.8) {
    player.press(drum, source: source, target: Self.channel, velocity: velocity)
    player.play(4_800)
  }

  /// The key that sounds, from its pitch.
  private func key(_ player: Player) -> Int {
    let before = player.left.count
    player.play(9_600)
    return Int((69 + 12 * log2(Array(player.left[before...]).pitch(rate: 48_000) / 440)).rounded())
  }

  @Test("A drum sounds at the key that the kit maps it to, and only its own note-off releases it")
  func mappedKey() {
    let player = Self.player()
    setUp(player)
    press(player, Self.open)
    #expect(key(player) == 81)
    player.lift(81, target: Self.channel)
    player.play(64)
    #expect(player.engine.note(player.voiceNumbers[0]).isHeld)
    player.lift(Self.open, target: Self.channel)
    player.play(64)
    #expect(!player.engine.note(player.voiceNumbers[0]).isHeld)
  }

  @Test("A key without a drum plays until its source is set up for drums, and then starts no voice")
  func silentKey() {
    let player = Self.player()
    press(player, 94)
    #expect(player.voices == 1)
    player.lift(94, target: Self.channel)
    player.send(.allSoundOff, target: Self.channel)
    setUp(player)
    player.play(4_800)
    press(player, 94)
    #expect(player.voices == 0)
    press(player, Self.open)
    #expect(player.voices == 1)
  }

  @Test("Keys are not mapped on other channels, from other sources, or in a part on all channels")
  func plainKeys() {
    let all = Self.player(channel: 0)
    setUp(all)
    press(all, Self.open)
    // A part that hears every channel is no kit.
    #expect(key(all) == Self.open)
    let own = Self.player()
    press(own, Self.open)
    #expect(key(own) == Self.open)
    let melody = Self.player(channel: 3)
    setUp(melody)
    melody.press(Self.open, target: 2)
    #expect(key(melody) == Self.open)
    let other = Self.player()
    setUp(other, source: 1)
    press(other, Self.open)
    #expect(key(other) == Self.open)
  }

  @Test("The drum mapping survives a panic, and ends when its source is reset or gone") func mappingEnds() {
    let player = Self.player()
    setUp(player)
    player.send(.panic)
    player.play(4_800)
    press(player, Self.open)
    #expect(key(player) == 81)
    for end in [Event.Kind.sourceGone, .setUp] {
      setUp(player)
      player.send(end, value: 1)
      player.send(.panic)
      player.play(4_800)
      press(player, Self.open)
      #expect(key(player) == Self.open, "\(end)")
    }
  }

  /// As after a change of the card's rate.
  @Test("A new engine on the same link still maps the drums of a source that was set up before")
  func newEngine() {
    let player = Self.player()
    setUp(player)
    player.play(64)
    let frame = player.engine.frame
    player.engine.deinitialize(count: 1)
    player.engine.initialize(to: Engine(rate: 48_000, link: player.link, frame: frame))
    press(player, Self.open)
    #expect(key(player) == 81)
  }

  @Test("A part that hears every channel plays the kit when channel 10 is routed to it")
  func routedChannel() {
    let player = Self.player(channel: 0)
    setUp(player)
    player.send(.route, target: Self.channel, value: 1)
    press(player, Self.open)
    #expect(key(player) == 81)
  }

  @Test(
    "A closed or pedal hi-hat cuts the open hi-hat in 4 ms and without a click",
    arguments: [closed, pedal])
  func hiHatCut(_ hat: Int) {
    let player = Self.player()
    setUp(player)
    press(player, Self.open)
    let before = player.left.count
    // So soft that only the other is heard.
    press(player, hat, velocity: 0.0001)
    #expect(player.voices == 1 && player.voiceNumbers.count == 1)
    let loud = Array(player.left[..<before]).peak
    let cut = Array(player.left[before...])
    #expect(loud > 0.01 && Array(cut[..<48]).peak > loud / 2)
    // In 4 ms, and a control tick.
    let rest = Array(cut[(48 + 192 + 16)...]).peak
    #expect(rest < loud / 300, "\(rest) of \(loud)")
    // A corner of the sine itself; to cut it at its top would be one of that height.
    let own = Array(player.left[..<before]).largestCorner
    let corner = Array(player.left[(before - 2)...]).largestCorner
    #expect(corner < 2 * own, "\(corner) \(own)")
  }

  @Test("A released open hi-hat is cut by the closed one, and the closed one by the open one")
  func ringingHat() {
    let player = Self.player()
    setUp(player)
    press(player, Self.open)
    player.lift(Self.open, target: Self.channel)
    press(player, Self.closed)
    #expect(player.voiceNumbers.count == 1)
    press(player, Self.open)
    #expect(player.voiceNumbers.count == 1 && key(player) == 81)
  }

  @Test("A closed hi-hat cuts no drum of another choke group or source, and nothing without a kit")
  func otherDrums() {
    let player = Self.player()
    setUp(player)
    setUp(player, source: 1)
    press(player, Self.open)
    press(player, Self.crash)
    #expect(player.voices == 2)
    press(player, Self.closed, source: 1)
    #expect(player.voices == 3)
    // The part strikes the voice again, as any key's.
    press(player, Self.open)
    #expect(player.voices == 3)
    player.send(.allSoundOff, target: Self.channel)
    player.send(.allSoundOff, source: 1, target: Self.channel)
    player.play(4_800)
    // As keys, where no program is General MIDI's.
    let plain = Self.player()
    press(plain, Self.open)
    press(plain, Self.closed)
    #expect(plain.voices == 2)
  }

  /// Part 1 hears every channel; part 2, which only rings on, comes and goes.
  @Test("A part that hears every channel leaves channel 10 to the drum part while that part is on")
  func drumPart() {
    var scene = Self.player(channel: 0).scene
    let player = Self.player(channel: 0)
    (scene[1].patch, scene[1].strip.channel) = (scene[0].patch, 10)
    func parts(_ isOn: Bool, source: Int = 0, target: UInt8 = DrumKitTests.channel) -> [UInt8] {
      scene[1].strip.on = isOn ? 1 : 0
      player.link.scene.publish(scene)
      player.send(.allSoundOff, source: source, target: target)
      player.play(4_800)
      player.press(Self.open, source: source, target: target)
      player.play(64)
      let notes = player.voiceNumbers.map { player.engine.note($0).part }
      player.send(.allSoundOff, source: source, target: target)
      player.play(4_800)
      return notes.sorted()
    }
    // Programs that are not General MIDI's make no drums.
    #expect(parts(true) == [0, 1])
    setUp(player)
    #expect(parts(true) == [1] && parts(false) == [0] && parts(true) == [1])
    #expect(parts(true, target: 0) == [0] && parts(true, source: 1) == [0, 1])
    player.send(.panic)
    #expect(parts(true) == [1])
    // What the player has chosen for the device goes first.
    player.send(.route, target: Self.channel, value: 0b1)
    #expect(parts(true) == [0])
    player.send(.route, target: Self.channel, value: -1)
    #expect(parts(true) == [1])
    player.send(.sourceGone)
    #expect(parts(true) == [0, 1])
  }

  @Test("The key range applies to the struck keys, and the transposition to the keys of the kit")
  func rangeAndTransposition() {
    var scene = Self.player().scene
    scene[0].input.lowKey = 40
    scene[0].input.transpose = -12
    let player = Self.player()
    player.link.scene.publish(scene)
    setUp(player)
    // The range is of the keys that are struck, and the kit's are transposed.
    press(player, 36)
    #expect(player.voices == 0)
    press(player, Self.open)
    #expect(key(player) == 69)
  }
}

extension Player {
  fileprivate var scene: Scene { engine.scene }
}
