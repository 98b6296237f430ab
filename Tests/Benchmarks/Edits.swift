import Control
import Parameters
import Presets
import Scenes
import Synth
import System

/// What the control thread pays for a knob message after it was parsed, and for a publish of the scene, in nanoseconds.
/// From the repository's folder, where the presets are.
func benchmarkEdits() {
  let link = Link(.initial)
  let library = Library(database: nil, factory: "presets", log: { _ in })
  let instrument = Instrument(link: link, library: library, log: { _ in })
  guard let preset = library.presets.first, let knob = Address("/part/1/filter/cutoff", focus: 0)?.knob else {
    return
  }
  instrument.presets.recall(preset, part: 0)
  let rounds = 1_000_000
  let knobs = time(rounds) { instrument.set(knob, to: 200 + Float($0 % 1_000)) }
  print("edits: a knob message \(knobs) ns, edited \(instrument.presets.isEdited(part: 0))")

  let holder = StageHolder(instrument.stage)
  print("edits: a publish \(time(100_000) { _ in holder.publish(link.scene) }) ns")
}

/// A stage in a class, as the instrument has it.
private final class StageHolder {
  private var stage: Stage

  init(_ stage: Stage) { self.stage = stage }

  @inline(never)
  func publish(_ scene: ManagedScene) {
    stage.publish(to: scene)
  }
}

/// Nanoseconds per call of `body`, the best of nine runs.
private func time(_ rounds: Int, _ body: (Int) -> Void) -> Int {
  var best = Int64.max
  for _ in 0..<9 {
    let began = monotonic()
    for round in 0..<rounds / 9 { body(round) }
    best = min(best, monotonic() - began)
  }
  return Int(best) / (rounds / 9)
}
