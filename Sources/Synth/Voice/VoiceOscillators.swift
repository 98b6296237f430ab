import CRealtime
import Scenes

/// The oscillators of a group's voices: their pitches, levels, widths and wavetables, the unison voices, the sub oscillator
/// and the noise. Its lanes are those of the group's block. The state beside them lets an update skip what has not changed:
/// vectors by oscillator, and bit sets with one bit per oscillator. Vectors of two elements concern oscillators that are
/// rendered directly into the mix, which the third never is. Functions are mutating even if they change no member, because
/// the compiler otherwise copies all members for the call.
struct VoiceOscillators {
  let block: LaneBlock
  /// Audible waveforms, one bit each, and whether their levels move.
  var audible = SIMD2<UInt8>.zero
  var levelsMoved = SIMD2<UInt8>.zero
  /// Whether a lane is so high that its waveforms fade.
  var fades: UInt8 = 0
  /// Whether the pulse width moves, and the value of its knob at the last tick.
  var widthsMove: UInt8 = 0
  var widths = SIMD4<Float>.zero
  /// Whether a route moves the positions of the unison voices.
  var sidesMove: UInt8 = 0
  /// True while the oscillators are rendered separately.
  var interacts = false
  /// True while each lane has its own noise colour.
  var hasColors = false
  var hasSub = false
  var hasNoise = false

  /// The oscillators of a group without voices.
  @_noLocks init(_ block: LaneBlock) { self.block = block }

  /// Whether a wavetable is audible.
  var hasTables: Bool {
    @_noLocks @inline(__always) get {
      let both = UInt16(Waveform.wavetable.bit) &* 0x0101
      return unsafeBitCast(audible, to: UInt16.self) & both != 0
    }
  }

  // MARK: - Lanes

  /// Begins anew, because the group has no voice.
  @_noLocks
  mutating func restart(_ control: SoundParameters) {
    (interacts, hasColors, hasSub, hasNoise) = (false, false, false, false)
    widths = control.widths
  }

  /// Starts the oscillators of a lane for a key, partly with random numbers.
  @_noLocks
  mutating func start(
    _ lane: Int, _ key: UInt8, _ patch: UnsafeMutablePointer<Patch>, _ control: SoundParameters,
    _ random: inout RandomNumbers
  ) {
    let extras = block.extras
    var oscillator = 0
    while oscillator < control.count {
      let knobs = patch.oscillator(oscillator).pointee
      block.oscillators[oscillator].start(lane, Waveform.at(knobs.wave))
      if var numbers = PhaseStart.at(knobs.start).numbers(oscillator: oscillator, key: key) {
        startByRule(oscillator, lane, within: knobs.random, &numbers)
      } else {
        startFreely(oscillator, lane, knobs, drifts: control.routes.moves(.drift(of: oscillator)), &random)
      }
      extras.oscillator(oscillator).pointee.feedback.last[lane] = 0
      extras.oscillator(oscillator).pointee.feedback.before[lane] = 0
      oscillator &+= 1
    }
    extras.pointee.sub.phase[lane] =
      block.oscillators[0].phase[lane] &>> Int32(control.subOctaves)
  }

  /// Starts the phases and the drift of an oscillator in a lane anywhere; the first voice within the share of its knob.
  @_noLocks
  private mutating func startFreely(
    _ oscillator: Int, _ lane: Int, _ knobs: OscillatorKnobs, drifts: Bool, _ random: inout RandomNumbers
  ) {
    let extras = block.extras
    if knobs.random > 0 { block.oscillators[oscillator].phase[lane] &+= random.phase(within: knobs.random) }
    if knobs.drift > 0 || drifts {
      extras.oscillator(oscillator).pointee.drift.start(lane, 2 * random.next() - 1)
    }
    if knobs.unison <= 1 { return }
    var voice = 0
    while voice < Unison.mostVoices &- 1 {
      extras.phases(oscillator)[voice][lane] = random.phase()
      if oscillator == 1 { extras.masters[voice][lane] = random.phase() }
      voice &+= 1
    }
  }

