import Glibc
import Parameters
import Presets
import Scenes
import Synth
import System

/// Writes, for each preset file, its name and the knobs by which its sound differs from `bench`, for
/// Tests/Benchmarks/instructions. Presets that play one note at a time are made polyphonic.
func writePresetKnobs(_ files: [String]) {
  for file in files {
    do {
      let text = String(decoding: try readFile(file, limit: Limits.presetBytes, waits: false), as: UTF8.self)
      var sound = try PresetText.read(text, names: NameRegister())
      sound.patch.play.mode = 0
      let knobs = Table.rows.filter {
        $0.field.scope == .patch && sound.patch[$0].bitPattern != Patch.bench[$0].bitPattern
      }
      print(
        "\(sound.name ?? file): \(knobs.map { "\($0.address)=\(sound.patch[$0])" }.joined(separator: " "))")
    } catch {
      print("\(file) could not be read: \(error)")
      exit(2)
    }
  }
}
