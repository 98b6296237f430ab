import ALSA
import Control
import EngineHarness
import Glibc
import Parameters
import Scenes
import Synth

/// `benchmarks tails FOLDER`: recalls under a room that rings for ten seconds. It prints figures and leaves what was played
/// in the folder, as floats of both sides in turn.
///
/// The engine and the managed scene are those of the instrument, and a recall is what control does: the stage takes another
/// patch, and the scene is published with its effects made ready. Only time is the benchmark's own.
func writeTails(_ arguments: [String]) {
  guard let folder = arguments.first else {
    print("usage: benchmarks tails FOLDER")
    exit(2)
  }
  ProcessMemory.trimHeap()
  writeRing(folder)
  writeStorm(folder)
}

private let rate = 48_000
private let room: [(String, Float)] = [("/reverb/on", 1), ("/reverb/decay", 10), ("/reverb/high", 0.7)]
private let others: [(String, Float)] = ["drive", "eq", "chorus", "delay"].map { ("/\($0)/on", 1) }
private let chord = [40, 47, 52, 56, 59, 64]

/// A scene with one of two sounds, and some effects; the level is so low that the limiter rests.
private func scene(_ patch: Patch, _ effects: [(String, Float)]) -> Scene {
  var scene = Scene.with(effects + [("/master/level", -12)])
  let effects = scene[0].patch.effects
  scene[0].patch = patch
  scene[0].patch.effects = effects
  return scene
}

private func pad() -> Patch {
  var patch = Patch.bench
  patch.oscillator1.wave = Waveform.square.choice
  patch.filter.cutoff = 3_000
  return patch
}

/// A player whose scene is published and looked after as control does it.
private final class Recaller {
  let player: Player
  var stage: Stage
  /// The most old effects that rang at once, and the largest step from sample to sample.
  var mostRinging = 0
  var step: Float = 0
  private var last = SIMD2<Float>.zero

  init(_ scene: Scene) {
    (player, stage) = (Player(scene, running: true), Stage(scene))
  }

  func recall(_ patch: Patch) {
    stage.recall(patch, part: 0)
    player.link.scene.publish(stage.scene)
  }

  /// Blocks of 64 frames; scenes are looked after every ten milliseconds.
  func play(_ frames: Int) {
    let begin = player.left.count
    for done in stride(from: 0, to: frames, by: 64) {
      player.play(min(64, frames - done))
      if done % 512 == 0 { player.link.scene.service() }
      mostRinging = max(mostRinging, player.link.scene.ringingCount)
    }
    for i in begin..<player.left.count {
      let now = SIMD2(player.left[i], player.right[i])
      step = max(step, abs(now.x - last.x), abs(now.y - last.y))
      last = now
    }
  }

  /// Plays until nothing sounds any more, for a minute at most; in how many seconds that was.
  func playOut() -> Double {
    let begin = player.left.count
    repeat {
      play(rate / 2)
    } while (player.link.meters[.sounds] > 0 || player.link.scene.ringingCount > 0)
      && player.left.count - begin < 60 * rate
    let end = player.left.indices.last { player.left[$0] != 0 || player.right[$0] != 0 } ?? begin
    return Double(end - begin) / Double(rate)
  }
}

/// A chord in a room, a recall to a dry sound while it is held, and notes of that; beside it the chord without a recall, and
/// the notes alone.
private func writeRing(_ folder: String) {
  let dry = scene(.bench, [])
  func take(_ name: String, first: Scene, hasChord: Bool, recalls: Bool, hasNotes: Bool) {
    let recaller = Recaller(first)
    let player = recaller.player
    if hasChord { for note in chord { player.press(note, velocity: 0.6) } }
    recaller.play(2 * rate)
    if recalls { recaller.recall(dry[0].patch) }
    recaller.play(rate / 2)
    for note in chord { player.release(note) }
    recaller.play(rate / 2)
    for index in 0..<16 {
      let note = 64 + [0, 3, 7, 10, 12, 10, 7, 3][index % 8]
      if hasNotes { player.press(note, velocity: 0.7) }
      recaller.play(rate / 4)
      player.release(note)
      recaller.play(rate / 4)
    }
    let sounding = player.link.meters[.sounds]
    let end = Double(player.left.count) / Double(rate) + recaller.playOut()
    print(
      "tails: \(name): peak \(decibels(max(player.left.peak, player.right.peak))), sounds after the notes \(sounding), last "
        + "sample that is not 0 after \(decimals(end, 1)) s, then sounds \(player.link.meters[.sounds]), old effects "
        + "\(player.link.scene.ringingCount)")
    write(player.left, player.right, to: "\(folder)/\(name).raw")
  }
  let wet = scene(pad(), room)
  take("recalled", first: wet, hasChord: true, recalls: true, hasNotes: true)
  take("chord", first: wet, hasChord: true, recalls: false, hasNotes: false)
  take("notes", first: dry, hasChord: false, recalls: false, hasNotes: true)
}

/// Fifty recalls a second for ten seconds under a held chord, with notes above it, all effects on: beside either sound
/// without a recall.
private func writeStorm(_ folder: String) {
  let scenes = [scene(pad(), room + others), scene(.bench, room + others)]
  func storm(_ first: Scene, _ second: Scene?) -> Recaller {
    let recaller = Recaller(first)
    let player = recaller.player
    for note in chord { player.press(note, velocity: 0.5) }
    for recall in 0..<500 {
      if let second { recaller.recall((recall % 2 == 0 ? second : first)[0].patch) }
      if recall % 4 == 0 {
        player.release(72 + (recall / 4 - 1) * 7 % 13)
        player.press(72 + recall / 4 * 7 % 13)
      }
      recaller.play(rate / 50)
    }
    for note in 0..<128 { player.release(note) }
    return recaller
  }
  let alone = scenes.map { storm($0, nil).step }
  let repeated = scenes.map { storm($0, $0).step }
  // Once before it counts, so that all that it needs is in memory.
  _ = storm(scenes[0], scenes[1]).playOut()
  let before = residentKilobytes()
  let end: Double
  do {
    let take = storm(scenes[0], scenes[1])
    let link = take.player.link
    let (sounds, voices) = (link.meters[.sounds], link.meters[.voices])
    end = take.playOut()
    print(
      "storm: largest step \(take.step), without recalls \(alone), with recalls of the same sound \(repeated)"
    )
    print("storm: \(sounds) sounds and \(voices) voices at its end, at most \(take.mostRinging) old effects")
    print(
      "storm: silent \(decimals(end, 1)) s later: sounds \(link.meters[.sounds]), voices \(link.meters[.voices]), old effects "
        + "\(link.scene.ringingCount), old scenes \(link.scene.retiredCount), faults \(link.meters[.faults])")
    write(take.player.left, take.player.right, to: "\(folder)/storm.raw")
  }
  print("storm: \(before) KB of memory before it, \(residentKilobytes()) KB after it")
}

private func decibels(_ peak: Float) -> String { "\(decimals(Double(20 * log10f(max(peak, 1e-9))), 1)) dB" }

/// What the process holds of its own, without pages of files.
private func residentKilobytes() -> Int {
  guard let file = fopen("/proc/self/status", "r") else { return 0 }
  defer { fclose(file) }
  var line = [CChar](repeating: 0, count: 256)
  while fgets(&line, 256, file) != nil {
    let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    if text.hasPrefix("RssAnon:") { return Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0 }
  }
  return 0
}