  /// Starts the phases of all voices of an oscillator in a lane within a share of the period, and its drift in tune.
  @_noLocks
  private mutating func startByRule(
    _ oscillator: Int, _ lane: Int, within share: Float, _ numbers: inout RandomNumbers
  ) {
    let (extras, zero) = (block.extras, block.oscillators[oscillator].phase[lane])
    let master = block.oscillators[0].phase[lane]
    block.oscillators[oscillator].phase[lane] = zero &+ numbers.phase(within: share)
    extras.oscillator(oscillator).pointee.drift.start(lane, 0)
    var voice = 0
    while voice < Unison.mostVoices &- 1 {
      let offset = numbers.phase(within: share)
      extras.phases(oscillator)[voice][lane] = zero &+ offset
      if oscillator == 1 { extras.masters[voice][lane] = master &+ offset }
      voice &+= 1
    }
  }

  /// Silences a lane without a fade.
  @_noLocks
  mutating func silence(_ lane: Int) { block.extras.pointee.noise.silence(lane) }

  /// Whether a sounding voice can move from the oscillators of another group to these.
  @_noLocks
  func matches(_ other: VoiceOscillators) -> Bool {
    interacts == other.interacts && hasColors == other.hasColors
      && block.gains[1].synced == other.block.gains[1].synced
  }

  /// Joins the state of the oscillators of another group, one of whose lanes has been copied to a lane of this one.
  @_noLocks
  mutating func join(_ lane: Int, _ other: VoiceOscillators) {
    // The tail of its jumps was copied with the lane; it is valid only if both groups render sums of the same kind.
    let (gains, others) = (block.gains, other.block.gains)
    if !(gains[0].summed == others[0].summed) { gains[0].summed = ImpulseKey() }
    audible |= other.audible
    hasSub = hasSub || other.hasSub
    hasNoise = hasNoise || other.hasNoise
    takeWidths(lane, other)
    levelsMoved = SIMD2(repeating: 1)
  }

  /// Follows the widths of a lane that has come from another group; they may move in only one of the two groups.
  @_noLocks
  private mutating func takeWidths(_ lane: Int, _ other: VoiceOscillators) {
    for oscillator in 0..<Limits.oscillators {
      let bit = UInt8(1) << UInt8(oscillator)
      let here = block.oscillators + oscillator
      if widthsMove & bit == 0, other.widthsMove & bit != 0 {
        let (value, step) = (here.pointee.width.value[lane], here.pointee.width.step[lane])
        here.pointee.width.rest(at: Lanes(repeating: widths[oscillator]))
        (here.pointee.width.value[lane], here.pointee.width.step[lane]) = (value, step)
        widthsMove |= bit
      } else if widthsMove & bit != 0, other.widthsMove & bit == 0 {
        here.pointee.width.jump(lane, to: other.widths[oscillator])
      }
    }
  }

  // MARK: - Updates

  /// Aims the oscillators at a frequency in hertz, their levels, interactions and wavetables, the sub oscillator and the
  /// noise.
  @_noLocks @inline(__always)
  mutating func aim(
    _ control: UnsafePointer<SoundParameters>, _ frequency: Lanes, _ context: RenderContext,
    _ update: GroupUpdate, perFrame: Float, seconds: Float
  ) {
    tune(control, frequency, context, update, perFrame: perFrame, seconds: seconds)
    if control.pointee.interacts { aimMixer(control, context.sums, update, perFrame: perFrame) }
    if control.pointee.hasTables { aimTables(control, update) }
    if control.pointee.hasSubOrNoise || hasSub || hasNoise {
      aimSources(control, context.sums, update, perFrame: perFrame)
    }
  }

