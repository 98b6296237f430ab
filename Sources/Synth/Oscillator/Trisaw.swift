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
