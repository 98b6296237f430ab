import Control

// All presets, for whoever keeps them in order, as `pipit presets` does: who asks is answered, and told nothing else.

extension Node {
  // swift-format-ignore
  static let library: [Node] = [
    .question("/presets/list", [], "Answers with how many presets there are, and each as /presets/list/<n>: bank, program, origin, what is wrong with it, and name, with tabs between.", isOfLibrary: true) { instrument, _ in listed("/presets/list", instrument.presets.catalog) },
    .question("/presets/trash", [], "Answers in the same way with the presets that were removed.", isOfLibrary: true) { instrument, _ in listed("/presets/trash", instrument.presets.trashCatalog) },
    .question("/presets/show", [.string("a name or BANK/PROGRAM")], "Answers with the text of a preset.") { instrument, words in [OSCMessage("/presets/show", .string(try instrument.presets.text(of: try one(words))))] },
    .question("/presets/rename", [.string("a name or BANK/PROGRAM"), .string("a name")], "Gives one of the player's presets another name; answers with a sentence, as those that follow.", changes: true) { instrument, words in
      guard words.count == 2 else { throw Refusal("takes two names") }
      return [OSCMessage("/presets/rename", .string(try instrument.presets.rename(words[0], to: words[1])))]
    },
    .question("/presets/delete", [.string("a name or BANK/PROGRAM")], "Removes one of the player's presets; it lies in the trash.", changes: true) { instrument, words in [OSCMessage("/presets/delete", .string(try instrument.presets.remove(try one(words))))] },
    .question("/presets/restore", [.string("a name or BANK/PROGRAM")], "Brings a preset back from the trash.", changes: true) { instrument, words in [OSCMessage("/presets/restore", .string(try instrument.presets.restore(try one(words))))] },
    .question("/presets/import", [.string("the text of a preset"), .string("its name if the text has none", optional: true)], "Saves a text as a preset, over the player's of that name if there is one.", changes: true) { instrument, words in
      guard let text = words.first else { throw Refusal("takes the text of a preset") }
      return [OSCMessage("/presets/import", .string(try instrument.presets.importText(text, name: words.count > 1 ? words[1] : "")))]
    },
    .question("/presets/waiting", [], "Answers with how many saves are not on the disk yet, -1 when nothing is kept.") { instrument, _ in [OSCMessage("/presets/waiting", .int(instrument.library.savesWaiting ?? -1))] },
  ]

  /// What is asked with words and answered with messages. A number is the word that it is written with.
  /// - Parameter changes: Whether it does what is said instead of only telling.
  static func question(
    _ path: String, _ arguments: [ArgumentType], _ about: String, changes: Bool = false,
    isOfLibrary: Bool = false,
    ask: @escaping @Sendable (Instrument, [String]) throws -> [OSCMessage]
  ) -> Node {
    Node(
      path, .instrument, arguments, about, isQuestion: true, changes: changes, isOfLibrary: isOfLibrary,
      ask: { instrument, given in
        guard given.count <= arguments.count else {
          throw Refusal(arguments.isEmpty ? "takes nothing" : "takes \(arguments.count) words at most")
        }
        return try ask(instrument, given.map(\.words))
      })
  }

  private static func listed(_ address: String, _ lines: [String]) -> [OSCMessage] {
    [OSCMessage(address, .int(lines.count))]
      + lines.enumerated().map { OSCMessage("\(address)/\($0)", .string($1)) }
  }

  private static func one(_ words: [String]) throws -> String {
    guard words.count == 1 else { throw Refusal("takes a name") }
    return words[0]
  }
}
