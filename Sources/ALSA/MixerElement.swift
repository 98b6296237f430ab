/// A simple mixer element of a card, as far as it concerns playback. Levels are in hundredths of a decibel, as in
/// ALSA.
public struct MixerElement: Sendable, Equatable {
  /// The name of the element, such as `Master`.
  public let name: String
  /// Distinguishes elements with the same name.
  public let index: Int
  /// Whether the playback switch is on; nil for an element without a switch.
  public var isOn: Bool?
  /// The volume; nil for an element that has only a switch.
  public var volume: Volume?

  /// The volume of an element.
  public struct Volume: Sendable, Equatable {
    /// The raw value of the card.
    public var raw: Int
    /// The lowest and the highest raw value.
    public let rawRange: ClosedRange<Int>
    /// The level of the loudest channel, in hundredths of a decibel; nil for a card without a decibel scale.
    public var level: Int?
    /// The lowest and highest level; the lowest may be `mute`.
    public let range: ClosedRange<Int>?

    /// The level that ALSA reports for silence.
    public static let mute = -99_999_99
    /// A lowest level at or below this counts as silence, hundredths of a decibel.
    static let inaudible = -30_00

    /// Creates a volume.
    public init(raw: Int, of rawRange: ClosedRange<Int>, level: Int? = nil, in range: ClosedRange<Int>? = nil)
    {
      (self.raw, self.rawRange, self.level, self.range) = (raw, rawRange, level, range)
    }

    /// Levels up to this are hardly audible: hundredths of a decibel, and percent of the raw range for a card without
    /// decibels.
    static let (faint, faintWay) = (-40_00, 10)

    /// True if the volume is hardly audible and could be raised.
    var isFaint: Bool {
      guard let level, let range else {
        return (raw - rawRange.lowerBound) * 100 < Self.faintWay * (rawRange.upperBound - rawRange.lowerBound)
      }
      return level <= Self.faint && level < range.upperBound
    }

    /// True if the volume is inaudible: at its lowest value, which is silence.
    var isSilent: Bool {
      guard let level, let range else { return raw <= rawRange.lowerBound }
      return level <= range.lowerBound && range.lowerBound <= Self.inaudible
    }
  }

  /// Creates an element.
  public init(_ name: String, index: Int = 0, isOn: Bool? = nil, volume: Volume? = nil) {
    (self.name, self.index, self.isOn, self.volume) = (name, index, isOn, volume)
  }

  /// True if the element lets no sound through.
  var isSilent: Bool { isOn == false || volume?.isSilent == true }

  /// The settings as text, such as "off at -74.0 dB".
  var words: String {
    var words: [String] = []
    if let isOn { words.append(isOn ? "on" : "off") }
    if let volume { words.append("at " + volume.words) }
    return words.joined(separator: " ")
  }
}

extension MixerElement.Volume {
  /// The level as text: "-6.0 dB", "silence" or, without decibels, "75 %".
  public var words: String {
    if let level { return level <= Self.mute ? "silence" : Self.decibels(level) }
    let span = max(1, rawRange.upperBound - rawRange.lowerBound)
    return "\((raw - rawRange.lowerBound) * 100 / span) %"
  }

  /// Formats hundredths of a decibel, such as "-6.0 dB".
  static func decibels(_ level: Int) -> String {
    let tenths = (Double(level) / 10).rounded()
    let whole = Int(clamping: tenths.magnitude)
    return (tenths < 0 ? "-" : "") + "\(whole / 10).\(whole % 10) dB"
  }
}
