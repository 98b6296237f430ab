/// Memory that a `SawSum` works in.
struct SumRoom {
  /// What is being added at a level: where it begins at the first sample, and what it grows by from sample to sample.
  let line: UnsafeMutablePointer<SawLine>
  /// What a jump of it takes away, left and right.
  let heights: UnsafeMutablePointer<Lanes>
  /// Periods of synchronized saws in one of their masters'.
  let ratio: UnsafeMutablePointer<Lanes>
  /// What is known of jumps, by kind and by place.
  private let times: UnsafeMutablePointer<Lanes>
  /// Samples on their way to another block.
  let samples: UnsafeMutablePointer<Lanes>
  /// Where the first sample of the first lane on the left side is, in rows of pulses.
  let rows: UnsafeMutablePointer<Float>

  /// What is known of jumps: in samples, if not said otherwise.
  struct Time {
    let index: Int

    @_noLocks @inline(__always)
    private init(_ index: Int) { self.index = index }

    static var count: Int { @_noLocks get { 8 } }

    static var period: Time { @_noLocks get { Time(0) } }
    /// The first jump of saws, and of ends of pulses.
    static var first: Time { @_noLocks get { Time(1) } }
    static var firstEnd: Time { @_noLocks get { Time(2) } }
    /// Of synchronized saws: since the last jump of its own, and since the last reset.
    static var own: Time { @_noLocks get { Time(3) } }
    static var since: Time { @_noLocks get { Time(4) } }
    /// How far it was through its period at the last reset, as a part of it.
    static var end: Time { @_noLocks get { Time(5) } }
    /// The master's period, and where in it the block ends, as a part of it.
    static var masterPeriod: Time { @_noLocks get { Time(6) } }
    static var masterEnd: Time { @_noLocks get { Time(7) } }
  }

  /// Places of what is added at a level.
  static var places: Int { @_noLocks get { 8 } }
  /// Samples of a row: those before the first one that pulses reach, those of a tick, and those behind the last one.
  static var row: Int { @_noLocks get { before &+ Limits.controlFrames &+ 12 } }
  static var before: Int { @_noLocks get { 8 } }
  /// From a sample on the left side to the same on the right.
  static var side: Int { @_noLocks get { Limits.lanesPerGroup &* row } }
  /// Vectors that it takes.
  static var count: Int {
    @_noLocks get { 5 &+ Time.count &* places &+ Limits.controlFrames &+ 2 &* row }
  }

  @_noLocks @inline(__always)
  init(_ vectors: UnsafeMutablePointer<Lanes>) {
    line = UnsafeMutableRawPointer(vectors).assumingMemoryBound(to: SawLine.self)
    (heights, ratio, times) = (vectors + 2, vectors + 4, vectors + 5)
    samples = times + Time.count &* Self.places
    rows =
      UnsafeMutableRawPointer(samples + Limits.controlFrames).assumingMemoryBound(to: Float.self)
      + Self.before
  }

  @_noLocks @inline(__always)
  func times(_ time: Time, _ place: Int) -> UnsafeMutablePointer<Lanes> {
    times + (time.index &* Self.places &+ place)
  }

  /// The same for one lane of one place, as the bit that it has among all.
  @_noLocks @inline(__always)
  func time(_ time: Time, _ bit: Int) -> Float {
    UnsafeRawPointer(times(time, 0)).load(
      fromByteOffset: bit &* MemoryLayout<Float>.stride, as: Float.self)
  }

  /// Empties the rows.
  @_noLocks @inline(__always)
  func clear(isWide: Bool) {
    let vectors = samples + Limits.controlFrames
    // Of which the compiler does not know that it is nothing: it would call `memset`.
    let nothing = opaque(Lanes.zero)
    let count = isWide ? 2 &* Self.row : Self.row
    var i = 0
    while i < count {
      vectors[i] = nothing
      vectors[i &+ 1] = nothing
      vectors[i &+ 2] = nothing
      vectors[i &+ 3] = nothing
      i &+= 4
    }
  }
}
