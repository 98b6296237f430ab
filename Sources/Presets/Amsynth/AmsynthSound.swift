import Parameters
import Storage
import Synth

/// The conversion of an amsynth preset to the closest sound of pipit. Pure, any thread.
///
/// The control laws are those of amsynth 1.13; `losses` lists the differences that remain, with the line of the
/// parameter in the file.
struct AmsynthSound {
  let preset: AmsynthPreset
  /// The sound as a text of pipit.
  private(set) var text = ""
  /// The settings that could not be carried over.
  private(set) var losses: [TextWarning]

  // The lines of the text, and the lines of the parameters from which they follow.
  private var lines: [(text: String, source: Int)] = []

  /// Converts a preset.
  init(_ preset: AmsynthPreset) {
    self.preset = preset
    losses = preset.warnings
    addOscillators()
    addFilter()
    addAmplifier()
    addModulation()
    addEffects()
    addPlaying()
    let head = TextFormat.head("preset")
    let raw = head + lines.reduce("") { $0 + $1.text + "\n" }
    // Its sounds use no wavetables of the player.
    let names = NameRegister()
    guard let reading = try? PresetText.read(raw, names: names) else { return }
    // Values out of range were clamped.
    for warning in reading.warnings where warning.line > 1 {
      losses.append(TextWarning(line: lines[warning.line - 2].source, problem: warning.problem))
    }
    var about = PresetAbout()
    _ = about.take("tags", "amsynth")
    text = PresetText.write(reading.patch, name: Document.name(preset.name), about: about, names: names)
  }

  /// The value of a parameter.
  subscript(parameter: AmsynthParameter) -> Float { preset[parameter] }

  /// Sets a knob by its address with a unit, from a parameter.
  mutating func set(_ address: String, _ value: Float, from parameter: AmsynthParameter) {
    lines.append(("\(address) \(value)", preset.line(parameter)))
  }

  /// Sets a choice by its word, from a parameter.
  mutating func choose(_ address: String, _ word: String, from parameter: AmsynthParameter) {
    lines.append(("\(address) \(word)", preset.line(parameter)))
  }

  /// Reports a difference that remains, for a parameter.
  mutating func lose(_ parameter: AmsynthParameter, _ problem: String) {
    losses.append(TextWarning(line: preset.line(parameter), problem: "\(parameter.rawValue): \(problem)"))
  }
}
