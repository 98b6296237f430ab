import Control
import Synth

// Presets of the parts, and pages of sixteen preset slots.

extension Node {
  private static let buttons = 1...Limits.presetsPerPage

  // swift-format-ignore
  static let presets: [Node] = [
    .trigger("/preset/save", .part, "Saves the sound in its preset, or as the user preset of a name.", [.string("a name", optional: true)]) { try $0.savePreset() },
    .command("/preset/load", .part, [.string("a name, its beginning, BANK/PROGRAM, or a number of /preset/list")], "Recalls a preset by its place, by its name, or by the beginning of its name if only one begins so. Of several presets of one name, a place names each; =NAME is a whole name, also one that looks like a place.") { try $0.loadPreset() },
    .command("/presets/hear", .instrument, [.string("a name or BANK/PROGRAM")], "Plays a short phrase with a preset on a part that is off, which then gets back its sound. It ends with the connection of its sender, or when the sender's notes end.") { try $0.hearPreset() },
    .trigger("/preset/next",     .part, "Recalls the next preset.") { $0.instrument.presets.step(forward: true, part: $0.part) },
    .trigger("/preset/previous", .part, "Recalls the previous preset.") { $0.instrument.presets.step(forward: false, part: $0.part) },
    .trigger("/preset/undo",     .part, "Undoes the last recall, save, copy, rename or removal, or the edits since. Keeps thirty steps until pipit ends.") { try $0.instrument.presets.undo(part: $0.part) },
    .trigger("/preset/redo",     .part, "Redoes the step that was undone last.") { try $0.instrument.presets.redo(part: $0.part) },
    .trigger("/preset/save/new", .part, "Saves the sound as a new preset, under a name or the one of /preset/save/new/name.", [.string("a name", optional: true)]) { try $0.saveNewPreset() },
    .display("/preset/save/new/name", .part, .string(), "Name that /preset/save/new would use.") { instrument, part, _ in .string(instrument.presets.newName(part: part)) },
    .command("/preset/rename", .part, [.string("a name")], "Renames the user preset of the part.") { try $0.renamePreset() },
    .trigger("/preset/delete", .part, "Moves the user preset of the part to the trash; the sound stays. Undo restores it.") { try $0.instrument.presets.remove(part: $0.part) },
    .trigger("/preset/copy", .part, "Copies the sound to the slot pressed next. A second press or ten seconds cancel it.") { $0.instrument.page.armCopy(now: $0.now) },
    .trigger("/preset/copy/<n>", numbers: buttons, .part, "Copies the sound to slot <n>, 1…16, of the page; it replaces the preset there.") { try $0.instrument.page.copy(part: $0.part, toButton: $0.target.number) },
    .command("/preset/copy/part", .part, [.int(1...Double(Limits.parts), "a part")], "Copies the sound and its preset to another part.") { $0.instrument.presets.copy(part: $0.part, toPart: try $0.whole(in: 1...Limits.parts, else: "takes a part, 1…\(Limits.parts)") - 1) },
    .display("/preset/copy/armed", .instrument, .int(0...1), "1 while the slot pressed next receives a copy.") { instrument, _, _ in .int(instrument.page.isCopyArmed ? 1 : 0) },
    .longQuery("/preset/list", [], "Answers with the number of presets, and the name of each as /preset/list/<n>, n from 0.", isOfLibrary: true) { instrument, _ in
      let presets = instrument.library.listing
      return { listed(presets.names) }
    },
    .display("/preset/name",   .part, .string(),            "Name of the preset.") { instrument, part, _ in .string(instrument.presets.name(part: part)) },
    .display("/preset/edited", .part, .int(0...1),          "1 if the sound differs from the stored preset.") { instrument, part, _ in .int(instrument.presets.isEdited(part: part) ? 1 : 0) },
    .display("/preset/bank",   .part, .int(-1...127),       "Bank of the preset, 0…127; -1 without one.") { instrument, part, _ in .int(instrument.presets.bank(part: part) ?? -1) },
    .setting("/preset/program", .part, .int(-1...127),      "Program of the preset; -1 without one. A number recalls another program of the bank.", read: { instrument, part, _ in .int(instrument.presets.program(part: part) ?? -1) }, write: { try $0.recallProgram() }),
    .setting("/preset/favorite", .part, .int(0...1), "1 if the preset is a favorite.", read: { instrument, part, _ in .int(instrument.presets.about(part: part).isFavorite ? 1 : 0) }, write: { try $0.setFavorite() }),
    .setting("/preset/tag", .part, .string("tags with commas between, or +tag and -tag"), "Tags of the preset.", read: { instrument, part, _ in .string(instrument.presets.about(part: part).tags.joined(separator: ", ")) }, write: { try $0.instrument.presets.tag(part: $0.part, try $0.words()) }),

    .display("/preset/page", .instrument, .string(),        "Name of the page of sixteen presets that the slots show.") { instrument, _, _ in .string(instrument.page.name) },
    .setting("/preset/search", .instrument, .string("words, or none"), "Words of a search whose presets the slots show, as in /presets/search; empty for the pages of the banks.", read: { instrument, _, _ in .string(instrument.page.searchWords) }, write: { $0.instrument.page.search(try $0.words()) }),
    .trigger("/preset/page/next",     .instrument,          "Turns to the next page that holds presets.") { $0.instrument.page.turn(forward: true) },
    .trigger("/preset/page/previous", .instrument,          "Turns to the previous page that holds presets.") { $0.instrument.page.turn(forward: false) },
    .trigger("/preset/slot/<n>", numbers: buttons, .instrument, "Recalls the preset in slot <n>, 1…16, of the page.") { try $0.instrument.page.press(button: $0.target.number, part: $0.part) },
    .display("/preset/slot/<n>/name", numbers: buttons, .instrument, .string(), "Name of the preset in slot <n>; empty without one.") { instrument, _, number in .string(instrument.page.name(button: number)) },
    .display("/preset/slot/<n>/current", numbers: buttons, .instrument, .int(0...1), "1 if the sound of the part in focus came from slot <n>.") { instrument, part, number in .int(instrument.page.isCurrent(button: number, part: part) ? 1 : 0) },
  ]
}

