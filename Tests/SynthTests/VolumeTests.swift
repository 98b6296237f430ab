import Glibc
import Parameters
import Testing
@testable import Scenes
@testable import Synth

/// Controllers 7, 8 and 11: heard as level.
@Suite("Volume, expression and balance") struct VolumeTests {
  /// Decibels of the left side and the right one from now on.
  private func level(_ player: Player) -> (left: Double, right: Double) {
    player.play(9_600)
    (player.left, player.right) = ([], [])
    player.play(4_800)
    return (20 * log10(Double(player.left.peak)), 20 * log10(Double(player.right.peak)))
  }

  private func player() -> Player {
    let player = Player(.with([("/osc/1/wave", 0), ("/filter/cutoff", 20_000)]))
    player.press(69)
    return player
  }

  @Test(
    "Volume and expression follow the recommended curve, 40 · log10(value / 127) dB",
    arguments: [Event.Kind.volume, .expression], [1, 20, 64, 100, 127])
  func theCurveIsTheRecommendedOne(kind: Event.Kind, value: Int) {
    let player = player()
    let full = level(player).left
    player.send(kind, value: Float(value) / 127)
    let change = level(player).left - full
    // Measured: within 0.01 dB down to -40, where the peak is found on fewer samples.
    #expect(abs(change - 40 * log10(Double(value) / 127)) < 0.05, "\(change)")
  }

  @Test("A channel volume of 0 silences a held note") func zeroVolume() {
    let player = player()
    player.send(.volume, value: 0)
    #expect(level(player).left < -100)
  }

  @Test("Channel volume survives a recall and a controller reset, and leaves other channels alone")
  func channelVolume() {
    var scene = Scene.with([("/osc/1/wave", 0), ("/filter/cutoff", 20_000)])
    let player = Player(scene)
    player.press(69)
    let full = level(player).left
    player.send(.volume, value: 0.5)
    player.send(.resetControllers)
    #expect(abs(level(player).left - full + 12.04) < 0.05)
    scene[0].generation += 1
    player.link.scene.publish(scene)
    player.send(.allSoundOff)
    player.play(2_400)
    player.press(69)
    #expect(abs(level(player).left - full + 12.04) < 0.05)
    player.send(.allSoundOff)
    player.play(2_400)
    player.press(69, target: 1)
    #expect(abs(level(player).left - full) < 0.05)
    // A slider on a device of its own is for what the part plays.
    player.send(.volume, source: 1, target: 4, value: 0.5)
    #expect(abs(level(player).left - full + 12.04) < 0.05)
    player.send(.sourceGone, source: 1)
    #expect(abs(level(player).left - full) < 0.05)
  }

  @Test("Half balance lowers the opposite side by 6 dB, and full balance silences that side")
  func aBalanceTakesOneSideAway() {
    let player = player()
    let middle = level(player)
    player.send(.balance, value: 0.5)
    let right = level(player)
    #expect(abs(right.left - middle.left + 6.02) < 0.02 && abs(right.right - middle.right) < 0.001)
    player.send(.balance, value: -1)
    let left = level(player)
    #expect(left.right < -80 && abs(left.left - middle.left) < 0.001)
    player.send(.resetControllers)
    #expect(level(player).right < -80)
    // Two hands together, and one of them gone.
    player.send(.balance, source: 1, value: 1)
    #expect(abs(level(player).right - middle.right) < 0.001)
    player.send(.sourceGone, source: 1)
    #expect(level(player).right < -80)
    player.send(.balance, value: 0)
    #expect(abs(level(player).right - middle.right) < 0.001)
  }

  @Test("Master balance adds to the channel balance, only in the parts that hear its device")
  func aMasterBalanceIsOfAllThatADevicePlays() {
    let player = player()
    let middle = level(player)
    player.send(.masterBalance, value: 0.5)
    let right = level(player)
    #expect(abs(right.left - middle.left + 6.02) < 0.02 && abs(right.right - middle.right) < 0.001)
    player.send(.balance, value: -0.5)
    #expect(abs(level(player).left - middle.left) < 0.001)
    player.send(.balance, value: 0)
    player.send(.resetControllers)
    #expect(abs(level(player).left - middle.left + 6.02) < 0.02)
    player.send(.route, value: 0)
    player.play(4_800)
    #expect(player.engine.controllers.balance(0) != 0)
    for channel in 0..<UInt8(Limits.channels) { player.send(.route, target: channel, value: 0) }
    player.play(4_800)
    #expect(player.engine.controllers.balance(0) == 0)
    for channel in 0..<UInt8(Limits.channels) { player.send(.route, target: channel, value: -1) }
    player.send(.sourceGone)
    player.play(4_800)
    #expect(player.engine.controllers.balance(0) == 0)
  }
}
