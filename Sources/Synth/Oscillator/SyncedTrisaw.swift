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
