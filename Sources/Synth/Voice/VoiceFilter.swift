import Scenes

/// The filter of a group's voices: the stages in front of it, its characters, and the path into the mix. If the sound is
/// stereo, the right side has a filter of its own, with the coefficients of the left one. Its lanes are those of the group's
/// block. The state beside them lets an update skip unchanged parts. Functions are mutating even if they change no member,
/// because the compiler otherwise copies all members for the call.
struct VoiceFilter {
  let block: LaneBlock
  /// The version of the knobs in use: `FilterControl.edits`.
  var edits: UInt32 = 0
  /// Whether routes modulate more than its cutoff.
  var moves = false
  /// True while its coefficients are constant.
  var isSettled = false
  /// The features that the knobs ask for, those that they asked for at the last update, and those that run now.
  var wants = FilterNeeds()
  var reached = FilterNeeds()
  var needs = FilterNeeds()
  /// The shares of the characters to aim at.
  var shares = CharacterShares()
  /// Whether the knobs have changed the formants since their last update, and whether their coefficients are constant.
  var isFormantReshaped = false
  var isFormantSettled = false
  /// Whether the knobs have changed the comb since its last update, and whether its coefficients are constant.
  var isCombReshaped = false
  var isCombSettled = false
  /// True while left and right differ, and while they have separate gains.
  var isStereo = false
  var isPanned = false

  /// The filter of a group without voices.
  @_noLocks init(_ block: LaneBlock) { self.block = block }

  /// Begins anew, because the group has no voice.
  @_noLocks
  mutating func restart() { (isStereo, isPanned) = (false, false) }

  /// Joins the state of another group's filter, one of whose lanes moves to this one.
  @_noLocks
  mutating func join(_ other: VoiceFilter) {
    isSettled = isSettled && other.isSettled
    isFormantSettled = isFormantSettled && other.isFormantSettled
  }

  /// Whether a sounding voice can move from another filter to this one.
  @_noLocks
  func matches(_ other: VoiceFilter) -> Bool {
    isStereo == other.isStereo && isPanned == other.isPanned && edits == other.edits
      && needs.bits == other.needs.bits
      && (!needs.isOversampled || block.driveRate.pointee.matches(other.block.driveRate.pointee))
      // The ring of a comb would have to be copied.
      && !needs.hasComb
  }

  /// Aims the filter at the cutoff in `sums`, which is `hertz`, and updates its shape where a knob or a route moves it.
  @_noLocks @inline(__always)
  mutating func aim(
    _ control: UnsafePointer<SoundParameters>, _ routes: UnsafePointer<ModulationRoutes>,
    _ sums: UnsafePointer<Lanes>, _ hertz: Lanes, _ context: RenderContext, _ update: GroupUpdate,
    perFrame: Float, isWhole: Bool
  ) {
    let state = block.state
    let cutoff = sums[ModulationTarget.cutoff.index]
    let isModulated = routes.pointee.moved & ModulationTarget.ofFilter != 0 || control.pointee.hasFM
    let isShaped = update.started != 0 || edits != control.pointee.filter.edits || isModulated || moves
    if isShaped {
      (edits, moves) = (control.pointee.filter.edits, isModulated)
      shape(control, routes, sums, update)
    }
    if update.started == update.used {
      (needs, reached) = (FilterNeeds(), wants)
      block.driveRate.pointee.end()
    }
    let before = needs
    // A feature that ends runs once more, to reach its end.
    needs = wants.and(reached)
    reached = wants
    if needs.isPlain {
      // An update that was cut short has to reach its target first.
      isSettled = state.pointee.filter.aim(
        at: cutoff, hertz: hertz, rate: context.rate, perFrame: perFrame, mayRest: !isShaped && isWhole)
      return
    }
    isSettled = false
    if needs.hasFM {
      aimFM(control, sums, cutoff, update, begins: !before.hasFM, perFrame: perFrame)
    }
    aimShaped(cutoff, hertz, context, update, perFrame: perFrame, before: before)
  }

