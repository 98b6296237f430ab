import CRealtime

/// One patch sounding: the voice groups that play it, its knobs on their way, its effects.
///
/// A part has one current sound. A recall begins another, and what sounds goes on with the old one until it is silent;
/// edits are followed by the current one only.
struct Sound {
  /// Which groups are its, one bit each.
  var groups: UInt64 = 0
  /// The part that it sounds in, 0…7.
  var part = 0
  /// The generation of its part when it began.
  var generation: UInt32 = 0
  /// True when it is no part's current one: it ends with its notes and tails, and when it is silent it is free.
  var isEnding = true
  /// True when it has been looked whether it can end as one with another.
  var isJoined = false
  var rack = Rack()
  /// How its mean is taken out.
  var dc = SoundDC()
  /// What the matrix adds to the mixes of its effects.
  var effectMoves = EffectMixModulation()
  /// What the knobs mean now.
  var control: SoundParameters
  // The periods of the LFOs, where all voices share them, and what routes multiply their rates by.
  private var clocks = (LFOClock(), LFOClock())
  private var lfoSpeeds = SIMD2<Float>(1, 1)
  /// Control ticks for which knobs are still on their way.
  private var moving: Int32 = 0
  // True where they have gone on without the control.
  private var isBehind = false
  /// Ticks after which they have arrived.
  private var settling: Int32 = 0
  /// Notes that it has started.
  var started: UInt32 = 0
  /// True when the one voice that plays all keys of its part has ended while they were held.
  var hasDiedAway = false

  /// Where the knobs go, and where they are.
  let patch: UnsafeMutablePointer<Patch>
  let now: UnsafeMutablePointer<Patch>
  // They go in two steps, one after the other, so that a jump begins without a corner: where the first one is.
  private let near: UnsafeMutablePointer<Patch>
  // The shares of each oscillator's waveforms.
  private let mixes: UnsafeMutablePointer<Lanes>
  private let routes: UnsafeMutablePointer<ModulationRoutes>

  init() {
    let curves = UnsafeMutablePointer<EnvelopeCurves>.allocate(capacity: 3)
    curves.initialize(repeating: EnvelopeCurves(), count: 3)
    control = SoundParameters(curves)
    (patch, now, near) = (Sound.row(), Sound.row(), Sound.row())
    routes = .allocate(capacity: 1)
    routes.initialize(to: ModulationRoutes())
    mixes = .allocate(capacity: 2)
    mixes.initialize(repeating: .zero, count: 2)
  }

  /// Room for a patch whose knobs are gone through four at a time.
  private static func row() -> UnsafeMutablePointer<Patch> {
    let vectors = UnsafeMutablePointer<SIMD4<Float>>.allocate(capacity: (Patch.count + 3) / 4)
    vectors.initialize(repeating: .zero, count: (Patch.count + 3) / 4)
    return UnsafeMutableRawPointer(vectors).bindMemory(to: Patch.self, capacity: 1)
  }

  func deallocate() {
    patch.deallocate()
    now.deallocate()
    near.deallocate()
    mixes.deallocate()
    routes.deallocate()
    control.envelope.deallocate()
    effectMoves.deallocate()
    rack.deallocate()
  }

  /// True when nothing but its voices' own ways to their end will change it: it ends, and its knobs have arrived.
  var isSettled: Bool { @_noLocks get { isEnding && moving == 0 && !rack.isOn } }

  /// True while its knobs are on their way.
  var isMoving: Bool { @_noLocks get { moving != 0 } }

  /// True while anything of it is to be heard.
  var isSounding: Bool { @_noLocks get { groups != 0 || rack.rings || dc.rings } }

  /// Begins with a patch, in a part.
  @_noLocks
  mutating func begin(
    _ patch: UnsafePointer<Patch>, _ effects: PartEffects, part: Int, generation: UInt32, seconds: Float
  ) {
    (self.part, self.generation, groups) = (part, generation, 0)
    (isEnding, isJoined, started, hasDiedAway) = (false, false, 0, false)
    rack.begin(effects)
    (clocks, lfoSpeeds) = ((LFOClock(), LFOClock()), SIMD2(1, 1))
    self.patch.pointee = patch.pointee
    dc.follow(self.patch, isSounding: false)
    effectMoves.begin(part: part)
    effectMoves.follow(self.patch)
    control.shape(self.patch, seconds: seconds)
    arrive()
  }

  /// Follows an edit of its patch; smoothly, unless nothing sounds. Nothing is done when there was none.
  @_noLocks
  mutating func follow(_ patch: UnsafePointer<Patch>, _ effects: PartEffects, seconds: Float) {
    rack.follow(effects, isSounding: groups != 0)
    if !differs(patch) { return }
    control.shape(self.patch, patch, seconds: seconds)
    self.patch.pointee = patch.pointee
    dc.follow(self.patch, isSounding: isSounding)
    effectMoves.follow(self.patch)
    settling = Int32(Smoothed.settling * Smoothed.seconds / seconds)
    if isSounding { moving = settling } else { arrive() }
  }

