import Scenes

/// Renders the sounds: for each, its knobs tick by tick, then its groups one after the other, each through the whole
/// run, so that a group's memory is loaded into the cache once.
struct SoundRenderer: ~Copyable {
  /// A run: frames without an event among them, beginning `tickOffset` frames after a control tick.
  struct Run {
    let frames: Int
    let tickOffset: Int
    /// The frame at which the current tick began.
    let tick: Int64
    /// The first frame after the run.
    var end: Int64 { @_noLocks get { tick &+ Int64(tickOffset &+ frames) } }

    @_noLocks init(at frame: Int64, frames: Int, tickOffset: Int) {
      (self.frames, self.tickOffset, tick) = (frames, tickOffset, frame &- Int64(tickOffset))
    }
  }

  // The sound's parameters at each tick of the run; the first entry precedes these.
  private let controls: UnsafeMutablePointer<SoundParameters>
  // The steps of its LFOs at each tick, while knobs move.
  private let steps: UnsafeMutablePointer<SixteenSteps>
  // The sum of a sound's voices, still in lanes.
  private let mix: UnsafeMutablePointer<Lanes>
  // The right side of this sum, if the sound is stereo.
  private let mixRight: UnsafeMutablePointer<Lanes>
  /// The sound rendered last, for the frames of its run.
  let left: UnsafeMutablePointer<Float>
  let right: UnsafeMutablePointer<Float>
  // The knobs of the sound's effects at each tick.
  private let effects: UnsafeMutablePointer<EffectKnobs>
  // Whether these knobs move in this run.
  private var knobsMove = false
  // The modulation of the effect mixes at each tick, the targets of the modulated knobs, whether there is any in this
  // run, and scratch memory for the sources.
  private let moves: UnsafeMutablePointer<SIMD16<Float>>
  private let goals: UnsafeMutablePointer<EffectKnobs>
  private var mixesMove = false
  private let sources: UnsafeMutablePointer<Lanes>
  private let wet = RackBuffers()
  /// The levels of the parts that compressors listen to.
  var sidechains = SidechainLevels()
  private let share: Float
  private let blockerShare: Float
  var context: RenderContext
  var beatClock: BeatClock
  private let rate: Double
  // Silent envelope curves and no wavetables, with which `controls` are initialized.
  private let curves: UnsafeMutablePointer<EnvelopeCurves>
  private let tables: UnsafeMutablePointer<SoundTables>
  /// Frames rendered, summed over the groups; effects count as groups of equal cost.
  var work = 0

  init(rate: Double) {
    let ticks = Limits.runFrames / Limits.controlFrames + 2
    controls = .allocate(capacity: ticks)
    curves = .allocate(capacity: 3)
    curves.initialize(repeating: EnvelopeCurves(), count: 3)
    tables = .allocate(capacity: 1)
    tables.initialize(to: SoundTables())
    controls.initialize(repeating: SoundParameters(curves, tables), count: ticks)
    steps = .allocate(capacity: ticks)
    steps.initialize(repeating: SixteenSteps(), count: ticks)
    (self.rate, beatClock) = (rate, BeatClock(rate: rate))
    mix = .allocate(capacity: Limits.runFrames)
    mix.initialize(repeating: .zero, count: Limits.runFrames)
    mixRight = .allocate(capacity: Limits.runFrames)
    mixRight.initialize(repeating: .zero, count: Limits.runFrames)
    // Effects may write up to a tick beyond the end.
    let frames = Limits.runFrames + Limits.controlFrames
    (left, right) = (.allocate(capacity: frames), .allocate(capacity: frames))
    left.initialize(repeating: 0, count: frames)
    right.initialize(repeating: 0, count: frames)
    effects = .allocate(capacity: ticks)
    effects.initialize(repeating: EffectKnobs(), count: ticks)
    goals = .allocate(capacity: ticks)
    goals.initialize(repeating: EffectKnobs(), count: ticks)
    moves = .allocate(capacity: ticks)
    moves.initialize(repeating: .zero, count: ticks)
    sources = .allocate(capacity: ModulationSource.count)
    sources.initialize(repeating: .zero, count: ModulationSource.count)
    func vectors(_ count: Int) -> UnsafeMutablePointer<Lanes> {
      let vectors = UnsafeMutablePointer<Lanes>.allocate(capacity: count)
      vectors.initialize(repeating: .zero, count: count)
      return vectors
    }
    context = RenderContext(
      sums: vectors(ModulationTarget.count), scratch: vectors(MixerScratch.slotSize),
      zeros: vectors(Limits.unisonFrames),
      mixer: MixerScratch(vectors: vectors(MixerScratch.count)), table: .allocate(capacity: 1),
      rate: Float(rate), tune: 0)
    context.table.initialize(to: TableReader())
    blockerShare = DCBlocker.share(rate: rate)
    share = min(1, Float(Double(Limits.controlFrames) / rate) / Smoothed.seconds)
  }

