import CRealtime

/// The attack and release of a compressor's gain reduction: the coefficients of its smoothing for a frame.
///
/// A rise of the level reaches 63 % of its reduction after the attack, and 37 % are left after the release. The fall is
/// that of two stages in series, whose times add up to the release; so a release may be shorter than the attack.
struct CompressorPace {
  /// The share of the distance to the held peaks by which the reduction rises.
  private(set) var attack: Float = 1
  /// The share by which it falls, at least that of the rise.
  private(set) var fall: Float = 1
  /// The share by which the held peaks fall.
  private(set) var release: Float = 1
  private let rate: Float
  // The knobs that the coefficients were computed from.
  private var times = SIMD2<Float>(-1, -1)

  /// The longest time of the second stage of the fall: in shares of the release, and in seconds after a beat.
  private static var shareOfRelease: Float { @_noLocks get { 0.25 } }
  private static var afterBeat: Float { @_noLocks get { 0.005 } }

  init(rate: Double) { self.rate = Float(rate) }

  /// Follows the knobs.
  @_noLocks @inline(__always)
  mutating func follow(_ knobs: UnsafePointer<CompressorKnobs>) {
    let wanted = SIMD2(knobs.pointee.attack, knobs.pointee.release)
    if wanted.x != times.x || wanted.y != times.y { compute(wanted) }
  }

  @_noLocks @inline(never)
  private mutating func compute(_ wanted: SIMD2<Float>) {
    times = wanted
    let second = min(wanted.x, wanted.y * Self.shareOfRelease)
    (attack, fall, release) = (share(wanted.x), share(second), share(wanted.y - second))
  }

  /// The coefficient of a time constant in seconds.
  @_noLocks
  private func share(_ seconds: Float) -> Float { 1 - rt_exp2(-1.442695 / (max(seconds, 1e-5) * rate)) }

  /// The pace of a reduction that a beat shapes (`BeatDuck`): it follows at once, smoothed only against jumps.
  var ofBeats: CompressorPace {
    @_noLocks @inline(__always) get {
      var pace = self
      pace.release = 1
      pace.fall = max(attack, 1 / (Self.afterBeat * rate))
      return pace
    }
  }
}
