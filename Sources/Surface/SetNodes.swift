import Control
import Synth

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
