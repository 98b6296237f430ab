import System

/// What pipit remembers of sound cards over a restart; whoever starts the output keeps its text.
public struct CardMemory: Sendable, Equatable {
  /// The level at which each card was last seen, by `Card.identity`, the latest last: hundredths of a decibel,
  /// `MixerElement.Volume.mute` for one that was silent.
  private(set) var seen: [(identity: String, level: Int)] = []
  // What the elements of each card's path stood at then, by `Card.identity`.
  private var standings: [String: [MixerPath.Standing]] = [:]
  /// The card that goes before the others when it is there.
  public var preference: CardPreference?

  /// What the player has chosen while it played, and proved by playing; nil for what the configuration says.
  public var rate: Int?
  public var period: Int?
  // What the configuration said when that was chosen.
  private var configured = ""

  /// Cards that are remembered.
  private static let cards = 64

  /// False where what was remembered could not be read: a card may have been met before.
  let isKnown: Bool

  /// Nothing yet.
  public init() { isKnown = true }

  /// The level at which a card was last seen; nil for one that was never met.
  func level(of identity: String) -> Int? { seen.last { $0.identity == identity }?.level }

  /// What the path of a card stood at when it was last seen; empty for one that was never met, and where pipit 0.1 has seen
  /// it last.
  func standing(of identity: String) -> [MixerPath.Standing] { standings[identity] ?? [] }

  /// A card was seen at a level, and its path at `standing`.
  mutating func see(_ identity: String, at level: Int, _ standing: [MixerPath.Standing] = []) {
    standings[identity] = standing.isEmpty ? nil : standing
    if self.level(of: identity) == level { return }
    seen.removeAll { $0.identity == identity }
    seen.append((identity, level))
    while seen.count > Self.cards { standings[seen.removeFirst().identity] = nil }
  }

  /// Whoever said something last wins: when the configuration (the command line or `pipit.conf`) is another than at the
  /// last start, what was chosen before holds no more.
  public mutating func start(device: String, rate: Int, period: Int) {
    let words = "\(device.with(" ", replacedBy: "_")),\(rate),\(period)"
    if !configured.isEmpty, configured != words {
      (self.rate, self.period) = (nil, nil)
      preference?.isChosen = false
    }
    configured = words
  }

  /// True when both remember equal cards, levels and choices.
  public static func == (one: CardMemory, other: CardMemory) -> Bool {
    (one.rate, one.period, one.configured) == (other.rate, other.period, other.configured)
      && one.preference == other.preference && one.standings == other.standings
      && one.seen.elementsEqual(other.seen) { $0 == $1 }
  }

  // MARK: - As text

  private static let head = "pipit cards "

  /// A version line; a line for each card, such as `card -600 USB-Audio USB Audio Device`, each with the elements of its path
  /// below it, whose switch, own number and index go before the name, as `element on 87 0 Line Out`; and the preferred one.
  public var text: String {
    var text = Self.head + "1\n"
    for (identity, level) in seen {
      text += "card \(level) \(identity)\n"
      for element in standing(of: identity) { text += element.line }
    }
    if let preference {
      let bus = preference.bus.isEmpty ? "-" : preference.bus.with(" ", replacedBy: "_")
      text += "\(preference.isChosen ? "chosen" : "played") \(bus) \(preference.identity)\n"
    }
    if !configured.isEmpty { text += "configured \(configured)\n" }
    if let rate { text += "rate \(rate)\n" }
    if let period { text += "period \(period)\n" }
    return text
  }

  /// What can be read of a text; nil is one that cannot be had. A line that is not known was written by a newer pipit, and
  /// is left out.
  public init(reading text: String?) {
    isKnown = text != nil
    guard let text, text.hasPrefix(Self.head) else { return }
    // The card that the next lines are about.
    var card: (identity: String, level: Int, standing: [MixerPath.Standing])?
    for line in text.split(separator: "\n").dropFirst() {
      let words = line.split(separator: " ", maxSplits: 2).map(String.init)
      guard words.count >= 2 else { continue }
      switch words[0] {
      case "configured": configured = words[1]
      case "rate": rate = Int(words[1])
      case "period": period = Int(words[1])
      case _ where words.count < 3: break
      case "card":
        card = Int(words[1]).map { (words[2], $0, []) }
        if let card { see(card.identity, at: card.level) }
      case "element":
        guard let element = MixerPath.Standing(line: line) else { break }
        card?.standing.append(element)
        if let card { see(card.identity, at: card.level, card.standing) }
      case "chosen", "played":
        preference = CardPreference(
          identity: words[2], bus: words[1] == "-" ? "" : words[1], isChosen: words[0] == "chosen")
      default: break
      }
    }
  }
}

extension MixerPath.Standing {
  fileprivate var line: String {
    let isOn = self.isOn.map { $0 ? "on" : "off" } ?? "-"
    let name = self.name.with("\n", replacedBy: " ")
    return "element \(isOn) \(raw.map(String.init) ?? "-") \(index) \(name)\n"
  }

  /// Nil for a line that is none.
  fileprivate init?(line: Substring) {
    let words = line.split(separator: " ", maxSplits: 4, omittingEmptySubsequences: false)
    guard words.count == 5, let index = Int(words[3]) else { return nil }
    isOn = words[1] == "on" ? true : words[1] == "off" ? false : nil
    (self.index, raw, name) = (index, Int(words[2]), String(words[4]))
  }
}
