/// The delay memory of the combs of all groups, as the audio thread sees it: two rings for each group, one a side.
struct CombPool {
  fileprivate let samples: UnsafeMutablePointer<Float>
  /// Samples of a lane's ring, a power of two.
  fileprivate let length: Int

  /// The length of a ring in samples, for delays of 20 ms, the period of 50 Hz, and the neighbours that are read.
  fileprivate static func length(_ rate: Double) -> Int {
    var length = 64
    while Double(length) < rate / 50 + 4 { length *= 2 }
    return length
  }

  /// The number of floats for one side of a group.
  @_noLocks
  fileprivate static func floats(_ length: Int) -> Int {
    CombRing.header &+ Limits.lanesPerGroup &* (length &+ CombRing.repeated)
  }

  fileprivate init(_ samples: UnsafeMutablePointer<Float>, length: Int) {
    (self.samples, self.length) = (samples, length)
  }

  /// The ring of a group on the left or on the right.
  @_noLocks
  func ring(_ group: Int, isRight: Bool) -> CombRing {
    CombRing(samples + (2 &* group &+ (isRight ? 1 : 0)) &* Self.floats(length), length: length)
  }

  /// Clears all rings: after a fault only.
  @_noLocks
  func clear() {
    let count = Limits.groups &* 2 &* Self.floats(length)
    samples.update(repeating: 0, count: count)
  }
}

/// Owns a pool. Not on the audio thread.
final class CombMemory {
  let rate: Double
  private let samples: UnsafeMutablePointer<Float>
  private let pool: UnsafeMutablePointer<CombPool>

  /// Silent rings for a sample rate: 66 KiB for each group at 48 kHz.
  init(rate: Double) {
    self.rate = rate
    let length = CombPool.length(rate)
    let count = Limits.groups * 2 * CombPool.floats(length)
    samples = .allocate(capacity: count)
    samples.initialize(repeating: 0, count: count)
    pool = .allocate(capacity: 1)
    pool.initialize(to: CombPool(samples, length: length))
  }

  deinit {
    samples.deallocate()
    pool.deallocate()
  }

  /// The address of the `CombPool`.
  var address: UInt { UInt(bitPattern: pool) }
}
