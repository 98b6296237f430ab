/// The card that is preferred when it is connected, whatever its category.
public struct CardPreference: Sendable, Equatable {
  /// The `Card.identity` of the card.
  public var identity: String
  /// The `Card.bus` of the card, which distinguishes two cards of one make.
  public var bus: String
  /// True if the player has chosen the card by name: then a better card does not replace it automatically.
  public var isChosen: Bool

  /// Creates a preference for a card.
  public init(_ card: Card, isChosen: Bool) {
    (identity, bus, self.isChosen) = (card.identity, card.bus, isChosen)
  }

  init(identity: String, bus: String, isChosen: Bool) {
    (self.identity, self.bus, self.isChosen) = (identity, bus, isChosen)
  }
}

/// A card with its rank among the others.
public struct RankedCard: Sendable, Equatable {
  /// The card.
  public let card: Card
  /// The reason for the rank, such as "played last" or "USB sound card".
  public let reason: String
  /// Whether `--device auto` may choose the card; otherwise it must be named.
  public let isAutomatic: Bool
}

extension Card {
  /// All cards in the order in which `--device auto` tries them, followed by those that it never chooses: the
  /// preferred card, then by category, and within a category by bus path.
  public static func ranked(_ cards: [Card], preferring preference: CardPreference? = nil) -> [RankedCard] {
    let sorted = cards.enumerated().sorted {
      ($0.element.category.rawValue, $0.element.bus, $0.offset)
        < ($1.element.category.rawValue, $1.element.bus, $1.offset)
    }.map(\.element)
    let preferred = preference.flatMap { preference in
      let same = sorted.filter { $0.identity == preference.identity }
      return same.first { $0.bus == preference.bus } ?? same.first
    }
    return ([preferred].compactMap { $0 } + sorted.filter { $0 != preferred }).map { card in
      if card == preferred, let preference, preference.isChosen || card.category.isAutomatic {
        return RankedCard(
          card: card, reason: preference.isChosen ? "chosen by name" : "played last", isAutomatic: true)
      }
      return RankedCard(card: card, reason: card.category.reason, isAutomatic: card.category.isAutomatic)
    }.sortedByUse
  }

  /// The cards that `--device auto` would play on, best first.
  public static func automatic(_ cards: [Card], preferring preference: CardPreference? = nil) -> [Card] {
    ranked(cards, preferring: preference).filter(\.isAutomatic).map(\.card)
  }
}

extension [RankedCard] {
  /// Moves the automatic choices to the front and keeps the order otherwise.
  fileprivate var sortedByUse: [RankedCard] { filter(\.isAutomatic) + filter { !$0.isAutomatic } }
}

extension Card.Category {
  /// Whether `--device auto` chooses cards of this category.
  var isAutomatic: Bool { self <= .headphones }

  /// The category in words, for people.
  var reason: String {
    switch self {
    case .usb: "USB sound card"
    case .hat: "sound HAT"
    case .instrument: "USB device with MIDI, which may be a keyboard's own sound"
    case .board: "sound of the board"
    case .headphones: "headphone socket"
    case .hdmi: "HDMI, only when it is named"
    case .virtual: "no real card, only when it is named"
    }
  }
}
