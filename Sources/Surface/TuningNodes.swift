import Control

// The tunings of the parts.

extension Node {
  private static let scale = ArgumentType.string("a name, its beginning, or a number of /tuning/list")
  private static let map = ArgumentType.string("a name, its beginning, or a number of /tuning/map/list")

  // swift-format-ignore
  static let tuning: [Node] = [
    .setting("/tuning", .part, scale, "Tuning of the part: equal, or a Scala file of the folder tunings, read each time it is chosen. Sounding notes follow at once; keys without a pitch are silent.", read: { instrument, part, _ in .string(instrument.tunings.scale(of: [part])) }, write: { try $0.tune([$0.part]) }),
    .setting("/tuning/map", .part, map, "Keyboard mapping from the folder tunings. auto uses the mapping with the tuning's name, or else one degree per key from middle C.", read: { instrument, part, _ in .string(instrument.tunings.keyMap(of: [part])) }, write: { try $0.mapKeys([$0.part]) }),
    .trigger("/tuning/next",     .part, "Sets the next tuning of the list.") { $0.instrument.tunings.step([$0.part], forward: true) },
    .trigger("/tuning/previous", .part, "Sets the previous tuning of the list.") { $0.instrument.tunings.step([$0.part], forward: false) },
    Node("/tuning/list", .instrument, [], "Answers with the number of tunings, and the name of each as /tuning/list/<n>, n from 0.", list: { listed("/tuning/list", $0.tunings.scaleNames) }),
    Node("/tuning/map/list", .instrument, [], "Answers with the number of mappings, and the name of each as /tuning/map/list/<n>, n from 0.", list: { listed("/tuning/map/list", $0.tunings.keyMapNames) }),
    .setting("/master/tuning", .instrument, scale, "Tuning of all parts; various if they differ.", read: { instrument, _, _ in .string(instrument.tunings.scale(of: PartTunings.everyPart)) }, write: { try $0.tune(PartTunings.everyPart) }),
    .setting("/master/tuning/map", .instrument, map, "Keyboard mapping of all parts; various if they differ.", read: { instrument, _, _ in .string(instrument.tunings.keyMap(of: PartTunings.everyPart)) }, write: { try $0.mapKeys(PartTunings.everyPart) }),
    .trigger("/master/tuning/next",     .instrument, "Sets the next tuning of the list for all parts.") { $0.instrument.tunings.step(PartTunings.everyPart, forward: true) },
    .trigger("/master/tuning/previous", .instrument, "Sets the previous tuning of the list for all parts.") { $0.instrument.tunings.step(PartTunings.everyPart, forward: false) },
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

  /// The name in the argument, or the one at the number in the argument.
  private func chosen(_ names: [String]) throws -> String {
    switch arguments.first {
    case .string(let name): return name
    case .number(let number) where number >= 0 && number < Double(names.count):
      return names[Int(clamping: number)]
    default: throw Refusal("takes a name or a number below \(names.count)", not: arguments.first)
    }
  }
}
