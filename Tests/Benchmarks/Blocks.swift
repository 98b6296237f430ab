import EngineHarness
import Parameters
import Scenes
import Synth

/// How even the blocks are: 64 voices on eight parts for four seconds, a new scene with a moved knob in every block,
/// a recall and eight keys struck anew every second. The same take is repeated, and of each block the shortest of
/// its times counts, so that what the machine does beside it stays out.
func benchmarkBlocks() {
  var shortest = times()
  for _ in 0..<14 {
    for (index, time) in times().enumerated() { shortest[index] = min(shortest[index], time) }
  }
  let sorted = shortest.sorted()
  let (median, worst) = (sorted[sorted.count / 2], sorted[sorted.count - 1])
  let deadline = 64 * 1e9 / 48_000
  print(
    "blocks: median \(decimals(median / 1000, 1)) us, 99 % \(decimals(sorted[sorted.count * 99 / 100] / 1000, 1)) us, "
      + "worst \(decimals(worst / 1000, 1)) us of \(decimals(deadline / 1000, 0)) us; "
      + "worst over median \(decimals(worst / median, 2))")
}

/// Nanoseconds of each block.
private func times() -> [Double] {
  var scene = Scene.initial
  for part in 0..<8 {
    scene[part].patch = .bench
    scene[part].strip.on = 1
  }
  let player = Player(scene, running: true)
  func strike(_ part: Int) {
    for note in stride(from: 40, to: 80, by: 5) {
      player.release(note, target: Event.part(part))
      player.press(note, target: Event.part(part), velocity: 0.4)
    }
  }
  for part in 0..<8 { strike(part) }
  player.render(64, blocks: 100)
  return (0..<3_000).map { block in
    scene[block % 8].patch.filter.cutoff = Float(500 + block)
    if block % 750 == 0 { scene[block / 750].generation &+= 1 }
    player.link.scene.publish(scene)
    if block % 750 == 400 { strike(block / 750) }
    let begin = processorSeconds()
    player.render(64)
    return (processorSeconds() - begin) * 1e9
  }
}
