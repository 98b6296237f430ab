/// The shapes of an LFO, in the order of the choice `/lfo/1/wave`. A new shape is a case and a line in `value`.
public enum LFOWave: String, CaseIterable, Sendable {
  case sine, triangle, saw, square
  case down
  case hold, random

  /// The shape for a knob's value.
  // Computed as `ModulationTarget.index`.
  @_noLocks
  static func at(_ choice: Float) -> LFOWave {
    let last = unsafeBitCast(LFOWave.random, to: UInt8.self)
    return unsafeBitCast(choice > 0 ? min(UInt8(min(choice, 255)), last) : 0, to: LFOWave.self)
  }

  /// The value at a phase of -1…1. `periods` is the number of periods that have begun since the start; `seed` seeds the
  /// random numbers. Each shape begins at its upward zero crossing, as a vibrato should.
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
      // A half wave of a cosine from one random number to the next.
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

/// How voices share an LFO, in the order of the choice `/lfo/1/mode`.
public enum LFOMode: String, CaseIterable, Sendable {
  /// An LFO for each voice, which begins with the note.
  case voice
  /// An LFO for each voice, which begins at a random phase.
  case free
  /// One LFO for all voices of a sound.
  case all

  /// The mode for a knob's value.
  @_noLocks
  static func at(_ choice: Float) -> LFOMode { choice < 0.5 ? .voice : choice < 1.5 ? .free : .all }

  var isShared: Bool { @_noLocks get { if case .all = self { true } else { false } } }
  var isFree: Bool { @_noLocks get { if case .free = self { true } else { false } } }
}

/// The low-frequency oscillators of eight voices, at control rate.
struct LFOLanes {
  /// The current phase, -1…1.
  var phase = Lanes.zero
  /// The number of times that the phase has wrapped.
  var rounds = LaneWords.zero
  /// Seed of each lane's random numbers.
  var seed = LaneWords.zero
  /// Seconds since the note began, and the depth after delay and fade: 1 without either.
  var age = Lanes.zero
  var depth = Lanes(repeating: 1)

  /// Seconds in which the depth rises from 0 to 1 at the fastest, so that it does not click.
  private static var quickest: Float { @_noLocks get { 0.025 } }

  /// Advances by `passed` seconds. Returns the value that will be reached `seconds` after that, -1…1.
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
    // A period begins at phase 0; the count of rounds rises where the phase wraps.
    let periods = rounds &+ ((bits(s) &>> 31) ^ 1)
    let value = control.wave.value(s, periods: periods, seed: seed)
    if !control.fades { return value }
    let way = (age + (seconds - control.delay)) * control.perFade
    let goal = larger(smaller(way, Lanes(repeating: 1)), Lanes.zero)
    let most = Lanes(repeating: seconds / Self.quickest)
    depth += larger(smaller(goal - depth, most), -most)
    return value * depth
  }

  /// Starts one lane; `order` is the number of its note among all notes.
  @_noLocks
  mutating func start(_ lane: Int, _ control: LFOControl, _ order: UInt64) {
    (age[lane], depth[lane]) = (0, control.fades ? 0 : 1)
    if control.isShared { return }
    let random = ModulationSource.random(order &+ 0x8000_0000)
    phase[lane] = control.isFree ? random : control.start
    // A phase in the second half belongs to a period that began before.
    rounds[lane] = phase[lane] < 0 ? 1 : 0
    seed[lane] = random.bitPattern
  }

  /// A phase wrapped to -1…1.
  @_noLocks @inline(__always)
  static func wrapped(_ s: Lanes) -> Lanes { s - 2 * nearest(0.5 * s) }

  /// The number of rounds that `wrapped` removes.
  @_noLocks @inline(__always)
  private static func rounds(_ s: Lanes) -> LaneWords { bits(0.5 * s + 12_582_912) &- 0x4b40_0000 }
}
