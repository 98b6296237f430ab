// The waveforms of an LFO.

extension LFOWave {
  /// The value at a phase of -1…1. `periods` is the number of periods that have begun since the start; `seed` seeds the
  /// random numbers. Each shape begins at its upward zero crossing, as a vibrato should.
  @_noLocks @inline(__always)
  func value(_ s: Lanes, periods: LaneWords, seed: LaneWords) -> Lanes {
    switch self {
    case .sine: return sinePi(s)
    case .triangle: return 1 - 2 * magnitude(wrapped(s - 0.5))
    case .saw: return s
    case .square: return signed(Lanes(repeating: 1), like: s)
    case .down: return signed(Lanes(repeating: 1), like: s) - s
    case .hold: return Self.number(periods, seed)
    case .random:
      // A half wave of a cosine from one random number to the next.
      let (one, next) = (Self.number(periods, seed), Self.number(periods &+ 1, seed))
      let position = 0.5 * s + lanes(bits(Lanes(repeating: 1)) & (LaneWords.zero &- (bits(s) &>> 31)))
      return multiplyAdd(next - one, 0.5 - 0.5 * sinePi(0.5 - position), one)
    }
  }

  /// The random number of a period, -1…1.
  @_noLocks @inline(__always)
  private static func number(_ periods: LaneWords, _ seed: LaneWords) -> Lanes {
    noise(mixed(periods &* 0x9e37_79b9 &+ seed))
  }
}