  /// Aims the oscillators at a frequency in hertz.
  @_noLocks @inline(__always)
  private mutating func tune(
    _ control: UnsafePointer<SoundParameters>, _ frequency: Lanes, _ context: RenderContext,
    _ update: GroupUpdate, perFrame: Float, seconds: Float
  ) {
    // In half periods per sample.
    let advance = frequency * (2 / context.rate)
    let inverse = 1 / advance
    let bounds = OscillatorLanes.Bounds(hiddenZero(context.rate))
    if interacts && !control.pointee.interacts { endMixer() }
    if isTunedTogether(control, update) {
      let (first, second) = (block.oscillators, block.oscillators + 1)
      let one = first.pointee.aim(
        advance: advance, inverse: inverse, ratio: control.pointee.ratios[0], bounds)
      let two = second.pointee.aim(
        advance: advance, inverse: inverse, ratio: control.pointee.ratios[1], bounds)
      fades = (one ? 1 : 0) | (two ? 2 : 0)
      return
    }
    tuneEach(control, advance, inverse, bounds, context, update, perFrame: perFrame, seconds: seconds)
  }

  /// True when only the common pitch of two oscillators moves, which is the usual case.
  @_noLocks @inline(__always)
  private mutating func isTunedTogether(_ control: UnsafePointer<SoundParameters>, _ update: GroupUpdate)
    -> Bool
  {
    let moved = control.pointee.routes.moved & ModulationTarget.ofOscillators
    return moved == 0 && update.started | widthsMove == 0 && levelsMoved == .zero
      && control.pointee.widths.lowHalf == widths.lowHalf
      && !control.pointee.tunesEach && !control.pointee.levelsMove
  }

  /// Aims each oscillator at the frequency, modified by its own modulation.
  @_noLocks @inline(never)
  private mutating func tuneEach(
    _ control: UnsafePointer<SoundParameters>, _ advance: Lanes, _ inverse: Lanes,
    _ bounds: OscillatorLanes.Bounds, _ context: RenderContext, _ update: GroupUpdate, perFrame: Float,
    seconds: Float
  ) {
    var oscillator = 0
    while oscillator < control.pointee.count {
      let knobs = control.oscillator(oscillator)
      let width = ModulationTarget.width(of: oscillator)
      if control.pointee.routes.moves(width)
        || control.pointee.widths[oscillator] != widths[oscillator]
      {
        aimWidth(oscillator, control, context, update, perFrame: perFrame)
      } else {
        widthsMove &= ~(UInt8(1) << UInt8(oscillator))
      }
      let own = ModulationTarget.pitch(of: oscillator)
      let detune = ModulationTarget.detune(of: oscillator)
      var (advance, inverse) = (advance, inverse)
      if control.pointee.routes.moved & (own.bit | detune.bit) != 0 || control.pointee.drifts {
        if control.pointee.routes.moves(detune) {
          advance *= self.detune(oscillator, knobs, context.sums[detune.index])
        }
        if control.pointee.routes.moves(own) { advance *= exp2(context.sums[own.index]) }
        if control.pointee.drifts { advance *= drift(oscillator, control, context.sums, seconds: seconds) }
        inverse = 1 / advance
      }
      let shift = control.pointee.shifts[oscillator]
      if shift != 0 {
        let added = 2 * shift / (context.rate * control.pointee.ratios[oscillator])
        advance = larger(advance + added, Lanes(repeating: Self.slowest))
        inverse = 1 / advance
      }
      let isHigh = block.oscillators[oscillator].aim(
        advance: advance, inverse: inverse, ratio: control.pointee.ratios[oscillator], bounds)
      let bit = UInt8(1) << UInt8(oscillator)
      fades = isHigh ? fades | bit : fades & ~bit
      let moves = control.pointee.levelsMove || update.started != 0
      if !control.pointee.interacts, control.pointee.routes.moves(.level(of: oscillator)) {
        aimLevel(oscillator, control, context.sums, update, perFrame: perFrame)
      } else if !control.pointee.interacts, moves || levelsMoved[oscillator] != 0 {
        let ramps = block.levels(oscillator)
        audible[oscillator] = ramps.aim(
          knobs.pointee.level * knobs.pointee.shares, fresh: update.started, perFrame: perFrame,
          isSettled: !moves)
        levelsMoved[oscillator] = moves ? 1 : 0
      }
      oscillator &+= 1
    }
  }

