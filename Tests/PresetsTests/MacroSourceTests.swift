import EngineHarness
import Parameters
import Scenes
import Testing
@testable import Presets

/// The macros as sources of the matrix, as a preset's text gives them.
struct MacroSourceTests {
  private func play(_ lines: String) throws -> [Float] {
    let reading = try PresetText.read("pipit preset 1\n/filter/cutoff/hz 20000\n" + lines)
    #expect(reading.warnings.isEmpty)
    var scene = Scene.initial
    scene[0].patch = reading.patch
    let player = Player(scene)
    player.press(60, velocity: 0.8)
    player.play(9_600)
    return player.left
  }

  @Test("A macro at 50 percent modulates half as deeply as the constant source", arguments: 1...Limits.macros)
  func macroDepth(_ macro: Int) throws {
    let slot = "/mod/1/target amp-level\n/mod/1/amount/percent -80\n/mod/1/source "
    let moved = try play(slot + "macro-\(macro)\n/macro/\(macro)/percent 50\n")
    let constant = try play(
      "/mod/1/target amp-level\n/mod/1/amount/percent -40\n/mod/1/source constant\n")
    let still = try play(slot + "macro-\(macro)\n")
    #expect(zip(moved, constant).allSatisfy { abs($0 - $1) < 1e-4 })
    #expect(zip(moved, still).contains { abs($0 - $1) > 0.01 })
  }

  @Test("A macro that is not the source of a slot does not change the sound") func otherMacros() throws {
    let slot = "/mod/1/source macro-3\n/mod/1/target amp-level\n/mod/1/amount/percent -80\n"
    let still = try play(slot)
    for other in [1, 2, 4] {
      #expect(try play(slot + "/macro/\(other)/percent 100\n") == still)
    }
  }

  /// Presets that name the sources of older versions keep them, at the numbers that tablets send.
  @Test(
    "Modulation sources keep their numbers when a preset names them",
    arguments: [("macro-2", 13), ("wheel", 14), ("pedal", 21), ("macro-3", 22), ("macro-4", 23)])
  func sourceNumbers(_ name: String, _ number: Float) throws {
    let patch = try PresetText.read("pipit preset 1\n/mod/1/source \(name)\n").patch
    #expect(patch.slot1.source == number)
    #expect(PresetText.write(patch).contains("/mod/1/source \(name)\n"))
  }
}
