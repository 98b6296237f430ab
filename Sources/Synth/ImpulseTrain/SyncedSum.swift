import CRealtime

/// State of the synchronized saws in each of eight voices, by slot. It is kept from block to block, so that nothing
/// jumps when the ratio moves.
struct SyncedPlaces {
  private let vectors: UnsafeMutablePointer<Lanes>

  @_noLocks @inline(__always)
  init(_ vectors: UnsafeMutablePointer<Lanes>) { self.vectors = vectors }

  /// Phase of each saw at the next sample, without the jumps that were placed behind the last block.
  var phases: UnsafeMutablePointer<Phases> {
    @_noLocks @inline(__always) get {
      UnsafeMutableRawPointer(vectors).assumingMemoryBound(to: Phases.self)
    }
  }
  /// A period where a jump (`jumps`) or a reset (`resets`) was placed behind the last block, 0 elsewhere.
  var jumps: UnsafeMutablePointer<Lanes> {
    @_noLocks @inline(__always) get { vectors + ImpulseScratch.places }
  }
  var resets: UnsafeMutablePointer<Lanes> {
    @_noLocks @inline(__always) get { vectors + 2 &* ImpulseScratch.places }
  }
  /// Phase at which the saw was last reset, 0…1 of its period.
  var ends: UnsafeMutablePointer<Lanes> {
    @_noLocks @inline(__always) get { vectors + 3 &* ImpulseScratch.places }
  }

  /// Sets some lanes of a slot to the phase that belongs to their masters' phase, if both increments had always been as
  /// now.
  @_noLocks
  func begin(
    _ lanes: SIMDMask<SIMD8<Int32>>, _ place: Int, way: Lanes, _ master: Phases, masterWay: Lanes
  ) {
    let ratio = way * inverse(masterWay)
    let gone = Self.fraction(
      ratio * multiplyAdd(numbers(master), Lanes(repeating: 0x1p-32), Lanes(repeating: 0.5)))
    let phase = advances((gone - 0.5) * ImpulseTrain.half) &<< 1
    phases[place] = select(phase, phases[place], where: lanes)
    jumps[place] = select(Lanes.zero, jumps[place], where: lanes)
    resets[place] = select(Lanes.zero, resets[place], where: lanes)
    ends[place] = select(Self.fraction(ratio), ends[place], where: lanes)
  }

  /// The fraction of `x`, clamped to 0…1: a lane without a voice may have a large `x`.
  @_noLocks @inline(__always)
  private static func fraction(_ x: Lanes) -> Lanes {
    smaller(larger(x - nearest(x - 0.5), Lanes.zero), Lanes(repeating: 1))
  }

  /// Sets a lane of a slot to its phase at the next sample, in phase units: `line` is below the beginning of the period
  /// if a jump was placed behind the block.
  @_noLocks @inline(__always)
  func setLane(_ bit: Int, _ line: Float) {
    let isPut = line < -ImpulseTrain.half
    // Subtracts whole periods, of which a lane without a voice may have many. Half of the phase is converted and
    // doubled, because half of it never overflows.
    let periods = (line * (1 / ImpulseTrain.whole) + 12_582_912) - 12_582_912
    let phase = rt_whole_number(0.5 * (line - ImpulseTrain.whole * periods)) &<< 1
    UnsafeMutableRawPointer(vectors).storeBytes(
      of: phase, toByteOffset: bit &* MemoryLayout<Int32>.stride, as: Int32.self)
    jumps.setLane(bit, isPut ? ImpulseTrain.whole : 0)
  }
}

/// Hard sync: saws that restart whenever a period of their master ends. Besides the jumps at the ends of their periods
/// they have a jump of another height at each reset.
///
/// Alias-to-signal is -80 dB or better for saws under 9 kHz and masters of 110 to 880 Hz, at any ratio up to 20.
extension ImpulseTrain {
  /// Adds synchronized saws, as `add` does, and advances their phases to the end of the block.
  @_noLocks
  mutating func addSynced(_ places: UInt8, _ pan: Int) {
    if goesOn { addSynced(places, pan, goesOn: true) } else { addSynced(places, pan, goesOn: false) }
  }

  @_noLocks @inline(__always)
  private mutating func addSynced(_ places: UInt8, _ pan: Int, goesOn: Bool) {
    let saws = kept.synced
    let last = Lanes(repeating: lastSynced)
    var (line, left, jumping) = (room.lines[pan], places, synced)
    while left != 0 {
      let place = left.trailingZeroBitCount
      let (way, masterWay) = (room.motions(.way, place).pointee, room.motions(.masterWay, place).pointee)
      var (start, master) = (numbers(saws.phases[place]), numbers(room.phases(.masterPhase, place).pointee))
      if goesOn {
        start -= Self.ahead(start, saws.jumps[place])
        master -= Self.ahead(master, saws.resets[place])
      } else {
        goBack(&start, &master, way, masterWay, place)
      }
      saws.phases[place] &+= Synth.way(advances(way), frames)
      saws.jumps[place] = .zero
      saws.resets[place] = .zero
      room.motions(.first, place).pointee = start
      room.motions(.master, place).pointee = master
      let end = larger(multiplyAdd(way, last, start), multiplyAdd(masterWay, last, master))
      jumping |= UInt64(lanes(where: end .> Lanes(repeating: Self.half))) &<< UInt64(8 &* place)
      line.start += start
      line.slope += way
      left &= left &- 1
    }
    (room.lines[pan], synced) = (line, jumping)
    room.members[pan] |= Self.members(places)
  }

  /// Unwraps the phases of saws and masters to before every jump that reaches into the block.
  @_noLocks @inline(__always)
  private func goBack(
    _ start: inout Lanes, _ master: inout Lanes, _ way: Lanes, _ masterWay: Lanes, _ place: Int
  ) {
    let (half, end) = (Lanes(repeating: Self.half), SyncedPulse.end)
    let ahead = Self.ahead(master, kept.synced.resets[place])
    let behind = Self.behind(master, masterWay, end)
    master += behind
    let past = multiplyAdd(kept.synced.ends[place], Lanes(repeating: Self.whole), -half)
    let before = past - way * ((half - master) * inverse(masterWay))
    let isBack = unsafeBitCast(bits(ahead) | bits(behind), to: Phases.self) .!= Phases.zero
    start = select(before, start, where: isBack)
    start -= Self.whole * Synth.nearest((start - way * end) * (1 / Self.whole))
  }

  /// Jumps of synchronized saws at this time and later reach no sample; in samples from the first.
  var lastSynced: Float {
    @_noLocks @inline(__always) get { last + (SyncedPulse.end - SawPulse.end) }
  }
}
