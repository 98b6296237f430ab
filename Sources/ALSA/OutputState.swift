/// The state of the audio output, published as a value for any thread.
public struct OutputState: Sendable, Equatable {
  /// The card or the clock, with rate, period and format, as text for people.
  public var playing = "nothing"
  /// The card that plays; nil while the clock paces the engine, and for a PCM that is not a card of this machine.
  public var card: Card?
  /// Why pipit plays on this card.
  public var reason = ""
  /// The mixer of the card that plays; nil for a card without a mixer.
  public var mixer: MixerPath?
  /// Every card that can play, in pipit's order of preference.
  public var cards: [RankedCard] = []
  /// A better card than the current one, which waits for the next silence.
  public var offer: Card?
  /// The rate in Hz.
  public var rate = 0
  /// The period in frames.
  public var period = 0
  /// The rates in Hz that the card supports.
  public var rates: [Int] = []
  /// The periods in frames that the card supports.
  public var periods: [Int] = []
  /// Milliseconds of sound in the card's buffer just after a block was written.
  public var latency = 0.0
  /// Why the last change of settings was undone; empty if none was.
  public var undone = ""
  /// The cards to remember across restarts.
  public var memory = CardMemory()
}

/// Requests to the output, from any thread, that are not yet applied: the latest of each kind.
struct OutputRequests: Sendable {
  /// The requested fader position of the card's volume, 0…1.
  var level: Double?
  /// The requested rate in Hz and period in frames.
  var rate: Int?
  var period: Int?
  /// The requested card, by its ALSA id; "auto" for the best.
  var card: String?
}
