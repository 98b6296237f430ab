import Parameters
import Testing
@testable import Scenes
@testable import Synth

/// Sounds, their groups, and what happens at the end of each pool.
@Suite("Sounds and their voice groups") struct SoundTests {
  private static let long: [(String, Float)] = [("/amp/release", 5)]

  /// Plays `notes`, then recalls the same patch as another sound.
  private func recall(_ player: Player, _ scene: inout Scene, part: Int = 0) {
    scene[part].generation += 1
    player.link.scene.publish(scene)
  }

  @Test("A recall under held notes begins a new sound, and the old sound ends with its notes")
  func recallUnderNotes() {
    var scene = Scene.with([("/amp/release", 0.01)])
    let player = Player(scene)
    player.press(60)
    player.play(640)
    recall(player, &scene)
    player.press(62)
    player.play(640)
    #expect(player.sounds == 2 && player.groups == 2)
    player.lift(60)
    player.play(4_800)
    #expect(player.sounds == 1 && player.groups == 1 && player.voices == 1)
  }

  @Test("200 recalls in silence keep the current sound in its place and take no other")
  func recallInSilence() {
    var scene = Scene.initial
    let player = Player(scene)
    player.play(64)
    for _ in 0..<200 {
      recall(player, &scene)
      player.play(64)
    }
    #expect(player.sounds == 0)
    #expect(player.engine.currentSounds[0] == 0)
  }

  /// One note in each of sixty sounds, all held: as many go on as there are groups to spare for parts, and every new
  /// note finds one.
  @Test("When voice groups run out, old sounds fade and every new note sounds") func exhaustedGroups() {
    var scene = Scene.with(Self.long)
    let player = Player(scene)
    for index in 0..<60 {
      player.press(20 + index, velocity: 0.3)
      player.play(320)
      scene[0].patch.filter.cutoff = 500 + Float(index)
      recall(player, &scene)
    }
    player.play(1_600)
    #expect(player.link.meters[.refused] == 0)
    #expect(player.voices >= Limits.groups - Limits.spareGroups - 1)
    // The newest sound even so.
    let newest = player.voiceNumbers.map { player.engine.note($0).order }.max()
    #expect(newest == 60)
    player.send(.panic)
    player.play(2_000)
    #expect(player.voices == 0 && player.groups == 0 && player.sounds == 0)
  }

  @Test("40 recalls of 2 presets in turn leave 2 ending sounds, whose voices share groups")
  func sharedPatch() {
    var scene = Scene.with(Self.long)
    let player = Player(scene)
    for index in 0..<40 {
      scene[0].patch.filter.cutoff = index % 2 == 0 ? 500 : 900
      recall(player, &scene)
      player.press(40 + index)
      player.play(640)
    }
    recall(player, &scene)
    player.play(640)
    #expect(player.voices == 40 && player.sounds == 2 && player.groups == 6)
    player.send(.panic)
    player.play(2_000)
    #expect(player.groups == 0 && player.sounds == 0)
  }

  /// A slow machine, and a few voices in each of many sounds: groups are what costs, and those of old sounds go first.
  @Test("Overload sheds voice groups of the oldest sounds until the load fits") func loadShedding() {
    var scene = Scene.with(Self.long)
    let player = Player(scene)
    for index in 0..<20 {
      scene[0].patch.filter.cutoff = 500 + Float(index)
      recall(player, &scene)
      for note in 0..<2 { player.press(30 + 2 * index + note) }
      player.play(640)
    }
    #expect(player.voices == 40 && player.groups == 20)
    // A group takes a tenth of the deadline, so that seven can play; 40 voices alone would be five groups, and none too many.
    for _ in 0..<60 {
      player.engine.reportLoad(share: 0.03 + 0.1 * Float(player.engine.work) / 64)
      player.play(64)
    }
    #expect(player.groups <= 7 && player.voices >= 8)
    #expect(player.link.meters[.shed] == UInt64(40 - player.voices))
    let newest = player.voiceNumbers.map { player.engine.note($0).order }.sorted().suffix(2)
    #expect(Array(newest) == [39, 40])
  }

  @Test("The 8 voices of a sound that remain in 8 groups move together into 1 group") func compaction() {
    let player = Player(.with([("/amp/release", 0.005)]))
    for index in 0..<64 { player.press(30 + index) }
    player.play(640)
    #expect(player.groups == 8)
    for index in 0..<64 where index % 8 != 3 { player.lift(30 + index) }
    player.play(4_800)
    #expect(player.voices == 8 && player.groups == 1)
  }

  @Test("A knob of a part updates the sound of that part alone; strip and master levels update none")
  func knobScope() {
    var scene = Scene.initial
    for part in 0..<Limits.parts { scene[part].strip.on = 1 }
    let player = Player(scene)
    for part in 0..<Limits.parts { player.press(60, target: Event.part(part)) }
    player.play(64)
    func curves() -> [UInt32] {
      (0..<Limits.parts).map { part in
        let sound = player.engine.currentSounds[part]
        return player.engine.sounds[sound].control.curves
      }
    }
    let before = curves()
    scene.master.level = -6
    scene[4].strip.level = -6
    player.link.scene.publish(scene)
    player.play(64)
    #expect(curves() == before)
    scene[2].patch.amplifier.envelope.attack = 0.5
    player.link.scene.publish(scene)
    player.play(64)
    #expect(zip(curves(), before).map { $0 != $1 } == (0..<Limits.parts).map { $0 == 2 })
  }

  /// A lane is copied by copying one place of every vector: that holds only while nothing else lies among them.
  @Test("Lane structures contain nothing but vectors of eight lanes") func laneLayout() {
    func leaves(_ value: Any) -> [Any.Type] {
      if value is SIMD8<Float> || value is SIMD8<UInt32> || value is SIMD8<Int32> { return [] }
      let children = Mirror(reflecting: value).children
      return children.isEmpty ? [type(of: value)] : children.flatMap { leaves($0.value) }
    }
    #expect(leaves(LaneState()).isEmpty && leaves(OscillatorLanes()).isEmpty && leaves(Ramp()).isEmpty)
    #expect(leaves((1, LaneState())).count == 1)
  }

  @Test("A patch is a row of floats that begins with oscillators 1 and 2") func patchLayout() {
    #expect(MemoryLayout<Patch>.size % MemoryLayout<Float>.size == 0)
    #expect(MemoryLayout<Patch>.offset(of: \Patch.oscillator1) == 0)
    #expect(MemoryLayout<Patch>.offset(of: \Patch.oscillator2) == MemoryLayout<OscillatorKnobs>.stride)
  }

  @Test("Each choice has its waveform; choices out of range have the first or the last one")
  func waveformChoice() {
    for (index, waveform) in Waveform.allCases.enumerated() {
      #expect(waveform.index == index && Waveform.at(waveform.choice) == waveform)
    }
    #expect(Waveform.count == Waveform.allCases.count)
    #expect(Waveform.at(-1) == .sine && Waveform.at(.nan) == .sine)
    #expect(Waveform.at(1e9) == Waveform.allCases.last)
  }
}
