import Parameters
import Scenes
import Synth

extension Scene {
  /// The initial scene with some knobs of part 1 and the master turned, in the unit of the scene.
  public static func with(_ knobs: [(String, Float)]) -> Scene {
    var scene = Scene.initial
    scene.turn(knobs)
    return scene
  }

  /// Turns knobs of a part, 0…7, and the master, by their addresses and in the unit of the scene.
  public mutating func turn(_ knobs: [(String, Float)], part: Int = 0) {
    for (address, value) in knobs {
      guard let row = Table.rows.firstIndex(where: { $0.address == address }) else {
        preconditionFailure("no such knob: \(address)")
      }
      self[ParameterID(row: row, part: part)] = value
    }
  }
}

extension Patch {
  /// The sound of presets/bench.txt: two saws, a 24 dB low-pass with envelope and LFO.
  public static let bench: Patch = Scene.with([
    ("/osc/1/wave", 2), ("/osc/1/level", 0.7), ("/osc/2/wave", 2), ("/osc/2/level", 0.7), ("/osc/2/fine", 7),
    ("/filter/cutoff", 400), ("/filter/amount", 3), ("/filter/resonance", 0.3), ("/filter/attack", 0.01),
    ("/filter/decay", 0.3), ("/filter/sustain", 0.5), ("/filter/release", 0.3), ("/lfo/1/rate", 5),
    ("/lfo/1/cutoff", 0.5), ("/lfo/1/pitch", 5), ("/amp/attack", 0.01), ("/amp/decay", 0.3),
    ("/amp/sustain", 0.7), ("/amp/release", 0.3),
  ])[0].patch
}
