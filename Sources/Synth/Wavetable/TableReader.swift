import CRealtime
import Scenes

/// Reads the wavetable of an oscillator for the voices of a group.
struct TableReader {
  // Addresses, 0 for none: of `TableLanes` and `TableChange`.
  private var lanes: UInt = 0
  private var change: UInt = 0
  private var used: UInt8 = 0
  // The gain that fades have risen by since the update.
  private var gained: Float = 0

  /// Reads nothing.
  init() {}

  /// Reads for the lanes in `used`, one bit each, `first` frames after the update.
  @_noLocks
  init(
    _ lanes: UnsafeMutablePointer<TableLanes>, _ change: UnsafePointer<TableChange>, used: UInt8, first: Int
  ) {
    gained = Float(first) * TableLanes.perFrame
    (self.lanes, self.change, self.used) = (UInt(bitPattern: lanes), UInt(bitPattern: change), used)
  }

  /// True if there is a table.
  var isReady: Bool {
    @_noLocks get {
      guard let change = UnsafePointer<TableChange>(bitPattern: change) else { return false }
      return change.pointee.now != 0
    }
  }

  /// Fills `w` with samples of the tables from `phase` on, with `offsets` added to the phase of each sample. `pulse` is
  /// the position: `Self.first` is the first frame and `1 - Self.first` the last one. Lanes that are not used get 0.
  @_noLocks
  func fill(
    _ w: UnsafeMutablePointer<Lanes>, _ offsets: UnsafePointer<Phases>, _ phase: Phases, _ advance: Phases,
    _ pulse: PulseWidth, frames: Int
  ) {
    let out = UnsafeMutableRawPointer(w).assumingMemoryBound(to: Float.self)
    let words = UnsafeRawPointer(offsets).assumingMemoryBound(to: Int32.self)
    fill(out, 0, TablePhases(phase.lowHalf, advance.lowHalf, words), pulse, frames)
    fill(out + 4, 4, TablePhases(phase.highHalf, advance.highHalf, words + 4), pulse, frames)
  }

  /// Fills the four lanes from `first` on.
  @_noLocks
  private func fill(
    _ out: UnsafeMutablePointer<Float>, _ first: Int, _ phases: TablePhases, _ pulse: PulseWidth,
    _ frames: Int
  ) {
    guard let lanes = UnsafePointer<TableLanes>(bitPattern: lanes),
      let change = UnsafePointer<TableChange>(bitPattern: change),
      let table = UnsafePointer<Wavetable>(bitPattern: change.pointee.now)
    else { return }
    var now = quad(lanes.pointee.now, first, pulse, change, table)
    let isUsed = half(mask(used), first)
    var (at, to, i) = (phases, out, 0)
    while i < frames {
      to.four = select(now.next(at.next()), .zero, where: isUsed)
      to += Limits.lanesPerGroup
      i &+= 1
    }
    var gain = half(gain(lanes), first)
    let fades = gain .< Quad(repeating: 1)
    if !isAny(fades) { return }
    var before = quad(lanes.pointee.before, first, pulse, change, table)
    (at, to, i) = (phases, out, 0)
    while i < frames {
      let (now, before) = (to.four, before.next(at.next()))
      to.four = select(before + (now - before) * gain, now, where: fades)
      gain = smaller(gain + TableLanes.perFrame, Quad(repeating: 1))
      to += Limits.lanesPerGroup
      i &+= 1
    }
  }

  /// The sample of each lane at one phase, with the position as in `fill`.
  @_noLocks
  func samples(at phase: Phases, _ pulse: PulseWidth) -> Lanes {
    guard let lanes = UnsafePointer<TableLanes>(bitPattern: lanes) else { return .zero }
    var samples = samples(lanes.pointee.now, phase, pulse)
    let gain = gain(lanes)
    let fades = gain .< Lanes(repeating: 1)
    if isAny(fades) {
      let before = self.samples(lanes.pointee.before, phase, pulse)
      samples = select(before + (samples - before) * gain, samples, where: fades)
    }
    return select(samples, .zero, where: mask(used))
  }