  deinit {
    controls.deallocate()
    steps.deallocate()
    curves.deallocate()
    tables.deallocate()
    context.table.deallocate()
    mix.deallocate()
    mixRight.deallocate()
    left.deallocate()
    right.deallocate()
    effects.deallocate()
    moves.deallocate()
    goals.deallocate()
    sources.deallocate()
    wet.deallocate()
    sidechains.deallocate()
    for vectors in [context.sums, context.scratch, context.zeros, context.mixer.vectors] {
      vectors.deallocate()
    }
  }

  /// Renders one sound through a run into `left` and `right`, with the player's `controllers`.
  // Not inlined: the loop over all sounds, most of which are silent, would take longer.
  @_noLocks @inline(never)
  mutating func render(
    _ sound: UnsafeMutablePointer<Sound>, _ voices: inout Voices, _ controllers: borrowing Controllers,
    _ run: Run
  ) {
    mixesMove = sound.pointee.movesMixes
    knobsMove = sound.pointee.isMoving || mixesMove
    if sound.pointee.control.movesSharedRates || mixesMove {
      renderTicks(sound, &voices, controllers, run)
    } else {
      renderGroups(sound, &voices, run, from: 0, ticks: 0)
    }
    let isStereo = sound.pointee.control.isStereo
    var i = 0
    while i < run.frames {
      left[i] = sum(mix[i])
      right[i] = isStereo ? sum(mixRight[i]) : left[i]
      i &+= 1
    }
    if sound.pointee.dc.isOn {
      sound.pointee.dc.process(
        left, right, share: blockerShare, frames: run.frames, end: run.end,
        hasVoices: sound.pointee.groups != 0)
    }
    if sound.pointee.rack.isOn { process(sound, run) }
  }

  /// Processes the effects of a sound, from control tick to control tick.
  @_noLocks
  private mutating func process(_ sound: UnsafeMutablePointer<Sound>, _ run: Run) {
    var now = UnsafePointer(knobsMove ? effects : sound.pointee.now.effects)
    var chosen = UnsafePointer(mixesMove ? goals : sound.pointee.patch.effects)
    // The first of the goals is written only where a run begins within a tick.
    let listens =
      sound.pointee.patch.effects.pointee.compressor.hasSidechain && sound.pointee.rack.hasCompressor
    var (done, tickOffset) = (0, run.tickOffset)
    while done < run.frames {
      let ahead = Limits.controlFrames &- tickOffset
      let frames = min(ahead, run.frames &- done)
      if tickOffset == 0, knobsMove { now += 1 }
      if tickOffset == 0, mixesMove { chosen += 1 }
      if listens {
        sound.pointee.rack.setSidechain(
          sidechain(chosen.pointee.compressor.source, run, at: done, tickOffset: tickOffset))
      }
      sound.pointee.rack.process(
        left + done, right + done, wet,
        EffectAim(now, to: chosen, tempo: beatClock.line.perSecond, share: share, isSettled: !knobsMove),
        frames: frames, ahead: ahead)
      (done, tickOffset) = (done &+ frames, 0)
    }
    work &+= run.frames &* sound.pointee.rack.work / 4
    sound.pointee.rack.end(
      hasVoices: sound.pointee.groups != 0, peak: loudest(left, right, run.frames), frames: run.frames,
      rate: Float(rate))
  }

