/// The low-frequency oscillators of eight voices, each from the start of its note, at control rate.
struct LFOLanes {
  /// -1…1, now.
  var phase = Lanes.zero
  /// An `LFOWave`, by its raw value.
  var wave = Lanes.zero
  /// Hertz.
  var rate = Lanes.zero

  /// Moves on by `passed` seconds; the value -1…1 that it will have `seconds` after that.
  @_noLocks @inline(__always)
  mutating func advance(passed: Float, seconds: Float) -> Lanes {
    phase = Self.wrapped(phase + rate * (2 * passed))
    let s = Self.wrapped(phase + rate * (2 * seconds))
    // Each begins at its zero crossing upward, as a vibrato should.
    let triangle = 1 - 2 * magnitude(Self.wrapped(s - 0.5))
    var y = sinePi(s)
    y = y.replacing(with: triangle, where: wave .>= Lanes(repeating: 1))
    y = y.replacing(with: s, where: wave .>= Lanes(repeating: 2))
    return y.replacing(with: signed(Lanes(repeating: 1), like: s), where: wave .>= Lanes(repeating: 3))
  }

  @_noLocks @inline(__always)
  private static func wrapped(_ s: Lanes) -> Lanes {
    let below = s.replacing(with: s + 2, where: s .< Lanes(repeating: -1))
    return below.replacing(with: below - 2, where: below .>= Lanes(repeating: 1))
  }
}
