import Control
import Synth
import System

// The sound card: its own volume, which one plays, and how.

extension Node {
  // swift-format-ignore
  static let card: [Node] = [
    .setting("/master/card/level", .instrument, .float(0...1), "The sound card's own volume, as its mixer has it.", read: { instrument, _, _ in .float(Float(instrument.card.state.level?.way ?? 1)) }, write: { try $0.setCardLevel() }),
    Node("/master/card/level/db", .instrument, [.float(nil, "decibels")], "The same in decibels; the card takes the nearest that is not louder.", origin: .unit, read: { instrument, _, _ in .float(Float(instrument.card.state.level?.decibels ?? 0)) }, write: { try $0.setCardDecibels() }),
    .display("/master/card/level/text", .instrument, .string(), "What a label shows of /master/card/level.") { instrument, _, _ in .string(instrument.card.state.level?.text ?? (instrument.card.state.rate == 0 ? "no card" : "fixed")) },
    .setting("/card", .instrument, .string("a name or a number of /card/list, or auto"), "The sound card that plays, empty while none does; another one is gone over to at once, and gone back from when it has no sound in ten seconds.", read: { instrument, _, _ in .string(instrument.card.state.name) }, write: { try $0.chooseCard() }),
    Node("/card/list", .instrument, [], "Answers with how many cards there are, and the name of each as /card/list/<n>, best first, n from 0.", list: { listed("/card/list", $0.card.state.names.map { .string($0) }) }),
    .display("/card/reason", .instrument, .string(), "Why it is this card.") { instrument, _, _ in .string(instrument.card.state.reason) },
    .display("/card/offer", .instrument, .string(), "A better card that waits for the next silence; empty when there is none.") { instrument, _, _ in .string(instrument.card.state.offer) },
    .setting("/card/rate", .instrument, .int(nil, "Hz"), "The sample rate, 0 while no card plays; another one is undone when it has no sound in ten seconds.", read: { instrument, _, _ in .int(instrument.card.state.rate) }, write: { try $0.chooseRate() }),
    Node("/card/rate/list", .instrument, [], "Answers with how many rates the card has, and each as /card/rate/list/<n>, n from 0.", list: { listed("/card/rate/list", $0.card.state.rates.map { .int($0) }) }),
    .setting("/card/period", .instrument, .int(nil, "frames"), "Frames rendered at a time, 0 while no card plays; another number is undone when it has no sound in ten seconds.", read: { instrument, _, _ in .int(instrument.card.state.period) }, write: { try $0.choosePeriod() }),
    Node("/card/period/list", .instrument, [], "Answers with how many periods the card has, and each as /card/period/list/<n>, n from 0.", list: { listed("/card/period/list", $0.card.state.periods.map { .int($0) }) }),
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
    let way = max(0, min(number, 1))
    surface.feedback.hold(target, .float(Float(way)), by: client, now: now)
    // Where there is nothing to turn, the fader goes back by itself.
    guard let level = instrument.card.state.level, Float(level.way) != Float(way) else { return }
    try ask(.level(way))
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
    if let number, number >= 0, number < Double(names.count) { return try ask(.card(names[Int(number)])) }
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

  /// A whole number of a range, and of those that the card has where it says which.
  private func choice(_ range: ClosedRange<Int>, _ known: [Int], _ unit: String) throws -> Int {
    let span = "takes \(unit), \(range.lowerBound)…\(range.upperBound)"
    let number = try number(in: Double(range.lowerBound)...Double(range.upperBound), else: span)
    let whole = Int(number.rounded())
    guard known.isEmpty || known.contains(whole) || unit == "frames" else {
      throw Refusal("takes one of \(known.map(String.init).joined(separator: ", "))", not: arguments.first)
    }
    return whole
  }

  private func ask(_ request: CardRequest) throws {
    try instrument.card.ask(request)
  }
}
