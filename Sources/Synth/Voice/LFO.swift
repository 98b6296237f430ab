/// The low-frequency oscillators of eight voices, each from the start of its note, at control rate.
struct LFOLanes {
  /// -1…1, now.
  var phase = Lanes.zero

  /// Moves on by `passed` seconds; the value -1…1 that it will have `seconds` after that.
  @_noLocks @inline(__always)
  mutating func advance(_ wave: LFOWave, rate: Lanes, passed: Float, seconds: Float) -> Lanes {
    phase = Self.wrapped(phase + 2 * rate * passed)
    let s = Self.wrapped(phase + 2 * rate * seconds)
    // Each begins at its zero crossing upward, as a vibrato should.
    switch wave {
    case .sine: return sinePi(s)
    case .triangle: return 1 - 2 * magnitude(Self.wrapped(s - 0.5))
    case .saw: return s
    case .square: return signed(Lanes(repeating: 1), like: s)
    }
  }

  /// Brought into -1…1.
  @_noLocks @inline(__always)
  private static func wrapped(_ s: Lanes) -> Lanes { s - 2 * nearest(0.5 * s) }
}
