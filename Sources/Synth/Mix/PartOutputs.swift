/// The pair of a card's outputs that each part plays on, and that of the click. By default all play on pair 0, the
/// outputs 1 and 2. Plain data.
public struct PartOutputs: Sendable, Equatable {
  // One byte per part; the first part has the lowest byte.
  private var pairs: UInt64 = 0
  /// Number of pairs used, from the first on.
  public private(set) var count = 1
  /// The pair of the click, from 0, unless the scene names another.
  public private(set) var click = 0

  /// All parts and the click on the outputs 1 and 2.
  public init() {}

  /// Pairs by part, as "1-2,1-2,3-4"; parts that are not named play on 1-2. The last word may be that of the click, as
  /// "click=5-6". Nil for any other text.
  public init?(_ text: String) {
    var words = text.split(separator: ",", omittingEmptySubsequences: false).map { word in
      word.filter { !$0.isWhitespace }
    }
    if let last = words.last, last.hasPrefix(Self.clickWord) {
      guard let pair = Self.pairNames.firstIndex(of: String(last.dropFirst(Self.clickWord.count))) else {
        return nil
      }
      (click, count) = (pair, pair + 1)
      words.removeLast()
    }
    if words.count > Limits.parts { return nil }
    for (part, word) in words.enumerated() {
      guard let pair = Self.pairNames.firstIndex(of: word) else { return nil }
      pairs |= UInt64(pair) << UInt64(8 * part)
      count = max(count, pair + 1)
    }
  }

  /// The pair of a part, from 0.
  @_noLocks
  public func pair(_ part: Int) -> Int { Int(pairs >> UInt64(8 &* part) & 0xFF) }

  /// The pair of the click for the knob `/click/output`, if `available` pairs exist, including the first.
  @_noLocks
  func clickPair(_ knob: Float, available: Int) -> Int {
    let pair = knob < 1 ? click : Int(min(knob, 255)) &- 1
    return pair < available ? pair : 0
  }

  /// The texts of the pairs, such as "3-4".
  public static let pairNames: [String] = (0..<Limits.outputPairs).map { "\(2 * $0 + 1)-\(2 * $0 + 2)" }

  private static let clickWord = "click="
}

extension PartOutputs: CustomStringConvertible {
  /// The text of the pairs, up to the last part that is not on 1-2, and of the click's unless it is 1-2.
  public var description: String {
    let last = (0..<Limits.parts).last { pair($0) > 0 } ?? 0
    var words = (0...last).map { Self.pairNames[pair($0)] }
    if click > 0 { words.append(Self.clickWord + Self.pairNames[click]) }
    return words.joined(separator: ",")
  }
}
