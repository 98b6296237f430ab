/// The card that goes before the others when it is there, whatever sort it is.
public struct CardPreference: Sendable, Equatable {
  /// Its `Card.identity`.
  public var identity: String
  /// Its `Card.bus`, which tells two cards of one make apart.
  public var bus: String
  /// The player has put it there by name: then not even a better one takes its place unasked.
  public var isChosen: Bool

  /// A preference for a card.
  public init(_ card: Card, isChosen: Bool) {
    (identity, bus, self.isChosen) = (card.identity, card.bus, isChosen)
  }

  init(identity: String, bus: String, isChosen: Bool) {
    (self.identity, self.bus, self.isChosen) = (identity, bus, isChosen)
  }
}

/// A card and its place among the others.
public struct RankedCard: Sendable, Equatable {
  /// The card.
  public let card: Card
  /// Why it stands where it does, as "played last" or "USB sound card".
  public let reason: String
  /// Whether `--device auto` may take it; otherwise it has to be named.
  public let isAutomatic: Bool
}

extension Card {
  /// All cards in the order in which `--device auto` tries them, those behind that it never takes by itself: the preferred
  /// one, then by sort, and within a sort by where they are plugged in.
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

  /// Those of `cards` that `--device auto` would play on, best first.
  public static func automatic(_ cards: [Card], preferring preference: CardPreference? = nil) -> [Card] {
    ranked(cards, preferring: preference).filter(\.isAutomatic).map(\.card)
  }
}

extension [RankedCard] {
  /// Those that are taken unasked before the others; otherwise as they are.
  fileprivate var sortedByUse: [RankedCard] { filter(\.isAutomatic) + filter { !$0.isAutomatic } }
}

extension Card.Category {
  /// Whether one of this sort is taken unasked.
  var isAutomatic: Bool { self <= .headphones }

  /// What it is, for people.
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