  @_noLocks @inline(never)
  private mutating func aimShaped(
    _ cutoff: Lanes, _ hertz: Lanes, _ context: RenderContext, _ update: GroupUpdate, perFrame: Float,
    before: FilterNeeds
  ) {
    let (state, extras, rate) = (block.state, block.extras, context.rate)
    if needs.hasHighPass {
      if !before.hasHighPass {
        state.pointee.highpass.begin(rate: rate)
        extras.pointee.rightHighPass = state.pointee.highpass
      }
      state.pointee.highpass.aim(rate: rate, perFrame: perFrame)
    }
    if needs.hasDrive {
      if !before.hasDrive {
        state.pointee.drive.begin()
        extras.pointee.rightDrive = state.pointee.drive
      }
      state.pointee.drive.aim(perFrame: perFrame)
      aimDriveRate(update, begins: !before.hasDrive)
    }
    var before = before
    if needs.hasCharacter {
      aimCharacters(cutoff, hertz, context, update, perFrame: perFrame, before: before)
      if !needs.isClean { return }
    }
    if !before.isClean {
      silenceClean()
      before = FilterNeeds()
    }
    if needs.isLong, !before.isLong { extras.pointee.right.low.silence() }
    state.pointee.filter.aimShaped(
      at: cutoff, hertz: hertz, rate: rate, perFrame: perFrame, needs: needs, before: before)
  }

  /// Computes the shape of the filter from the knobs and their modulation, for all lanes.
  @_noLocks @inline(never)
  private mutating func shape(
    _ control: UnsafePointer<SoundParameters>, _ routes: UnsafePointer<ModulationRoutes>,
    _ sums: UnsafePointer<Lanes>, _ update: GroupUpdate
  ) {
    let (state, knobs) = (block.state, control.pointee.filter)
    if needs.hasFM { keepShape(update) }
    var modes = FilterModes(shares: knobs.modes)
    if routes.pointee.moves(.mode) {
      let mode = routes.moved(FilterModes.knob(knobs.modes), by: .mode, sums)
      modes = FilterModes(smaller(larger(mode, Lanes.zero), Lanes(repeating: 4)))
    }
    let (resonance, short) = (
      routes.moved(knobs.resonance, by: .resonance, sums), Lanes(repeating: knobs.slope)
    )
    state.pointee.filter.shape = FilterShape(resonance: resonance, modes: modes, short: short)
    wants = state.pointee.filter.shape.needs
    let shares = knobs.characters
    if shares.clean < 1 || needs.hasCharacter {
      shapeCharacters(shares, resonance: resonance, modes, short: short)
    }
    if control.pointee.hasFM { wants.bits |= FilterNeeds.fm }
    let highpass = smaller(
      routes.moved(knobs.highpass, by: .highpass, sums), Lanes(repeating: HighPassLanes.highest))
    state.pointee.highpass.cutoff = highpass
    if isAny(larger(highpass - HighPassLanes.off, Lanes.zero)) {
      wants.bits |= FilterNeeds.highpass
    }
    let drive = smaller(
      routes.moved(knobs.drive, by: .drive, sums), Lanes(repeating: DriveLanes.most))
    let isDriven = isAny(larger(drive, Lanes.zero))
    if isDriven { wants.bits |= FilterNeeds.drive }
    if isDriven || needs.hasDrive { state.pointee.drive.shape(decibels: drive) }
    if !isDriven, !needs.hasDrive { return }
    // Where routes move the drive, it keeps the higher rate, because changes of the rate shift the sound in time.
    let (rate, isMoved) = (block.driveRate.pointee, routes.pointee.moves(.drive))
    block.driveRate.pointee.wantsHigh = Self.wants(
      drive, DriveRate.highBounds, rate.high.isOn, isMoved)
    block.driveRate.pointee.wantsFourfold = Self.wants(
      drive, DriveRate.fourfoldBounds, rate.fourfold.isOn, isMoved)
  }

  /// Whether a drive needs a higher sample rate: from one bound on, and until it falls below the other.
  @_noLocks
  private static func wants(
    _ drive: Lanes, _ bounds: (above: Float, below: Float), _ isOn: Bool, _ isMoved: Bool
  ) -> Bool {
    isAny(larger(drive - Lanes(repeating: isOn ? bounds.below : bounds.above), Lanes.zero)) || isOn && isMoved
  }

