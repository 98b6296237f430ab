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
