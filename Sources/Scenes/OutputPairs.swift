// The outputs of a card in pairs: the pair of each part, and the buffers of those beyond the first.

/// The pair of a card's outputs that each part plays on, and that of the click. By default all play on pair 0, the
/// outputs 1 and 2. Plain data.
public struct PartOutputs: Sendable, Equatable {
  // One byte per part; the first part has the lowest byte.
  @usableFromInline var pairs: UInt64 = 0
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
  @_noLocks @inlinable
  public func pair(_ part: Int) -> Int { Int(pairs >> UInt64(8 &* part) & 0xFF) }

  /// The pair of the click for the knob `/click/output`, if `available` pairs exist, including the first.
  @_noLocks
  public func clickPair(_ knob: Float, available: Int) -> Int {
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

/// The buffers of a card's outputs beyond 1 and 2, in pairs. A handle: copies refer to the same buffers.
public struct ExtraOutputs {
  private let memory: UnsafeMutablePointer<Float>?
  private let capacity: Int
  /// Number of pairs, including the first, whose buffers are not among these.
  public let pairs: Int

  /// No further pairs: all parts play on the outputs 1 and 2.
  @_noLocks
  public init() { (memory, capacity, pairs) = (nil, 0, 1) }

  /// Silent buffers of `frames` frames for the pairs 1..<`pairs`.
  public init(pairs: Int, frames: Int) {
    (self.pairs, capacity) = (pairs, frames)
    let count = 2 * (pairs - 1) * frames
    memory = count > 0 ? .allocate(capacity: count) : nil
    memory?.initialize(repeating: 0, count: count)
  }

  /// Frees the buffers. Nothing may use them afterwards.
  public func deallocate() { memory?.deallocate() }

  /// The left buffer of a pair of 1..<`pairs`.
  @_noLocks
  public func left(_ pair: Int) -> UnsafeMutablePointer<Float> {
    memory.unsafelyUnwrapped + (2 &* pair &- 2) &* capacity
  }

  /// The right buffer of a pair of 1..<`pairs`.
  @_noLocks
  public func right(_ pair: Int) -> UnsafeMutablePointer<Float> {
    memory.unsafelyUnwrapped + (2 &* pair &- 1) &* capacity
  }
}
