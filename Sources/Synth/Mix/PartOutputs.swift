/// The pair of a card's outputs that each part plays on. By default all parts play on pair 0, the outputs 1 and 2.
/// Plain data.
public struct PartOutputs: Sendable, Equatable {
  // One byte per part; the first part has the lowest byte.
  private var pairs: UInt64 = 0
  /// Number of pairs used, from the first on.
  public private(set) var count = 1

  /// All parts on the outputs 1 and 2.
  public init() {}

  /// Pairs by part, as "1-2,1-2,3-4"; parts that are not named play on 1-2. Nil for any other text.
  public init?(_ text: String) {
    let words = text.split(separator: ",", omittingEmptySubsequences: false)
    if words.count > Limits.parts { return nil }
    for (part, word) in words.enumerated() {
      let name = word.filter { !$0.isWhitespace }
      guard let pair = (0..<Limits.outputPairs).first(where: { Self.name($0) == name }) else { return nil }
      pairs |= UInt64(pair) << UInt64(8 * part)
      count = max(count, pair + 1)
    }
  }

  /// The pair of a part, from 0.
  @_noLocks
  public func pair(_ part: Int) -> Int { Int(pairs >> UInt64(8 &* part) & 0xFF) }

  /// The text of a pair, such as "3-4".
  private static func name(_ pair: Int) -> String { "\(2 * pair + 1)-\(2 * pair + 2)" }
}

extension PartOutputs: CustomStringConvertible {
  /// The text of the pairs, up to the last part that is not on 1-2.
  public var description: String {
    let last = (0..<Limits.parts).last { pair($0) > 0 } ?? 0
    return (0...last).map { Self.name(pair($0)) }.joined(separator: ",")
  }
}
