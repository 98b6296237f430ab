import Parameters
import Testing

@testable import Synth

/// Sounds, their groups, and what happens at the end of each pool.
@Suite struct SoundTests {
  private static let long: [(String, Float)] = [("/amp/release", 5)]

  /// Plays `notes`, then recalls the same patch as another sound.
  private func recall(_ player: Player, _ scene: inout Scene, part: Int = 0) {
    scene[part].generation += 1
    player.link.scene.publish(scene)
  }

  @Test func aRecallUnderHeldNotesBeginsASoundAndTheOldOneEndsWithThem() {
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

  @Test func aRecallInSilenceTakesNoOtherSound() {
    var scene = Scene.initial
    let player = Player(scene)
    player.play(64)
    for _ in 0..<200 {
      recall(player, &scene)
      player.play(64)
    }
    #expect(player.sounds == 0)
    let used = (0..<Limits.sounds).filter { player.engine.pointee.voices.sounds.sounds[$0].isUsed }
    #expect(used.count == Limits.parts)
  }

  /// One note in each of a hundred sounds, all held: as many go on as there are groups to spare for parts, and every new
  /// note finds one.
  @Test func whenGroupsRunOutTheQuietestEndingSoundFadesAndEveryNewNoteSounds() {
    var scene = Scene.with(Self.long)
    let player = Player(scene)
    for index in 0..<100 {
      player.press(20 + index % 90, source: index / 90, velocity: 0.3)
      player.play(640)
      recall(player, &scene)
    }
    player.play(4_800)
    #expect(player.link.meters[.refused] == 0)
    #expect(player.voices >= Limits.groups - Limits.spareGroups - 1)
    // The newest sound even so.
    let newest = player.voiceNumbers.map { player.engine.pointee.voices.notes[$0].order }.max()
    #expect(newest == 100)
    player.send(.panic)
    player.play(2_000)
    #expect(player.voices == 0 && player.groups == 0 && player.sounds == 0)
  }

  @Test func voicesOfASoundAreBroughtTogether() {
    let player = Player(.with([("/amp/release", 0.005)]))
    for index in 0..<64 { player.press(30 + index) }
    player.play(640)
    #expect(player.groups == 8)
    for index in 0..<64 where index % 8 != 3 { player.lift(30 + index) }
    player.play(4_800)
    #expect(player.voices == 8 && player.groups == 1)
  }

  @Test func aKnobOfOnePartTouchesNoSoundOfAnotherAndTheMasterNone() {
    var scene = Scene.initial
    for part in 0..<Limits.parts { scene[part].strip.on = 1 }
    let player = Player(scene)
    for part in 0..<Limits.parts { player.press(60, target: Event.part(part)) }
    player.play(64)
    func curves() -> [UInt32] {
      (0..<Limits.parts).map { part in
        let sound = player.engine.pointee.voices.sounds.current[part]
        return player.engine.pointee.voices.sounds.sounds[sound].control.curves
      }
    }
    let before = curves()
    scene.master.level = -6
    scene[4].strip.level = -6
    player.link.scene.publish(scene)
    player.play(64)
    #expect(curves() == before)
    scene[2].patch.filter.cutoff = 500
    player.link.scene.publish(scene)
    player.play(64)
    #expect(zip(curves(), before).map { $0 != $1 } == (0..<Limits.parts).map { $0 == 2 })
  }

  /// A lane is copied by copying one place of every vector: that holds only while nothing else lies among them.
  @Test func lanesAreVectorsAndNothingElse() {
    func leaves(_ value: Any) -> [Any.Type] {
      if value is SIMD8<Float> || value is SIMD8<UInt32> || value is SIMD8<Int32> { return [] }
      let children = Mirror(reflecting: value).children
      return children.isEmpty ? [type(of: value)] : children.flatMap { leaves($0.value) }
    }
    #expect(leaves(LaneState()).isEmpty && leaves(OscillatorLanes()).isEmpty && leaves(Ramp()).isEmpty)
    #expect(leaves((1, LaneState())).count == 1)
  }

  @Test func thePatchIsKnobsInARowAndItsOscillatorsComeFirst() {
    #expect(MemoryLayout<Patch>.size == Patch.count * MemoryLayout<Float>.size)
    #expect(MemoryLayout<Patch>.offset(of: \Patch.oscillator1) == 0)
    #expect(MemoryLayout<Patch>.offset(of: \Patch.oscillator2) == MemoryLayout<OscillatorKnobs>.stride)
  }

  @Test func aWaveformIsFoundByItsChoice() {
    for (index, waveform) in Waveform.allCases.enumerated() {
      #expect(waveform.index == index && Waveform.at(waveform.choice) == waveform)
    }
    #expect(Waveform.count == Waveform.allCases.count)
    #expect(Waveform.at(-1) == .sine && Waveform.at(1e9) == .noise && Waveform.at(.nan) == .sine)
    for (index, wave) in LFOWave.allCases.enumerated() { #expect(LFOWave.at(Float(index)) == wave) }
  }
}
