import Control
import Scenes
import System

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

// All presets, for programs that manage them, as `pipit presets`: queries, which cause no feedback.

extension Node {
  // swift-format-ignore
  static let library: [Node] = [
    .longQuery("/presets/list", [], "Answers with the number of presets, and each as /presets/list/<n>, n from 0. Fields separated by tabs: bank, program, origin, problem, name, favorite (0 or 1), category, tags, author, description.", isOfLibrary: true) { instrument, _ in
      let presets = instrument.library.listing
      return { listed("/presets/list", presets.catalog.map(\.line)) }
    },
    .longQuery("/presets/trash", [], "Answers with the number of presets in the trash, and each as /presets/trash/<n>, fields as in /presets/list.", isOfLibrary: true) { instrument, _ in
      let presets = instrument.library.listing
      return { listed("/presets/trash", presets.trash.map(\.line)) }
    },
    .longQuery("/presets/search", [.string("words", optional: true), .int(nil, "the most presets to list", optional: true)], "Answers with the number of presets in which all words occur, and each as /presets/search/<n>, the best first, fields as in /presets/list. Words are searched in name, category, author and tags; tag:soft, category:pads, author:pipit and name:glass search in one of these, favorite in the favorites.") { instrument, words in
      guard let most = words.count > 1 ? Int(words[1]) : .max else { throw Refusal("takes words and a number") }
      let found = instrument.presets.search(words.first ?? "", most: most)
      return { listed("/presets/search", found.entries.map(\.line), of: found.count) }
    },
    .query("/presets/facts", [.string("a name or BANK/PROGRAM")], "Answers with the line of a preset, fields as in /presets/list.") { instrument, words in [OSCMessage("/presets/facts", .string(try instrument.presets.facts(of: try one(words))))] },
    .query("/presets/show", [.string("a name or BANK/PROGRAM")], "Answers with the text of a preset.") { instrument, words in [OSCMessage("/presets/show", .string(try instrument.presets.text(of: try one(words))))] },
    .query("/presets/rename", [.string("a name or BANK/PROGRAM"), .string("a name")], "Renames a user preset. Answers with a sentence.", changes: true) { instrument, words in
      guard words.count == 2 else { throw Refusal("takes two names") }
      return [OSCMessage("/presets/rename", .string(try instrument.presets.rename(words[0], to: words[1])))]
    },
    .query("/presets/favorite", [.string("a name or BANK/PROGRAM"), .int(0...1, optional: true)], "Marks a preset as a favorite, with 0 no longer. Answers with a sentence.", changes: true) { instrument, words in
      guard let name = words.first, let mark = words.count > 1 ? Int(words[1]) : 1 else { throw Refusal("takes a name, and 0 or 1") }
      return [OSCMessage("/presets/favorite", .string(try instrument.presets.favorite(name, mark != 0)))]
    },
    .query("/presets/tag", [.string("a name or BANK/PROGRAM"), .string("tags with commas between, or +tag and -tag")], "Sets the tags of a preset, or adds and removes some. Answers with a sentence.", changes: true) { instrument, words in
      guard words.count == 2 else { throw Refusal("takes a name and tags") }
      return [OSCMessage("/presets/tag", .string(try instrument.presets.tag(words[0], words[1])))]
    },
    .query("/presets/describe", [.string("a name or BANK/PROGRAM"), .string("category, author or about"), .string("its words", optional: true)], "Sets the category, the author or the description of a user preset; without words it is removed. Answers with a sentence.", changes: true) { instrument, words in
      guard words.count >= 2 else { throw Refusal("takes a name, category, author or about, and its words") }
      return [OSCMessage("/presets/describe", .string(try instrument.presets.describe(words[0], words[1], words.count > 2 ? words[2] : "")))]
    },
    .query("/presets/delete", [.string("a name or BANK/PROGRAM")], "Moves a user preset to the trash. Answers with a sentence.", changes: true) { instrument, words in [OSCMessage("/presets/delete", .string(try instrument.presets.remove(try one(words))))] },
    .query("/presets/restore", [.string("a name or BANK/PROGRAM")], "Restores a preset from the trash. Answers with a sentence.", changes: true) { instrument, words in [OSCMessage("/presets/restore", .string(try instrument.presets.restore(try one(words))))] },
    .query("/presets/move", [.string("a name or BANK/PROGRAM"), .string("BANK/PROGRAM")], "Moves a user preset to another place; a preset there gets its old place. Answers with a sentence.", changes: true) { instrument, words in
      guard words.count == 2 else { throw Refusal("takes a name and a place") }
      return [OSCMessage("/presets/move", .string(try instrument.presets.move(words[0], to: words[1])))]
    },
    .query("/presets/versions", [.string("a name or BANK/PROGRAM")], "Answers with the number of versions of a user preset, and each as /presets/versions/<n>. Fields separated by tabs: age, 0 for the current version; when it was saved in seconds since 1970, or - if unknown; name.") { instrument, words in listed("/presets/versions", try instrument.presets.versions(of: try one(words))) },
    .query("/presets/version", [.string("a name or BANK/PROGRAM"), .int(0...4, "age")], "Answers with the text of a version of a user preset.") { instrument, words in [OSCMessage("/presets/version", .string(try instrument.presets.text(of: words.first ?? "", age: try age(words, 1))))] },
    .query("/presets/diff", [.string("a name or BANK/PROGRAM"), .int(0...4, "age"), .int(0...4, "another age", optional: true)], "Answers with the number of differences between a version of a user preset and another, and each as /presets/diff/<n>. Fields separated by tabs: address of the knob, or name, category, tags, author, about or favorite; value before; value after.") { instrument, words in
      let other = words.count > 2 ? try age(words, 2) : 0
      return listed("/presets/diff", try instrument.presets.differences(of: words.first ?? "", from: try age(words, 1), to: other))
    },
    .query("/presets/bring", [.string("a name or BANK/PROGRAM"), .int(1...4, "age")], "Brings back an earlier version of a user preset; the current one is kept as version 1. Answers with a sentence.", changes: true) { instrument, words in [OSCMessage("/presets/bring", .string(try instrument.presets.bring(words.first ?? "", age: try age(words, 1))))] },
    .lateQuery("/presets/import", [.text("the text of a preset, or of several, or of a bank of amsynth"), .string("a name for a text without one", optional: true)], "Saves texts as user presets; each replaces one of the same name. Answers with a sentence for each.", changes: true) { query, reply in
      let (instrument, words) = (query.instrument, query.words)
      instrument.imports.start(name: words.count > 1 ? words[1] : "", FileContents(Array(words[0].utf8))) { result in
        let imported = (try? result.get()) ?? []
        guard let first = imported.first else { return reply(.failure(Refusal("takes the text of a preset"))) }
        if imported.count == 1, first.slot == nil { return reply(.failure(Refusal(first.problem))) }
        instrument.inBackground { imported.map { OSCMessage("/presets/import", .string($0.sentence)) } } then: { reply(.success($0)) }
      }
    },
    .query("/presets/waiting", [], "Answers with the number of saves not yet on the disk: presets and their marks, setups, setlists, snapshots, bindings and devices; -1 without a database.") { instrument, _ in [OSCMessage("/presets/waiting", .int(instrument.library.savesWaiting ?? -1))] },
  ]