  /// The lowest frequency of an oscillator that is shifted, in half periods per sample: 0.02 Hz at 48 kHz.
  private static var slowest: Float { @_noLocks get { 1e-6 } }

  /// Aims the level of an oscillator that is rendered directly into the mix.
  @_noLocks @inline(never)
  private mutating func aimLevel(
    _ oscillator: Int, _ control: UnsafePointer<SoundParameters>, _ sums: UnsafePointer<Lanes>,
    _ update: GroupUpdate, perFrame: Float
  ) {
    let knobs = control.oscillator(oscillator)
    let level = control.routes.moved(knobs.pointee.level, by: .level(of: oscillator), sums, most: 1)
    audible[oscillator] = block.levels(oscillator).aim(
      level, knobs.pointee.shares, fresh: update.started, perFrame: perFrame)
    levelsMoved[oscillator] = 1
  }

  /// Sets the detune of a unison, modulated by `octaves`. Returns the resulting factor of the first voice's pitch,
  /// beyond the one that all lanes share.
  @_noLocks @inline(never)
  private mutating func detune(_ oscillator: Int, _ knobs: UnsafePointer<OscillatorControl>, _ octaves: Lanes)
    -> Lanes
  {
    let cents = larger(
      smaller(exp2(octaves) * knobs.pointee.detune, Lanes(repeating: OscillatorKnobs.mostDetune)),
      Lanes(repeating: OscillatorKnobs.leastDetune))
    block.extras.oscillator(oscillator).pointee.detune = cents
    return exp2((cents - knobs.pointee.detune) * (knobs.pointee.unison.offsets[0] / 1200))
  }

  /// The detune factor of the first unison voice of the first oscillator.
  @_noLocks
  mutating func middle(_ control: UnsafePointer<SoundParameters>) -> Lanes {
    let knobs = control.oscillator(0)
    if !control.pointee.routes.moves(.detune1) { return Lanes(repeating: knobs.pointee.middle) }
    return exp2(block.extras.oscillator(0).pointee.detune * (knobs.pointee.unison.offsets[0] / 1200))
  }

  /// Advances the drift. Returns the factor of the oscillator's pitch.
  @_noLocks
  private mutating func drift(
    _ oscillator: Int, _ control: UnsafePointer<SoundParameters>, _ sums: UnsafePointer<Lanes>, seconds: Float
  ) -> Lanes {
    let knob = control.oscillator(oscillator).pointee.drift
    let depth = control.routes.moved(
      knob, by: .drift(of: oscillator), sums, most: OscillatorKnobs.mostDriftShare)
    let extras = block.extras.oscillator(oscillator)
    let pointer = block.oscillators + oscillator
    pointer.pointee.words = scrambled(pointer.pointee.words)
    extras.pointee.drift.advance(pointer.pointee.words, seconds: seconds)
    return multiplyAdd(extras.pointee.drift.value, depth, Lanes(repeating: 1))
  }

  // MARK: - Widths

  /// Aims the width of an oscillator's pulse, where a route moves it or its knob has moved.
  @_noLocks
  private mutating func aimWidth(
    _ oscillator: Int, _ control: UnsafePointer<SoundParameters>, _ context: RenderContext,
    _ update: GroupUpdate, perFrame: Float
  ) {
    let pointer = block.oscillators + oscillator
    let bit = UInt8(1) << UInt8(oscillator)
    let target = ModulationTarget.width(of: oscillator)
    var goal = Lanes(repeating: control.pointee.widths[oscillator])
    if control.pointee.routes.moves(target) { goal += context.sums[target.index] }
    goal = larger(smaller(goal, Lanes(repeating: Self.widest)), Lanes(repeating: 1 - Self.widest))
    if widthsMove & bit == 0 {
      pointer.pointee.width.rest(at: Lanes(repeating: widths[oscillator]))
    }
    pointer.pointee.width.value = select(goal, pointer.pointee.width.value, where: mask(update.started))
    pointer.pointee.width.aim(at: goal, perFrame: perFrame)
    widths[oscillator] = control.pointee.widths[oscillator]
    widthsMove |= bit
  }

