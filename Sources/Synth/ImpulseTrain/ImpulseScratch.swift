import Scenes

/// Scratch memory of an `ImpulseTrain`.
struct ImpulseScratch {
  /// Straight lines of the saws being added, in the middle, left and right: the value at the first sample, and the
  /// slope per sample.
  let lines: UnsafeMutablePointer<SawLine>
  /// Heights of the jumps in the middle, left and right: how much a jump lowers the left side and the right side.
  let heights: UnsafeMutablePointer<Lanes>
  /// Slots in use in the middle, left and right, a bit for each lane of each slot.
  let members: UnsafeMutablePointer<UInt64>
  /// Frequency ratios of the unison voices to the first voice, or their detuning in octaves.
  let factors: UnsafeMutablePointer<Lanes>
  /// Phases and phase increments, by kind (`Motion`) and by slot.
  private let motions: UnsafeMutablePointer<Lanes>
  /// Copy of the `ImpulseTail` for a part of a block that is not the last part: its state is not kept.
  let copy: UnsafeMutablePointer<Lanes>
  /// Samples before they are copied to another block.
  let samples: UnsafeMutablePointer<Lanes>
  /// Rows of pulses: address of the first sample of the first lane on the left side.
  let rows: UnsafeMutablePointer<Float>

  /// Kinds of values that are kept for each saw being added, in phase units.
  struct Motion {
    let index: Int

    @_noLocks @inline(__always)
    private init(_ index: Int) { self.index = index }

    static var count: Int { @_noLocks get { 8 } }

    /// Phase increments of a saw, of the end of its pulse, and of its sync master.
    static var increment: Motion { @_noLocks get { Motion(0) } }
    static var endIncrement: Motion { @_noLocks get { Motion(7) } }
    static var masterIncrement: Motion { @_noLocks get { Motion(1) } }
    /// Phases of the saw and of its sync master at the first sample, as `Phases`.
    static var phase: Motion { @_noLocks get { Motion(2) } }
    static var masterPhase: Motion { @_noLocks get { Motion(3) } }
    /// Unwrapped phases at the first sample of saws, pulse ends and masters whose jumps are not yet placed.
    static var first: Motion { @_noLocks get { Motion(4) } }
    static var firstEnd: Motion { @_noLocks get { Motion(5) } }
    static var master: Motion { @_noLocks get { Motion(6) } }
  }

  /// Samples of a row: those before the first sample that pulses reach into, those of an update, and those after it.
  static var row: Int { @_noLocks get { before &+ Limits.unisonFrames &+ ImpulseTail.tail } }
  static var before: Int { @_noLocks get { 12 } }
  /// Offset from a sample on the left side to the same sample on the right.
  static var side: Int { @_noLocks get { Limits.lanesPerGroup &* row } }
  /// Size in vectors.
  static var count: Int {
    @_noLocks get {
      14 &+ Motion.count &* ImpulseTail.slots &+ ImpulseTail.count &+ Limits.unisonFrames &+ 2 &* row
    }
  }

  @_noLocks @inline(__always)
  init(_ vectors: UnsafeMutablePointer<Lanes>) {
    lines = UnsafeMutableRawPointer(vectors).assumingMemoryBound(to: SawLine.self)
    heights = vectors + 6
    members = UnsafeMutableRawPointer(vectors + 12).assumingMemoryBound(to: UInt64.self)
    (factors, motions) = (vectors + 13, vectors + 14)
    copy = motions + Motion.count &* ImpulseTail.slots
    samples = copy + ImpulseTail.count
    rows =
      UnsafeMutableRawPointer(samples + Limits.unisonFrames).assumingMemoryBound(to: Float.self)
      + Self.before
  }

  @_noLocks @inline(__always)
  func motions(_ motion: Motion, _ slot: Int) -> UnsafeMutablePointer<Lanes> {
    motions + (motion.index &* ImpulseTail.slots &+ slot)
  }

  /// A kind of motion of a slot whose values are phases.
  @_noLocks @inline(__always)
  func phases(_ motion: Motion, _ slot: Int) -> UnsafeMutablePointer<Phases> {
    UnsafeMutableRawPointer(motions(motion, slot)).assumingMemoryBound(to: Phases.self)
  }

  /// A motion of one lane of one slot; `bit` is 8 · slot + lane.
  @_noLocks @inline(__always)
  func motion(_ motion: Motion, _ bit: Int) -> Float { motions(motion, 0).lane(bit) }

  /// Sets the rows to 0.
  @_noLocks @inline(__always)
  func clear(isWide: Bool) {
    let vectors = samples + Limits.unisonFrames
    // Hidden from the compiler, which would call `memset`.
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
  /// The number at an index, counted in lanes over consecutive vectors.
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

/// A straight line in each of eight voices.
struct SawLine {
  var start = Lanes.zero
  var slope = Lanes.zero

  @_noLocks @inline(__always)
  init() {}

  /// Adds another line times `level`.
  @_noLocks @inline(__always)
  mutating func add(_ other: SawLine, _ level: Lanes) {
    start = multiplyAdd(other.start, level, start)
    slope = multiplyAdd(other.slope, level, slope)
  }
}
