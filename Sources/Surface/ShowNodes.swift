import Control
import Synth

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