  /// The width of an oscillator's pulse, and its movement.
  @_noLocks @inline(__always)
  func pulse(_ oscillator: Int, _ control: UnsafePointer<SoundParameters>) -> PulseWidth {
    block.oscillators[oscillator].pulse(
      control.pointee.pulses[oscillator], isMoving: widthsMove >> UInt8(oscillator) & 1 != 0)
  }

  /// Advances the widths by some frames.
  @_noLocks
  mutating func passWidths(_ frames: Int) {
    for oscillator in 0..<Limits.oscillators {
      let pointer = block.oscillators + oscillator
      pointer.pointee.width.value += pointer.pointee.width.step * Float(frames)
    }
  }

  /// The widest pulse, whose other half is still audible.
  private static var widest: Float { @_noLocks get { 0.98 } }

  // MARK: - Wavetables

  /// Chooses the levels for the pitches of this update. A modulator of a phase is read with fewer harmonics, as its jumps
  /// are smoothed farther in other waveforms.
  @_noLocks @inline(never)
  private mutating func aimTables(_ control: UnsafePointer<SoundParameters>, _ update: GroupUpdate) {
    let elapsed = Int(update.passed)
    var oscillator = 0
    while oscillator < control.pointee.count {
      if control.oscillator(oscillator).pointee.shares[Waveform.wavetable.index] > 0 {
        let (change, fastest) = (control.pointee.tables.change(of: oscillator), fastest(oscillator, control))
        block.tables[oscillator].pass(frames: elapsed)
        block.tables[oscillator].aim(fastest, change.pointee, used: update.used, started: update.started)
        if oscillator > 0, block.extras.index(oscillator &- 1).pointee.isAny {
          let modulator = Self.modulator(oscillator)
          block.tables[modulator].pass(frames: elapsed)
          block.tables[modulator].aim(
            fastest * (Self.softening * block.extras.softness(of: oscillator).pointee), change.pointee,
            used: update.used, started: update.started)
        }
      }
      oscillator &+= 1
    }
  }

  /// Index in `LaneBlock.tables` of the second or the third oscillator as a modulator.
  @_noLocks @inline(__always)
  static func modulator(_ oscillator: Int) -> Int { Limits.oscillators &+ oscillator &- 1 }

  /// Factor of the pitch of a modulator, beyond that of its jumps: it is read with harmonics up to 1.9 kHz.
  private static var softening: Float { @_noLocks get { 4 } }
  /// Half periods per sample by which a modulator that jumps moves a phase, for an index of one half period: it goes
  /// through its whole height in about 16 samples.
  private static var perIndex: Float { @_noLocks get { 0.125 } }
  /// Share of the room for harmonics that four sidebands take, by the increment of the modulator.
  private static var perSideband: Float { @_noLocks get { 3.2 } }
  /// Factor of the pitch of a synchronized oscillator, whose derivatives jump at the reset.
  private static var synced: Float { @_noLocks get { 2 } }

