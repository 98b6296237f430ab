/// A set of keys 0…127: the pitches that an arpeggio plays.
struct PitchSet {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  /// No key.
  @_noLocks init() {}

  /// Number of keys.
  var count: Int { @_noLocks get { low.nonzeroBitCount &+ high.nonzeroBitCount } }

  /// True without a key.
  var isEmpty: Bool { @_noLocks get { low | high == 0 } }

  /// The lowest and the highest key; nil without a key.
  var lowest: Int? { @_noLocks get { above(-1) } }
  var highest: Int? { @_noLocks get { below(128) } }

  /// Adds a key 0…127.
  @_noLocks
  mutating func insert(_ key: Int) {
    if key < 64 { low |= Self.bit(key) } else { high |= Self.bit(key) }
  }

  /// Whether a key 0…127 is in the set.
  @_noLocks
  func contains(_ key: Int) -> Bool { (key < 64 ? low : high) & Self.bit(key) != 0 }

  /// The next key above a key -1…127.
  @_noLocks
  func above(_ key: Int) -> Int? {
    let (low, high) = (low & ~Self.upTo(key), high & ~Self.upTo(key &- 64))
    if low != 0 { return low.trailingZeroBitCount }
    return high != 0 ? 64 &+ high.trailingZeroBitCount : nil
  }

  /// The next key below a key 0…128.
  @_noLocks
  func below(_ key: Int) -> Int? {
    let (low, high) = (low & Self.upTo(key &- 1), high & Self.upTo(key &- 65))
    if high != 0 { return 127 &- high.leadingZeroBitCount }
    return low != 0 ? 63 &- low.leadingZeroBitCount : nil
  }

  /// The key that has `index` keys below it; nil beyond the highest.
  @_noLocks
  func key(_ index: Int) -> Int? {
    var (key, left) = (above(-1), index)
    while left > 0, let this = key { (key, left) = (above(this), left &- 1) }
    return key
  }

  /// Adds the keys of another set.
  @_noLocks
  mutating func formUnion(_ other: PitchSet) {
    low |= other.low
    high |= other.high
  }

  /// The keys that are not in another set.
  @_noLocks
  func without(_ other: PitchSet) -> PitchSet {
    var rest = self
    rest.low &= ~other.low
    rest.high &= ~other.high
    return rest
  }

  /// The set as bits: keys 0…63, and keys 64…127.
  var words: (UInt64, UInt64) { @_noLocks get { (low, high) } }

  @_noLocks
  private static func bit(_ key: Int) -> UInt64 { 1 &<< UInt64(truncatingIfNeeded: key & 63) }

  /// The bits up to that of a key, which may be out of range.
  @_noLocks
  private static func upTo(_ key: Int) -> UInt64 {
    if key < 0 { return 0 }
    return key >= 63 ? .max : bit(key &+ 1) &- 1
  }
}
