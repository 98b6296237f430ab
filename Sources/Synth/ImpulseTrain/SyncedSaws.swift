import CRealtime

/// Hard sync: saws that restart whenever a period of their master ends. Besides the jumps at the ends of their periods
/// they have a jump of another height at each reset.
///
/// Alias-to-signal is -80 dB or better for saws under 9 kHz and masters of 110 to 880 Hz, at any ratio up to 20.
extension ImpulseTrain {
  /// Adds synchronized saws, as `add` does, and advances their phases to the end of the block.
  @_noLocks
  mutating func addSynced(_ slots: UInt8, _ pan: Int) {
    if continues { addSynced(slots, pan, continues: true) } else { addSynced(slots, pan, continues: false) }
  }

  @_noLocks @inline(__always)
  private mutating func addSynced(_ slots: UInt8, _ pan: Int, continues: Bool) {
    let saws = kept.synced
    let last = Lanes(repeating: lastSynced)
    var (line, left, jumping) = (scratch.lines[pan], slots, synced)
    while left != 0 {
      let slot = left.trailingZeroBitCount
      let (increment, masterIncrement) = (
        scratch.motions(.increment, slot).pointee, scratch.motions(.masterIncrement, slot).pointee
      )
      var (start, master) = (numbers(saws.phases[slot]), numbers(scratch.phases(.masterPhase, slot).pointee))
      if continues {
        start -= Self.ahead(start, saws.jumps[slot])
        master -= Self.ahead(master, saws.resets[slot])
      } else {
        goBack(&start, &master, increment, masterIncrement, slot)
      }
      saws.phases[slot] &+= phaseChange(advances(increment), frames)
      saws.jumps[slot] = .zero
      saws.resets[slot] = .zero
      scratch.motions(.first, slot).pointee = start
      scratch.motions(.master, slot).pointee = master
      let end = larger(multiplyAdd(increment, last, start), multiplyAdd(masterIncrement, last, master))
      jumping |= UInt64(lanes(where: end .> Lanes(repeating: Self.half))) &<< UInt64(8 &* slot)
      line.start += start
      line.slope += increment
      left &= left &- 1
    }
    (scratch.lines[pan], synced) = (line, jumping)
    scratch.members[pan] |= Self.members(slots)
  }

  /// Unwraps the phases of saws and masters to before every jump that reaches into the block.
  @_noLocks @inline(__always)
  private func goBack(
    _ start: inout Lanes, _ master: inout Lanes, _ increment: Lanes, _ masterIncrement: Lanes, _ slot: Int
  ) {
    let (half, end) = (Lanes(repeating: Self.half), SyncedPulse.end)
    let ahead = Self.ahead(master, kept.synced.resets[slot])
    let behind = Self.behind(master, masterIncrement, end)
    master += behind
    let past = multiplyAdd(kept.synced.ends[slot], Lanes(repeating: Self.whole), -half)
    let before = past - increment * ((half - master) * inverse(masterIncrement))
    let isBack = unsafeBitCast(bits(ahead) | bits(behind), to: Phases.self) .!= Phases.zero
    start = select(before, start, where: isBack)
    start -= Self.whole * Synth.nearest((start - increment * end) * (1 / Self.whole))
  }

  /// Jumps of synchronized saws at this time and later reach no sample; in samples from the first.
  var lastSynced: Float {
    @_noLocks @inline(__always) get { last + (SyncedPulse.end - SawPulse.end) }
  }
}

/// State of the synchronized saws in each of eight voices, by slot. It is kept from block to block, so that nothing
/// jumps when the ratio moves.
struct SyncedSawState {
  private let vectors: UnsafeMutablePointer<Lanes>

  @_noLocks @inline(__always)
  init(_ vectors: UnsafeMutablePointer<Lanes>) { self.vectors = vectors }

  /// Phase of each saw at the next sample, without the jumps that were placed after the end of the last block.
  var phases: UnsafeMutablePointer<Phases> {
    @_noLocks @inline(__always) get {
      UnsafeMutableRawPointer(vectors).assumingMemoryBound(to: Phases.self)
    }
  }
  /// A period in lanes for which a jump (`jumps`) or a reset (`resets`) was placed after the end of the last block, 0
  /// in the others.
  var jumps: UnsafeMutablePointer<Lanes> {
    @_noLocks @inline(__always) get { vectors + ImpulseTail.slots }
  }
  var resets: UnsafeMutablePointer<Lanes> {
    @_noLocks @inline(__always) get { vectors + 2 &* ImpulseTail.slots }
  }
  /// Phase at which the saw was last reset, 0…1 of its period.
  var ends: UnsafeMutablePointer<Lanes> {
    @_noLocks @inline(__always) get { vectors + 3 &* ImpulseTail.slots }
  }

  /// Sets some lanes of a slot to the phase that follows from their masters' phase if both increments have always
  /// been as they are now.
  @_noLocks
  func begin(
    _ lanes: SIMDMask<SIMD8<Int32>>, _ slot: Int, increment: Lanes, _ master: Phases, masterIncrement: Lanes
  ) {
    let ratio = increment * inverse(masterIncrement)
    let elapsed = Self.fraction(
      ratio * multiplyAdd(numbers(master), Lanes(repeating: 0x1p-32), Lanes(repeating: 0.5)))
    let phase = advances((elapsed - 0.5) * ImpulseTrain.half) &<< 1
    phases[slot] = select(phase, phases[slot], where: lanes)
    jumps[slot] = select(Lanes.zero, jumps[slot], where: lanes)
    resets[slot] = select(Lanes.zero, resets[slot], where: lanes)
    ends[slot] = select(Self.fraction(ratio), ends[slot], where: lanes)
  }

  /// The fraction of `x`, clamped to 0…1: a lane without a voice may have a large `x`.
  @_noLocks @inline(__always)
  private static func fraction(_ x: Lanes) -> Lanes {
    smaller(larger(x - nearest(x - 0.5), Lanes.zero), Lanes(repeating: 1))
  }

  /// Sets a lane of a slot to its phase at the next sample, in phase units: `line` is below the beginning of the
  /// period if a jump was placed after the end of the block.
  @_noLocks @inline(__always)
  func setLane(_ bit: Int, _ line: Float) {
    let isCarried = line < -ImpulseTrain.half
    // Subtracts whole periods, of which a lane without a voice may have many. Half of the phase is converted and
    // doubled, because half of it never overflows.
    let periods = (line * (1 / ImpulseTrain.whole) + 12_582_912) - 12_582_912
    let phase = rt_whole_number(0.5 * (line - ImpulseTrain.whole * periods)) &<< 1
    UnsafeMutableRawPointer(vectors).storeBytes(
      of: phase, toByteOffset: bit &* MemoryLayout<Int32>.stride, as: Int32.self)
    jumps.setLane(bit, isCarried ? ImpulseTrain.whole : 0)
  }
}

extension ImpulseTail {
  /// State of the second oscillator's saws while they are synchronized.
  var synced: SyncedSawState { @_noLocks @inline(__always) get { SyncedSawState(jumps(1)) } }
}
