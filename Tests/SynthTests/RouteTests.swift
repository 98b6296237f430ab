import EngineHarness
import Parameters
import Testing
@testable import Scenes
@testable import Synth

/// Which parts hear the channels of a device, whatever they answer to.
@Suite("Device routes") struct RouteTests {
  /// Part 1 answers to every channel and is on the left, part 2 to none and is on the right.
  private func player() -> Player {
    var scene = Scene.initial
    (scene[0].strip.pan, scene[1].strip.pan) = (-1, 1)
    (scene[1].patch, scene[1].strip.level) = (scene[0].patch, scene[0].strip.level)
    return Player(scene)
  }

  /// Whether something sounds left and right for a tenth of a second.
  private func sides(_ player: Player) -> [Bool] {
    player.left.removeAll()
    player.right.removeAll()
    player.play(4_800)
    return [player.left, player.right].map { $0.contains { abs($0) > 1e-3 } }
  }

  private func silence(_ player: Player) {
    player.send(.panic)
    player.play(48_000)
  }

  @Test("A routed channel plays exactly the parts of its route until the route is removed")
  func routedChannel() {
    let player = player()
    player.send(.noteOn, source: 1, note: 60, value: 1)
    #expect(sides(player) == [true, false])
    silence(player)
    player.send(.route, source: 1, value: 0b10)
    player.send(.noteOn, source: 1, note: 60, value: 1)
    #expect(sides(player) == [false, true])
    silence(player)
    // Neither a panic nor the end of the source undoes it, and other channels and sources are where they were.
    player.send(.sourceGone, source: 1)
    player.send(.noteOn, source: 1, note: 60, value: 1)
    #expect(sides(player) == [false, true])
    silence(player)
    player.send(.noteOn, source: 1, target: 1, note: 60, value: 1)
    player.send(.noteOn, source: 2, note: 64, value: 1)
    #expect(sides(player) == [true, false])
    silence(player)
    player.send(.route, source: 1, value: 0b11)
    player.send(.noteOn, source: 1, note: 60, value: 1)
    #expect(sides(player) == [true, true])
    silence(player)
    player.send(.route, source: 1, value: 0)
    player.send(.noteOn, source: 1, note: 60, value: 1)
    #expect(sides(player) == [false, false])
    player.send(.route, source: 1, value: -1)
    player.send(.noteOn, source: 1, note: 60, value: 1)
    #expect(sides(player) == [true, false])
  }

  @Test("A note that is held through a route change ends in the part where it began") func heldNote() {
    let player = player()
    player.send(.noteOn, source: 1, note: 60, value: 1)
    player.play(4_800)
    player.send(.route, source: 1, value: 0b10)
    #expect(sides(player) == [true, false])
    player.send(.noteOff, source: 1, note: 60)
    player.play(96_000)
    #expect(sides(player) == [false, false])
  }

  @Test("A sustain pedal holds notes only in the parts that hear its device") func pedalRoute() {
    let player = player()
    player.send(.route, source: 1, value: 0b10)
    player.send(.sustain, source: 1, value: 1)
    // Another device plays part 1, which does not hear that pedal.
    player.send(.noteOn, source: 2, note: 60, value: 1)
    player.play(4_800)
    player.send(.noteOff, source: 2, note: 60)
    player.play(96_000)
    #expect(sides(player) == [false, false])
    player.send(.route, source: 1, value: -1)
    player.send(.noteOn, source: 2, note: 60, value: 1)
    player.play(4_800)
    player.send(.noteOff, source: 2, note: 60)
    player.play(48_000)
    #expect(sides(player) == [true, false])
  }
}
