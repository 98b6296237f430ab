import CRealtime

/// A lock-free histogram with 16 buckets per octave, so that a percentile is at most 6 % too high.
///
/// A handle: copies refer to the same histogram. One thread records, any thread reads.
public struct Histogram: @unchecked Sendable {
  private let cells: UnsafeMutablePointer<UInt64>

  /// 16 buckets per octave, up to 2^40: eighteen minutes in nanoseconds.
  private static var bits: Int { @_noLocks get { 4 } }
  private static var buckets: Int { @_noLocks get { 37 << bits } }

  /// An empty histogram.
  public init() {
    cells = .allocate(capacity: Histogram.buckets + 1)
    cells.initialize(repeating: 0, count: Histogram.buckets + 1)
  }

  /// Frees the memory; no thread may use the histogram any more.
  public func deallocate() { cells.deallocate() }

  /// Counts a value. Only for the one thread that records.
  @_noLocks
  public func record(_ value: UInt64) {
    let bucket = cells + Histogram.bucket(value)
    rt_store(bucket, rt_load(bucket) &+ 1)
    rt_raise(cells + Histogram.buckets, value)
  }

  /// The bucket of a value. Below 32 each value has a bucket; above, the octave and the four bits after the leading one
  /// select it.
  @_noLocks
  private static func bucket(_ value: UInt64) -> Int {
    if value < 2 << UInt64(bits) { return Int(value) }
    let octave = 63 &- value.leadingZeroBitCount &- bits
    return min((octave << bits) &+ Int(value >> UInt64(octave)), buckets &- 1)
  }

  // MARK: - Any thread

  /// The largest value since the start.
  public var worst: UInt64 { rt_load(cells + Histogram.buckets) }

  /// A copy of the current counts.
  public var counts: Counts {
    Counts(buckets: (0..<Histogram.buckets).map { rt_load(cells + $0) }, worst: worst)
  }

  /// The counts at one moment. The difference of two moments counts the values recorded between them.
  public struct Counts: Sendable {
    private var buckets: [UInt64]
    /// The largest value since the start.
    public let worst: UInt64
    /// The number of values.
    public let total: UInt64

    fileprivate init(buckets: [UInt64], worst: UInt64) {
      (self.buckets, self.worst, total) = (buckets, worst, buckets.reduce(0, &+))
    }

    /// The values recorded after `earlier`, a copy of the same histogram.
    public func since(_ earlier: Counts) -> Counts {
      Counts(buckets: zip(buckets, earlier.buckets).map { $0 &- $1 }, worst: worst)
    }

    /// The percentile: the value that a share, 0…1, of all values does not exceed. At most 6 % too high; 0 without
    /// values.
    public func value(share: Double) -> UInt64 {
      let wanted = max(1, UInt64((Double(total) * share).rounded(.up)))
      var sum: UInt64 = 0
      for (bucket, count) in buckets.enumerated() {
        sum += count
        if sum >= wanted { return min(worst, Self.upper(bucket)) }
      }
      return 0
    }

    /// The largest value of a bucket.
    private static func upper(_ bucket: Int) -> UInt64 {
      let step = 1 << bits
      if bucket < 2 * step { return UInt64(bucket) }
      let octave = UInt64(bucket / step - 1)
      return UInt64(bucket % step + step + 1) << octave - 1
    }
  }
}
