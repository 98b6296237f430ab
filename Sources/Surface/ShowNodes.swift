import Control
import Scenes

// All setups and setlists, for programs that manage them, as `pipit setups`: queries, which cause no feedback.

extension Node {
  private static let name = "a name or a number"

  // swift-format-ignore
  static let shows: [Node] = [
    .longQuery("/setups/list", [], "Answers with the number of setups, and each as /setups/list/<n>, n from 0. Fields separated by tabs: number, name, category, what a recall leaves alone.") { instrument, _ in
      let setups = instrument.setups.listing
      return { rows("/setups/list", setups.entries.map(Setups.line)) }
    },
    .longQuery("/setups/trash", [], "Answers with the setups in the trash, as /setups/list does.") { instrument, _ in
      let setups = instrument.setups.listing
      return { rows("/setups/trash", setups.trashEntries.map(Setups.line)) }
    },
    .query("/setups/show", [.string(name)], "Answers with the text of a setup, a long one in several messages.") { instrument, words in pieces("/setups/show", try instrument.setups.text(of: try first(words))) },
    .query("/setups/rename", [.string(name), .string("a name")], "Renames a setup. Answers with a sentence, as the queries below do.", changes: true) { instrument, words in [OSCMessage("/setups/rename", .string(try instrument.setups.rename(try first(words), to: try second(words))))] },
    .query("/setups/move", [.string(name), .int(1...Double(Limits.setups), "a number")], "Gives a setup another number; a setup there gets its old number.", changes: true) { instrument, words in [OSCMessage("/setups/move", .string(try instrument.setups.move(try first(words), to: try second(words))))] },
    .query("/setups/describe", [.string(name), .string("category, notes or keep"), .string("its words", optional: true)], "Sets the category, the notes, or what a recall leaves alone; without words it is removed.", changes: true) { instrument, words in [OSCMessage("/setups/describe", .string(try instrument.setups.describe(try first(words), try second(words), words.count > 2 ? words[2] : "")))] },
    .query("/setups/delete", [.string(name)], "Moves a setup to the trash.", changes: true) { instrument, words in [OSCMessage("/setups/delete", .string(try instrument.setups.remove(try first(words))))] },
    .query("/setups/restore", [.string(name)], "Restores a setup from the trash.", changes: true) { instrument, words in [OSCMessage("/setups/restore", .string(try instrument.setups.restore(try first(words))))] },
    importing("setup", ImportedShow.setup) { try $0.setups.save($1) },
    .query("/setups/versions", [.string(name)], "Answers with the versions of a setup. Fields separated by tabs: age, 0 for the current one; when it was saved in seconds since 1970, or -; name. Edits that a recall has dropped are versions too.") { instrument, words in rows("/setups/versions", try instrument.setups.versions(of: try first(words))) },
    .query("/setups/bring", [.string(name), .int(1...8, "age")], "Brings back an earlier version of a setup; the current one is kept as version 1.", changes: true) { instrument, words in [OSCMessage("/setups/bring", .string(try instrument.setups.bring(try first(words), age: Int(try second(words)) ?? 0)))] },

    .longQuery("/setlists/list", [], "Answers with the number of setlists, and each as /setlists/list/<n>, n from 0. Fields separated by tabs: number, name, number of entries.") { instrument, _ in
      let setlists = instrument.setlists.listing
      return { rows("/setlists/list", setlists.entries.map(Setlists.line)) }
    },
    .longQuery("/setlists/trash", [], "Answers with the setlists in the trash, as /setlists/list does.") { instrument, _ in
      let setlists = instrument.setlists.listing
      return { rows("/setlists/trash", setlists.trashEntries.map(Setlists.line)) }
    },
    .query("/setlists/show", [.string(name)], "Answers with the text of a setlist.") { instrument, words in [OSCMessage("/setlists/show", .string(try instrument.setlists.text(of: try first(words))))] },
    .query("/setlists/rename", [.string(name), .string("a name")], "Renames a setlist. Answers with a sentence, as the queries below do.", changes: true) { instrument, words in [OSCMessage("/setlists/rename", .string(try instrument.setlists.rename(try first(words), to: try second(words))))] },
    .query("/setlists/delete", [.string(name)], "Moves a setlist to the trash.", changes: true) { instrument, words in [OSCMessage("/setlists/delete", .string(try instrument.setlists.remove(try first(words))))] },
    .query("/setlists/restore", [.string(name)], "Restores a setlist from the trash.", changes: true) { instrument, words in [OSCMessage("/setlists/restore", .string(try instrument.setlists.restore(try first(words))))] },
    importing("setlist", ImportedShow.setlist) { try $0.setlists.save($1) },
    .query("/setlists/versions", [.string(name)], "Answers with the versions of a setlist, as /setups/versions does.") { instrument, words in rows("/setlists/versions", try instrument.setlists.versions(of: try first(words))) },
    .query("/setlists/bring", [.string(name), .int(1...4, "age")], "Brings back an earlier version of a setlist; the current one is kept as version 1.", changes: true) { instrument, words in [OSCMessage("/setlists/bring", .string(try instrument.setlists.bring(try first(words), age: Int(try second(words)) ?? 0)))] },
  ]