  /// The sidechain input of a compressor from frame `done` of a run on, `tickOffset` frames after its tick began.
  @_noLocks @inline(never)
  private mutating func sidechain(_ source: Float, _ run: Run, at done: Int, tickOffset: Int) -> Sidechain {
    let first = run.tick &+ Int64(run.tickOffset)
    let tick = first &+ Int64(done &- tickOffset)
    let choice = Int(min(source, 100) + 0.5)
    let beats = CompressorSource.beats(choice)
    if beats > 0 { return .beat(BeatDuck(beatClock.line, tick: tick, tickOffset: tickOffset, length: beats)) }
    let part = max(0, min(choice &- CompressorSource.firstPart, Limits.parts &- 1))
    return .level(sidechains.level(part, at: tick, first: first))
  }

  /// The end of the voice update that contains a frame. Where ticks are rendered one by one, each tick is an update.
  @_noLocks @inline(__always)
  private func updateEnd(of frame: Int64, _ updateFrames: Int) -> Int64 {
    (frame | Int64((mixesMove ? Limits.controlFrames : updateFrames) &- 1)) &+ 1
  }

  /// Renders the groups of a sound tick by tick, so that the sources of its voices modulate the shared rates in the
  /// next tick and the effect mixes in this one.
  @_noLocks
  private mutating func renderTicks(
    _ sound: UnsafeMutablePointer<Sound>, _ voices: inout Voices, _ controllers: borrowing Controllers,
    _ run: Run
  ) {
    var (done, tickOffset, ticks) = (0, run.tickOffset, 0)
    var isIdle = sound.pointee.rack.isIdle
    while done < run.frames {
      if tickOffset == 0, sound.pointee.control.movesSharedRates {
        sound.pointee.moveSharedRates(voices.groups)
      }
      let frames = min(Limits.controlFrames &- tickOffset, run.frames &- done)
      let tick = Run(at: run.tick &+ Int64(run.tickOffset &+ done), frames: frames, tickOffset: tickOffset)
      renderGroups(sound, &voices, tick, from: done, ticks: ticks)
      let begins = tickOffset == 0
      if begins { ticks &+= 1 }
      if mixesMove {
        // The rack is aimed at the beginning of a tick, and after a rest.
        if begins || isIdle {
          sound.pointee.effectMoves.advance(
            UnsafePointer(controls) + (begins ? 1 : 0), voices.newest(in: sound.pointee.groups),
            sound.pointee.patch, controllers, sources, context.sums, share: isIdle ? 1 : share)
        }
        (moves[ticks], isIdle) = (sound.pointee.effectMoves.mixes, false)
        goals[ticks] = sound.pointee.patch.effects.pointee
        goals[ticks].moveMixes(by: sound.pointee.effectMoves.goal)
      }
      (done, tickOffset) = (done &+ frames, 0)
    }
    if !mixesMove { return }
    while ticks >= 0 {
      effects[ticks].moveMixes(by: moves[ticks])
      ticks &-= 1
    }
  }

  /// Renders the groups of a sound into the mix from frame `first` on; `ticks` have begun before.
  @_noLocks
  private mutating func renderGroups(
    _ sound: UnsafeMutablePointer<Sound>, _ voices: inout Voices, _ run: Run, from first: Int, ticks: Int
  ) {
    let wasStereo = sound.pointee.control.isStereo
    advance(sound, run, effects: effects + ticks)
    (mix + first).update(repeating: .zero, count: run.frames)
    if sound.pointee.control.isStereo {
      var i = wasStereo ? first : 0
      while i < first {
        mixRight[i] = mix[i]
        i &+= 1
      }
      (mixRight + first).update(repeating: .zero, count: run.frames)
    }
    var groups = sound.pointee.groups
    while groups != 0 {
      render(groups.trailingZeroBitCount, &voices, run, from: first)
      groups &= groups &- 1
    }
  }

