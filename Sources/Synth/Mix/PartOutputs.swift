/// Which pair of a card's outputs each part plays on: pair 0 is the outputs 1 and 2, where all are unless something else
/// is asked for. Plain data.
public struct PartOutputs: Sendable, Equatable {
  // A byte for each part, the first in the lowest.
  private var pairs: UInt64 = 0
  /// Pairs that it takes, from the first on.
  public private(set) var count = 1

  /// All parts on the outputs 1 and 2.
  public init() {}

  /// Pairs part by part, as "1-2,1-2,3-4"; parts that are not named play on 1-2. Nil when it is something else.
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

  /// A pair as it is written, such as "3-4".
  private static func name(_ pair: Int) -> String { "\(2 * pair + 1)-\(2 * pair + 2)" }
}

extension PartOutputs: CustomStringConvertible {
  /// As it is written, up to the last part that is not on 1-2.
  public var description: String {
    let last = (0..<Limits.parts).last { pair($0) > 0 } ?? 0
    return (0...last).map { Self.name(pair($0)) }.joined(separator: ",")
  }
}