extension Node {
  private static func listed(_ names: [String]) -> [OSCMessage] {
    [OSCMessage("/preset/list", .int(names.count))]
      + names.enumerated().map { OSCMessage("/preset/list/\($0)", .string($1)) }
  }
}

extension Request {
  fileprivate func savePreset() throws {
    guard case .string(let name)? = arguments.first else { return try instrument.presets.save(part: part) }
    try instrument.presets.save(part: part, named: name)
  }

  fileprivate func saveNewPreset() throws {
    guard case .string(let name)? = arguments.first else {
      return try instrument.presets.saveNew(part: part, now: now)
    }
    try instrument.presets.saveNew(part: part, named: name, now: now)
  }

  fileprivate func renamePreset() throws {
    guard case .string(let name)? = arguments.first else { throw Refusal("takes a name") }
    try instrument.presets.rename(part: part, to: name)
  }

  fileprivate func setFavorite() throws {
    let number = try number(in: 0...1, else: "takes 0 or 1")
    try instrument.presets.favorite(part: part, number >= 0.5)
  }

  /// The first argument as words. Throws for anything else.
  fileprivate func words() throws -> String {
    guard let words = arguments.first?.words else { throw Refusal("takes words") }
    return words
  }

  fileprivate func loadPreset() throws {
    switch arguments.first {
    case .string(let name): try instrument.presets.recall(named: name, part: part)
    case .number(let number): try instrument.presets.recall(number: number, part: part)
    case .other, .untagged, nil: throw Refusal("takes a name or a number")
    }
  }

  fileprivate func hearPreset() throws {
    let name = try words()
    client.plays = true
    try instrument.audition.play(named: name, source: source, now: now)
  }

  fileprivate func recallProgram() throws {
    let program = try whole(in: 0...127, else: "takes a program, 0…127")
    try instrument.presets.recall(program: program, part: part)
  }
}