  /// The samples of the tables that the words of `TableLanes` name.
  @_noLocks
  private func samples(_ words: LaneWords, _ phase: Phases, _ pulse: PulseWidth) -> Lanes {
    guard let change = UnsafePointer<TableChange>(bitPattern: change),
      let table = UnsafePointer<Wavetable>(bitPattern: change.pointee.now)
    else { return .zero }
    let phase = unsafeBitCast(phase, to: LaneWords.self)
    let (low, high) = (quad(words, 0, pulse, change, table), quad(words, 4, pulse, change, table))
    return Lanes(lowHalf: low.samples(phase.lowHalf), highHalf: high.samples(phase.highHalf))
  }

  /// The gains of the present tables and levels; 1 in lanes that are not used.
  @_noLocks @inline(__always)
  private func gain(_ lanes: UnsafePointer<TableLanes>) -> Lanes {
    let one = Lanes(repeating: 1)
    return select(smaller(lanes.pointee.fade + gained, one), one, where: mask(used))
  }

  /// The frames that the four lanes from `first` on read, by their words of `TableLanes`; `now` is the present table.
  @_noLocks @inline(__always)
  private func quad(
    _ words: LaneWords, _ first: Int, _ pulse: PulseWidth, _ change: UnsafePointer<TableChange>,
    _ now: UnsafePointer<Wavetable>
  ) -> TableQuad {
    let (words, end, step) = (half(words, first), half(pulse.end, first), half(pulse.step, first))
    return TableQuad(
      frames(words[0], first, change, now), frames(words[1], first &+ 1, change, now),
      frames(words[2], first &+ 2, change, now), frames(words[3], first &+ 3, change, now),
      position: Quad(
        Self.position(end[0]), Self.position(end[1]), Self.position(end[2]), Self.position(end[3])),
      step: Quad(Float(step[0]), Float(step[1]), Float(step[2]), Float(step[3])) * Self.perPhase)
  }

  /// The frames that a lane reads by its word. A lane that is not used reads the smallest level.
  @_noLocks @inline(__always)
  private func frames(
    _ word: UInt32, _ lane: Int, _ change: UnsafePointer<TableChange>, _ now: UnsafePointer<Wavetable>
  ) -> TableFrames {
    let isUsed = used &>> UInt8(truncatingIfNeeded: lane) & 1 != 0
    let isNow = !isUsed || (change.pointee.version &- word &>> 8) & 0xff_ffff == 0
    let table = isNow ? now : UnsafePointer<Wavetable>(bitPattern: change.pointee.before) ?? now
    let smallest = WavetableLevels.count &- 1
    return TableFrames(
      table.pointee.levels[isUsed ? min(Int(word & 0xff), smallest) : smallest], count: table.pointee.frames)
  }

  /// The pulse width that selects the first frame, as a share of the period; and the position per phase unit.
  private static var first: Float { @_noLocks get { 0.05 } }
  private static var perPhase: Float { @_noLocks get { 0x1p-32 / (1 - 2 * first) } }

  @_noLocks @inline(__always)
  private static func position(_ end: Int32) -> Float {
    Float(UInt32(bitPattern: end)) * perPhase - first / (1 - 2 * first)
  }
}

/// The phases of four voices in a part of a block.
struct TablePhases {
  private var phase: SIMD4<Int32>
  private let advance: SIMD4<Int32>
  // A phase offset for each sample and voice; those of the next sample are `Limits.lanesPerGroup` numbers later.
  private var offsets: UnsafePointer<Int32>

  @_noLocks @inline(__always)
  init(_ phase: SIMD4<Int32>, _ advance: SIMD4<Int32>, _ offsets: UnsafePointer<Int32>) {
    (self.phase, self.advance, self.offsets) = (phase, advance, offsets)
  }

  /// The phases of the next sample.
  @_noLocks @inline(__always)
  mutating func next() -> QuadWords {
    let at = phase &+ UnsafeRawPointer(offsets).load(as: SIMD4<Int32>.self)
    phase &+= advance
    offsets += Limits.lanesPerGroup
    return unsafeBitCast(at, to: QuadWords.self)
  }
}