  /// A query with words as arguments, answered with messages. A number is passed as its text.
  /// - Parameter changes: Whether the query changes something.
  static func query(
    _ path: String, _ arguments: [ArgumentType], _ about: String, changes: Bool = false,
    isOfLibrary: Bool = false,
    ask: @escaping @Sendable (Instrument, [String]) throws -> [OSCMessage]
  ) -> Node {
    Node(
      path, .instrument, arguments, about, isQuery: true, changes: changes, isOfLibrary: isOfLibrary,
      ask: { instrument, given in
        if given.count > arguments.count, let refusal = arguments.refusal(of: given.count) { throw refusal }
        return try ask(instrument, given.map(\.words))
      })
  }

  private static func listed(_ address: String, _ lines: [String], of count: Int? = nil) -> [OSCMessage] {
    [OSCMessage(address, .int(count ?? lines.count))]
      + lines.enumerated().map { OSCMessage("\(address)/\($0)", .string($1)) }
  }

  private static func age(_ words: [String], _ index: Int) throws -> Int {
    guard index < words.count, let age = Int(words[index]) else {
      throw Refusal("takes a name and the age of a version, 0 for the current one")
    }
    return age
  }

  private static func one(_ words: [String]) throws -> String {
    guard words.count == 1 else { throw Refusal("takes a name") }
    return words[0]
  }
}

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
