/// A band-limited saw that restarts whenever a period of its master ends.
///
/// Up to three jumps are near a sample: the reset, from the saw's value at that time to its start value; and the
/// saw's own jumps ahead and behind, which may lie beyond the reset. Each is smoothed over 4.75 samples to either
/// side, wherever the other two are: alias-to-signal is -77 dB or better for saws under 9 kHz and masters of 110 to
/// 880 Hz, at any ratio up to 20. Without the jump beyond the reset it would be -24 dB where the ratio is a little
/// more than a whole number.
///
/// This is for pulses, and for saws that are synchronized only in part. A saw that is wholly synchronized is made of
/// its jumps (`ImpulseTrain`).
struct SyncedSaw {
  /// Phase where the saw begins, and where it would be at the reset: half periods, not wrapped.
  private let start: Lanes
  private let end: Lanes
  /// Height of the jump at the reset.
  private let height: Lanes
  /// Distance from the reset to the first jump, and from the last jump to the reset; far away if there is none.
  private let first: Lanes
  private let last: Lanes
  /// 1 / reach of a smoothed jump, with the reach in half periods of the saw, and of the master.
  private let steepness: Lanes
  private let masterSteepness: Lanes
  /// True when a jump ahead and a jump behind may both be in reach.
  private let isTight: Bool

  // Reach of a smoothed jump to either side, in samples.
  private static var samples: Float { @_noLocks get { 4.75 } }

  /// - Parameters:
  ///   - advance: the saw's phase increment per sample, without the master.
  ///   - shift: half periods from the saw's lowest point to its start, 0…2.
  ///   - farther: how many times farther than usual the smoothing reaches.
  @_noLocks
  init(_ master: SyncMaster, advance: Phases, shift: Lanes, farther: Lanes) {
    let one = Lanes(repeating: 1)
    start = shift - one
    end = multiplyAdd(master.ratio.value, Lanes(repeating: 2), start)
    let found = wrapped(end)
    height = start - found
    let hasJumps = end .> one
    let far = Lanes(repeating: 1e6)
    first = select(one - start, far, where: hasJumps)
    last = select(one + found, far, where: hasJumps)
    // The reach is at most a period of the saw, so that only one jump ahead and one behind are in reach.
    let (unit, least) = (Self.samples * BandLimitedStep.unit * farther, Lanes(repeating: 1e-6))
    let reach = larger(smaller(numbers(advance) * unit, Lanes(repeating: 2)), least)
    let masterReach = larger(smaller(numbers(master.advance) * unit, one), least)
    (steepness, masterSteepness) = (one / reach, one / masterReach)
    isTight = isAny(larger(reach - one, Lanes.zero)) || isAny(shift)
  }

  // MARK: - Samples

  /// The sample at a phase of the master and the current ratio: -1…1.
  @_noLocks @inline(__always)
  func sample(_ phase: Phases, _ ratio: Lanes) -> Lanes {
    let position = Position(phase, ratio, start)
    return position.line + correction(position)
  }

  /// Position of the saw at one sample: the master's phase, the unwrapped phase of the saw in half periods, its whole
  /// periods in half periods, and its straight line.
  private struct Position {
    let master: Lanes
    let unwrapped: Lanes
    let turns: Lanes
    let line: Lanes

    @_noLocks @inline(__always)
    init(_ phase: Phases, _ ratio: Lanes, _ start: Lanes) {
      master = numbers(phase) * BandLimitedStep.unit
      unwrapped = multiplyAdd(ratio, master + 1, start)
      turns = 2 * nearest(0.5 * unwrapped)
      line = unwrapped - turns
    }
  }

  /// The correction that smooths the jumps.
  @_noLocks @inline(__always)
  private func correction(_ position: Position) -> Lanes {
    let sign = LaneWords(repeating: 0x8000_0000)
    // Hidden from the compiler, so that `smaller` is one instruction.
    let one = hiddenZero(steepness) + 1
    let reset = -0.5 * Self.residual((one - magnitude(position.master)) * masterSteepness, one)
    let edge = lanes(bits(reset) ^ (bits(position.master) & sign))
    let ahead = select(
      end - position.unwrapped + first, one - position.line, where: end - position.turns .< one)
    let behind = select(one + position.line, position.unwrapped - start + last, where: position.turns .> one)
    if isTight {
      let own = Self.residual(ahead * steepness, one) - Self.residual(behind * steepness, one)
      return multiplyAdd(height, edge, own)
    }
    let own = Self.residual(smaller(ahead, behind) * steepness, one)
    return multiplyAdd(height, edge, lanes(bits(own) ^ (bits(behind - ahead) & sign)))
  }

  /// The correction ahead of a jump from 1 to -1, for a distance in units of the reach. A polynomial of the square, so
  /// that it has no corner at the jump: found by least squares on the spectrum of the smoothed step, -0.1 dB at 10 kHz
  /// and -3.7 dB at 15 kHz.
  @_noLocks @inline(__always)
  private static func residual(_ distance: Lanes, _ one: Lanes) -> Lanes {
    // Below 0 where the ratio jumps past the reset, or in a lane without a voice: the polynomial would overflow.
    let u = larger(smaller(distance, one), Lanes.zero)
    // Not a plain number: with one, Swift 6.3 computes half of it lane by lane.
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

/// The master of a hard sync, and how many periods of the slave waveform one period of the master contains.
struct SyncMaster {
  let phase: Phases
  let advance: Phases
  let steepness: Lanes
  let ratio: Ramp

  @_noLocks @inline(__always)
  init(phase: Phases, advance: Phases, steepness: Lanes, ratio: Ramp) {
    (self.phase, self.advance) = (phase, advance)
    (self.steepness, self.ratio) = (steepness, ratio)
  }
}
