/// A saw that begins anew whenever a master's period ends, band-limited.
///
/// Up to three jumps are near a sample: the reset, from where the saw is then to where it begins; and its own ahead and
/// behind, which may lie beyond the reset. Each is smoothed over 4.75 samples to either side, wherever the other two are:
/// alias-to-signal is -77 dB or better for saws under 9 kHz and masters of 110 to 880 Hz, at any ratio up to 20. With the
/// jump behind the reset left out it would be -24 dB where the ratio is a little more than a whole number.
///
/// This is for pulses, and for saws that are synchronized in part; a saw that is so as a whole is made of its jumps
/// (`ImpulseTrain`).
struct SyncedSaw {
  /// Where it begins, and where it would be at the reset: halves of its period, those that it has gone through added.
  private let start: Lanes
  private let end: Lanes
  /// How far it jumps at the reset.
  private let height: Lanes
  /// From the reset to its first jump, and from its last to the reset; far away where it has none.
  private let first: Lanes
  private let last: Lanes
  /// One over the reach of a smoothed jump: in halves of its own period, and of the master's.
  private let steepness: Lanes
  private let masterSteepness: Lanes
  /// True when jumps ahead and behind may both be in reach.
  private let isTight: Bool

  // Samples that a smoothed jump reaches to either side.
  private static var samples: Float { @_noLocks get { 4.75 } }

  /// - Parameters:
  ///   - advance: of its phase at every sample, by which it would go without a master.
  ///   - shift: halves of its period that it begins later than at its lowest, 0…2.
  @_noLocks
  init(_ master: SyncMaster, advance: Phases, shift: Lanes) {
    let one = Lanes(repeating: 1)
    start = shift - one
    end = multiplyAdd(master.ratio.value, Lanes(repeating: 2), start)
    let found = Self.wrapped(end)
    height = start - found
    let hasJumps = end .> one
    let far = Lanes(repeating: 1e6)
    first = select(one - start, far, where: hasJumps)
    last = select(one + found, far, where: hasJumps)
    // Up to a whole period of its own, a jump ahead and one behind are all that are in reach.
    let (unit, least) = (Self.samples * BandLimitedStep.unit, Lanes(repeating: 1e-6))
    let reach = larger(smaller(numbers(advance) * unit, Lanes(repeating: 2)), least)
    let masterReach = larger(smaller(numbers(master.advance) * unit, one), least)
    (steepness, masterSteepness) = (one / reach, one / masterReach)
    isTight = isAny(larger(reach - one, Lanes.zero)) || isAny(shift)
  }

  @_noLocks @inline(__always)
  private static func wrapped(_ s: Lanes) -> Lanes { s - 2 * nearest(0.5 * s) }

  // MARK: - Samples

  /// Its sample at a phase of the master, and at what the ratio is then: -1…1.
  @_noLocks @inline(__always)
  func sample(_ phase: Phases, _ ratio: Lanes) -> Lanes {
    let place = Place(phase, ratio, start)
    return place.line + bend(place)
  }

  /// Where it is at one sample: the master's phase, halves of its period since it began, those that are whole periods, and
  /// its straight line.
  private struct Place {
    let master: Lanes
    let way: Lanes
    let turns: Lanes
    let line: Lanes

    @_noLocks @inline(__always)
    init(_ phase: Phases, _ ratio: Lanes, _ start: Lanes) {
      master = numbers(phase) * BandLimitedStep.unit
      way = multiplyAdd(ratio, master + 1, start)
      turns = 2 * nearest(0.5 * way)
      line = way - turns
    }
  }

  /// What smooths its jumps.
  @_noLocks @inline(__always)
  private func bend(_ place: Place) -> Lanes {
    let sign = LaneWords(repeating: 0x8000_0000)
    // A number that the compiler does not know: then the smaller of two is one instruction.
    let one = hiddenZero(steepness) + 1
    let reset = -0.5 * Self.residual((one - magnitude(place.master)) * masterSteepness, one)
    let edge = lanes(bits(reset) ^ (bits(place.master) & sign))
    let ahead = select(
      end - place.way + first, one - place.line, where: end - place.turns .< one)
    let behind = select(one + place.line, place.way - start + last, where: place.turns .> one)
    if isTight {
      let own = Self.residual(ahead * steepness, one) - Self.residual(behind * steepness, one)
      return multiplyAdd(height, edge, own)
    }
    let own = Self.residual(smaller(ahead, behind) * steepness, one)
    return multiplyAdd(height, edge, lanes(bits(own) ^ (bits(behind - ahead) & sign)))
  }

  /// What is taken off ahead of a jump from 1 to -1, for a distance in units of the reach. As a polynomial of the
  /// square, so that it has no corner at the jump: found by least squares on the spectrum of the smoothed step, -0.1 dB at
  /// 10 kHz and -3.7 dB at 15 kHz.
  @_noLocks @inline(__always)
  private static func residual(_ distance: Lanes, _ one: Lanes) -> Lanes {
    // Below 0 where a ratio leaps past the reset, or is that of a lane without a voice: the polynomial would overflow.
    let u = larger(smaller(distance, one), Lanes.zero)
    // Not a plain number: with that, Swift 6.3 computes half of it lane by lane.
    let w = u * u - 0.5 * one
    var p = Lanes(repeating: -13.4573735)
    p = multiplyAdd(p, w, Lanes(repeating: 40.6550328))
    p = multiplyAdd(p, w, Lanes(repeating: -56.9974354))
    p = multiplyAdd(p, w, Lanes(repeating: 51.1222089))
    p = multiplyAdd(p, w, Lanes(repeating: -32.9845977))
    p = multiplyAdd(p, w, Lanes(repeating: 15.513068))
    p = multiplyAdd(p, w, Lanes(repeating: -5.48427876))
    p = multiplyAdd(p, w, Lanes(repeating: 2.03836881))
    p = multiplyAdd(p, w, Lanes(repeating: -1.29315541))
    p = multiplyAdd(p, w, Lanes(repeating: 1.39770543))
    return multiplyAdd(u, p, Lanes(repeating: -1))
  }
}
