import Scenes

/// The delay lines of eight voices, one ring for each lane, and the index where the next sample is written in all.
///
/// A ring for each lane, rather than a vector for each sample, because every lane has its own delay: the four samples
/// that it interpolates are then one load.
struct CombRing {
  private let memory: UnsafeMutablePointer<Float>
  /// Samples of a ring, a power of two.
  private let length: Int

  /// The number of floats before the rings. The first one holds the index.
  static var header: Int { @_noLocks @inline(__always) get { 4 } }
  /// The number of samples at the beginning of a ring that are repeated after its end, so that four neighbours can be
  /// loaded from any index.
  static var repeated: Int { @_noLocks @inline(__always) get { 4 } }

  @_noLocks
  init(_ memory: UnsafeMutablePointer<Float>, length: Int) { (self.memory, self.length) = (memory, length) }

  /// The longest delay in samples.
  var longest: Float { @_noLocks get { Float(length &- 4) } }

  /// The index at which the next sample is written.
  private var index: UnsafeMutablePointer<UInt32> {
    @_noLocks @inline(__always) get { UnsafeMutableRawPointer(memory).assumingMemoryBound(to: UInt32.self) }
  }
  private var stride: Int { @_noLocks @inline(__always) get { length &+ Self.repeated } }

  /// Clears some lanes.
  @_noLocks
  func clear(_ lanes: UInt8) {
    var left = lanes
    while left != 0 {
      (memory + (Self.header &+ left.trailingZeroBitCount &* stride)).update(repeating: 0, count: stride)
      left &= left &- 1
    }
  }

  /// Copies all of another ring.
  @_noLocks
  func copy(_ other: CombRing) {
    let count = Self.header &+ Limits.lanesPerGroup &* stride
    var i = 0
    while i < count {
      (memory + i).four = (other.memory + i).four
      i &+= 4
    }
  }

  /// Filters some samples; the coefficients move or stand still.
  @_noLocks
  func process(
    _ x: UnsafeMutablePointer<Lanes>, to y: UnsafeMutablePointer<Lanes>,
    _ comb: UnsafeMutablePointer<CombLanes>,
    _ pole: UnsafeMutablePointer<Lanes>, frames: Int, moves: Bool
  ) {
    if moves {
      processMoving(x, to: y, comb, pole, frames: frames)
    } else {
      processAtRest(x, to: y, comb, pole, frames: frames)
    }
  }

  @_noLocks @inline(never)
  private func processMoving(
    _ x: UnsafeMutablePointer<Lanes>, to y: UnsafeMutablePointer<Lanes>,
    _ comb: UnsafeMutablePointer<CombLanes>,
    _ pole: UnsafeMutablePointer<Lanes>, frames: Int
  ) {
    pass(x, y, comb, pole, frames: frames, moves: true)
  }

  @_noLocks @inline(never)
  private func processAtRest(
    _ x: UnsafeMutablePointer<Lanes>, to y: UnsafeMutablePointer<Lanes>,
    _ comb: UnsafeMutablePointer<CombLanes>,
    _ pole: UnsafeMutablePointer<Lanes>, frames: Int
  ) {
    pass(x, y, comb, pole, frames: frames, moves: false)
  }

  @_noLocks @inline(__always)
  private func pass(
    _ x: UnsafeMutablePointer<Lanes>, _ y: UnsafeMutablePointer<Lanes>,
    _ comb: UnsafeMutablePointer<CombLanes>,
    _ pole: UnsafeMutablePointer<Lanes>, frames: Int, moves: Bool
  ) {
    let (rings, wrap) = (memory + Self.header, length &- 1)
    var writeIndex = Int(index.pointee)
    var (now, z) = (comb.pointee.ramps, pole.pointee)
    var whole = advances(now.delay.value)
    var part = now.delay.value - numbers(whole)
    var i = 0
    while i < frames {
      z = multiplyAdd(now.damping.value, between(rings, writeIndex, whole, part, wrap) - z, z)
      let sum = multiplyAdd(now.feedback.value, z, x[i])
      write(sum, rings, writeIndex)
      if writeIndex < Self.repeated { write(sum, rings, writeIndex &+ length) }
      y[i] = now.level.value * sum
      writeIndex = (writeIndex &+ 1) & wrap
      if moves {
        now.move()
        whole = advances(now.delay.value)
        part = now.delay.value - numbers(whole)
      }
      i &+= 1
    }
    index.pointee = UInt32(truncatingIfNeeded: writeIndex)
    (comb.pointee.ramps, pole.pointee) = (now, z)
  }

  /// The four samples of a lane that begin `whole` samples before `from`.
  @_noLocks @inline(__always)
  private func four(
    _ lane: Int, _ from: Int, _ whole: Phases, _ rings: UnsafeMutablePointer<Float>, _ wrap: Int
  ) -> Quad {
    (rings + (lane &* stride &+ ((from &- Int(whole[lane])) & wrap))).four
  }

  /// The sample at a delay of `whole` + `part` in each lane, by the cubic through four samples (Lagrange).
  @_noLocks @inline(__always)
  private func between(
    _ rings: UnsafeMutablePointer<Float>, _ writeIndex: Int, _ whole: Phases, _ part: Lanes, _ wrap: Int
  ) -> Lanes {
    let from = writeIndex &- 2
    let low = transposed(
      four(0, from, whole, rings, wrap), four(1, from, whole, rings, wrap), four(2, from, whole, rings, wrap),
      four(3, from, whole, rings, wrap))
    let high = transposed(
      four(4, from, whole, rings, wrap), four(5, from, whole, rings, wrap), four(6, from, whole, rings, wrap),
      four(7, from, whole, rings, wrap))
    let older = Lanes(lowHalf: low.0, highHalf: high.0)
    let old = Lanes(lowHalf: low.1, highHalf: high.1)
    let new = Lanes(lowHalf: low.2, highHalf: high.2)
    let newer = Lanes(lowHalf: low.3, highHalf: high.3)
    // The coefficients of the cubic of `part`, which is 0 at `new` and 1 at `old`.
    let (sixth, third, half) = (Lanes(repeating: 1 / 6), Lanes(repeating: 1 / 3), Lanes(repeating: 0.5))
    let cube = multiplyAdd(half, new - old, sixth * (older - newer))
    let square = multiplyAdd(half, newer + old, -new)
    let slope = multiplySubtract(
      third, newer, from: multiplySubtract(half, new, from: multiplySubtract(sixth, older, from: old)))
    return multiplyAdd(multiplyAdd(multiplyAdd(cube, part, square), part, slope), part, new)
  }

  /// Writes a sample of each lane.
  @_noLocks @inline(__always)
  private func write(_ sum: Lanes, _ rings: UnsafeMutablePointer<Float>, _ writeIndex: Int) {
    let (first, second) = (rings + writeIndex, rings + (writeIndex &+ 4 &* stride))
    (first.pointee, first[stride], first[2 &* stride], first[3 &* stride]) = (sum[0], sum[1], sum[2], sum[3])
    (second.pointee, second[stride], second[2 &* stride], second[3 &* stride]) = (
      sum[4], sum[5], sum[6], sum[7]
    )
  }
}

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