  /// Ends: no other edit comes. What would ring for ever is let go.
  @_noLocks
  mutating func end() {
    isEnding = true
    let effects = patch.effects
    if !rack.isOn
      || (effects.pointee.reverb.freeze < 0.5 && effects.pointee.delay.feedback <= Self.endingFeedback)
    {
      return
    }
    effects.pointee.reverb.freeze = 0
    effects.pointee.delay.feedback = min(effects.pointee.delay.feedback, Self.endingFeedback)
    moving = settling
  }

  /// The most that a delay feeds back of a sound that ends.
  private static var endingFeedback: Float { @_noLocks get { 0.9 } }

  /// Puts the knobs where they go: before the first note that sounds.
  @_noLocks
  mutating func arrive() {
    now.pointee = patch.pointee
    near.pointee = patch.pointee
    if !isSounding { control.isStereo = false }
    mixes[0] = mix(0)
    mixes[1] = mix(1)
    routes.arrive(now)
    control.routes = routes.pointee
    control.follow(now, patch, mixes, share: 1)
    (moving, control.levelsMove, isBehind) = (0, false, false)
  }

  /// One control tick: knobs go a step on their way, `share` of what is left of it. The control follows where voices are
  /// updated.
  @_noLocks
  mutating func advance(share: Float, updates: Bool) {
    if moving == 0 {
      if updates { control.levelsMove = false }
      return
    }
    if moving == 1 {
      if !updates { return }
      arrive()
      control.levelsMove = true
      return
    }
    moving &-= 1
    let (from, between, to) = (now.vectors, near.vectors, patch.vectors)
    // Each in half of the time.
    let half = min(1, 2 * share)
    var four = 0
    while four < (Patch.count &+ 3) / 4 {
      between[four] += (to[four] - between[four]) * half
      from[four] += (between[four] - from[four]) * half
      four &+= 1
    }
    mixes[0] += (mix(0) - mixes[0]) * share
    mixes[1] += (mix(1) - mixes[1]) * share
    if routes.follow(now, patch, share: share) { moving = settling }
    if !updates { return isBehind = true }
    control.routes = routes.pointee
    control.follow(now, patch, mixes, share: isBehind ? share * (2 - share) : share)
    (control.levelsMove, isBehind) = (true, false)
  }

  /// Takes the LFOs to the end of a tick, the frame `end`, where they go by the tempo or for all voices.
  @_noLocks
  mutating func advanceLFOs(to end: Int64, _ tempo: TempoClock, rate: Double) {
    control.lfo.follow(tempo)
    control.lfo2.follow(tempo)
    if control.lfo.isShared {
      let free = clocks.0.periods(at: end, rate: control.lfo.rate * lfoSpeeds.x, sampleRate: rate)
      control.lfo.go(to: control.lfo.beats > 0 ? tempo.beats(at: end) / Double(control.lfo.beats) : free)
    }
    if control.lfo2.isShared {
      let free = clocks.1.periods(at: end, rate: control.lfo2.rate * lfoSpeeds.y, sampleRate: rate)
      control.lfo2.go(to: control.lfo2.beats > 0 ? tempo.beats(at: end) / Double(control.lfo2.beats) : free)
    }
  }

  /// Lets routes move the rates of LFOs that all voices share: by as many octaves as its voices, which are in `groups`, were
  /// moved by at the last tick in the mean. Once a tick, so that it does not depend on the blocks.
  @_noLocks
  mutating func moveSharedRates(_ groups: UnsafePointer<VoiceGroup>) {
    var (octaves, voices) = (SIMD2<Float>.zero, 0)
    var left = self.groups
    while left != 0 {
      let group = groups + left.trailingZeroBitCount
      octaves += group.pointee.lfoOctaves
      voices &+= Int(group.pointee.lfoVoices)
      left &= left &- 1
    }
    if voices == 0 { return }
    octaves /= Float(voices)
    let (one, two) = (control.routes.moves(.lfoRate), control.routes.moves(.lfo2Rate))
    lfoSpeeds = SIMD2(one ? rt_exp2(octaves.x) : 1, two ? rt_exp2(octaves.y) : 1)
  }

  /// Where the shares of an oscillator's waveforms go: all of it to the one that is chosen.
  @_noLocks
  private func mix(_ oscillator: Int) -> Lanes {
    var mix = Lanes.zero
    mix[Waveform.at(patch.oscillator(oscillator).pointee.wave).index] = 1
    return mix
  }

  /// Whether the matrix moves the mix of an effect that it has.
  var movesMixes: Bool { @_noLocks get { effectMoves.areOn && rack.isOn } }

  /// Whether a patch is another than the one it goes to.
  @_noLocks
  func differs(_ other: UnsafePointer<Patch>) -> Bool {
    let (one, two) = (patch.numbers, UnsafeRawPointer(other).assumingMemoryBound(to: Float.self))
    var difference: UInt32 = 0
    var knob = 0
    while knob < Patch.count {
      difference |= one[knob].bitPattern ^ two[knob].bitPattern
      knob &+= 1
    }
    return difference != 0
  }
}
