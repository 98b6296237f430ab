/// A band-limited triangle whose peak lies anywhere in its period: with equally long rise and fall it is the triangle
/// of `BandLimitedRamp`, with a very short fall a saw. It is odd around phase 0, so one magnitude serves both
/// corners. The corners are smoothed by the integral of `BandLimitedStep`; their residuals add up, so they may
/// overlap.
struct Trisaw {
  /// The phase of the peak, 0…1 half periods.
  private(set) var peak: Lanes
  /// Slope before the peak less that after it: 1 / (peak · (1 - peak)).
  private(set) var slopeChange: Lanes
  private let step: Lanes
  private let steepness: Lanes
  private let depth: Lanes
  private let none: Lanes

  // π squared.
  private static var square: Float { @_noLocks get { 9.86960440 } }

  /// A triangle whose peak lies where a pulse of this width ends. Rise and fall last at least a sample each:
  /// `increment` is the phase increment, half periods per sample.
  @_noLocks
  init(_ pulse: PulseWidth, increment: Lanes, steepness: Lanes) {
    let shift = numbers(pulse.end) * BandLimitedStep.unit
    none = hiddenZero(steepness)
    let width = 0.5 * select(shift + 2, shift, where: shift .< none)
    let edge = smaller(0.5 * increment, Lanes(repeating: 0.5))
    peak = larger(smaller(width, 1 - edge), edge)
    // A peak that is held at the edge stands still.
    let moves = (peak .== width)
    step = select(none, 0.5 * BandLimitedStep.unit * numbers(pulse.step), where: moves)
    slopeChange = 1 / (peak * (1 - peak))
    (self.steepness, depth) = (steepness, 0.5 / steepness)
  }

  /// The value at a phase, -1…1 half periods, with smoothed corners.
  @_noLocks @inline(__always)
  func sample(_ s: Lanes) -> Lanes {
    let m = magnitude(s)
    let one = Lanes(repeating: 1)
    let top = larger(one - magnitude(m - peak) * steepness, none)
    let bottom = larger(one - (one - magnitude(one - m - peak)) * steepness, none)
    let corners = BandLimitedRamp.integral(top) - BandLimitedRamp.integral(bottom)
    return signed(slopeChange * (plain(m) - depth * corners), like: s)
  }

  /// The value at a phase, without smoothing.
  @_noLocks @inline(__always)
  func raw(_ s: Lanes) -> Lanes { signed(slopeChange * plain(magnitude(s)), like: s) }

  @_noLocks @inline(__always)
  private func plain(_ m: Lanes) -> Lanes { smaller(m * (1 - peak), (1 - m) * peak) }

  /// Moves the peak by a sample. The reciprocal follows by a step of Newton's method: its error changes the level,
  /// but never makes a kink.
  @_noLocks @inline(__always)
  mutating func advance() {
    peak += step
    slopeChange = slopeChange * (2 - peak * (1 - peak) * slopeChange)
  }

  /// The first two harmonics at a phase, the second times a gain.
  @_noLocks @inline(__always)
  func harmonics(_ p: Phases, _ second: Lanes) -> Lanes {
    let one = sinePi(numbers(p) * BandLimitedStep.unit) * sinePi(peak)
    let two =
      sinePi(numbers(p &<< 1) * BandLimitedStep.unit)
      * sinePi(2 * peak - select(Lanes(repeating: 2), none, where: peak .> 0.5))
    return 2 / Self.square * slopeChange * (one + 0.25 * second * two)
  }

  /// The level of the first harmonic.
  var first: Lanes { @_noLocks get { 2 / Self.square * slopeChange * sinePi(peak) } }
}

/// A trisaw with band-limited hard sync, at one phase and peak. It restarts in the middle of its fall.
///
/// Corners are smoothed as in `Trisaw`, but only those that the restarts leave: those between one and the next. The jump
/// and the corner at the restart are those of `SyncSource`.
struct SyncedTrisaw {
  let wave: Trisaw
  private let steepness: Lanes
  /// Half periods of the slave at the end of the master's period.
  private let end: Lanes
  private let none: Lanes
  // The last peak and the last bottom before the end; far away if there is none.
  private let lastTop: Lanes
  private let lastBottom: Lanes

  @_noLocks
  init(_ wave: Trisaw, steepness: Lanes, ratio: Lanes, _ none: Lanes) {
    (self.wave, self.steepness, self.none) = (wave, steepness, none)
    end = multiplyAdd(ratio, Lanes(repeating: 2), Lanes(repeating: -1))
    let (top, bottom) = (
      2 * nearest(0.5 * (end - wave.peak) - 0.5) + wave.peak,
      2 * nearest(0.5 * (end + wave.peak) - 0.5) - wave.peak
    )
    let far = Lanes(repeating: -1e6)
    lastTop = select(far, top, where: top .< Lanes(repeating: -1))
    lastBottom = select(far, bottom, where: bottom .< Lanes(repeating: -1))
  }

  /// The height of the jump at a restart: the value after it, 0, less the value before it.
  var jump: Lanes { @_noLocks get { none - wave.raw(wrapped(end)) } }

  /// How much steeper the wave is after a restart, per half period.
  var turn: Lanes {
    @_noLocks get { select(none - wave.slopeChange, none, where: magnitude(wrapped(end)) .< wave.peak) }
  }

  /// The value at a phase that counts half periods from the restart on, beginning with -1.
  @_noLocks @inline(__always)
  func sample(_ u: Lanes) -> Lanes {
    let top = 2 * nearest(0.5 * (u - wave.peak)) + wave.peak
    let bottom = 2 * nearest(0.5 * (u + wave.peak)) - wave.peak
    let since = u + 1
    var corners = residual(u - top, where: exists(top)) - residual(u - bottom, where: exists(bottom))
    corners += residual(since + end - lastTop) - residual(since + end - lastBottom)
    // The first corner after the restart is a bottom.
    corners -= residual(end - u + 1 - wave.peak)
    return wave.raw(wrapped(u)) - wave.slopeChange * (0.5 / steepness) * corners
  }

  @_noLocks @inline(__always)
  private func exists(_ corner: Lanes) -> SIMDMask<SIMD8<Int32>> {
    (corner .>= Lanes(repeating: -1)) .& (corner .<= end)
  }

  @_noLocks @inline(__always)
  private func residual(_ distance: Lanes) -> Lanes {
    BandLimitedRamp.integral(larger(1 - magnitude(distance) * steepness, none))
  }

  @_noLocks @inline(__always)
  private func residual(_ distance: Lanes, where mask: SIMDMask<SIMD8<Int32>>) -> Lanes {
    select(residual(distance), none, where: mask)
  }
}