  /// A query that saves a text as a setup or a setlist. The text is in the message or, if it is too long for one, was
  /// sent in pieces before. It is read in the background.
  // swift-format-ignore
  private static func importing(
    _ kind: String, _ read: @escaping @Sendable (_ text: String, _ fallback: String) throws -> ImportedShow,
    save: @escaping @Sendable (Instrument, ImportedShow) throws -> String
  ) -> Node {
    let path = "/\(kind)s/import"
    return .lateQuery(path, [.text("the text of a \(kind); an empty one stands for the file whose pieces were sent by /file/write"), .string("a name for a text without one", optional: true)], "Saves a text as a \(kind); it replaces the one of its name.", changes: true) { query, reply in
      let (instrument, words) = (query.instrument, query.words)
      let fallback = words.count > 1 ? words[1] : ""
      func take(_ text: @escaping @Sendable () throws -> String) {
        instrument.inBackground { Result { try read(text(), fallback) } } then: { imported in
          reply(Result { [OSCMessage(path, .string(try save(instrument, imported.get())))] })
        }
      }
      if !words[0].isEmpty { return take { words[0] } }
      try query.surface.transfer.takeUpload { sent in
        guard let file = file(sent, reply) else { return }
        take {
          if file.count > Limits.sessionTextBytes { throw Refusal("takes \(Limits.sessionTextBytes >> 10) KiB at most") }
          return String(decoding: try file.bytes(), as: UTF8.self)
        }
      }
    }
  }

  /// A text in pieces of whole lines, each of which fits into a datagram.
  private static func pieces(_ address: String, _ text: String) -> [OSCMessage] {
    var pieces = [""]
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if pieces[pieces.count - 1].utf8.count + line.utf8.count >= FileTransfer.pieceBytes {
        pieces.append("")
      }
      pieces[pieces.count - 1] += line + "\n"
    }
    // The last line was ended by a newline already.
    pieces[pieces.count - 1].removeLast()
    return pieces.map { OSCMessage(address, .string($0)) }
  }

  private static func rows(_ address: String, _ lines: [String]) -> [OSCMessage] {
    [OSCMessage(address, .int(lines.count))]
      + lines.enumerated().map { OSCMessage("\(address)/\($0)", .string($1)) }
  }

  private static func first(_ words: [String]) throws -> String {
    guard let word = words.first else { throw Refusal("takes a name or a number") }
    return word
  }

  private static func second(_ words: [String]) throws -> String {
    guard words.count > 1 else { throw Refusal("takes two words") }
    return words[1]
  }
}

// The setlist and the position in it.

extension Node {
  private static let highest = Double(Limits.setlistEntries)

