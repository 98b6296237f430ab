import EngineHarness
import Parameters
import Testing
@testable import Presets
@testable import Scenes
@testable import Synth

/// What the presets of the factory's second bank play.
@Suite struct StepBankTests {
  private func bank() throws -> [(preset: Preset, patch: Patch)] {
    try factoryBank().filter { $0.preset.slot?.bank == Slot.arpBank }.sorted {
      ($0.preset.slot?.program ?? 0) < ($1.preset.slot?.program ?? 0)
    }
  }

  private static let chord = [45, 57, 60, 64]

  /// A player with a sound in its first part.
  private func player(_ patch: Patch) -> Player {
    var scene = Scene.initial
    scene[0].patch = patch
    return Player(scene, running: true)
  }

  @Test("It has at least sixteen, numbered without a gap; each plays steps or chords, and none is latched")
  func uses() throws {
    let bank = try bank()
    #expect(bank.count >= 16)
    #expect(bank.map(\.preset.slot?.program) == Array(0..<bank.count))
    for (preset, patch) in bank {
      let (steps, chord) = (patch.arp.on + patch.sequence.mode, patch.chord.on)
      #expect(steps + chord > 0, "\(preset.name)")
      #expect(patch.arp.latch == 0, "\(preset.name)")
      // The transport of an instrument that is switched on stands still.
      #expect(patch.sequence.mode < 2, "\(preset.name)")
    }
    let modes = Set(bank.filter { $0.patch.arp.on > 0 }.map(\.patch.arp.mode))
    #expect(modes.count >= 9, "\(modes)")
    #expect(bank.contains { $0.patch.sequence.mode > 0 } && bank.contains { $0.patch.chord.strum != 0 })
  }

  @Test("Held keys play each step of the rhythm or of the sequence in its time, and none after they are up")
  func steps() throws {
    for (preset, patch) in try bank() where patch.arp.on + patch.sequence.mode > 0 {
      let player = player(patch)
      for key in Self.chord { player.press(key) }
      // At 120 BPM.
      let beats = StepLength.beats(patch.arp.sync)
      let count = Int(patch.sequence.mode > 0 ? patch.sequence.length : patch.arp.steps)
      for step in 0..<2 * count {
        // Late in the step: swing has moved odd ones.
        let frame = Int((Double(step) + 0.75) * beats * 24_000)
        player.play(frame - player.left.count)
        let at = Int(player.link.arps[0, .at])
        #expect(at == step % count + 1, "\(preset.name): step \(step)")
      }
      for key in Self.chord { player.release(key) }
      player.play(48_000)
      #expect(player.link.arps[0, .at] == 0 && player.link.arps[0, .keys] == 0, "\(preset.name)")
    }
  }

  @Test(
    "From each to the next under a held chord: nothing hangs after the keys are up, and nothing is beyond the limiter"
  )
  func recalls() throws {
    let bank = try bank()
    for (index, (preset, patch)) in bank.enumerated() {
      let next = bank[(index + 1) % bank.count]
      let player = player(patch)
      for key in Self.chord { player.press(key) }
      player.play(24_000)
      var scene = Scene.initial
      scene[0].patch = next.patch
      scene[0].generation &+= 1
      player.link.scene.publish(scene)
      player.play(24_000)
      for key in Self.chord { player.release(key) }
      player.play(4_800)
      var seconds = 0
      while seconds < 30, player.voices + Int(player.link.meters[.sounds]) > 0 {
        player.link.scene.service()
        player.render(64, blocks: 750)
        seconds += 1
      }
      let names = "\(preset.name) to \(next.preset.name)"
      #expect(player.voices == 0 && player.link.meters[.sounds] == 0, "\(names)")
      #expect(
        player.left.allSatisfy { $0.magnitude <= 1 } && player.right.allSatisfy { $0.magnitude <= 1 },
        "\(names)")
    }
  }
}
