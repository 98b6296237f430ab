import ALSA
import EngineHarness
import Glibc
import Parameters
import Scenes
import Synth

/// Fifty recalls a second for ten seconds under a held chord of eight notes with running notes above it.
///
/// First without a clock, for the sound. Every voice sounds as it would in a take of its own sound alone, so a
/// recall can add nothing of its own; what is measured is the largest step from sample to sample of the whole,
/// against takes of the same notes with either sound alone. Then in real time against the machine's clock, with
/// as many blocks of an engine that has nothing to play, for what the machine itself misses.
func benchmarkRecalls() {
  let (one, other) = (pad(), Patch.bench)
  let alone = [one, other].map { storm([$0, $0]) }
  let mixed = storm([one, other])
  let bound = alone.map(\.step).max() ?? 0
  print(
    "recalls: largest step \(mixed.step), of the sounds alone \(alone.map(\.step)): \(mixed.step <= bound ? "within" : "OVER")"
  )
  print("recalls: voices left \(mixed.voices), images left \(mixed.retired), most voices \(mixed.most)")
  for (name, busy) in [("recalls", true), ("nothing to play", false)] {
    let take = live([one, other], busy: busy)
    print(
      "recalls, live, \(name): missed deadlines \(take.missed) of \(take.blocks) blocks, longest block "
        + "\(take.worst / 1000) us of \(64 * 1_000_000 / 48_000) us, voices left \(take.voices), images left \(take.retired)"
    )
  }
}

private func pad() -> Patch {
  var patch = Patch.bench
  patch.oscillator1.wave = Waveform.square.choice
  patch.oscillator2.octave = 1
  patch.filter.cutoff = 3_000
  patch.amplifier.level = -3
  return patch
}

private let chord = [40, 47, 52, 56, 59, 64, 68, 71]

/// The running note of one of the twelve steps a second: on at its beginning, off just before the next.
private func running(_ index: Int) -> Int { 72 + index * 7 % 13 }

private func storm(_ patches: [Patch]) -> (step: Float, voices: Int, retired: Int, most: Int) {
  var scene = Scene.initial
  scene[0].patch = patches[0]
  let player = Player(scene, running: true)
  let link = player.link
  var (last, step): (Float, Float) = (0, 0)
  func render(blocks: Int) {
    for _ in 0..<blocks {
      player.render(64)
      for i in 0..<64 {
        step = max(step, abs(player.block.left[i] - last))
        last = player.block.left[i]
      }
    }
  }
  for note in chord { player.press(note, velocity: 0.5) }
  // 500 recalls, 15 blocks (20 ms) apart; a running note every fourth.
  for recall in 0..<500 {
    scene[0].patch = patches[recall % 2]
    scene[0].generation &+= 1
    link.scene.publish(scene)
    if recall % 4 == 0 {
      player.release(running(recall / 4 - 1))
      player.press(running(recall / 4))
    }
    render(blocks: 15)
  }
  for note in 0..<128 { player.release(note) }
  render(blocks: 2_000)
  link.scene.service()
  return (step, Int(link.meters[.voices]), link.scene.retiredCount, Int(link.meters[.mostVoices]))
}

private func live(_ patches: [Patch], busy: Bool) -> (
  missed: Int, blocks: Int, worst: Int, voices: Int, retired: Int
) {
  var scene = Scene.initial
  scene[0].patch = patches[0]
  let link = Link(scene)
  let output = AudioOutput(device: .clock, rate: 48_000, period: 64, link: link) {
    print("recalls, live: \($0)")
  }
  do { try output.start() } catch { return (-1, 0, 0, 0, 0) }
  usleep(200_000)
  let before = (link.meters[.xruns], link.meters[.blocks])
  if busy {
    for note in chord { link.midi.push(Event(frame: 0, kind: .noteOn, note: UInt8(note), value: 0.5)) }
  }
  for recall in 0..<500 {
    if busy {
      scene[0].patch = patches[recall % 2]
      scene[0].generation &+= 1
      link.scene.publish(scene)
      if recall % 4 == 0 {
        link.midi.push(Event(frame: 0, kind: .noteOff, note: UInt8(running(recall / 4 - 1))))
        link.midi.push(Event(frame: 0, kind: .noteOn, note: UInt8(running(recall / 4)), value: 0.8))
      }
    }
    usleep(20_000)
    link.scene.service()
  }
  let missed = Int(link.meters[.xruns] - before.0)
  let blocks = Int(link.meters[.blocks] - before.1)
  for note in 0..<128 { link.midi.push(Event(frame: 0, kind: .noteOff, note: UInt8(note))) }
  usleep(1_500_000)
  link.scene.service()
  let result = (
    missed, blocks, Int(link.meters[.worstBlockTime]), Int(link.meters[.voices]), link.scene.retiredCount
  )
  output.stop()
  return result
}
