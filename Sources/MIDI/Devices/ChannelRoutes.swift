import Scenes

/// The parts that play the channels of a device: for each channel a set of parts, or those that answer to it.
public struct ChannelRoutes: Hashable, Sendable {
  // For each channel a bit for each part; nil for the parts that answer to it.
  private var masks: [UInt8?]

  /// Every channel is played by the parts that answer to it.
  public init() { masks = Array(repeating: nil, count: Limits.channels) }

  /// The parts that play a channel 0…15, a bit each; nil for those that answer to it.
  public subscript(channel: Int) -> UInt8? {
    get { masks[channel & 15] }
    set { masks[channel & 15] = newValue }
  }

  /// True when nothing was set.
  public var isEmpty: Bool { masks.allSatisfy { $0 == nil } }

  // MARK: - As text

  /// The text: `auto`; `1,3` when parts 1 and 3 play all channels; `2:1,3 10:-` when they play channel 2, and no
  /// part plays channel 10. Channels and parts are counted from 1.
  public var text: String {
    if isEmpty { return "auto" }
    if let first = masks[0], masks.allSatisfy({ $0 == first }) { return Self.words(first) }
    return masks.enumerated().compactMap { channel, mask in mask.map { "\(channel + 1):\(Self.words($0))" } }
      .joined(separator: " ")
  }

  /// Reads the format of `text`; nil for any other.
  public init?(_ text: String) {
    self.init()
    if text == "auto" { return }
    let items = text.split(separator: " ")
    if items.isEmpty { return nil }
    for item in items {
      let halves = item.split(separator: ":", omittingEmptySubsequences: false)
      guard halves.count <= 2, let last = halves.last, let mask = Self.mask(last) else { return nil }
      if halves.count == 1 {
        masks = Array(repeating: mask, count: Limits.channels)
      } else {
        guard let channel = Int(halves[0]), (1...Limits.channels).contains(channel) else { return nil }
        masks[channel - 1] = mask
      }
    }
  }

  private static func words(_ mask: UInt8) -> String {
    if mask == 0 { return "-" }
    return (0..<Limits.parts).filter { mask >> UInt8($0) & 1 != 0 }.map { "\($0 + 1)" }.joined(separator: ",")
  }

  private static func mask(_ words: Substring) -> UInt8? {
    if words == "-" { return 0 }
    var mask: UInt8 = 0
    for word in words.split(separator: ",", omittingEmptySubsequences: false) {
      guard let part = Int(word), (1...Limits.parts).contains(part) else { return nil }
      mask |= 1 << UInt8(part - 1)
    }
    return mask
  }
}
