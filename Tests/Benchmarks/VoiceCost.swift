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

/// The sound that the field is measured with: two saws, a 24 dB low-pass with envelope and LFO.
func benchPatch() -> Patch {
  var patch = Patch.initial
  for (address, value) in [
    ("/osc/1/wave", 2), ("/osc/1/level", 0.7), ("/osc/2/wave", 2), ("/osc/2/level", 0.7), ("/osc/2/fine", 7),
    ("/filter/cutoff", 400), ("/filter/amount", 3), ("/filter/resonance", 0.3), ("/filter/attack", 0.01),
    ("/filter/decay", 0.3), ("/filter/sustain", 0.5), ("/filter/release", 0.3), ("/lfo/rate", 5),
    ("/lfo/cutoff", 0.5), ("/lfo/pitch", 5), ("/amp/attack", 0.01), ("/amp/decay", 0.3),
    ("/amp/sustain", 0.7),
    ("/amp/release", 0.3),
  ] as [(String, Float)] {
    for row in Table.rows where row.address == address { patch[row] = value }
  }
  return patch
}

private func cost(notes: Int, seconds: Int) -> Double {
  var scene = Scene.initial
  scene[0].patch = benchPatch()
  let take = Take(scene, frames: 256)
  defer { take.close() }
  for note in 0..<notes { take.press(36 + note % 64, 0.8, source: note / 64) }
  take.render(blocks: 20)
  let blocks = seconds * 48_000 / 256
  let start = processorSeconds()
  take.render(blocks: blocks)
  let spent = processorSeconds() - start
  precondition(Int(take.link.meters[.voices]) == notes && take.link.meters.takePeak() > 0.05)
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
