import Control
import System

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
