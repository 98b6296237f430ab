import CRealtime
import Scenes

/// An instance of a patch that sounds: its voice groups, its smoothed knobs, its effects.
///
/// Each part has one current sound. A recall begins a new one, and sounding voices continue with the old one until it
/// is silent; edits affect the current sound only.
struct Sound {
  /// Voice groups of the sound, one bit each.
  var groups: UInt64 = 0
  /// The part that the sound belongs to, 0…7.
  var part = 0
  /// The generation of its part when it began.
  var generation: UInt32 = 0
  /// The drum of a kit whose own sound it is; 0 for the sound of a part.
  var drum: UInt8 = 0
  /// True when no part uses it as its current sound: it ends with its notes and tails, and is free when it is silent.
  var isEnding = true
  /// True when the search for an equal ending sound has been made.
  var isJoined = false
  var rack = Rack()
  /// True while it has effects or wavetables.
  private(set) var hasMemory = false
  /// The removal of its DC offset.
  var dc = SoundDC()
  /// The modulation of its effect mixes.
  var effectMoves = EffectMixModulation()
  /// The parameters of its voices, computed from the smoothed knobs.
  var control: SoundParameters
  // The periods of LFOs that all voices share, and the factors by which routes multiply their rates.
  private var clocks = (LFOClock(), LFOClock(), LFOClock())
  private var lfoSpeeds = SIMD3<Float>(1, 1, 1)
  /// Control ticks during which knobs still move.
  private var moving: Int32 = 0
  // The dynamics of its part, to which those of `control` move.
  private var dynamics: Float = 0
  // True when knobs have moved since `control` was updated.
  private var isBehind = false
  /// Control ticks that knobs need to settle.
  private var settling: Int32 = 0
  /// Number of notes that it has started.
  var started: UInt32 = 0
  /// True when the mono voice of its part has ended while keys were held.
  var hasDiedAway = false

  /// Targets of the knobs, and their smoothed values.
  let patch: UnsafeMutablePointer<Patch>
  let now: UnsafeMutablePointer<Patch>
  // Output of the first of two smoothing stages; with two, a jump begins without a corner.
  private let near: UnsafeMutablePointer<Patch>
  // The mix of each oscillator's waveforms.
  private let mixes: UnsafeMutablePointer<Lanes>
  private let routes: UnsafeMutablePointer<ModulationRoutes>
  /// The wavetables of its oscillators.
  let tables: UnsafeMutablePointer<SoundTables>

  init() {
    let curves = UnsafeMutablePointer<EnvelopeCurves>.allocate(capacity: 3)
    curves.initialize(repeating: EnvelopeCurves(), count: 3)
    tables = .allocate(capacity: 1)
    tables.initialize(to: SoundTables())
    control = SoundParameters(curves, tables)
    (patch, now, near) = (Sound.row(), Sound.row(), Sound.row())
    if let steps = MemoryLayout<Patch>.offset(of: \.lfoSteps) {
      control.setSteps((UnsafeRawPointer(now) + steps).assumingMemoryBound(to: Float.self))
    }
    routes = .allocate(capacity: 1)
    routes.initialize(to: ModulationRoutes())
    mixes = .allocate(capacity: Limits.oscillators)
    mixes.initialize(repeating: .zero, count: Limits.oscillators)
  }

  /// Allocates a patch whose knobs are processed four at a time.
  private static func row() -> UnsafeMutablePointer<Patch> {
    let count = (MemoryLayout<Patch>.size + 15) / 16
    let vectors = UnsafeMutablePointer<SIMD4<Float>>.allocate(capacity: count)
    vectors.initialize(repeating: .zero, count: count)
    return UnsafeMutableRawPointer(vectors).bindMemory(to: Patch.self, capacity: 1)
  }

  func deallocate() {
    patch.deallocate()
    now.deallocate()
    near.deallocate()
    mixes.deallocate()
    routes.deallocate()
    tables.deallocate()
    control.envelope.deallocate()
    effectMoves.deallocate()
    rack.deallocate()
  }

  /// True when only the voices still change it: it ends, and its knobs have settled.
  var isSettled: Bool { @_noLocks get { isEnding && moving == 0 && !rack.isOn } }

  /// True while knobs move.
  var isMoving: Bool { @_noLocks get { moving != 0 } }

  /// True while the sound is audible.
  var isSounding: Bool { @_noLocks get { groups != 0 || rack.rings || dc.rings } }

  /// Starts with a patch in a part.
  @_noLocks
  mutating func begin(
    _ patch: UnsafePointer<Patch>, _ effects: PartEffects, _ tables: PartTables, part: Int,
    generation: UInt32, dynamics: Float, seconds: Float
  ) {
    (self.part, self.generation, self.dynamics, groups) = (part, generation, dynamics, 0)
    (isEnding, isJoined, started, hasDiedAway, drum) = (false, false, 0, false, 0)
    rack.begin(effects)
    self.tables.pointee.release()
    self.tables.pointee.change(to: tables, atOnce: true)
    hasMemory = rack.isOn || self.tables.pointee.isAny
    (clocks, lfoSpeeds) = ((LFOClock(), LFOClock(), LFOClock()), SIMD3(1, 1, 1))
    self.patch.pointee = patch.pointee
    dc.follow(self.patch, isSounding: false)
    effectMoves.begin(part: part)
    effectMoves.follow(self.patch)
    control.shape(self.patch, seconds: seconds)
    snap()
  }

