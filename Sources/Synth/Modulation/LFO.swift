import Scenes

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

  /// Advances a repeating LFO by `passed` seconds. Returns the value that will be reached `seconds` after that, -1…1.
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
      phase = wrapped(now)
      self.rounds &+= Self.rounds(now)
      let ahead = phase + 2 * rate * seconds
      s = wrapped(ahead)
      rounds = self.rounds &+ Self.rounds(ahead)
    }
    return value(s, rounds, seed, control, seconds: seconds)
  }

  /// Advances an LFO that runs for one period, from the end of the delay on. Returns the value that will be reached
  /// `seconds` after `passed`; after the period, the value just before its end.
  @_noLocks
  mutating func advanceOnce(_ control: LFOControl, rate: Lanes, passed: Float, seconds: Float) -> Lanes {
    age += Lanes(repeating: passed)
    let run = age - control.delay
    let elapsed = smaller(larger(run, Lanes.zero), Lanes(repeating: passed))
    let ahead = smaller(larger(run + seconds, Lanes.zero), Lanes(repeating: seconds))
    let now = phase + 2 * rate * elapsed
    phase = wrapped(now)
    rounds &+= Self.rounds(now)
    let later = phase + 2 * rate * ahead
    let (s, after) = (wrapped(later), rounds &+ Self.rounds(later))
    let last = LaneWords(repeating: control.last.rounds)
    let end = Lanes(repeating: control.last.phase)
    let isOver = (after .> last) .| ((after .== last) .& (s .>= end))
    return value(
      select(end, s, where: isOver), bits(select(lanes(last), lanes(after), where: isOver)), seed, control,
      seconds: seconds)
  }

  /// The value at a phase, times the depth after delay and fade.
  @_noLocks @inline(__always)
  private mutating func value(
    _ s: Lanes, _ rounds: LaneWords, _ seed: LaneWords, _ control: LFOControl, seconds: Float
  ) -> Lanes {
    // A period begins at phase 0; the count of rounds rises where the phase wraps.
    let periods = rounds &+ ((bits(s) &>> 31) ^ 1)
    let value = control.wave.value(s, periods: periods, seed: seed, steps: control.steps)
    if !control.fades { return value }
    let progress = (age + (seconds - control.delay)) * control.perFade
    let goal = larger(smaller(progress, Lanes(repeating: 1)), Lanes.zero)
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

  /// The number of rounds that `wrapped` removes.
  @_noLocks @inline(__always)
  private static func rounds(_ s: Lanes) -> LaneWords { bits(0.5 * s + 12_582_912) &- 0x4b40_0000 }
}

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
    for lane in 0..<Limits.lanesPerGroup {
      value[lane] = steps[max(0, min(15, Int(position[lane])))]
    }
    return value
  }

  /// The random number of a period, -1…1.
  @_noLocks @inline(__always)
  private static func number(_ periods: LaneWords, _ seed: LaneWords) -> Lanes {
    Synth.noise(mixed(periods &* 0x9e37_79b9 &+ seed))
  }
}
