import EngineHarness
import Parameters
import Testing

@testable import Presets
@testable import Synth

/// A chord that is held while another sound is recalled, and struck again with that one as it is let go.
private struct Recalled {
  static let rate = 48_000
  private static let chord = [48, 55, 60, 64]
  /// Frames, in whole blocks of 64: of the recall, of the second chord, and of its end.
  private static let (recall, again, end) = (24_000, 36_000, 60_000)
  let left: [Float]
  let right: [Float]
  let player: Player

  /// Without `next`, the sound alone in the same music.
  init(_ patch: Patch, next: Patch? = nil) {
    var scene = Scene.initial
    scene[0].patch = patch
    player = Player(scene, running: true)
    for key in Recalled.chord { player.press(key) }
    player.play(Recalled.recall)
    if let next {
      scene[0].patch = next
      scene[0].generation &+= 1
      player.link.scene.publish(scene)
    }
    player.play(Recalled.again - Recalled.recall)
    for key in Recalled.chord { player.release(key) }
    for key in Recalled.chord { player.press(key) }
    player.play(Recalled.end - Recalled.again)
    for key in Recalled.chord { player.release(key) }
    player.play(6_000)
    (left, right) = (player.left, player.right)
  }

  /// The largest step from sample to sample on either side, from the recall to the end or in all of it.
  func step(fromRecall: Bool) -> Float {
    let first = fromRecall ? Recalled.recall - 1 : 0
    return max(Array(left[first...]).largestStep, Array(right[first...]).largestStep)
  }

  /// What sounds while the first chord is held, the recall among it.
  var held: [UInt32] { Array(left[..<Recalled.again]).bits + Array(right[..<Recalled.again]).bits }

  /// Voices, groups, sounds with their effects, and scenes that are left when all has rung out, and after how many seconds.
  func left(within seconds: Int) -> (count: Int, seconds: Int) {
    var count = 0
    for second in 0...seconds {
      player.link.scene.service()
      let groups = Limits.groups - player.engine.pointee.voices.pool.free
      let sounds = (0..<Limits.sounds).filter {
        player.engine.pointee.voices.sounds.sounds[$0].isSounding
      }.count
      count = player.voices + groups + sounds + player.link.scene.retiredCount
      if count == 0 { return (0, second) }
      player.render(64, blocks: Recalled.rate / 64)
    }
    return (count, seconds)
  }
}

@Test(
  "From each factory preset to the next: the held chord stays the same to the bit, then no step is over 1.4 of the sounds' own, nothing is left"
)
func recallsOfTheBank() throws {
  let presets = try factoryBank().sorted { ($0.preset.slot?.program ?? 0) < ($1.preset.slot?.program ?? 0) }
  let alone = presets.map { preset -> (step: Float, held: [UInt32]) in
    let take = Recalled(preset.patch)
    return (take.step(fromRecall: false), take.held)
  }
  var ratios: [(ratio: Float, names: String)] = []
  var longest = (seconds: 0, name: "")
  for index in presets.indices {
    let next = (index + 1) % presets.count
    let names = "\(presets[index].preset.name) to \(presets[next].preset.name)"
    let take = Recalled(presets[index].patch, next: presets[next].patch)
    let keepsItsSound = isSame(take.held, alone[index].held)
    #expect(keepsItsSound, "\(names)")
    ratios.append((take.step(fromRecall: true) / max(alone[index].step, alone[next].step), names))
    let rest = take.left(within: 60)
    #expect(rest.count == 0, "\(names)")
    if rest.seconds > longest.seconds { longest = (rest.seconds, names) }
  }
  ratios.sort { $0.ratio > $1.ratio }
  let middle = ratios[ratios.count / 2].ratio
  print("recalls: largest step over the sounds' own: \(ratios.prefix(3).map { "\($0.ratio) \($0.names)" })")
  print(
    "recalls: over 1 in \(ratios.filter { $0.ratio > 1 }.count) of \(ratios.count), in the middle \(middle); the longest rest \(longest.seconds) s, \(longest.name)"
  )
  // The recall itself adds nothing, as the bits of the held chord say. Where one sound is let go and the other begins, both
  // are heard, and their steps may fall together: 1.33 from Growl Bass to Hollow Bass, all others below 1.15, 0.81 in the middle.
  #expect(ratios[0].ratio <= 1.4, "\(ratios[0].names)")
}
