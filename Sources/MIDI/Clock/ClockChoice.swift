/// The source of the beat that the beat line follows.
public enum ClockChoice: Hashable, Sendable {
  /// The clock of any device that has `clock` on, or else that of a song that plays, or else the instrument's own.
  case auto
  /// The instrument's own.
  case own
  /// The beat of a song that plays, otherwise the instrument's own.
  case song
  /// The device with a number, regardless of its setting `clock`.
  case device(Int)

  /// The text: `auto`, `own`, `song` or the number of a device.
  public var text: String {
    switch self {
    case .auto: "auto"
    case .own: "own"
    case .song: "song"
    case .device(let id): "\(id)"
    }
  }

  /// Reads the format of `text`; nil for any other.
  public init?(_ text: String) {
    switch text {
    case "auto": self = .auto
    case "own": self = .own
    case "song": self = .song
    default:
      guard let id = Int(text), id > 0 else { return nil }
      self = .device(id)
    }
  }
}
