import Control
import Synth

// The names of the macros, beside their knobs.

extension Node {
  static let macros: [Node] = (1...Limits.macros).map { number in
    .setting(
      "/macro/\(number)/name", .instrument, .string("a name, or none"),
      "Name of macro \(number) of the part in focus, which the preset holds.",
      read: { instrument, part, _ in .string(instrument.presets.macroName(number - 1, part: part)) },
      write: { request in
        let name = request.arguments.first?.words ?? ""
        try request.instrument.presets.name(macro: number - 1, part: request.part, name)
      })
  }
}