  /// Follows an edit of the patch, or a change of its part's dynamics: smoothly, or at once if it is silent. Does
  /// nothing if both are unchanged.
  @_noLocks
  mutating func follow(
    _ patch: UnsafePointer<Patch>, _ effects: PartEffects, _ tables: PartTables, dynamics: Float,
    seconds: Float
  ) {
    rack.follow(effects, isSounding: groups != 0)
    self.tables.pointee.change(to: tables, atOnce: groups == 0)
    hasMemory = rack.isOn || self.tables.pointee.isAny
    if self.dynamics == dynamics, self.patch.sounds(as: patch) { return }
    self.dynamics = dynamics
    control.shape(self.patch, patch, seconds: seconds)
    self.patch.pointee = patch.pointee
    dc.follow(self.patch, isSounding: isSounding)
    effectMoves.follow(self.patch)
    settling = Int32(Smoothed.settling * Smoothed.seconds / seconds)
    if isSounding { moving = settling } else { snap() }
  }

  /// Returns its effects and wavetables.
  @_noLocks
  mutating func release() {
    rack.release()
    tables.pointee.release()
    hasMemory = false
  }

  /// Marks the sound as ending: no edit follows. Effects that would ring for ever are made to decay.
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

  /// The largest delay feedback of an ending sound.
  private static var endingFeedback: Float { @_noLocks get { 0.9 } }

  /// Jumps to the targets of the knobs: before the first audible note.
  @_noLocks
  mutating func snap() {
    now.pointee = patch.pointee
    near.pointee = patch.pointee
    if !isSounding { control.beginMono() }
    mixes[0] = mix(0)
    mixes[1] = mix(1)
    mixes[2] = mix(2)
    routes.snap(now)
    (control.routes, control.dynamics) = (routes.pointee, dynamics)
    control.follow(now, patch, mixes, share: 1)
    (moving, control.levelsMove, isBehind) = (0, false, false)
  }

  /// Advances by one control tick: knobs move by `share` of the remaining distance. `control` follows at the updates of
  /// the voices.
  @_noLocks
  mutating func advance(share: Float, updates: Bool) {
    if tables.pointee.isChanging { tables.pointee.advance() }
    if moving == 0 {
      if updates { control.levelsMove = false }
      return
    }
    if moving == 1 {
      if !updates { return }
      snap()
      control.levelsMove = true
      return
    }
    moving &-= 1
    let (from, between, to) = (now.vectors, near.vectors, patch.vectors)
    // Each of the two stages takes half of the time.
    let half = min(1, 2 * share)
    var four = 0
    while four < (Patch.count &+ 3) / 4 {
      between[four] += (to[four] - between[four]) * half
      from[four] += (between[four] - from[four]) * half
      four &+= 1
    }
    mixes[0] += (mix(0) - mixes[0]) * share
    mixes[1] += (mix(1) - mixes[1]) * share
    mixes[2] += (mix(2) - mixes[2]) * share
    control.dynamics += (dynamics - control.dynamics) * share
    if routes.follow(now, patch, share: share) { moving = settling }
    if !updates { return isBehind = true }
    control.routes = routes.pointee
    control.follow(now, patch, mixes, share: isBehind ? share * (2 - share) : share)
    (control.levelsMove, isBehind) = (true, false)
  }

  /// Advances the LFOs that are synchronized or shared to frame `end`, the end of a tick.
  @_noLocks
  mutating func advanceLFOs(to end: Int64, _ line: BeatLine, rate: Double) {
    Self.advance(&control.lfo, &clocks.0, speed: lfoSpeeds.x, to: end, line, rate: rate)
    Self.advance(&control.lfo2, &clocks.1, speed: lfoSpeeds.y, to: end, line, rate: rate)
    Self.advance(&control.lfo3, &clocks.2, speed: lfoSpeeds.z, to: end, line, rate: rate)
  }

  @_noLocks @inline(__always)
  private static func advance(
    _ lfo: inout LFOControl, _ clock: inout LFOClock, speed: Float, to end: Int64, _ line: BeatLine,
    rate: Double
  ) {
    lfo.follow(line)
    if !lfo.isShared { return }
    let free = clock.periods(at: end, rate: lfo.rate * speed, sampleRate: rate)
    lfo.go(to: lfo.beats > 0 ? line.beat(at: end) / Double(lfo.beats) : free)
  }

  /// Modulates the rates of LFOs that all voices share, by the mean of the octaves that the routes of its voices, which
  /// are in `groups`, gave at the last tick. Once per tick, so that it does not depend on the blocks.
  @_noLocks
  mutating func moveSharedRates(_ groups: UnsafePointer<VoiceGroup>) {
    var (octaves, voices) = (SIMD3<Float>.zero, 0)
    var left = self.groups
    while left != 0 {
      let group = groups + left.trailingZeroBitCount
      octaves += group.pointee.modulators.lfoOctaves
      voices &+= Int(group.pointee.modulators.lfoVoices)
      left &= left &- 1
    }
    if voices == 0 { return }
    octaves /= Float(voices)
    let routes = control.routes
    lfoSpeeds = SIMD3(
      routes.moves(.lfoRate) ? rt_exp2(octaves.x) : 1, routes.moves(.lfo2Rate) ? rt_exp2(octaves.y) : 1,
      routes.moves(.lfo3Rate) ? rt_exp2(octaves.z) : 1)
  }

  /// The target mix of an oscillator's waveforms: the chosen one alone.
  @_noLocks
  private func mix(_ oscillator: Int) -> Lanes {
    var mix = Lanes.zero
    mix[Waveform.at(patch.oscillator(oscillator).pointee.wave).index] = 1
    return mix
  }

  /// Whether the matrix modulates the mix of one of its effects.
  var movesMixes: Bool { @_noLocks get { effectMoves.areOn && rack.isOn } }
}