  /// Makes voices that start jump to the filter's target.
  @_noLocks
  mutating func snap(_ started: UInt8, frames: Float) {
    let (state, starting) = (block.state, mask(started))
    state.pointee.filter.snap(starting, frames: frames)
    if needs.isPlain { return }
    if needs.hasHighPass { state.pointee.highpass.snap(starting, frames: frames) }
    if needs.hasDrive { state.pointee.drive.snap(starting, frames: frames) }
    if needs.hasCharacter { startCharacters(starting, frames: frames) }
    if needs.isSaturated {
      state.pointee.filter.strike(starting)
      let right = block.extras
      right.pointee.right.high.first = select(
        state.pointee.filter.high.first, right.pointee.right.high.first, where: starting)
    }
  }

  /// Clears a lane of the filter and of the stages in front of it.
  @_noLocks
  mutating func reset(_ lane: Int) {
    block.state.pointee.filter.reset(lane)
    block.extras.pointee.right.reset(lane)
    block.state.pointee.highpass.reset(lane)
    block.state.pointee.drive.reset(lane)
    block.extras.pointee.rightHighPass.reset(lane)
    block.extras.pointee.rightDrive.reset(lane)
    if needs.hasCharacter { resetCharacters(lane) }
    if needs.isOversampled {
      DriveOversampling.clear(block.driven(0), lane)
      DriveOversampling.clear(block.driven(1), lane)
    }
  }

  // MARK: - Samples

  /// Filters one side.
  @_noLocks @inline(__always)
  mutating func process(
    _ x: UnsafeMutablePointer<Lanes>, _ context: RenderContext, _ update: GroupUpdate,
    mix: UnsafeMutablePointer<Lanes>, frames: Int
  ) {
    if needs.isPlain {
      processPlain(x, mix: mix, frames: frames)
    } else {
      processShaped(x, context, update, mix: mix, frames: frames)
    }
  }

  /// Filters one side with the features that the sound uses. Not inlined, so that the plain filter does not pay for them.
  @_noLocks @inline(never)
  private mutating func processShaped(
    _ x: UnsafeMutablePointer<Lanes>, _ context: RenderContext, _ update: GroupUpdate,
    mix: UnsafeMutablePointer<Lanes>, frames: Int
  ) {
    let state = block.state
    if needs.hasHighPass { state.pointee.highpass.process(x, frames: frames) }
    if needs.isOversampled {
      driveLeft(x, context, update, frames: frames)
    } else if needs.hasDrive {
      state.pointee.drive.process(x, frames: frames)
    }
    if needs.hasCharacter {
      processCharacters(x, context, update, mix: mix, frames: frames)
    } else {
      processClean(x, context, update, mix: mix, frames: frames)
    }
    if needs.hasFM { passFM(frames) }
  }

  /// Filters one side by two low-passes.
  @_noLocks @inline(__always)
  private mutating func processPlain(
    _ x: UnsafeMutablePointer<Lanes>, mix: UnsafeMutablePointer<Lanes>, frames: Int
  ) {
    let state = block.state
    let gain = state.pointee.gain
    if isSettled {
      state.pointee.gain.value = state.pointee.filter.processAtRest(x, gain, mix: mix, frames: frames)
    } else {
      state.pointee.gain.value = state.pointee.filter.process(x, gain, mix: mix, frames: frames)
    }
  }

  /// Filters one side by the state-variable sections.
  @_noLocks @inline(__always)
  private mutating func processClean(
    _ x: UnsafeMutablePointer<Lanes>, _ context: RenderContext, _ update: GroupUpdate,
    mix: UnsafeMutablePointer<Lanes>, frames: Int
  ) {
    if needs.isPlain { return processPlain(x, mix: mix, frames: frames) }
    let state = block.state
    if needs.hasFM {
      state.pointee.gain.value = processModulated(
        x, isRight: false, state.pointee.gain, context, update, mix: mix, frames: frames)
      return
    }
    state.pointee.gain.value = state.pointee.filter.processShaped(
      x, state.pointee.gain, mix: mix, frames: frames, needs: needs)
  }

