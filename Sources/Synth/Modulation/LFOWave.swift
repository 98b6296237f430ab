// The waveforms of an LFO.

extension LFOWave {
  /// The value at a phase of -1…1. `periods` is the number of periods that have begun since the start; `seed` seeds
  /// the random numbers; `steps` are those of the patch. Shapes with an upward zero crossing begin there, as a
  /// vibrato should.
  @_noLocks @inline(__always)
  func value(_ s: Lanes, periods: LaneWords, seed: LaneWords, steps: UnsafePointer<Float>?) -> Lanes {
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
      return multiplyAdd(next - one, 0.5 - 0.5 * sinePi(0.5 - Self.position(s)), one)
    case .noise: return Self.line(s, periods, seed)
    case .steps: return Self.step(s, steps)
    }
  }

  /// The share of the period that has passed, 0…1.
  @_noLocks @inline(__always)
  private static func position(_ s: Lanes) -> Lanes {
    0.5 * s + lanes(bits(Lanes(repeating: 1)) & (LaneWords.zero &- (bits(s) &>> 31)))
  }

  // Not inlined, because most sounds have neither.

  /// A line from one of the sixteen random numbers of a period to the next.
  @_noLocks @inline(never)
  private static func line(_ s: Lanes, _ periods: LaneWords, _ seed: LaneWords) -> Lanes {
    let position = 16 * position(s)
    let rounded = (position - 0.5) + 12_582_912
    let index = (periods &<< 4) &+ (bits(rounded) &- 0x4b40_0000)
    let (one, next) = (number(index, seed), number(index &+ 1, seed))
    return multiplyAdd(next - one, position - (rounded - 12_582_912), one)
  }

  /// The step of the patch at a phase; 0 without steps.
  @_noLocks @inline(never)
  private static func step(_ s: Lanes, _ steps: UnsafePointer<Float>?) -> Lanes {
    guard let steps else { return .zero }
    let position = 16 * position(s)
    var value = Lanes.zero
    var lane = 0
    while lane < Limits.lanesPerGroup {
      value[lane] = steps[max(0, min(15, Int(position[lane])))]
      lane &+= 1
    }
    return value
  }

  /// The random number of a period, -1…1.
  @_noLocks @inline(__always)
  private static func number(_ periods: LaneWords, _ seed: LaneWords) -> Lanes {
    Synth.noise(mixed(periods &* 0x9e37_79b9 &+ seed))
  }
}
