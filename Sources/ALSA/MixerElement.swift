/// A simple element of a card's mixer, as far as it concerns what is played. Levels are hundredths of a decibel, as ALSA
/// counts them.
public struct MixerElement: Sendable, Equatable {
  /// Its name, as `Master`.
  public let name: String
  /// Tells elements of one name apart.
  public let index: Int
  /// Whether it lets sound through; nil for one without a switch.
  public var isOn: Bool?
  /// The volume; nil for one that has a switch only.
  public var volume: Volume?

  /// How loud an element is.
  public struct Volume: Sendable, Equatable {
    /// The card's own number, and the lowest and highest.
    public var raw: Int
    public let rawRange: ClosedRange<Int>
    /// The loudest channel in hundredths of a decibel; nil for a card that tells none.
    public var level: Int?
    /// The lowest and highest level; the lowest may be `mute`.
    public let range: ClosedRange<Int>?

    /// What ALSA gives as the level of nothing at all.
    public static let mute = -99_999_99
    /// A lowest level below this is silence for a listener.
    static let inaudible = -30_00

    /// A volume.
    public init(raw: Int, of rawRange: ClosedRange<Int>, level: Int? = nil, in range: ClosedRange<Int>? = nil)
    {
      (self.raw, self.rawRange, self.level, self.range) = (raw, rawRange, level, range)
    }

    /// So low is hardly heard: hundredths of a decibel, and hundredths of the way of a card that tells none.
    static let (faint, faintWay) = (-40_00, 10)

    /// True when it could be louder, and hardly anything is heard through it.
    var isFaint: Bool {
      guard let level, let range else {
        return (raw - rawRange.lowerBound) * 100 < Self.faintWay * (rawRange.upperBound - rawRange.lowerBound)
      }
      return level <= Self.faint && level < range.upperBound
    }

    /// True when nothing is heard through it: it stands at its lowest, and that is silence.
    var isSilent: Bool {
      guard let level, let range else { return raw <= rawRange.lowerBound }
      return level <= range.lowerBound && range.lowerBound <= Self.inaudible
    }
  }

  /// An element.
  public init(_ name: String, index: Int = 0, isOn: Bool? = nil, volume: Volume? = nil) {
    (self.name, self.index, self.isOn, self.volume) = (name, index, isOn, volume)
  }

  /// True when nothing is heard through it.
  var isSilent: Bool { isOn == false || volume?.isSilent == true }

  /// What it stands at, as "off at -74.0 dB".
  var words: String {
    var words: [String] = []
    if let isOn { words.append(isOn ? "on" : "off") }
    if let volume { words.append("at " + volume.words) }
    return words.joined(separator: " ")
  }
}

extension MixerElement.Volume {
  /// The level as "-6.0 dB", "silence" or, without decibels, "75 %".
  public var words: String {
    if let level { return level <= Self.mute ? "silence" : Self.decibels(level) }
    let span = max(1, rawRange.upperBound - rawRange.lowerBound)
    return "\((raw - rawRange.lowerBound) * 100 / span) %"
  }

  /// Hundredths of a decibel as "-6.0 dB".
  static func decibels(_ level: Int) -> String {
    let tenths = (Double(level) / 10).rounded()
    let whole = Int(tenths.magnitude)
    return (tenths < 0 ? "-" : "") + "\(whole / 10).\(whole % 10) dB"
  }
}
