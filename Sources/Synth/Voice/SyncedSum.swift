import CRealtime

/// Where a synchronized saw is in each of eight voices.
struct SyncedPlace {
  var phase = Phases.zero
  /// How far it was through it when it was last begun anew.
  var end = Lanes.zero

  /// Puts some lanes where they are for a master at this phase, if both always went as fast as now: the saw goes through
  /// `ratio` periods in one of the master's.
  @_noLocks
  mutating func begin(_ lanes: SIMDMask<SIMD8<Int32>>, _ master: Phases, _ ratio: Lanes) {
    let begun = Self.phase(Self.fraction(ratio * Self.part(master)))
    phase = select(begun, phase, where: lanes)
    end = select(Self.fraction(ratio), end, where: lanes)
  }

  /// A phase as a part of the period, 0…1.
  @_noLocks @inline(__always)
  static func part(_ phase: Phases) -> Lanes { part(numbers(phase)) }

  @_noLocks @inline(__always)
  static func part(_ number: Lanes) -> Lanes {
    multiplyAdd(number, Lanes(repeating: 0x1p-32), Lanes(repeating: 0.5))
  }

  /// The phase at a part of the period.
  @_noLocks @inline(__always)
  static func phase(_ part: Float) -> Int32 { rt_whole_number((part - 0.5) * SawSum.half) &<< 1 }

  @_noLocks @inline(__always)
  static func fraction(_ x: Float) -> Float {
    let part = x - ((x - 0.5 + 12_582_912) - 12_582_912)
    return part > 0 ? (part < 1 ? part : 1) : 0
  }

  @_noLocks @inline(__always)
  static func phase(_ part: Lanes) -> Phases { advances((part - 0.5) * SawSum.half) &<< 1 }

  @_noLocks @inline(__always)
  static func fraction(_ x: Lanes) -> Lanes {
    // Not beyond 0 and 1 either where a lane without a voice makes `x` too large for that.
    smaller(larger(x - nearest(x - 0.5), Lanes.zero), Lanes(repeating: 1))
  }
}

/// Saws that begin anew whenever a master's period ends, hard sync. Beside their own jumps they have one of another height
/// at each reset. Where each is goes on from block to block, so that nothing leaps where the ratio moves.
///
/// Alias-to-signal is -80 dB or better for saws under 9 kHz and masters of 110 to 880 Hz, at any ratio up to 20.
extension SawSum {
  /// Adds saws that masters begin anew, and lets them go on to the end of the block.
  /// - Parameters:
  ///   - saws: all of them; those that are added are at `place`.
  ///   - advance: of each saw for each sample; `way` is the same as a number, and `period` its samples.
  ///   - ratio: periods of a saw in one of its master's, the same for all.
  @_noLocks @inline(__always)
  mutating func add(
    _ saws: UnsafeMutablePointer<SyncedPlace>, _ place: Int, advance: Phases, way: Lanes, period: Lanes,
    _ master: Phases, masterAdvance: Phases, ratio: Lanes
  ) {
    let (end, last) = (Lanes(repeating: SyncedPulse.end), Lanes(repeating: lastSynced))
    let (number, saw) = (numbers(saws[place].phase), saws + place)
    room.line.pointee.slope += way
    room.line.pointee.start +=
      passed == 0 ? number : multiplySubtract(way, Lanes(repeating: Float(passed)), from: number)
    let masterPeriod = period * ratio
    let (own, since) = (SyncedPlace.part(number) * period, SyncedPlace.part(master) * masterPeriod)
    let isBehind = Synth.smaller(own, since) .< end
    let isAhead = Synth.smaller(period - own, masterPeriod - since) .< last
    let masterEnd = master &+ Synth.way(masterAdvance, frames &- passed)
    room.times(.period, place).pointee = period
    room.times(.own, place).pointee = own
    room.times(.since, place).pointee = since
    room.times(.masterPeriod, place).pointee = masterPeriod
    room.times(.end, place).pointee = saw.pointee.end
    room.times(.masterEnd, place).pointee = SyncedPlace.part(masterEnd)
    saw.pointee.phase &+= Synth.way(advance, frames &- passed)
    // A reset is where the master's phase wraps, to the bit; at other times the saw goes on.
    let wraps = masterEnd .< master .| masterAdvance .> Phases(repeating: slowest)
    let shift = UInt64(8 &* place)
    synced |= UInt64(lanes(where: isBehind .| isAhead)) &<< shift
    begun |= UInt64(lanes(where: wraps)) &<< shift
    room.ratio.pointee = ratio
    syncedPlaces = saws
  }

  // Masters that go faster wrap in every such block.
  private var slowest: Int32 {
    @_noLocks @inline(__always) get {
      let frames = frames &- passed
      if frames == Limits.controlFrames { return 1 &<< (32 &- Limits.controlShift) &- 1 }
      return Int32(truncatingIfNeeded: min(0xffff_ffff / max(frames, 1), Int(Int32.max)))
    }
  }

  /// As `last`, counted from the first frame that has not passed.
  var lastSynced: Float {
    @_noLocks @inline(__always) get { Float(frames &- passed &- 1) + SyncedPulse.end }
  }
}
