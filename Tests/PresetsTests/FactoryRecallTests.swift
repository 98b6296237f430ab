import EngineHarness
import Glibc
import Parameters
import Scratch
import Testing
@testable import Presets
@testable import Scenes
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

  /// Without `next`, the sound alone in the same music; without `strikesAgain` it only rings out.
  init(_ patch: Patch, next: Patch? = nil, strikesAgain: Bool = true) {
    var scene = Scene.initial
    scene[0].patch = patch
    // So soft that the limiter rests, and sounds add up.
    scene[0].strip.level = -24
    player = Player(scene, running: true)
    for key in Recalled.chord { player.press(key) }
    player.play(Recalled.recall)
    if let next {
      scene[0].patch = next
      scene[0].generation &+= 1
      player.link.scene.publish(scene)
    }
    player.play(Recalled.again - Recalled.recall)
    // A key that one voice plays is let go last: which of the others it would fall back to is the current sound's to say.
    let last = NotePriority.at(patch.play.priority) == .low ? Recalled.chord.reversed() : Recalled.chord
    for key in last { player.release(key) }
    if strikesAgain { for key in Recalled.chord { player.press(key) } }
    player.play(Recalled.end - Recalled.again)
    for key in Recalled.chord { player.release(key) }
    player.play(6_000)
    (left, right) = (player.left, player.right)
  }

  /// How far this is from two others at most, on either side, and the loudest sample.
  func difference(from one: Recalled, and other: Recalled) -> (Float, peak: Float) {
    var (most, peak): (Float, Float) = (0, 0)
    for side in [\Recalled.left, \Recalled.right] {
      let (whole, first, second) = (self[keyPath: side], one[keyPath: side], other[keyPath: side])
      for index in whole.indices {
        most = max(most, (whole[index] - first[index] - second[index]).magnitude)
        peak = max(peak, whole[index].magnitude)
      }
    }
    return (most, peak)
  }

  /// What sounds while the first chord is held, the recall among it.
  var held: [UInt32] { Array(left[..<Recalled.again]).bits + Array(right[..<Recalled.again]).bits }

  /// Voices, groups, sounds with their effects, and scenes that are left when all has rung out, and after how many seconds.
  func left(within seconds: Int) -> (count: Int, seconds: Int) {
    var count = 0
    for second in 0...seconds {
      player.link.scene.service()
      let groups = Limits.groups - player.engine.pointee.parts.ensemble.voices.pool.free
      let sounds = (0..<Limits.sounds).filter {
        player.engine.pointee.parts.ensemble.voices.sounds.sounds[$0].isSounding
      }.count
      count = player.voices + groups + sounds + player.link.scene.retiredCount
      if count == 0 { return (0, second) }
      player.render(64, blocks: Recalled.rate / 64)
    }
    return (count, seconds)
  }
}

@Test(
  "From each factory preset to the next: the held chord stays the same to the bit, then both are heard and nothing else, nothing is left",
  arguments: 0..<4
)
func recallsOfTheBank(quarter: Int) throws {
  // A recall ends an arpeggio, so the other bank has a test of its own.
  let bank = try factoryBank().filter { $0.preset.slot?.bank == 0 }
  let presets = bank.sorted { ($0.preset.slot?.program ?? 0) < ($1.preset.slot?.program ?? 0) }
  let count = presets.count / 4
  var differences: [(decibels: Float, names: String)] = []
  var longest = (seconds: 0, name: "")
  for index in sample(quarter * count..<(quarter + 1) * count) {
    let (preset, next) = (presets[index], presets[(index + 1) % presets.count])
    let names = "\(preset.preset.name) to \(next.preset.name)"
    let take = Recalled(preset.patch, next: next.patch)
    let alone = Recalled(preset.patch, strikesAgain: false)
    let keepsItsSound = isSame(take.held, alone.held)
    #expect(keepsItsSound, "\(names)")
    // The next one with the same chances for what it leaves to chance: after the same strikes of a mute sound.
    var mute = preset.patch
    mute.amplifier.level = Limits.silence
    let (difference, peak) = take.difference(from: alone, and: Recalled(mute, next: next.patch))
    differences.append((20 * log10(difference / peak), names))
    let rest = take.left(within: 60)
    #expect(rest.count == 0, "\(names)")
    if rest.seconds > longest.seconds { longest = (rest.seconds, names) }
  }
  differences.sort { $0.decibels > $1.decibels }
  print("recalls: beside the two sounds, in dB below the loudest: \(differences.prefix(3))")
  print("recalls: the longest rest \(longest.seconds) s, \(longest.name)")
  // Rounding: -148 to -137 dB.
  #expect(differences[0].decibels < -130, "\(differences[0].names)")
}
