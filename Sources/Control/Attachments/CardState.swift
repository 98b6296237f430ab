/// The sound card as surfaces show it.
public struct CardState: Sendable, Equatable {
  /// The card's own volume.
  public struct Level: Sendable, Equatable {
    /// The fader's position, 0…1.
    public var normalized: Double
    /// Decibels, and the range of the fader in decibels; nil for a card that does not tell.
    public var decibels: Double?
    public var range: ClosedRange<Double>?
    /// The text of a label.
    public var text: String

    /// A level.
    public init(normalized: Double, decibels: Double?, range: ClosedRange<Double>?, text: String) {
      (self.normalized, self.decibels, self.range, self.text) = (normalized, decibels, range, text)
    }
  }

  /// The card that plays, by ALSA's id; empty while none does.
  public var name = ""
  /// The cards to choose from, best first.
  public var names: [String] = []
  /// Why it is this card.
  public var reason = ""
  /// A better card that waits for the next silence; empty when there is none.
  public var offer = ""
  /// The sample rate in Hz, and the rates to choose from.
  public var rate = 0
  public var rates: [Int] = []
  /// Frames in a period, and the periods to choose from.
  public var period = 0
  public var periods: [Int] = []
  /// The card's own volume; nil for a card that has none.
  public var level: Level?

  /// The state without a card.
  public init() {}
}

/// A request about the sound card.
public enum CardRequest: Sendable, Equatable {
  /// Plays on the card of that name, or on the best one for "auto".
  case card(String)
  /// Plays at a sample rate, Hz.
  case rate(Int)
  /// Renders so many frames at a time.
  case period(Int)
  /// Sets the card's own volume to a fader position, 0…1.
  case level(Double)
  /// Sets the card's own volume in decibels.
  case decibels(Double)
}