  /// The fastest phase increment at which an oscillator crosses its waveform, in half periods per sample: that of the
  /// highest unison voice, and faster where its phase is modulated.
  @_noLocks
  private mutating func fastest(_ oscillator: Int, _ control: UnsafePointer<SoundParameters>) -> Lanes {
    let increment = numbers(block.oscillators[oscillator].advance) * BandLimitedStep.unit
    if !interacts { return increment }
    let (knobs, extras) = (control.oscillator(oscillator), block.extras.oscillator(oscillator))
    var modulated = increment * (extras.pointee.blunting * extras.pointee.endBlunting)
    if oscillator < 2, block.extras.index(oscillator).pointee.isAny {
      if block.gains[oscillator &+ 1].shares.audible & Waveform.jumping != 0 {
        modulated += Self.perIndex * block.extras.index(oscillator).pointee.value
      }
      // The sidebands reach some multiples of the modulator's frequency farther than the index says.
      let modulator = numbers(block.oscillators[oscillator &+ 1].advance) * BandLimitedStep.unit
      modulated /= larger(1 - Self.perSideband * modulator, Lanes(repeating: 0.25))
    }
    if oscillator == 1, control.pointee.sync > 0 { modulated *= Self.synced }
    if knobs.pointee.voices == 1 { return modulated }
    // The outermost voice above the pitch, relative to the first voice.
    let reach = (1 - knobs.pointee.unison.offsets[0]) * (1 / 1200)
    if control.pointee.routes.moves(.detune(of: oscillator)) {
      return modulated * exp2(extras.pointee.detune * reach)
    }
    return modulated * rt_exp2(knobs.pointee.detune * reach)
  }

  /// Lets the next waveform of an oscillator read its wavetable at the levels `lanes` of `LaneBlock.tables`, `first`
  /// frames after the update.
  @_noLocks
  mutating func readTable(
    _ lanes: Int, _ oscillator: Int, _ control: UnsafePointer<SoundParameters>, _ context: RenderContext,
    _ used: UInt8, from first: Int
  ) {
    context.table.pointee = TableReader(
      block.tables + lanes, control.pointee.tables.change(of: oscillator), used: used, first: first)
  }

  // MARK: - Sub oscillator and noise

  /// Aims the levels of the sub oscillator and the noise.
  @_noLocks
  private mutating func aimSources(
    _ control: UnsafePointer<SoundParameters>, _ sums: UnsafePointer<Lanes>, _ update: GroupUpdate,
    perFrame: Float
  ) {
    let (extras, starting) = (block.extras, mask(update.started))
    let sub = control.routes.moved(control.pointee.sub, by: .subLevel, sums, most: 1)
    let noise = control.routes.moved(control.pointee.noise, by: .noiseLevel, sums, most: 1)
    extras.pointee.sub.level.aim(at: sub, starting, perFrame: perFrame)
    extras.pointee.noise.level.aim(at: noise, starting, perFrame: perFrame)
    hasSub = control.pointee.sub > 0 || isAny(larger(sub, extras.pointee.sub.level.value))
    hasNoise = control.pointee.noise > 0 || isAny(larger(noise, extras.pointee.noise.level.value))
    aimColor(control, sums, update, perFrame: perFrame)
  }

  /// Aims the noise colour of each lane.
  @_noLocks
  private mutating func aimColor(
    _ control: UnsafePointer<SoundParameters>, _ sums: UnsafePointer<Lanes>, _ update: GroupUpdate,
    perFrame: Float
  ) {
    let isMoved = control.pointee.routes.moves(.noiseColor)
    if isMoved {
      let noise = block.extras
      if !hasColors { noise.pointee.noise.rest(at: control.pointee.noiseMix) }
      let color = sums[ModulationTarget.noiseColor.index] + control.pointee.noiseColor
      noise.pointee.noise.aim(atColor: color, mask(update.started), perFrame: perFrame)
    }
    hasColors = isMoved
  }

  /// The parameters of the sub oscillator.
  @_noLocks @inline(__always)
  mutating func sub(_ control: UnsafePointer<SoundParameters>, _ part: BlockPart) -> SubOscillatorLanes.Block
  {
    SubOscillatorLanes.Block(
      block.extras.pointee.sub, wave: control.pointee.subWave, octaves: control.pointee.subOctaves,
      below: block.oscillators[0], middle(control), part)
  }
}