  // swift-format-ignore
  static let sets: [Node] = [
    .trigger("/set/next", .instrument, "Plays what /set/cue says, which is the next entry of the setlist or the one chosen; the last stays. Within 150 ms, a second press is a bounce.") { $0.instrument.setlists.step(forward: true, now: $0.now) },
    .trigger("/set/previous", .instrument, "Plays the previous entry; the first stays.") { $0.instrument.setlists.step(forward: false, now: $0.now) },
    .setting("/set/place", .instrument, .int(0...highest), "Number of the entry that was played last; 0 before the first. A number plays that entry.", read: { instrument, _, _ in .int(instrument.setlists.position.map { $0 + 1 } ?? 0) }, write: { try $0.instrument.setlists.play(number: try $0.entry(from: 1)) }),
    .display("/set/place/text", .instrument, .string(), "Place in the setlist for a label, as 4/12; empty without entries.") { instrument, _, _ in .string(instrument.setlists.count > 0 ? "\(instrument.setlists.position.map { $0 + 1 } ?? 0)/\(instrument.setlists.count)" : "") },
    .display("/set/count", .instrument, .int(0...highest), "Number of entries.") { instrument, _, _ in .int(instrument.setlists.count) },
    .setting("/set/cue", .instrument, .int(0...highest), "Number of the entry that next plays; 0 at the end. A number chooses another, 0 the following one again.", read: { instrument, _, _ in .int(instrument.setlists.cue.map { $0 + 1 } ?? 0) }, write: { try $0.instrument.setlists.cue(number: try $0.entry(from: 0)) }),
    .trigger("/set/cue/next", .instrument, "Chooses the entry after the one that comes.") { request in try request.once { request.instrument.setlists.stepCue(forward: true) } },
    .trigger("/set/cue/previous", .instrument, "Chooses the entry before the one that comes.") { request in try request.once { request.instrument.setlists.stepCue(forward: false) } },
    .display("/set/waiting", .instrument, .int(0...highest), "Number of the entry that waits until the last key comes up; 0 without one.") { instrument, _, _ in .int(instrument.setlists.waiting.map { $0 + 1 } ?? 0) },
    .trigger("/set/rewind", .instrument, "Goes back before the first entry; what sounds stays.") { $0.instrument.setlists.rewind() },
    .setting("/set/name", .instrument, .string("a name, its beginning, or a number"), "Name of the setlist; empty without one. A name or number chooses another; what sounds stays.", read: { instrument, _, _ in .string(instrument.setlists.name) }, write: { try $0.instrument.setlists.load(try $0.text()) }),
    .display("/set/title", .instrument, .string(), "Title of the entry that was played last.") { instrument, _, _ in .string(instrument.setlists.entry?.shownTitle ?? "") },
    .display("/set/next/title", .instrument, .string(), "Title of the entry that next plays; empty at the end.") { instrument, _, _ in .string(instrument.setlists.coming?.shownTitle ?? "") },
    .display("/set/notes", .instrument, .string(), "Notes of the entry that was played last.") { instrument, _, _ in .string(instrument.setlists.entry?.notes ?? "") },
    .display("/set/color", .instrument, .string(), "Colour of the entry that was played last.") { instrument, _, _ in .string(instrument.setlists.entry?.color ?? "") },
    .display("/set/snapshot", .instrument, .string(), "Letter of the snapshot with which the entry starts; empty without one.") { instrument, _, _ in .string(instrument.setlists.entry?.snapshot.map { "\($0)" } ?? "") },
    .display("/set/transpose", .instrument, .int(-12...12), "Semitones by which the show transposes keys, but in drum parts.") { instrument, _, _ in .int(instrument.setups.transposition) },
    .setting("/set/wrap", .instrument, .int(0...1), "1 if the first entry follows the last.", read: { instrument, _, _ in .int(instrument.setlists.wraps ? 1 : 0) }, write: { $0.instrument.setlists.wraps = try $0.flag() }),
    .setting("/set/defer", .instrument, .int(0...1), "1 if next, previous and a number wait until the last key comes up.", read: { instrument, _, _ in .int(instrument.setlists.defers ? 1 : 0) }, write: { $0.instrument.setlists.defers = try $0.flag() }),
    .trigger("/set/undo", .instrument, "Undoes the last change of a setlist; what sounds stays.") { request in try request.once { try request.instrument.setlists.undo() } },
    .trigger("/set/redo", .instrument, "Redoes the change that was undone last.") { request in try request.once { try request.instrument.setlists.redo() } },
    .command("/set/new", .instrument, [.string("a name")], "Makes an empty setlist and chooses it.") { try $0.instrument.setlists.create(try $0.text()) },
    .trigger("/set/add", .instrument, "Adds the setup as the last entry, or without one the preset of the part in focus.") { request in try request.once { try request.instrument.setlists.add() } },
    .command("/set/remove", .instrument, [.int(1...highest, "an entry")], "Removes an entry; what sounds stays.") { request in try request.once { try request.instrument.setlists.remove(number: try request.entry(from: 1)) } },
    .command("/set/move", .instrument, [.int(1...highest, "an entry"), .int(1...highest, "its new number")], "Moves an entry; what sounds stays.") { request in
      let (number, other) = (try request.entry(from: 1), try request.entry(from: 1, at: 1))
      try request.once { try request.instrument.setlists.move(number: number, to: other) }
    },
    .command("/set/edit", .instrument, [.int(1...highest, "an entry"), .string("title, transpose, tempo, snapshot, color, skip or notes"), .string("its words", optional: true)], "Sets what an entry adds; without words it is removed.") { request in
      let number = try request.entry(from: 1)
      let words = request.arguments.count > 2 ? request.arguments[2].words : ""
      try request.instrument.setlists.set(number: number, request.arguments[1].words, words)
    },
    Node("/set/list", .instrument, [], "Answers with the number of entries, and each as /set/list/<n>, n from 0. Fields separated by tabs: number, title, what it plays, transpose, tempo, snapshot, color, skip, notes, as /set/edit sets them, with title first.", list: { instrument in
      let lines = instrument.setlists.entryCatalog
      return [OSCMessage("/set/list", .int(lines.count))] + lines.enumerated().map { OSCMessage("/set/list/\($0)", .string($1)) }
    }),
  ]
}

