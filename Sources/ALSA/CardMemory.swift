import System

/// Sound cards as pipit remembers them across restarts. The owner of the output stores its text.
public struct CardMemory: Sendable, Equatable {
  /// The last observed level of each card by `Card.identity`, the most recent last: hundredths of a decibel, or
  /// `MixerElement.Volume.mute` if the card was silent.
  private(set) var levels: [(identity: String, level: Int)] = []
  // The states of the path's elements at that moment, by `Card.identity`.
  private var elementStates: [String: [MixerPath.ElementState]] = [:]
  /// The card that is preferred when it is connected.
  public var preference: CardPreference?

  /// The rate that the player has chosen and that has been confirmed by playing, in Hz; nil for the configured rate.
  public var rate: Int?
  /// The period that the player has chosen and that has been confirmed by playing, in frames; nil for the configured
  /// period.
  public var period: Int?
  // The configured device, rate and period when the player chose.
  private var configured = ""

  /// The maximum number of remembered cards.
  private static let mostCards = 64

  /// False if the stored memory could not be read: then any card may have been used before.
  let isKnown: Bool

  /// An empty memory.
  public init() { isKnown = true }

  /// The last observed level of a card; nil for one that pipit has not used before.
  func level(of identity: String) -> Int? { levels.last { $0.identity == identity }?.level }

  /// The last observed states of the elements of a card's path; empty for a card that pipit has not used before, or
  /// that pipit 0.1 was the last to use.
  func elementStates(of identity: String) -> [MixerPath.ElementState] { elementStates[identity] ?? [] }

  /// Records the level of a card and the states of its path.
  mutating func remember(_ identity: String, at level: Int, _ states: [MixerPath.ElementState] = []) {
    elementStates[identity] = states.isEmpty ? nil : states
    if self.level(of: identity) == level { return }
    levels.removeAll { $0.identity == identity }
    levels.append((identity, level))
    while levels.count > Self.mostCards { elementStates[levels.removeFirst().identity] = nil }
  }

  /// Discards the player's choices if the configuration (the command line or `pipit.conf`) has changed since the last
  /// start, because the most recent choice wins.
  public mutating func start(device: String, rate: Int, period: Int) {
    let words = "\(device.with(" ", replacedBy: "_")),\(rate),\(period)"
    if !configured.isEmpty, configured != words {
      (self.rate, self.period) = (nil, nil)
      preference?.isChosen = false
    }
    configured = words
  }

  /// True if both have equal cards, levels and choices.
  public static func == (one: CardMemory, other: CardMemory) -> Bool {
    (one.rate, one.period, one.configured) == (other.rate, other.period, other.configured)
      && one.preference == other.preference && one.elementStates == other.elementStates
      && one.levels.elementsEqual(other.levels) { $0 == $1 }
  }

  // MARK: - As text

  private static let head = "pipit cards "

  /// A version line; a line for each card, such as `card -600 USB-Audio USB Audio Device`, followed by the elements
  /// of its path with their switch, raw value, index and name, such as `element on 87 0 Line Out`; and the preferred
  /// card.
  public var text: String {
    var text = Self.head + "1\n"
    for (identity, level) in levels {
      text += "card \(level) \(identity)\n"
      for element in elementStates(of: identity) { text += element.line }
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

  /// Reads the memory from a text; nil means that the text could not be read. Unknown lines are skipped: a newer
  /// pipit may have written them.
  public init(reading text: String?) {
    isKnown = text != nil
    guard let text, text.hasPrefix(Self.head) else { return }
    // The card that the next element lines belong to.
    var card: (identity: String, level: Int, states: [MixerPath.ElementState])?
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
        if let card { remember(card.identity, at: card.level) }
      case "element":
        guard let element = MixerPath.ElementState(line: line) else { break }
        card?.states.append(element)
        if let card { remember(card.identity, at: card.level, card.states) }
      case "chosen", "played":
        preference = CardPreference(
          identity: words[2], bus: words[1] == "-" ? "" : words[1], isChosen: words[0] == "chosen")
      default: break
      }
    }
  }
}

extension CardMemory {
  /// The memory of a text, and the cards of another memory that the text does not name.
  init(reading text: String, over other: CardMemory) {
    self.init(reading: text)
    let known = Set(levels.map(\.identity))
    for (identity, level) in other.levels where !known.contains(identity) {
      remember(identity, at: level, other.elementStates(of: identity))
    }
  }
}

extension MixerPath.ElementState {
  fileprivate var line: String {
    let isOn = self.isOn.map { $0 ? "on" : "off" } ?? "-"
    let name = self.name.with("\n", replacedBy: " ")
    return "element \(isOn) \(raw.map(String.init) ?? "-") \(index) \(name)\n"
  }

  /// Nil if the line describes no element.
  fileprivate init?(line: Substring) {
    let words = line.split(separator: " ", maxSplits: 4, omittingEmptySubsequences: false)
    guard words.count == 5, let index = Int(words[3]) else { return nil }
    isOn = words[1] == "on" ? true : words[1] == "off" ? false : nil
    (self.index, raw, name) = (index, Int(words[2]), String(words[4]))
  }
}
