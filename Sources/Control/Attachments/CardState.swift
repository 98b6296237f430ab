/// The sound card as surfaces see it. The output's, and put here by whoever joins the two.
public struct CardState: Sendable, Equatable {
  /// The card's own volume.
  public struct Level: Sendable, Equatable {
    /// Where a fader stands, 0…1.
    public var way: Double
    /// Decibels, and the lowest and highest that a fader reaches; nil for a card that tells none.
    public var decibels: Double?
    public var range: ClosedRange<Double>?
    /// What a label shows.
    public var text: String

    /// A level.
    public init(way: Double, decibels: Double?, range: ClosedRange<Double>?, text: String) {
      (self.way, self.decibels, self.range, self.text) = (way, decibels, range, text)
    }
  }

  /// The card that plays, by ALSA's id; empty while none does.
  public var name = ""
  /// The cards there are to choose from, best first.
  public var names: [String] = []
  /// Why it is this card.
  public var reason = ""
  /// A better card that waits for the next silence; empty when there is none.
  public var offer = ""
  /// Hz, and what there is to choose from.
  public var rate = 0
  public var rates: [Int] = []
  /// Frames of a block, and what there is to choose from.
  public var period = 0
  public var periods: [Int] = []
  /// The card's own volume; nil for a card that has none.
  public var level: Level?

  /// No card.
  public init() {}
}

/// What a surface asks of the sound card.
public enum CardRequest: Sendable, Equatable {
  /// Play on the card of that name, or on the best for "auto".
  case card(String)
  /// Play at that rate, Hz.
  case rate(Int)
  /// Render so many frames at a time.
  case period(Int)
  /// Set the card's own volume, to where a fader of 0…1 stands.
  case level(Double)
  /// The same in decibels.
  case decibels(Double)
}
