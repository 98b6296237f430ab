/// The sound card as surfaces show it.
public struct CardState: Sendable, Equatable {
  /// The card's own volume.
  public struct Level: Sendable, Equatable {
    /// The fader's position, 0…1.
    public var normalized: Double
    /// The level in decibels; nil for a card without a decibel scale.
    public var decibels: Double?
    /// The range of the fader in decibels; nil for a card without a decibel scale.
    public var range: ClosedRange<Double>?
    /// The text of a label.
    public var text: String

    /// A level.
    public init(normalized: Double, decibels: Double?, range: ClosedRange<Double>?, text: String) {
      (self.normalized, self.decibels, self.range, self.text) = (normalized, decibels, range, text)
    }
  }

  /// The ALSA id of the card that plays; empty if none plays.
  public var name = ""
  /// The cards to choose from, best first.
  public var names: [String] = []
  /// Why pipit plays on this card.
  public var reason = ""
  /// A better card that waits for the next silence; empty when there is none.
  public var offer = ""
  /// The sample rate in Hz.
  public var rate = 0
  /// The sample rates to choose from, in Hz.
  public var rates: [Int] = []
  /// The number of frames in a period.
  public var period = 0
  /// The periods to choose from, in frames.
  public var periods: [Int] = []
  /// The card's own volume; nil for a card without a volume control.
  public var level: Level?

  /// The state without a card.
  public init() {}
}

/// A request about the sound card.
public enum CardRequest: Sendable, Equatable {
  /// Plays on the card with an ALSA id, or on the best one for "auto".
  case card(String)
  /// Plays at a sample rate, Hz.
  case rate(Int)
  /// Plays with a period of that many frames.
  case period(Int)
  /// Sets the card's own volume to a fader position, 0…1.
  case level(Double)
  /// Sets the card's own volume in decibels.
  case decibels(Double)
  /// Adds the cards of a stored text to those remembered already.
  case remember(String)
}
