import EngineHarness
import Glibc
import Parameters
import Synth

/// Nanoseconds of processor time for each note and sample of the `bench` sound, at 16, 64 and 128 notes.
func benchmarkVoices() {
  for notes in [16, 64, 128] {
    var best = Double.infinity
    for _ in 0..<5 { best = min(best, cost(notes: notes, seconds: 4)) }
    print("voices: \(notes) notes: \(decimals(best, 2)) ns a note and sample")
  }
}

private func cost(notes: Int, seconds: Int) -> Double {
  var scene = Scene.initial
  scene[0].patch = .bench
  let player = Player(scene, running: true)
  for note in 0..<notes { player.press(36 + note % 64, source: note / 64) }
  player.render(256, blocks: 20)
  let blocks = seconds * 48_000 / 256
  let start = processorSeconds()
  player.render(256, blocks: blocks)
  let spent = processorSeconds() - start
  precondition(player.voices == notes && player.link.meters.takePeak() > 0.05)
  return spent * 1e9 / Double(blocks * 256 * notes)
}

func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

func decimals(_ value: Double, _ places: Int) -> String {
  let scale = pow(10, Double(places))
  return "\((value * scale).rounded() / scale)"
}
