import CRealtime
import Scenes

/// The compressor of a part: above a threshold it reduces the level by a ratio, with a soft knee. Its sidechain is
/// the sound itself; with another part or the beat as its sidechain it is a ducker. Both sides have the same gain.
///
/// Reductions are in octaves of amplitude. A decoupled peak detector smooths them: the release holds the peaks, and the
/// attack smooths what the release holds. Thus the gain has little ripple at low frequencies, which would distort them
/// (D. Giannoulis, M. Massberg and J. D. Reiss, "Digital dynamic range compressor design", JAES 60, 2012).
struct Compressor {
  // The reductions and then the gains of some frames.
  private let gains: UnsafeMutablePointer<Float>
  private var curve = CompressorCurve()
  private var pace: CompressorPace
  private var sidechain = Sidechain.sound
  // Reductions: held by the release, and smoothed by the attack.
  private var held: Float = 0
  private var reduction: Float = 0

  /// A compressor at rest, for a sample rate. Control thread only.
  init(rate: Double) {
    pace = CompressorPace(rate: rate)
    gains = .allocate(capacity: Limits.controlFrames)
    gains.initialize(repeating: 0, count: Limits.controlFrames)
  }

  /// Frees the memory. Control thread only.
  func deallocate() { gains.deallocate() }

  // MARK: - Knobs

  /// Begins without a reduction.
  @_noLocks
  mutating func snap() { (held, reduction) = (0, 0) }

  /// Aims at the knobs.
  @_noLocks
  mutating func aim(_ knobs: UnsafePointer<CompressorKnobs>, _ chosen: UnsafePointer<CompressorKnobs>) {
    curve.follow(knobs)
    pace.follow(knobs)
    if !chosen.pointee.hasSidechain { sidechain = .sound }
  }

  /// Sets the sidechain for the frames that are processed next, within a tick.
  @_noLocks
  mutating func setSidechain(_ sidechain: Sidechain) { self.sidechain = sidechain }

  /// Clears the state; true, since this takes one call.
  @_noLocks
  mutating func clearPiece() -> Bool {
    (held, reduction) = (0, 0)
    return true
  }

  // MARK: - Sound

  /// Processes some frames in place. The buffers must have space for a whole tick.
  @_noLocks
  mutating func process(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int
  ) {
    switch sidechain {
    case .sound:
      var i = 0
      while i < frames {
        let sound = larger(magnitude((left + i).eight), magnitude((right + i).eight))
        (gains + i).eight = curve.reduction(CompressorCurve.level(sound))
        i &+= Limits.lanesPerGroup
      }
      smooth(frames, pace)
    case .level(let level):
      let reduction = curve.reduction(CompressorCurve.level(Lanes(repeating: level)))
      (gains.eight, (gains + Limits.lanesPerGroup).eight) = (reduction, reduction)
      smooth(frames, pace)
    case .beat(let beat):
      // A beat is as loud as full scale, 0 octaves.
      let depth = curve.reduction(.zero)
      var i = 0
      while i < frames {
        (gains + i).eight = depth * beat.shares(from: i)
        i &+= Limits.lanesPerGroup
      }
      smooth(frames, pace.ofBeats)
    }
    apply(left, right, frames)
  }

  /// Smooths the reductions.
  @_noLocks @inline(__always)
  private mutating func smooth(_ frames: Int, _ pace: CompressorPace) {
    var (p, q) = (held, reduction)
    let (release, attack, fall) = (pace.release, pace.attack, pace.fall)
    let (held, kept, left) = (1 - release, 1 - attack, 1 - fall)
    var i = 0
    // Usually attack and fall are equal, which takes a quarter less time.
    if attack == fall {
      while i < frames {
        let (wanted, fallen) = (gains[i], p * held + gains[i] * release)
        p = wanted > fallen ? wanted : fallen
        q = q * kept + p * attack
        gains[i] = q
        i &+= 1
      }
    } else {
      while i < frames {
        let (wanted, fallen) = (gains[i], p * held + gains[i] * release)
        p = wanted > fallen ? wanted : fallen
        // The attack where it rises and the fall where it does not: the fall is the quicker one.
        let (risen, sunk) = (q * kept + p * attack, q * left + p * fall)
        q = risen < sunk ? risen : sunk
        gains[i] = q
        i &+= 1
      }
    }
    (self.held, reduction) = (p, q)
  }

  /// Multiplies the sound by the gains of the reductions.
  @_noLocks @inline(__always)
  private func apply(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int
  ) {
    var i = 0
    while i &+ Limits.lanesPerGroup <= frames {
      let gain = exp2(-(gains + i).eight)
      (left + i).eight *= gain
      (right + i).eight *= gain
      i &+= Limits.lanesPerGroup
    }
    if i == frames { return }
    (gains + i).eight = exp2(-(gains + i).eight)
    while i < frames {
      left[i] *= gains[i]
      right[i] *= gains[i]
      i &+= 1
    }
  }
}

/// The curve of a compressor: the reduction of a level, both in octaves of amplitude, 6.02 dB each.
struct CompressorCurve {
  private var threshold: Float = 0
  private var slope: Float = 0
  // The factor of the square within the knee.
  private var kneeFactor: Float = 0
  // The knobs that the numbers were computed from.
  private var knobs = SIMD2<Float>(repeating: -1_000)

  /// Decibels as octaves of amplitude.
  static var octaves: Float { @_noLocks get { 0.166096405 } }
  /// Half of the knee's width: 3 dB.
  private static var knee: Float { @_noLocks get { 3 * octaves } }

  /// The curve of knobs that are all 0.
  @_noLocks init() {}

  /// Follows the knobs.
  @_noLocks @inline(__always)
  mutating func follow(_ knobs: UnsafePointer<CompressorKnobs>) {
    let wanted = SIMD2(knobs.pointee.threshold, knobs.pointee.ratio)
    if wanted.x == self.knobs.x, wanted.y == self.knobs.y { return }
    self.knobs = wanted
    threshold = wanted.x * Self.octaves
    slope = 1 - 1 / max(1, wanted.y)
    kneeFactor = slope / (4 * Self.knee)
  }

  /// The reductions of eight levels: none below the knee, a parabola within it, and a line above.
  @_noLocks @inline(__always)
  func reduction(_ level: Lanes) -> Lanes {
    let over = level - threshold
    let within = larger(smaller(over + Self.knee, Lanes(repeating: 2 * Self.knee)), Lanes.zero)
    let above = larger(over - Self.knee, Lanes.zero)
    return multiplyAdd(above, Lanes(repeating: slope), within * within * kneeFactor)
  }

  /// The levels of eight magnitudes; that of silence is -126. The error is 0.0007 dB: the mantissa's logarithm is a
  /// cubic correction of a straight line, zero at both ends.
  @_noLocks @inline(__always)
  static func level(_ x: Lanes) -> Lanes {
    let bits = bits(larger(x, Lanes(repeating: 1.2e-38)))
    // The exponent as the low bits of a number of 2^23, and the mantissa as a number in 0..<1.
    let exponent = lanes((bits &>> 23) | 0x4b00_0000) - (8_388_608 + 127)
    let t = lanes((bits & 0x007f_ffff) | 0x3f80_0000) - 1
    var p = multiplyAdd(Lanes(repeating: 0.08213069), t, Lanes(repeating: -0.23905823))
    p = multiplyAdd(p, t, Lanes(repeating: 0.43872574))
    return exponent + multiplyAdd(p, multiplySubtract(t, t, from: t), t)
  }
}

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
