import Control

// The tunings of the parts.

extension Node {
  private static let scale = ArgumentType.string("a name, its beginning, or a number of /tuning/list")
  private static let map = ArgumentType.string("a name, its beginning, or a number of /tuning/map/list")

  // swift-format-ignore
  static let tuning: [Node] = [
    .setting("/tuning", .part, scale, "The tuning of the part's keys: equal, or a Scala file of the folder tunings, which is read anew each time that it is chosen. What sounds takes it at once; a key without a pitch sounds nothing.", read: { instrument, part, _ in .string(instrument.tunings.scale(of: [part])) }, write: { try $0.tune([$0.part]) }),
    .setting("/tuning/map", .part, map, "Which key plays which degree, and the frequency of one: a keyboard mapping of the folder tunings; auto for the one that has the tuning's name, or else every key a degree from middle C on.", read: { instrument, part, _ in .string(instrument.tunings.keyMap(of: [part])) }, write: { try $0.mapKeys([$0.part]) }),
    .trigger("/tuning/next",     .part, "Takes the next tuning of the list.") { $0.instrument.tunings.step([$0.part], forward: true) },
    .trigger("/tuning/previous", .part, "Takes the tuning before.") { $0.instrument.tunings.step([$0.part], forward: false) },
    Node("/tuning/list", .instrument, [], "Answers with how many tunings there are, and the name of each as /tuning/list/<n>, n from 0.", list: { listed("/tuning/list", $0.tunings.scaleNames) }),
    Node("/tuning/map/list", .instrument, [], "Answers with how many mappings there are, and the name of each as /tuning/map/list/<n>, n from 0.", list: { listed("/tuning/map/list", $0.tunings.keyMapNames) }),
    .setting("/master/tuning", .instrument, scale, "The tuning of all parts, various when they have several.", read: { instrument, _, _ in .string(instrument.tunings.scale(of: PartTunings.everyPart)) }, write: { try $0.tune(PartTunings.everyPart) }),
    .setting("/master/tuning/map", .instrument, map, "The keyboard mapping of all parts, various when they have several.", read: { instrument, _, _ in .string(instrument.tunings.keyMap(of: PartTunings.everyPart)) }, write: { try $0.mapKeys(PartTunings.everyPart) }),
    .trigger("/master/tuning/next",     .instrument, "Gives all parts the next tuning of the list.") { $0.instrument.tunings.step(PartTunings.everyPart, forward: true) },
    .trigger("/master/tuning/previous", .instrument, "Gives all parts the tuning before.") { $0.instrument.tunings.step(PartTunings.everyPart, forward: false) },
  ]

  private static func listed(_ address: String, _ names: [String]) -> [OSCMessage] {
    [OSCMessage(address, .int(names.count))]
      + names.enumerated().map { OSCMessage("\(address)/\($0)", .string($1)) }
  }
}

extension Request {
  fileprivate func tune(_ parts: [Int]) throws {
    try instrument.tunings.tune(parts, toScale: try chosen(instrument.tunings.scaleNames))
  }

  fileprivate func mapKeys(_ parts: [Int]) throws {
    try instrument.tunings.tune(parts, toMap: try chosen(instrument.tunings.keyMapNames))
  }

  /// The name that was said, or the one at the number that was said.
  private func chosen(_ names: [String]) throws -> String {
    switch arguments.first {
    case .string(let name): return name
    case .number(let number) where number >= 0 && number < Double(names.count): return names[Int(number)]
    default: throw Refusal("takes a name or a number below \(names.count)", not: arguments.first)
    }
  }
}
