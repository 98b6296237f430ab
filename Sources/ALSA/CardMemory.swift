import System

/// What pipit remembers of sound cards over a restart; whoever starts the output keeps its text.
public struct CardMemory: Sendable, Equatable {
  /// The level at which each card was last seen, by `Card.identity`, the latest last: hundredths of a decibel,
  /// `MixerElement.Volume.mute` for one that was silent.
  private(set) var seen: [(identity: String, level: Int)] = []
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

  /// A card was seen at a level.
  mutating func see(_ identity: String, at level: Int) {
    if self.level(of: identity) == level { return }
    seen.removeAll { $0.identity == identity }
    seen = seen.suffix(Self.cards - 1) + [(identity, level)]
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

  /// The same cards, levels and preference.
  public static func == (one: CardMemory, other: CardMemory) -> Bool {
    (one.rate, one.period, one.configured) == (other.rate, other.period, other.configured)
      && one.preference == other.preference && one.seen.elementsEqual(other.seen) { $0 == $1 }
  }

  // MARK: - As text

  private static let head = "pipit cards "

  /// A version line, then a line for each card, such as `card -600 USB-Audio USB Audio Device`, and the preferred one.
  public var text: String {
    var text = Self.head + "1\n"
    for (identity, level) in seen { text += "card \(level) \(identity)\n" }
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
    for line in text.split(separator: "\n").dropFirst() {
      let words = line.split(separator: " ", maxSplits: 2).map(String.init)
      guard words.count >= 2 else { continue }
      switch words[0] {
      case "configured": configured = words[1]
      case "rate": rate = Int(words[1])
      case "period": period = Int(words[1])
      case _ where words.count < 3: break
      case "card":
        if let level = Int(words[1]) { see(words[2], at: level) }
      case "chosen", "played":
        preference = CardPreference(
          identity: words[2], bus: words[1] == "-" ? "" : words[1], isChosen: words[0] == "chosen")
      default: break
      }
    }
  }
}