/// Four voices that read a wavetable, each at its own level and position. They are read together: the neighbours of their
/// phases are transposed, so that each operation of the interpolation computes four samples.
struct TableQuad {
  private let a: TableFrames
  private let b: TableFrames
  private let c: TableFrames
  private let d: TableFrames
  // The bits of a phase above and below the index of a sample.
  private let bits: QuadWords
  private let rest: QuadWords
  private let strides: QuadWords
  private let last: Quad
  // In frames.
  private var position: Quad
  private let step: Quad
  private let moves: Bool
  // The first sample of the frame before the position, counted from the first frame, and the share of the next frame.
  private var frame = QuadWords.zero
  private var blend = Quad.zero

  /// Voices that read `a` to `d`. The position is 0…1, with its change per sample. It may lie beyond the ends, where it is
  /// limited.
  @_noLocks @inline(__always)
  init(_ a: TableFrames, _ b: TableFrames, _ c: TableFrames, _ d: TableFrames, position: Quad, step: Quad) {
    (self.a, self.b, self.c, self.d) = (a, b, c, d)
    bits = QuadWords(a.bits, b.bits, c.bits, d.bits)
    rest = 32 &- bits
    strides = QuadWords(a.stride, b.stride, c.stride, d.stride)
    last = Quad(a.last, b.last, c.last, d.last)
    (self.position, self.step) = (position * last, step * last)
    moves = isAny(self.step .!= Quad.zero)
    split()
  }

  /// Returns the samples at a phase, and advances the position by one sample.
  @_noLocks @inline(__always)
  mutating func next(_ phase: QuadWords) -> Quad {
    let samples = samples(phase)
    if moves {
      position += step
      split()
    }
    return samples
  }

  @_noLocks @inline(__always)
  private mutating func split() {
    let limited = smaller(larger(position, Quad.zero), last)
    // The last frame has none after it.
    let index = rt_whole(smaller(limited, larger(last - 1, Quad.zero)))
    blend = limited - Quad(Float(index[0]), Float(index[1]), Float(index[2]), Float(index[3]))
    frame = unsafeBitCast(index, to: QuadWords.self) &* strides
  }

  /// The samples at a phase.
  @_noLocks @inline(__always)
  func samples(_ phase: QuadWords) -> Quad {
    let index = frame &+ (phase &>> rest)
    let fraction = unsafeBitCast((phase &<< bits) ^ 0x8000_0000, to: SIMD4<Int32>.self)
    return TableInterpolation.values(
      a.neighbours(index[0], blend[0]), b.neighbours(index[1], blend[1]),
      c.neighbours(index[2], blend[2]), d.neighbours(index[3], blend[3]),
      Quad(Float(fraction[0]), Float(fraction[1]), Float(fraction[2]), Float(fraction[3])) * 0x1p-32)
  }
}

/// Interpolation between the samples of a wavetable: the cubic that is optimal for waves sampled four times as densely as
/// needed (O. Niemitalo, "Polynomial Interpolators for High-Quality Resampling of Oversampled Audio", 2001: 4-point, third
/// order).
enum TableInterpolation {
  /// Four values, each between the middle two of four neighbours: `a` are those of the first value. `fraction` is 0 in the
  /// middle, ±0.5 at the two samples.
  @_noLocks @inline(__always)
  static func values(_ a: Quad, _ b: Quad, _ c: Quad, _ d: Quad, _ fraction: Quad) -> Quad {
    let (before, one, two, behind) = transposed(a, b, c, d)
    let (inner, innerTilt) = (one + two, two - one)
    let (outer, outerTilt) = (before + behind, behind - before)
    let c0 = multiplyAdd(inner, Quad(repeating: 0.46567255), outer * 0.0343273)
    let c1 = multiplyAdd(innerTilt, Quad(repeating: 0.53743831), outerTilt * 0.15429463)
    let c2 = (outer - inner) * 0.25194475
    let c3 = multiplyAdd(outerTilt, Quad(repeating: 0.15578801), innerTilt * -0.4689607)
    let slope = multiplyAdd(multiplyAdd(c3, fraction, c2), fraction, c1)
    // Hidden from the compiler, which would otherwise compute the four values one by one.
    return rt_opaque(multiplyAdd(slope, fraction, c0))
  }
}