extension Request {
  fileprivate func entry(from lowest: Int, at index: Int = 0) throws -> Int {
    try whole(at: index, in: lowest...Limits.setlistEntries, else: "takes the number of an entry")
  }

  fileprivate func flag() throws -> Bool { try number(in: 0...1, else: "takes 0 or 1") >= 0.5 }
}

// Setups: all of a show's state in one recall.

extension Node {
  private static let buttons = 1...Limits.setupsPerPage
  private static let numbers = 1...Limits.boundSetups

  // swift-format-ignore
  static let setups: [Node] = [
    .setting("/setup", .instrument, .string("a name, its beginning, or a number"), "Name of the setup; empty without one. A name or number recalls another.", read: { instrument, _, _ in .string(instrument.setups.name) }, write: { try $0.recallSetup() }),
    .command("/setup/recall", .instrument, [.string("a name, its beginning, or a number")], "Recalls a setup. Parts whose sound is the same sound on.") { try $0.recallSetup() },
    .trigger("/setup/recall/<n>", numbers: numbers, .instrument, "Recalls setup <n>, 1…128; it can be bound to a pedal.") { try $0.instrument.setups.recall(number: $0.target.number) },
    .setting("/setup/number", .instrument, .int(0...Double(Limits.setups)), "Number of the setup, its program counted from 1, and 128 more for each bank; 0 without one. A number recalls another.", read: { instrument, _, _ in .int(instrument.setups.number) }, write: { try $0.instrument.setups.recall(number: try $0.whole(in: 1...Limits.setups, else: "takes a number from 1")) }),
    .trigger("/setup/next", .instrument, "Recalls the next setup; the last stays. Within 150 ms, a second press is a bounce.") { $0.instrument.setups.step(forward: true, now: $0.now) },
    .trigger("/setup/previous", .instrument, "Recalls the previous setup; the first stays.") { $0.instrument.setups.step(forward: false, now: $0.now) },
    .trigger("/setup/save", .instrument, "Saves everything in the setup, or as the setup of a name. What a recall leaves alone is not changed.", [.string("a name", optional: true)]) { try $0.instrument.setups.save(named: $0.string) },
    .trigger("/setup/save/new", .instrument, "Saves everything as a new setup, under a name or the one of /setup/save/new/name.", [.string("a name", optional: true)]) { try $0.instrument.setups.saveNew(named: $0.string, now: $0.now) },
    .display("/setup/save/new/name", .instrument, .string(), "Name that /setup/save/new would use.") { instrument, _, _ in .string(instrument.setups.newName) },
    .command("/setup/rename", .instrument, [.string("a name")], "Renames the setup.") { try $0.instrument.setups.rename(to: try $0.text()) },
    .trigger("/setup/delete", .instrument, "Moves the setup to the trash; everything sounds on. Undo restores it.") { try $0.instrument.setups.remove() },
    .trigger("/setup/undo", .instrument, "Undoes the last recall, save, renaming or removal of a setup, with the edits that a recall has dropped; or the end of a song, which has given back tempo, pans and sounds.") { request in try request.once { try request.instrument.setups.undo() } },
    .trigger("/setup/redo", .instrument, "Redoes the step that was undone last.") { request in try request.once { try request.instrument.setups.redo() } },
    .display("/setup/edited", .instrument, .int(0...1), "1 if something differs from the stored setup.") { instrument, _, _ in .int(instrument.setups.isEdited ? 1 : 0) },
    .setting("/setup/keep", .instrument, .string("tempo, mixer, tuning, part 1…8, with commas between; or none"), "What a recall of the setup leaves alone.", read: { instrument, _, _ in .string("\(instrument.setups.about.keep)") }, write: { try $0.instrument.setups.describe("keep", try $0.text()) }),
    .setting("/setup/notes", .instrument, .string("notes, or none"), "Notes of the setup.", read: { instrument, _, _ in .string(instrument.setups.about.notes) }, write: { try $0.instrument.setups.describe("notes", try $0.text()) }),
    .setting("/setup/category", .instrument, .string("a word, or none"), "Category of the setup.", read: { instrument, _, _ in .string(instrument.setups.about.category) }, write: { try $0.instrument.setups.describe("category", try $0.text()) }),
    .longQuery("/setup/list", [], "Answers with the number of setups, and the name of each as /setup/list/<n>, n from 0.") { instrument, _ in
      let setups = instrument.setups.listing
      return {
        let names = setups.entries.map(\.document.name)
        return [OSCMessage("/setup/list", .int(names.count))] + names.enumerated().map { OSCMessage("/setup/list/\($0)", .string($1)) }
      }
    },

    .display("/setup/page", .instrument, .string(), "Numbers of the page of sixteen setups that the slots show, as 1-16; empty without setups.") { instrument, _, _ in .string(instrument.setups.pageName) },
    .trigger("/setup/page/next", .instrument, "Turns to the next page that holds setups.") { $0.instrument.setups.turnPage(forward: true) },
    .trigger("/setup/page/previous", .instrument, "Turns to the previous page that holds setups.") { $0.instrument.setups.turnPage(forward: false) },
    .trigger("/setup/slot/<n>", numbers: buttons, .instrument, "Recalls the setup in slot <n>, 1…16, of the page.") { $0.instrument.setups.press(button: $0.target.number) },
    .display("/setup/slot/<n>/name", numbers: buttons, .instrument, .string(), "Name of the setup in slot <n>; empty without one.") { instrument, _, number in .string(instrument.setups.name(button: number)) },
    .display("/setup/slot/<n>/current", numbers: buttons, .instrument, .int(0...1), "1 if the setup in slot <n> is the current one.") { instrument, _, number in .int(instrument.setups.isCurrent(button: number) ? 1 : 0) },
  ]
}

extension Request {
  /// The first argument as text; nil for a number or none.
  var string: String? { if case .string(let text)? = arguments.first { text } else { nil } }

  /// The first argument as text. Throws for anything else.
  func text() throws -> String {
    guard let words = arguments.first?.words else { throw Refusal("takes words") }
    return words
  }

  fileprivate func recallSetup() throws {
    switch arguments.first {
    case .string(let name): try instrument.setups.recall(named: name)
    case .number(let number):
      guard let number = Int(exactly: number) else { throw Refusal("takes a name or a number") }
      try instrument.setups.recall(number: number)
    case .other, .untagged, nil: throw Refusal("takes a name or a number")
    }
  }
}