  /// Filters both sides.
  @_noLocks
  mutating func processSides(
    _ x: UnsafeMutablePointer<Lanes>, _ y: UnsafeMutablePointer<Lanes>, _ context: RenderContext,
    _ update: GroupUpdate,
    mix: UnsafeMutablePointer<Lanes>, right: UnsafeMutablePointer<Lanes>, frames: Int
  ) {
    let (extras, state) = (block.extras, block.state)
    if !isStereo {
      if needs.isOversampled { DriveOversampling.copy(block.driven(0), to: block.driven(1)) }
      extras.pointee.right = state.pointee.filter
      extras.pointee.rightHighPass = state.pointee.highpass
      extras.pointee.rightDrive = state.pointee.drive
      if needs.hasCharacter { copyCharacters(context) }
      isStereo = true
    }
    if !needs.isPlain {
      if needs.hasHighPass {
        extras.pointee.rightHighPass.follow(state.pointee.highpass)
        extras.pointee.rightHighPass.process(y, frames: frames)
        state.pointee.highpass.process(x, frames: frames)
      }
      if needs.hasDrive {
        extras.pointee.rightDrive.follow(state.pointee.drive)
        if needs.isOversampled {
          driveRight(y, context, update, frames: frames)
          driveLeft(x, context, update, frames: frames)
        } else {
          extras.pointee.rightDrive.process(y, frames: frames)
          state.pointee.drive.process(x, frames: frames)
        }
      }
      if needs.hasCharacter {
        processCharacterSides(x, y, context, update, mix: mix, right: right, frames: frames)
        if needs.hasFM { passFM(frames) }
        return
      }
    }
    if needs.hasFM {
      processModulatedSides(x, y, context, update, mix: mix, right: right, frames: frames)
    } else if FilterLanes.pairs(needs) && !isSettled {
      processPair(x, y, mix: mix, right: right, frames: frames)
    } else {
      processRight(y, mix: right, frames: frames)
      processClean(x, context, update, mix: mix, frames: frames)
    }
    if needs.hasFM { passFM(frames) }
  }

  /// Filters both sides in one pass.
  @_noLocks
  private mutating func processPair(
    _ x: UnsafeMutablePointer<Lanes>, _ y: UnsafeMutablePointer<Lanes>, mix: UnsafeMutablePointer<Lanes>,
    right: UnsafeMutablePointer<Lanes>, frames: Int
  ) {
    let (state, extras) = (block.state, block.extras)
    let gain = state.pointee.gain
    let gains = (gain, isPanned ? extras.pointee.rightGain : gain)
    let ends = state.pointee.filter.process(
      x, &extras.pointee.right, y, gains, to: mix, right, frames: frames, needs: needs)
    state.pointee.gain.value = ends.0
    if isPanned { extras.pointee.rightGain.value = ends.1 }
  }

  /// Filters the right side alone.
  @_noLocks
  private mutating func processRight(
    _ y: UnsafeMutablePointer<Lanes>, mix: UnsafeMutablePointer<Lanes>, frames: Int
  ) {
    let (extras, state) = (block.extras, block.state)
    let gain = isPanned ? extras.pointee.rightGain : state.pointee.gain
    // Part by part, because a copy of the whole struct would be made first.
    extras.pointee.right.low.follow(state.pointee.filter.low)
    extras.pointee.right.high.follow(state.pointee.filter.high)
    let end: Lanes
    if !needs.isPlain {
      extras.pointee.right.extras = state.pointee.filter.extras
      end = extras.pointee.right.processShaped(y, gain, mix: mix, frames: frames, needs: needs)
    } else if isSettled {
      end = extras.pointee.right.processAtRest(y, gain, mix: mix, frames: frames)
    } else {
      end = extras.pointee.right.process(y, gain, mix: mix, frames: frames)
    }
    if isPanned { extras.pointee.rightGain.value = end }
  }
}

// The oversampled drive in front of a group's filter, and the fade between it and the drive at the plain sample rate.
extension VoiceFilter {
  /// Updates the sample rate of the drive; `begins` is true if there was no drive before.
  @_noLocks
  mutating func aimDriveRate(_ update: GroupUpdate, begins: Bool) {
    if begins, update.started == update.used {
      // All voices begin with it: there is nothing to fade from.
      block.driveRate.pointee.begin()
      if block.driveRate.pointee.high.isOn { clearDrive() }
    } else {
      let (elapsed, passed) = (update.elapsed, update.passed)
      if block.driveRate.pointee.advance(elapsed: elapsed, frames: passed) {
        turnDriveRate()
      } else if block.driveRate.pointee.advanceFourfold(elapsed: elapsed, frames: passed) {
        turnFourfoldRate()
      }
    }
    if !block.driveRate.pointee.high.isOn { return }
    needs.bits |= FilterNeeds.oversampled
    // The drive must not end before the oversampling.
    reached.bits |= FilterNeeds.drive
  }

