/// What the sound is played on, as its threads see it: a value that any thread may read.
public struct OutputState: Sendable, Equatable {
  /// The card or the clock, rate, period and format, for people.
  public var playing = "nothing"
  /// The card that plays; nil while the clock does, and for what is no card of this machine.
  public var card: Card?
  /// Why it is this card.
  public var reason = ""
  /// The mixer of the card that plays; nil where it has none.
  public var mixer: MixerPath?
  /// Every card that can play, as pipit would take them; best first.
  public var cards: [RankedCard] = []
  /// A better card than the one that plays, which waits for the next silence.
  public var offer: Card?
  /// Hz, and frames of a block; and those that the card can be set to.
  public var rate = 0
  public var period = 0
  public var rates: [Int] = []
  public var periods: [Int] = []
  /// Milliseconds that lie in the card's buffer just after a block was written.
  public var latency = 0.0
  /// Why the last change of settings was undone; empty while none was.
  public var undone = ""
  /// What is to be remembered over a restart.
  public var memory = CardMemory()
}

/// What is asked of the output, from any thread, and not yet done: the latest of each.
struct OutputRequests: Sendable {
  /// Where the fader of the card's volume is to stand, 0…1.
  var level: Double?
  /// How the card is to be played on.
  var rate: Int?
  var period: Int?
  /// The card that is to play, by ALSA's id; "auto" for the best.
  var card: String?
}
