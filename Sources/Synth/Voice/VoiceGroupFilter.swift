// The filter of a group and the stages in front of it: each update decides which features the sound uses.

extension VoiceGroup {
  /// Aims the filter at the cutoff in `sums`, which is `hertz`, and updates its shape where a knob or a route moves it.
  @_noLocks @inline(__always)
  mutating func filter(
    _ control: UnsafePointer<SoundParameters>, _ routes: UnsafePointer<ModulationRoutes>,
    _ sums: UnsafePointer<Lanes>, _ hertz: Lanes, _ context: RenderContext, perFrame: Float, isWhole: Bool
  ) {
    let state = block.state
    let cutoff = sums[ModulationTarget.cutoff.index]
    let moves = routes.pointee.moved & ModulationTarget.ofFilter != 0 || control.pointee.hasFM
    let isShaped = started != 0 || filtering.edits != control.pointee.filter.edits || moves || filtering.moves
    if isShaped {
      (filtering.edits, filtering.moves) = (control.pointee.filter.edits, moves)
      shapeFilter(control, routes, sums)
    }
    if started == used {
      (filtering.needs, filtering.reached) = (FilterNeeds(), filtering.wants)
      block.driveRate.pointee.end()
    }
    let before = filtering.needs
    // A feature that ends runs once more, to reach its end.
    filtering.needs = filtering.wants.and(filtering.reached)
    filtering.reached = filtering.wants
    if filtering.needs.isPlain {
      // An update that was cut short has to reach its target first.
      filtering.isSettled = state.pointee.filter.aim(
        at: cutoff, hertz: hertz, rate: context.rate, perFrame: perFrame, mayRest: !isShaped && isWhole)
      return
    }
    filtering.isSettled = false
    if filtering.needs.hasFM {
      aimFM(control, sums, cutoff, begins: !before.hasFM, perFrame: perFrame)
    }
    aimShaped(cutoff, hertz, context, perFrame: perFrame, before: before)
  }

  @_noLocks @inline(never)
  private mutating func aimShaped(
    _ cutoff: Lanes, _ hertz: Lanes, _ context: RenderContext, perFrame: Float, before: FilterNeeds
  ) {
    let (state, extras, rate) = (block.state, block.extras, context.rate)
    if filtering.needs.hasHighPass {
      if !before.hasHighPass {
        state.pointee.highpass.begin(rate: rate)
        extras.pointee.rightHighPass = state.pointee.highpass
      }
      state.pointee.highpass.aim(rate: rate, perFrame: perFrame)
    }
    if filtering.needs.hasDrive {
      if !before.hasDrive {
        state.pointee.drive.begin()
        extras.pointee.rightDrive = state.pointee.drive
      }
      state.pointee.drive.aim(perFrame: perFrame)
      aimDriveRate(begins: !before.hasDrive)
    }
    var before = before
    if filtering.needs.hasCharacter {
      aimCharacters(cutoff, hertz, context, perFrame: perFrame, before: before)
      if !filtering.needs.isClean { return }
    }
    if !before.isClean {
      silenceClean()
      before = FilterNeeds()
    }
    if filtering.needs.isLong, !before.isLong { extras.pointee.right.low.silence() }
    state.pointee.filter.aimShaped(
      at: cutoff, hertz: hertz, rate: rate, perFrame: perFrame, needs: filtering.needs, before: before)
  }

  /// Computes the shape of the filter from the knobs and their modulation, for all lanes.
  @_noLocks @inline(never)
  private mutating func shapeFilter(
    _ control: UnsafePointer<SoundParameters>, _ routes: UnsafePointer<ModulationRoutes>,
    _ sums: UnsafePointer<Lanes>
  ) {
    let (state, knobs) = (block.state, control.pointee.filter)
    if filtering.needs.hasFM { keepShape() }
    var modes = FilterModes(shares: knobs.modes)
    if routes.pointee.moves(.mode) {
      let mode = Self.moved(FilterModes.knob(knobs.modes), by: .mode, routes, sums)
      modes = FilterModes(smaller(larger(mode, Lanes.zero), Lanes(repeating: 4)))
    }
    let (resonance, short) = (
      Self.moved(knobs.resonance, by: .resonance, routes, sums), Lanes(repeating: knobs.slope)
    )
    state.pointee.filter.shape = FilterShape(resonance: resonance, modes: modes, short: short)
    filtering.wants = state.pointee.filter.shape.needs
    let shares = knobs.characters
    if shares.clean < 1 || filtering.needs.hasCharacter {
      shapeCharacters(shares, resonance: resonance, modes, short: short)
    }
    if control.pointee.hasFM { filtering.wants.bits |= FilterNeeds.fm }
    let highpass = smaller(
      Self.moved(knobs.highpass, by: .highpass, routes, sums), Lanes(repeating: HighPassLanes.highest))
    state.pointee.highpass.cutoff = highpass
    if isAny(larger(highpass - HighPassLanes.off, Lanes.zero)) {
      filtering.wants.bits |= FilterNeeds.highpass
    }
    let drive = smaller(Self.moved(knobs.drive, by: .drive, routes, sums), Lanes(repeating: DriveLanes.most))
    let isDriven = isAny(larger(drive, Lanes.zero))
    if isDriven { filtering.wants.bits |= FilterNeeds.drive }
    if isDriven || filtering.needs.hasDrive { state.pointee.drive.shape(decibels: drive) }
    if !isDriven, !filtering.needs.hasDrive { return }
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
  mutating func snapFilter(frames: Float) {
    let (state, starting) = (block.state, mask(started))
    state.pointee.filter.snap(starting, frames: frames)
    if filtering.needs.isPlain { return }
    if filtering.needs.hasHighPass { state.pointee.highpass.snap(starting, frames: frames) }
    if filtering.needs.hasDrive { state.pointee.drive.snap(starting, frames: frames) }
    if filtering.needs.hasCharacter { startCharacters(starting, frames: frames) }
    if filtering.needs.isSaturated {
      state.pointee.filter.strike(starting)
      let right = block.extras
      right.pointee.right.high.first = select(
        state.pointee.filter.high.first, right.pointee.right.high.first, where: starting)
    }
  }

  /// Clears a lane of the filter and of the stages in front of it.
  @_noLocks
  func resetFilter(_ lane: Int) {
    block.state.pointee.filter.reset(lane)
    block.state.pointee.highpass.reset(lane)
    block.state.pointee.drive.reset(lane)
    block.extras.pointee.rightHighPass.reset(lane)
    block.extras.pointee.rightDrive.reset(lane)
    if filtering.needs.hasCharacter { resetCharacters(lane) }
    if filtering.needs.isOversampled {
      DriveOversampling.clear(block.driven(0), lane)
      DriveOversampling.clear(block.driven(1), lane)
    }
  }
}