  /// Advances the sound's knobs, tick by tick.
  @_noLocks
  private func advance(
    _ sound: UnsafeMutablePointer<Sound>, _ run: Run, effects: UnsafeMutablePointer<EffectKnobs>
  ) {
    // The first entry serves events before the first tick.
    var frame = run.tick
    let end = updateEnd(of: frame, sound.pointee.control.updateFrames)
    sound.pointee.advanceLFOs(to: end, beatClock.line, rate: rate)
    controls[0] = sound.pointee.control
    let keepsSteps = knobsMove && sound.pointee.control.playsSteps
    if keepsSteps { keepSteps(sound, 0) }
    let keepsKnobs = knobsMove && sound.pointee.rack.isOn
    if keepsKnobs { effects[0] = sound.pointee.now.effects.pointee }
    if run.tickOffset != 0 { frame &+= Int64(Limits.controlFrames) }
    var tick = 0
    while frame < run.tick &+ Int64(run.tickOffset &+ run.frames) {
      let updates = updateEnd(of: frame &- 1, sound.pointee.control.updateFrames) == frame
      sound.pointee.advance(share: share, updates: updates)
      let end = updateEnd(of: frame, sound.pointee.control.updateFrames)
      sound.pointee.advanceLFOs(to: end, beatClock.line, rate: rate)
      tick &+= 1
      controls[tick] = sound.pointee.control
      if keepsSteps { keepSteps(sound, tick) }
      if keepsKnobs { effects[tick] = sound.pointee.now.effects.pointee }
      frame &+= Int64(Limits.controlFrames)
    }
    // A sound that becomes stereo is stereo from the beginning of the run.
    while sound.pointee.control.isStereo, tick >= 0 {
      controls[tick].beginStereo()
      tick &-= 1
    }
  }

  /// Keeps the steps of a tick, which move on before its voices are rendered.
  @_noLocks @inline(never)
  private func keepSteps(_ sound: UnsafeMutablePointer<Sound>, _ tick: Int) {
    steps[tick] = sound.pointee.now.pointee.lfoSteps
    controls[tick].setSteps(UnsafeRawPointer(steps + tick).assumingMemoryBound(to: Float.self))
  }

  /// Renders one group through the run, from one update of its voices to the next.
  @_noLocks
  private mutating func render(_ group: Int, _ voices: inout Voices, _ run: Run, from first: Int) {
    let pointer = voices.groups + group
    // Ticks that begin together with the run.
    let begun = run.tickOffset == 0 ? 1 : 0
    var control = UnsafePointer(controls)
    var done = 0
    while done < run.frames {
      if pointer.pointee.isDue || pointer.pointee.needsUpdate {
        let elapsed = run.tickOffset &+ done
        control = UnsafePointer(controls) + (begun &+ elapsed &>> Int(Limits.controlShift))
        let frame = run.tick &+ Int64(elapsed)
        let end = updateEnd(of: frame, control.pointee.updateFrames)
        let ended = pointer.pointee.advance(control, context, frames: Int(end &- frame))
        if ended != 0 { voices.free(group, ended) }
      }
      if pointer.pointee.used == 0 { return }
      let frames = min(Int(pointer.pointee.planned &- pointer.pointee.passed), run.frames &- done)
      let (left, right) = (mix + (first &+ done), mixRight + (first &+ done))
      pointer.pointee.render(control, context, mix: left, right: right, frames: frames)
      work &+= frames
      done &+= frames
    }
  }
}
