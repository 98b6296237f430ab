import ALSA
import OSC
import System

/// `pipit volume`: the sound card's own volume, through the running instrument or, without one, directly.
enum Volume {
  static func run(_ arguments: CommandArguments) throws {
    var wanted: Double?
    if let word = arguments.operands.first {
      guard let number = Double(word), number.isFinite else {
        throw CommandError("volume: takes decibels, as -6, not '\(word)'", .usage)
      }
      wanted = number
    }
    let port = try Configuration.adding([.oscPort], to: arguments).number(.oscPort)
    if let text = try askInstrument(wanted, port) { return Console.print(text + "\n") }
    guard let card = Card.automatic(Card.all()).first else { throw CommandError("volume: \(Card.whyNone())") }
    guard let text = setVolume(of: card, decibels: wanted) else {
      throw CommandError("volume: \(card.name) has no volume of its own")
    }
    Console.print("\(card.name): \(text)\n")
  }

  /// The running instrument's answer; nil if none answers.
  private static func askInstrument(_ wanted: Double?, _ port: Int) throws -> String? {
    let address = "/master/card/level"
    guard let before = text(LocalQuery.ask(address + "/text", port: port)) else { return nil }
    if LocalQuery.ask("/status/card", port: port)?.first?.value.number == 0 {
      throw CommandError("volume: no sound card plays; 'pipit doctor' says why")
    }
    guard let wanted else { return before }
    let answers = LocalQuery.ask(address + "/db", [.float(Float(wanted))], port: port)
    if let error = text(answers?.filter { $0.address == "/error" }) { throw CommandError("volume: \(error)") }
    // A card may need some time to change; if it already has the level, it reports so at once.
    var now = before
    for _ in 0..<20 {
      sleep(until: monotonic() + 50_000_000)
      now = text(LocalQuery.ask(address + "/text", port: port)) ?? now
      if now != before { break }
    }
    return now
  }

  private static func text(_ answers: [LocalQuery.Answer]?) -> String? {
    guard case .string(let text)? = answers?.first?.value else { return nil }
    return text
  }
}
