import Control
import Scenes
import System

// The sound card: its volume, the choice of a card, its sample rate and period.

extension Node {
  // swift-format-ignore
  static let card: [Node] = [
    .setting("/master/card/level", .instrument, .float(0...1), "Volume of the sound card's mixer.", read: { instrument, _, _ in .float(Float(instrument.card.state.level?.normalized ?? 1)) }, write: { try $0.setCardLevel() }),
    Node("/master/card/level/db", .instrument, [.float(nil, "decibels")], "Volume of the sound card in decibels. The card sets the nearest value that is not louder.", origin: .unit, read: { instrument, _, _ in .float(Float(instrument.card.state.level?.decibels ?? 0)) }, write: { try $0.setCardDecibels() }),
    .display("/master/card/level/text", .instrument, .string(), "Text of /master/card/level for a label.") { instrument, _, _ in .string(instrument.card.state.level?.text ?? (instrument.card.state.rate == 0 ? "no card" : "fixed")) },
    .setting("/card", .instrument, .string("a name or a number of /card/list, or auto"), "The sound card in use; empty without one. pipit switches at once, and back if the card gives no sound within ten seconds.", read: { instrument, _, _ in .string(instrument.card.state.name) }, write: { try $0.chooseCard() }),
    Node("/card/list", .instrument, [], "Answers with the number of cards, and the name of each as /card/list/<n>, n from 0, best first.", list: { listed("/card/list", $0.card.state.names.map { .string($0) }) }),
    .display("/card/reason", .instrument, .string(), "Why pipit chose this card.") { instrument, _, _ in .string(instrument.card.state.reason) },
    .display("/card/offer", .instrument, .string(), "A better card, used from the next silence on; empty if there is none.") { instrument, _, _ in .string(instrument.card.state.offer) },
    .setting("/card/rate", .instrument, .int(nil, "Hz"), "Sample rate; 0 without a card. pipit switches back if the new rate gives no sound within ten seconds.", read: { instrument, _, _ in .int(instrument.card.state.rate) }, write: { try $0.chooseRate() }),
    Node("/card/rate/list", .instrument, [], "Answers with the number of rates of the card, and each as /card/rate/list/<n>, n from 0.", list: { listed("/card/rate/list", $0.card.state.rates.map { .int($0) }) }),
    .setting("/card/period", .instrument, .int(nil, "frames"), "Frames per period; 0 without a card. pipit switches back if the new period gives no sound within ten seconds.", read: { instrument, _, _ in .int(instrument.card.state.period) }, write: { try $0.choosePeriod() }),
    Node("/card/period/list", .instrument, [], "Answers with the number of periods of the card, and each as /card/period/list/<n>, n from 0.", list: { listed("/card/period/list", $0.card.state.periods.map { .int($0) }) }),
  ]

  private static func listed(_ address: String, _ values: [OSCValue]) -> [OSCMessage] {
    [OSCMessage(address, .int(values.count))]
      + values.enumerated().map { OSCMessage("\(address)/\($0)", $1) }
  }
}

extension Request {
  fileprivate func setCardLevel() throws {
    guard arguments.count == 1, let number else {
      throw Refusal("takes a number from 0 to 1", not: arguments.first)
    }
    let normalized = max(0, min(number, 1))
    surface.feedback.hold(target, .float(Float(normalized)), by: client, now: now)
    // Without a mixer, feedback moves the fader back.
    guard let level = instrument.card.state.level, Float(level.normalized) != Float(normalized) else {
      return
    }
    try ask(.level(normalized))
  }

  fileprivate func setCardDecibels() throws {
    guard arguments.count == 1, let number else { throw Refusal("takes decibels", not: arguments.first) }
    guard let level = instrument.card.state.level else {
      throw Refusal(
        instrument.card.state.rate == 0 ? "finds no sound card" : "finds no volume in this sound card")
    }
    if level.decibels.map({ Float($0) }) != Float(number) { try ask(.decibels(number)) }
  }

  fileprivate func chooseCard() throws {
    let names = instrument.card.state.names
    if let number, number >= 0, number < Double(names.count) {
      return try ask(.card(names[Int(clamping: number)]))
    }
    guard case .string(let name)? = arguments.first else {
      throw Refusal("takes a name or a number of /card/list, or auto", not: arguments.first)
    }
    let found = names.first { $0 == name } ?? names.first { $0.lowercased() == name.lowercased() }
    guard let card = name == "auto" ? name : found else {
      throw Refusal(
        "finds no card \(quoted(name)); there is \(names.isEmpty ? "none" : names.joined(separator: ", "))")
    }
    try ask(.card(card))
  }

  fileprivate func chooseRate() throws {
    try ask(.rate(try choice(Limits.rates, instrument.card.state.rates, "Hz")))
  }

  fileprivate func choosePeriod() throws {
    try ask(.period(try choice(Limits.periods, instrument.card.state.periods, "frames")))
  }

  /// A whole number in a range, and one of the card's numbers if the card lists them.
  private func choice(_ range: ClosedRange<Int>, _ known: [Int], _ unit: String) throws -> Int {
    let span = "takes \(unit), \(range.lowerBound)…\(range.upperBound)"
    let whole = try whole(in: range, else: span)
    guard known.isEmpty || known.contains(whole) || unit == "frames" else {
      throw Refusal("takes one of \(known.map(String.init).joined(separator: ", "))", not: arguments.first)
    }
    return whole
  }

  private func ask(_ request: CardRequest) throws {
    try instrument.card.ask(request)
  }
}