  /// Begins or ends the oversampling.
  @_noLocks
  private mutating func turnDriveRate() {
    let (extras, state) = (block.extras, block.state)
    let (left, right) = (DriveOversampling(block.driven(0)), DriveOversampling(block.driven(1)))
    if block.driveRate.pointee.high.isOn {
      clearDrive()
      left.last.pointee = state.pointee.drive.last
      right.last.pointee = extras.pointee.rightDrive.last
    } else {
      state.pointee.drive.last = left.last.pointee
      extras.pointee.rightDrive.last = right.last.pointee
    }
  }

  /// Begins or ends fourfold oversampling in place of twofold oversampling.
  @_noLocks
  private mutating func turnFourfoldRate() {
    let (extras, state) = (block.extras, block.state)
    let (left, right) = (DriveOversampling(block.driven(0)), DriveOversampling(block.driven(1)))
    if block.driveRate.pointee.fourfold.isOn {
      left.beginFourfold(&state.pointee.drive)
      right.beginFourfold(&extras.pointee.rightDrive)
    } else {
      left.endFourfold(&state.pointee.drive)
      right.endFourfold(&extras.pointee.rightDrive)
    }
  }

  @_noLocks
  private mutating func clearDrive() {
    DriveOversampling.clear(block.driven(0))
    DriveOversampling.clear(block.driven(1))
  }

  /// Drives the left side in place.
  @_noLocks @inline(never)
  mutating func driveLeft(
    _ x: UnsafeMutablePointer<Lanes>, _ context: RenderContext, _ update: GroupUpdate, frames: Int
  ) {
    drive(x, &block.state.pointee.drive, block.driven(0), context, update, frames: frames)
  }

  /// Drives the right side in place.
  @_noLocks @inline(never)
  mutating func driveRight(
    _ x: UnsafeMutablePointer<Lanes>, _ context: RenderContext, _ update: GroupUpdate, frames: Int
  ) {
    drive(x, &block.extras.pointee.rightDrive, block.driven(1), context, update, frames: frames)
  }

  @_noLocks
  private mutating func drive(
    _ x: UnsafeMutablePointer<Lanes>, _ drive: UnsafeMutablePointer<DriveLanes>,
    _ kept: UnsafeMutablePointer<Lanes>, _ context: RenderContext, _ update: GroupUpdate, frames: Int
  ) {
    let (high, scratch, rate) = (DriveOversampling(kept), context.mixer.drive, block.driveRate.pointee)
    if !rate.high.fades { return high.process(x, drive, scratch, rate.fourfold, update.part(frames)) }
    let beside = context.mixer.plainDrive
    var i = 0
    while i < frames {
      beside[i] = x[i]
      i &+= 1
    }
    var plain = drive.pointee
    if update.passed == 0, rate.high.from == 1 { high.last.pointee = plain.last(after: high.input) }
    plain.last = high.last.pointee
    plain.process(beside, frames: frames)
    high.last.pointee = plain.last
    high.process(x, drive, scratch, rate.fourfold, update.part(frames))
    i = 0
    while i < frames {
      let share = Lanes(repeating: rate.high.share(at: update.passed &+ Int32(i), of: update.planned))
      x[i] = multiplyAdd(share, x[i] - beside[i], beside[i])
      i &+= 1
    }
  }
}

