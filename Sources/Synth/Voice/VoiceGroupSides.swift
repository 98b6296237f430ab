// The path of a group from its oscillators through its filter into the mix: one side, or both. The right side then has
// its own filter, with the coefficients of the left one.

extension VoiceGroup {
  /// Filters one side.
  @_noLocks @inline(__always)
  func filter(
    _ x: UnsafeMutablePointer<Lanes>, _ context: RenderContext, mix: UnsafeMutablePointer<Lanes>, frames: Int
  ) {
    if filtering.needs.isPlain {
      filterPlain(x, mix: mix, frames: frames)
    } else {
      filterShaped(x, context, mix: mix, frames: frames)
    }
  }

  /// Filters one side with the features that the sound uses. Not inlined, so that the plain filter does not pay for them.
  @_noLocks @inline(never)
  private func filterShaped(
    _ x: UnsafeMutablePointer<Lanes>, _ context: RenderContext, mix: UnsafeMutablePointer<Lanes>, frames: Int
  ) {
    let state = block.state
    if filtering.needs.hasHighPass { state.pointee.highpass.process(x, frames: frames) }
    if filtering.needs.isOversampled {
      driveLeft(x, context, frames: frames)
    } else if filtering.needs.hasDrive {
      state.pointee.drive.process(x, frames: frames)
    }
    if filtering.needs.hasCharacter {
      filterCharacters(x, context, mix: mix, frames: frames)
    } else {
      filterAlone(x, context, mix: mix, frames: frames)
    }
    if filtering.needs.hasFM { passFM(frames) }
  }

  /// Filters one side by two low-passes.
  @_noLocks @inline(__always)
  private func filterPlain(_ x: UnsafeMutablePointer<Lanes>, mix: UnsafeMutablePointer<Lanes>, frames: Int) {
    let state = block.state
    let gain = state.pointee.gain
    if filtering.isSettled {
      state.pointee.gain.value = state.pointee.filter.processAtRest(x, gain, mix: mix, frames: frames)
    } else {
      state.pointee.gain.value = state.pointee.filter.process(x, gain, mix: mix, frames: frames)
    }
  }

  /// Filters one side by the state-variable sections.
  @_noLocks @inline(__always)
  private func filterAlone(
    _ x: UnsafeMutablePointer<Lanes>, _ context: RenderContext, mix: UnsafeMutablePointer<Lanes>, frames: Int
  ) {
    if filtering.needs.isPlain { return filterPlain(x, mix: mix, frames: frames) }
    let state = block.state
    if filtering.needs.hasFM {
      state.pointee.gain.value = filterModulated(
        x, isRight: false, state.pointee.gain, context, mix: mix, frames: frames)
      return
    }
    state.pointee.gain.value = state.pointee.filter.processShaped(
      x, state.pointee.gain, mix: mix, frames: frames, needs: filtering.needs)
  }

  /// Filters both sides.
  @_noLocks
  mutating func filterSides(
    _ x: UnsafeMutablePointer<Lanes>, _ y: UnsafeMutablePointer<Lanes>, _ context: RenderContext,
    mix: UnsafeMutablePointer<Lanes>, right: UnsafeMutablePointer<Lanes>, frames: Int
  ) {
    let (extras, state) = (block.extras, block.state)
    if !paths.isStereo {
      if filtering.needs.isOversampled { DriveOversampling.copy(block.driven(0), to: block.driven(1)) }
      extras.pointee.right = state.pointee.filter
      extras.pointee.rightHighPass = state.pointee.highpass
      extras.pointee.rightDrive = state.pointee.drive
      if filtering.needs.hasCharacter { copyCharacters(context) }
      paths.isStereo = true
    }
    if !filtering.needs.isPlain {
      if filtering.needs.hasHighPass {
        extras.pointee.rightHighPass.follow(state.pointee.highpass)
        extras.pointee.rightHighPass.process(y, frames: frames)
        state.pointee.highpass.process(x, frames: frames)
      }
      if filtering.needs.hasDrive {
        extras.pointee.rightDrive.follow(state.pointee.drive)
        if filtering.needs.isOversampled {
          driveRight(y, context, frames: frames)
          driveLeft(x, context, frames: frames)
        } else {
          extras.pointee.rightDrive.process(y, frames: frames)
          state.pointee.drive.process(x, frames: frames)
        }
      }
      if filtering.needs.hasCharacter {
        filterCharacterSides(x, y, context, mix: mix, right: right, frames: frames)
        if filtering.needs.hasFM { passFM(frames) }
        return
      }
    }
    if filtering.needs.hasFM {
      filterModulatedSides(x, y, context, mix: mix, right: right, frames: frames)
    } else if FilterLanes.pairs(filtering.needs) && !filtering.isSettled {
      filterPair(x, y, mix: mix, right: right, frames: frames)
    } else {
      filterRight(y, mix: right, frames: frames)
      filterAlone(x, context, mix: mix, frames: frames)
    }
    if filtering.needs.hasFM { passFM(frames) }
  }

  /// Filters both sides in one pass.
  @_noLocks
  private func filterPair(
    _ x: UnsafeMutablePointer<Lanes>, _ y: UnsafeMutablePointer<Lanes>, mix: UnsafeMutablePointer<Lanes>,
    right: UnsafeMutablePointer<Lanes>, frames: Int
  ) {
    let (state, extras) = (block.state, block.extras)
    let gain = state.pointee.gain
    let gains = (gain, paths.isPanned ? extras.pointee.rightGain : gain)
    let ends = state.pointee.filter.process(
      x, &extras.pointee.right, y, gains, to: mix, right, frames: frames, needs: filtering.needs)
    state.pointee.gain.value = ends.0
    if paths.isPanned { extras.pointee.rightGain.value = ends.1 }
  }

  /// Filters the right side alone.
  @_noLocks
  private func filterRight(
    _ y: UnsafeMutablePointer<Lanes>, mix: UnsafeMutablePointer<Lanes>, frames: Int
  ) {
    let (extras, state) = (block.extras, block.state)
    let gain = paths.isPanned ? extras.pointee.rightGain : state.pointee.gain
    // Part by part, because a copy of the whole struct would be made first.
    extras.pointee.right.low.follow(state.pointee.filter.low)
    extras.pointee.right.high.follow(state.pointee.filter.high)
    let end: Lanes
    if !filtering.needs.isPlain {
      extras.pointee.right.extras = state.pointee.filter.extras
      end = extras.pointee.right.processShaped(y, gain, mix: mix, frames: frames, needs: filtering.needs)
    } else if filtering.isSettled {
      end = extras.pointee.right.processAtRest(y, gain, mix: mix, frames: frames)
    } else {
      end = extras.pointee.right.process(y, gain, mix: mix, frames: frames)
    }
    if paths.isPanned { extras.pointee.rightGain.value = end }
  }
}
