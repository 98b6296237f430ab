import CRealtime

/// How often which value came: lock-free, 16 buckets to the octave, so that a percentile is at most 6 % too high.
///
/// A value of pointers: copies are the same histogram. One thread records, any thread reads.
public struct Histogram: @unchecked Sendable {
  private let cells: UnsafeMutablePointer<UInt64>

  /// 16 buckets to the octave, up to 2^40: eighteen minutes in nanoseconds.
  private static var bits: Int { @_noLocks get { 4 } }
  private static var buckets: Int { @_noLocks get { 37 << bits } }

  /// An empty histogram.
  public init() {
    cells = .allocate(capacity: Histogram.buckets + 1)
    cells.initialize(repeating: 0, count: Histogram.buckets + 1)
  }

  /// Frees the memory; nobody may use the histogram any more.
  public func deallocate() { cells.deallocate() }

  /// Counts a value. The one thread that records.
  @_noLocks
  public func record(_ value: UInt64) {
    let bucket = cells + Histogram.bucket(value)
    rt_store(bucket, rt_load(bucket) &+ 1)
    rt_raise(cells + Histogram.buckets, value)
  }

  /// Below 32 each value has its own bucket; above, its octave and the four bits after the first tell.
  @_noLocks
  private static func bucket(_ value: UInt64) -> Int {
    if value < 2 << UInt64(bits) { return Int(value) }
    let octave = 63 &- value.leadingZeroBitCount &- bits
    return min((octave << bits) &+ Int(value >> UInt64(octave)), buckets &- 1)
  }

  // MARK: - Any thread

  /// The largest value so far.
  public var worst: UInt64 { rt_load(cells + Histogram.buckets) }

  /// What it holds now.
  public var counts: Counts {
    Counts(buckets: (0..<Histogram.buckets).map { rt_load(cells + $0) }, worst: worst)
  }

  /// A histogram at one moment. The difference of two is what came in between.
  public struct Counts: Sendable {
    private var buckets: [UInt64]
    /// The largest value since the start.
    public let worst: UInt64
    /// How many values there are.
    public let total: UInt64

    fileprivate init(buckets: [UInt64], worst: UInt64) {
      (self.buckets, self.worst, total) = (buckets, worst, buckets.reduce(0, &+))
    }

    /// What came after `earlier`, of the same histogram.
    public func since(_ earlier: Counts) -> Counts {
      Counts(buckets: zip(buckets, earlier.buckets).map { $0 &- $1 }, worst: worst)
    }

    /// The value that a share of 0…1 of all does not exceed, at most 6 % too high; 0 when there are none.
    public func value(share: Double) -> UInt64 {
      let wanted = max(1, UInt64((Double(total) * share).rounded(.up)))
      var sum: UInt64 = 0
      for (bucket, count) in buckets.enumerated() {
        sum += count
        if sum >= wanted { return min(worst, Self.upper(bucket)) }
      }
      return 0
    }

    /// The largest value that falls into a bucket.
    private static func upper(_ bucket: Int) -> UInt64 {
      let step = 1 << bits
      if bucket < 2 * step { return UInt64(bucket) }
      let octave = UInt64(bucket / step - 1)
      return UInt64(bucket % step + step + 1) << octave - 1
    }
  }
}
