/// Memory that a `ImpulseTrain` works in.
struct ImpulseScratch {
  /// What is being added, in the middle, left and right: where it begins at the first sample, and what it grows by from
  /// sample to sample.
  let lines: UnsafeMutablePointer<SawLine>
  /// What a jump there takes away from the left side and from the right one.
  let heights: UnsafeMutablePointer<Lanes>
  /// What is there, a bit for each lane of each place.
  let members: UnsafeMutablePointer<UInt64>
  /// What the voices of a unison multiply the pitch of the first one by, or how many octaves.
  let factors: UnsafeMutablePointer<Lanes>
  /// Where it is and how it goes, by kind and by place.
  private let motions: UnsafeMutablePointer<Lanes>
  /// For what would be kept of a block of which no more than its first samples are made.
  let copy: UnsafeMutablePointer<Lanes>
  /// Samples on their way to another block.
  let samples: UnsafeMutablePointer<Lanes>
  /// Where the first sample of the first lane on the left side is, in rows of pulses.
  let rows: UnsafeMutablePointer<Float>

  /// What is known of what is being added, in numbers of phase.
  struct Motion {
    let index: Int

    @_noLocks @inline(__always)
    private init(_ index: Int) { self.index = index }

    static var count: Int { @_noLocks get { 8 } }

    /// How far it goes for each sample, and the end of its pulse, and its master, if it has them.
    static var way: Motion { @_noLocks get { Motion(0) } }
    static var endWay: Motion { @_noLocks get { Motion(7) } }
    static var masterWay: Motion { @_noLocks get { Motion(1) } }
    /// Where both are at the first sample, as phases.
    static var phase: Motion { @_noLocks get { Motion(2) } }
    static var masterPhase: Motion { @_noLocks get { Motion(3) } }
    /// Where saws, ends of pulses and masters are at the first sample, those added that are yet to be put where they belong.
    static var first: Motion { @_noLocks get { Motion(4) } }
    static var firstEnd: Motion { @_noLocks get { Motion(5) } }
    static var master: Motion { @_noLocks get { Motion(6) } }
  }

  /// Places of what is added at a level.
  static var places: Int { @_noLocks get { 8 } }
  /// Samples of a row: those before the first one that pulses reach, those of an update, and those behind the last one.
  static var row: Int { @_noLocks get { before &+ Limits.unisonFrames &+ ImpulseTail.tail } }
  static var before: Int { @_noLocks get { 12 } }
  /// From a sample on the left side to the same on the right.
  static var side: Int { @_noLocks get { Limits.lanesPerGroup &* row } }
  /// Vectors that it takes.
  static var count: Int {
    @_noLocks get { 14 &+ Motion.count &* places &+ ImpulseTail.count &+ Limits.unisonFrames &+ 2 &* row }
  }

  @_noLocks @inline(__always)
  init(_ vectors: UnsafeMutablePointer<Lanes>) {
    lines = UnsafeMutableRawPointer(vectors).assumingMemoryBound(to: SawLine.self)
    heights = vectors + 6
    members = UnsafeMutableRawPointer(vectors + 12).assumingMemoryBound(to: UInt64.self)
    (factors, motions) = (vectors + 13, vectors + 14)
    copy = motions + Motion.count &* Self.places
    samples = copy + ImpulseTail.count
    rows =
      UnsafeMutableRawPointer(samples + Limits.unisonFrames).assumingMemoryBound(to: Float.self)
      + Self.before
  }

  @_noLocks @inline(__always)
  func motions(_ motion: Motion, _ place: Int) -> UnsafeMutablePointer<Lanes> {
    motions + (motion.index &* Self.places &+ place)
  }

  /// The phases of a place, or of its master.
  @_noLocks @inline(__always)
  func phases(_ motion: Motion, _ place: Int) -> UnsafeMutablePointer<Phases> {
    UnsafeMutableRawPointer(motions(motion, place)).assumingMemoryBound(to: Phases.self)
  }

  /// The same for one lane of one place, as the bit that it has among all.
  @_noLocks @inline(__always)
  func motion(_ motion: Motion, _ bit: Int) -> Float { motions(motion, 0).lane(bit) }

  /// Empties the rows.
  @_noLocks @inline(__always)
  func clear(isWide: Bool) {
    let vectors = samples + Limits.unisonFrames
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

extension UnsafeMutablePointer where Pointee == Lanes {
  /// One number of vectors in a row: of a lane of the first one, or beyond.
  @_noLocks @inline(__always)
  func lane(_ index: Int) -> Float {
    UnsafeRawPointer(self).load(fromByteOffset: index &* MemoryLayout<Float>.stride, as: Float.self)
  }

  @_noLocks @inline(__always)
  func setLane(_ index: Int, _ value: Float) {
    UnsafeMutableRawPointer(self).storeBytes(
      of: value, toByteOffset: index &* MemoryLayout<Float>.stride, as: Float.self)
  }
}