// The modulation of the cutoff by the second oscillator, at audio rate.
extension VoiceFilter {
  /// Aims the modulation, and the cutoff and the shape that it starts from. The modulation is limited for high notes,
  /// because the filter makes sidebands at multiples of the modulator's frequency. Mutating, as is `keepShape`,
  /// because the compiler otherwise copies the group for the call.
  @_noLocks @inline(never)
  mutating func aimFM(
    _ control: UnsafePointer<SoundParameters>, _ sums: UnsafePointer<Lanes>, _ cutoff: Lanes,
    _ update: GroupUpdate, begins: Bool, perFrame: Float
  ) {
    let (state, extras, starting) = (block.state, block.extras, mask(update.started))
    if begins {
      let isClean = needs.isClean
      let aimed = isClean ? state.pointee.filter.aimed : extras.pointee.ladder.aimed
      extras.pointee.fm.begin(at: aimed, state.pointee.filter.shape)
    }
    extras.pointee.fm.aim(at: cutoff, state.pointee.filter.shape, starting, perFrame: perFrame)
    if !control.pointee.hasFM { return extras.pointee.fm.depth.rest(at: .zero) }
    let increment = numbers(block.oscillators[1].advance) * BandLimitedStep.unit
    let goal = control.routes.moved(control.pointee.fm, by: .filterFM, sums, most: FilterKnobs.mostFM)
    // Measured for a saw at half the modulator's frequency: without a limit, 4 octaves alias at -55 dB by 1.76 kHz, and at
    // -36 dB by 3.5 kHz.
    let most = larger(5 - 20 * increment, Lanes.zero)
    extras.pointee.fm.depth.aim(at: smaller(goal, most), starting, perFrame: perFrame)
  }

  /// Keeps the shape that the filter has reached, before it gets another goal.
  @_noLocks
  mutating func keepShape(_ update: GroupUpdate) {
    let (shape, elapsed) = (block.state.pointee.filter.shape, update.elapsed)
    block.extras.pointee.fm.from = block.extras.pointee.fm.from.blended(
      with: shape, Lanes(repeating: elapsed))
  }

  /// Filters one side by the clean filter, with a modulated cutoff. Returns the gain after the last sample.
  @_noLocks
  mutating func processModulated(
    _ x: UnsafeMutablePointer<Lanes>, isRight: Bool, _ gain: Ramp, _ context: RenderContext,
    _ update: GroupUpdate,
    mix: UnsafeMutablePointer<Lanes>, frames: Int
  ) -> Lanes {
    let (state, extras, sweep) = (block.state, block.extras, cutoffSweep(context, update, frames))
    if isRight {
      return extras.pointee.right.processModulated(
        x, gain, to: mix, octaves(context), sweep, frames: frames, needs: needs)
    }
    return state.pointee.filter.processModulated(
      x, gain, to: mix, octaves(context), sweep, frames: frames, needs: needs)
  }

  /// Filters both sides by the clean filter, with a modulated cutoff.
  @_noLocks
  mutating func processModulatedSides(
    _ x: UnsafeMutablePointer<Lanes>, _ y: UnsafeMutablePointer<Lanes>, _ context: RenderContext,
    _ update: GroupUpdate,
    mix: UnsafeMutablePointer<Lanes>, right: UnsafeMutablePointer<Lanes>, frames: Int
  ) {
    let (state, extras) = (block.state, block.extras)
    let gain = state.pointee.gain
    let ends = state.pointee.filter.processModulated(
      x, &extras.pointee.right, y, (gain, isPanned ? extras.pointee.rightGain : gain), to: mix, right,
      octaves(context), cutoffSweep(context, update, frames), frames: frames, needs: needs)
    state.pointee.gain.value = ends.0
    if isPanned { extras.pointee.rightGain.value = ends.1 }
  }

  /// The cutoff and the shape during the next frames.
  @_noLocks
  private mutating func cutoffSweep(_ context: RenderContext, _ update: GroupUpdate, _ frames: Int)
    -> CutoffSweep
  {
    CutoffSweep(
      &block.extras.pointee.fm, to: block.state.pointee.filter.shape, update.part(frames), rate: context.rate)
  }

  /// The modulation of each sample, in octaves.
  @_noLocks
  mutating func octaves(_ context: RenderContext) -> UnsafeMutablePointer<Lanes> {
    block.extras.pointee.fm.depth.isAny ? context.mixer.octaves : context.zeros
  }

  /// Advances the modulation by some frames, which both sides have used.
  @_noLocks
  mutating func passFM(_ frames: Int) {
    block.extras.pointee.fm.depth.move(frames: frames)
    block.extras.pointee.fm.cutoff.move(frames: frames)
  }
}
