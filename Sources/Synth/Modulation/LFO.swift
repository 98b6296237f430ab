/// The shapes of an LFO, in the order of the choice `/lfo/1/wave`. Another one is a case, and its line in `value`.
public enum LFOWave: String, CaseIterable, Sendable {
  case sine, triangle, saw, square
  case down
  case hold, random

  /// The waveform that a knob's value means.
  // As `ModulationTarget.index`.
  @_noLocks
  static func at(_ choice: Float) -> LFOWave {
    let last = unsafeBitCast(LFOWave.random, to: UInt8.self)
    return unsafeBitCast(choice > 0 ? min(UInt8(min(choice, 255)), last) : 0, to: LFOWave.self)
  }

  /// Its value at a phase of -1…1. `periods` have begun since the start; `seed` is what random numbers come from. Each
  /// begins at its zero crossing upward, as a vibrato should.
  @_noLocks @inline(__always)
  func value(_ s: Lanes, periods: LaneWords, seed: LaneWords) -> Lanes {
    switch self {
    case .sine: return sinePi(s)
    case .triangle: return 1 - 2 * magnitude(LFOLanes.wrapped(s - 0.5))
    case .saw: return s
    case .square: return signed(Lanes(repeating: 1), like: s)
    case .down: return signed(Lanes(repeating: 1), like: s) - s
    case .hold: return Self.number(periods, seed)
    case .random:
      // A half wave of a cosine from one number to the next.
      let (one, next) = (Self.number(periods, seed), Self.number(periods &+ 1, seed))
      let way = 0.5 * s + lanes(bits(Lanes(repeating: 1)) & (LaneWords.zero &- (bits(s) &>> 31)))
      return multiplyAdd(next - one, 0.5 - 0.5 * sinePi(0.5 - way), one)
    }
  }

  /// The random number of a period, -1…1.
  @_noLocks @inline(__always)
  private static func number(_ periods: LaneWords, _ seed: LaneWords) -> Lanes {
    noise(mixed(periods &* 0x9e37_79b9 &+ seed))
  }
}

/// Whom an LFO goes for, in the order of the choice `/lfo/1/mode`.
public enum LFOMode: String, CaseIterable, Sendable {
  /// Each voice, from the beginning of its note.
  case voice
  /// Each voice, from anywhere.
  case free
  /// All voices of a sound together.
  case all

  /// The mode that a knob's value means.
  @_noLocks
  static func at(_ choice: Float) -> LFOMode { choice < 0.5 ? .voice : choice < 1.5 ? .free : .all }

  var isShared: Bool { @_noLocks get { if case .all = self { true } else { false } } }
  var isFree: Bool { @_noLocks get { if case .free = self { true } else { false } } }
}

/// The low-frequency oscillators of eight voices, at control rate.
struct LFOLanes {
  /// -1…1, now.
  var phase = Lanes.zero
  /// How often the phase has come round.
  var rounds = LaneWords.zero
  /// What the random numbers of each lane come from.
  var seed = LaneWords.zero
  /// Seconds since the note began, and how much of it is felt after delay and fade: 1 where there is neither.
  var age = Lanes.zero
  var depth = Lanes(repeating: 1)

  /// Seconds from nothing to all of it where there is no fade, so that it does not click.
  private static var quickest: Float { @_noLocks get { 0.025 } }

  /// Moves on by `passed` seconds; the value -1…1 that it will have `seconds` after that.
  @_noLocks @inline(__always)
  mutating func advance(_ control: LFOControl, rate: Lanes, passed: Float, seconds: Float) -> Lanes {
    var (s, rounds, seed) = (phase, self.rounds, self.seed)
    age += Lanes(repeating: passed)
    if control.isShared {
      s = Lanes(repeating: control.phase)
      rounds = LaneWords(repeating: control.rounds)
      seed = LaneWords(repeating: LFOControl.seed)
    } else {
      let now = phase + 2 * rate * passed
      phase = Self.wrapped(now)
      self.rounds &+= Self.rounds(now)
      let ahead = phase + 2 * rate * seconds
      s = Self.wrapped(ahead)
      rounds = self.rounds &+ Self.rounds(ahead)
    }
    // A period begins where the phase is 0, a round where it wraps.
    let periods = rounds &+ ((bits(s) &>> 31) ^ 1)
    let value = control.wave.value(s, periods: periods, seed: seed)
    if !control.fades { return value }
    let way = (age + (seconds - control.delay)) * control.perFade
    let goal = larger(smaller(way, Lanes(repeating: 1)), Lanes.zero)
    let most = Lanes(repeating: seconds / Self.quickest)
    depth += larger(smaller(goal - depth, most), -most)
    return value * depth
  }

  /// Starts one lane, for the note of this order among all.
  @_noLocks
  mutating func start(_ lane: Int, _ control: LFOControl, _ order: UInt64) {
    (age[lane], depth[lane]) = (0, control.fades ? 0 : 1)
    if control.isShared { return }
    let random = ModulationSource.random(order &+ 0x8000_0000)
    phase[lane] = control.isFree ? random : control.start
    // What begins in the second half has its period begun before.
    rounds[lane] = phase[lane] < 0 ? 1 : 0
    seed[lane] = random.bitPattern
  }

  /// Brought into -1…1.
  @_noLocks @inline(__always)
  static func wrapped(_ s: Lanes) -> Lanes { s - 2 * nearest(0.5 * s) }

  /// How many rounds that takes off.
  @_noLocks @inline(__always)
  private static func rounds(_ s: Lanes) -> LaneWords { bits(0.5 * s + 12_582_912) &- 0x4b40_0000 }
}
