import Control

// A text typed letter by letter, as by the keys of a tablet's page, and its use as a name or for a search.

extension Node {
  // swift-format-ignore
  static let typing: [Node] = [
    .setting("/preset/text", .instrument, .string("a text, or none"), "Text that is typed on a tablet, as a name or for a search.", read: { instrument, _, _ in .string(instrument.typedName.text) }, write: { try $0.instrument.typedName.set($0.arguments.first?.words ?? "") }),
    .command("/preset/text/add", .instrument, [.string("letters")], "Appends letters to the text; the first is a capital while /preset/text/shift is 1.") { try $0.instrument.typedName.add($0.arguments.first?.words ?? "") },
    .trigger("/preset/text/space", .instrument, "Appends a space to the text.") { try $0.instrument.typedName.addSpace() },
    .trigger("/preset/text/back", .instrument, "Removes the last letter of the text.") { $0.instrument.typedName.removeLast() },
    .trigger("/preset/text/clear", .instrument, "Clears the text.") { try $0.instrument.typedName.set("") },
    .setting("/preset/text/shift", .instrument, .int(0...1), "1 if the next letter is a capital, as at the start of each word.", read: { instrument, _, _ in .int(instrument.typedName.isShifted ? 1 : 0) }, write: { $0.instrument.typedName.shift(try $0.number(in: 0...1, else: "takes 0 or 1") >= 0.5) }),
    .trigger("/preset/text/name", .part, "Takes the name of the preset as the text.") { try $0.instrument.typedName.takeName(part: $0.part) },
    .trigger("/preset/text/save", .part, "Saves the sound as a new preset with the text as its name, and clears the text.") { try $0.instrument.typedName.save(part: $0.part, now: $0.now) },
    .trigger("/preset/text/rename", .part, "Renames the user preset of the part to the text, and clears the text.") { try $0.instrument.typedName.rename(part: $0.part, now: $0.now) },
    .trigger("/preset/text/search", .instrument, "Shows the presets that the text finds in the slots, as /preset/search.") { try $0.instrument.typedName.search() },
  ]
}
