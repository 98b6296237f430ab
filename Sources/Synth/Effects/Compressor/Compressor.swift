import CRealtime

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
