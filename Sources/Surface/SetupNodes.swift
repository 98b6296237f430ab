import Control
import Synth

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
