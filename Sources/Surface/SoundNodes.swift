import Control
import Parameters
import Scenes
import Storage

// Edits of a whole sound or of a section of it, and the comparison with the stored sound.

extension Node {
  /// Nodes that edit more of a sound than one knob, and the names of the macros.
  static let editing: [Node] = macros + sections + comparing + random

  // swift-format-ignore
  static let sections: [Node] = [
    .trigger("/preset/init", .part, "Gives the part the initial sound. Undo brings the sound back.") { $0.instrument.presets.initialize(part: $0.part) },
    .command("/section/init", .part, [.string("a section")], "Gives the knobs of a section their initial values.") { $0.instrument.presets.initialize(try $0.section(), part: $0.part) },
    .command("/section/copy", .part, [.string("a section")], "Copies a section of the part's sound.") { $0.instrument.clipboard.copy(try $0.section(), part: $0.part) },
    .command("/section/paste", .part, [.string("a section", optional: true)], "Pastes what /section/copy has copied into the section, or into the one of its name. It must be of its kind: both oscillators, all LFOs, all envelopes, all slots of the matrix.") { try $0.instrument.clipboard.paste($0.arguments.isEmpty ? nil : try $0.section(), part: $0.part) },
    .display("/section/copied", .instrument, .string(), "Section that was copied, and its part.") { instrument, _, _ in .string(instrument.clipboard.text) },
    Node("/section/list", .instrument, [], "Answers with the number of sections, and the name of each as /section/list/<n>, n from 0.", list: { _ in listedSections }),
  ]

  // swift-format-ignore
  static let comparing: [Node] = [
    .trigger("/preset/compare", .part, "Plays the stored sound of the preset; a second press, an edit, a save or a recall returns to the edited sound first.") { try $0.instrument.presets.compare(part: $0.part, now: $0.now) },
    .display("/preset/comparing", .instrument, .int(0...1), "1 while the stored sound of the part in focus plays in the place of the edited one.") { instrument, part, _ in .int(instrument.presets.isComparing(part: part) ? 1 : 0) },
  ]

  private static let listedSections: [OSCMessage] =
    [OSCMessage("/section/list", .int(SoundSection.all.count))]
    + SoundSection.all.enumerated().map { OSCMessage("/section/list/\($0)", .string($1.name)) }
}

extension Request {
  /// The section that the first argument names. Throws a `Refusal` with all names for anything else.
  func section() throws -> SoundSection {
    guard let words = arguments.first?.words, let section = SoundSection.named(words) else {
      let names = SoundSection.all.map(\.name).joined(separator: ", ")
      throw Refusal("takes a section: \(names)", not: arguments.first)
    }
    return section
  }
}

// Random sounds: by an amount, near the present one or far from it, with locks for sections.

extension Node {
  static let random: [Node] = drawing + locks

  // swift-format-ignore
  private static let drawing: [Node] = [
    .setting("/random/amount", .instrument, .float(0...1), "How far random sounds move.", read: { instrument, _, _ in .float(instrument.random.amount) }, write: { $0.instrument.random.move(by: Float(try $0.number(in: 0...1, else: "takes a number, 0…1"))) }),
    .trigger("/preset/random/near", .part, "Draws a sound near the present one. Loudness, bend range, play mode, tuning, arpeggiator and freeze stay; undo brings the sound back.") { try $0.instrument.random.drawNear(nil, part: $0.part, now: $0.now) },
    .trigger("/preset/random/far", .part, "Draws a sound knob by knob between two presets of the same category.") { try $0.instrument.random.drawFar(nil, part: $0.part, now: $0.now) },
    .command("/section/random/near", .part, [.string("a section")], "Draws a section near the present one.") { try $0.instrument.random.drawNear(try $0.section(), part: $0.part, now: $0.now) },
    .command("/section/random/far", .part, [.string("a section")], "Draws a section knob by knob between two presets of the same category.") { try $0.instrument.random.drawFar(try $0.section(), part: $0.part, now: $0.now) },
  ]

  private static let locks: [Node] = RandomSounds.sections.map { section in
    .setting(
      "/random/lock/\(section.name)", .instrument, .int(0...1),
      "1 if random sounds keep the section \(section.name).",
      read: { instrument, _, _ in .int(instrument.random.isLocked(section) ? 1 : 0) },
      write: {
        let isOn = try $0.number(in: 0...1, else: "takes 0 or 1") >= 0.5
        $0.instrument.random.lock(section, isOn)
      })
  }
}

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

// The wavetables that can be chosen.

extension Node {
  static let wavetables: [Node] = [
    Node(
      "/wavetable/list", .instrument, [],
      "Answers with the number of wavetables, those of the folder wavetables last, and the name of each as "
        + "/wavetable/list/<n>, n from 0.",
      list: { instrument in
        instrument.wavetables.learnNames()
        let names = instrument.wavetables.names
        return [OSCMessage("/wavetable/list", .int(names.count))]
          + names.enumerated().map { OSCMessage("/wavetable/list/\($0)", .string($1)) }
      })
  ]
}
