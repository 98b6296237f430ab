/// What becomes of a device, found out as the output does it: by the same names in the same order, each opened for a
/// moment and closed again. Not while the instrument plays: it would find its own card held.
public struct CardProbe: Sendable {
  /// A name that could not be opened.
  public struct Refusal: Sendable {
    /// As ALSA was asked for it.
    public let name: String
    /// The system's error number.
    public let code: Int32
    /// What was attempted and why it failed.
    public let sentence: String
  }

  /// The name that opens, and its card where it is one that is listed; nil when none does.
  public private(set) var opened: (name: String, card: Card?)?
  /// The names before it, and why not.
  public private(set) var refusals: [Refusal] = []

  /// Tries a device at a rate in Hz and a period in frames.
  public init(_ device: AudioOutput.Device, rate: Int, period: Int) {
    for (name, card) in CardProbe.names(device) {
      do {
        try PCM.open(name, rate: rate, period: period).close()
        opened = (name, card)
        return
      } catch {
        refusals.append(Refusal(name: name, code: error.code, sentence: error.description))
      }
    }
  }

  /// The names that stand for a device, best first, and their cards.
  static func names(_ device: AudioOutput.Device) -> [(name: String, card: Card?)] {
    switch device {
    case .clock: return []
    case .name(let name): return [named(name, among: Card.all())]
    case .auto:
      let server: [(name: String, card: Card?)] = SoundServer.isRunning ? [(SoundServer.pcm, nil)] : []
      return server + Card.automatic(Card.all()).map { ($0.pcm, $0) }
    }
  }

  /// What ALSA is asked for when a device is given by name, and its card: the card's id will do, and whatever else ALSA
  /// knows is taken as it is.
  static func named(_ name: String, among cards: [Card]) -> (name: String, card: Card?) {
    let card = cards.first { $0.id == name || $0.pcm == name }
    return (card?.pcm ?? name, card)
  }
}
