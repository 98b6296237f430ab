/// Finds the name that an output would open for a device: tries the same names in the same order, and closes each one
/// at once. Not while the instrument plays, because its own card would be busy.
public struct CardProbe: Sendable {
  /// A name that could not be opened.
  public struct Refusal: Sendable {
    /// The name that was passed to ALSA.
    public let name: String
    /// The system's error number.
    public let code: Int32
    /// The attempted operation and the reason for its failure.
    public let sentence: String
  }

  /// The first name that opened, and its card if it is a listed one; nil if none opened.
  public private(set) var opened: (name: String, card: Card?)?
  /// The names that were tried before it, with their errors.
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

  /// The names to try for a device, best first, with their cards.
  static func names(_ device: AudioOutput.Device) -> [(name: String, card: Card?)] {
    switch device {
    case .clock: return []
    case .name(let name): return [named(name, among: Card.all())]
    case .auto:
      let server: [(name: String, card: Card?)] = SoundServer.isRunning ? [(SoundServer.pcm, nil)] : []
      return server + Card.automatic(Card.all()).map { ($0.pcm, $0) }
    }
  }

  /// The ALSA name for a device given by name, and its card. The id of a card is expanded; any other name is passed
  /// to ALSA unchanged.
  static func named(_ name: String, among cards: [Card]) -> (name: String, card: Card?) {
    let card = cards.first { $0.id == name || $0.pcm == name }
    return (card?.pcm ?? name, card)
  }
}
