// The oversampled drive in front of a group's filter, and the fade from and to the one at the plain sample rate.

extension VoiceGroup {
  /// Updates the sample rate of the drive; `begins` is true if there was no drive before.
  @_noLocks
  mutating func aimDriveRate(begins: Bool) {
    let (wants, extras, state) = (filtering.wantsHighRate, block.extras, block.state)
    if begins, started == used {
      // All voices begin with it: there is nothing to fade from.
      if wants {
        clearDrive()
        filtering.driveRate.begin()
      }
    } else {
      let elapsed = planned > 0 ? Float(passed) / Float(planned) : 1
      if filtering.driveRate.advance(wants: wants, elapsed: elapsed, frames: passed) {
        let (left, right) = (DriveOversampling(block.driven(0)), DriveOversampling(block.driven(1)))
        if filtering.driveRate.isHigh {
          clearDrive()
          left.last.pointee = state.pointee.drive.last
          right.last.pointee = extras.pointee.rightDrive.last
        } else {
          state.pointee.drive.last = left.last.pointee
          extras.pointee.rightDrive.last = right.last.pointee
        }
      }
    }
    if !filtering.driveRate.isHigh { return }
    filtering.needs.bits |= FilterNeeds.oversampled
    // The drive must not end before it.
    filtering.reached.bits |= FilterNeeds.drive
  }

  @_noLocks
  private func clearDrive() {
    DriveOversampling.clear(block.driven(0))
    DriveOversampling.clear(block.driven(1))
  }

  /// Drives the left side in place.
  @_noLocks @inline(never)
  func driveLeft(_ x: UnsafeMutablePointer<Lanes>, _ context: RenderContext, frames: Int) {
    drive(x, &block.state.pointee.drive, block.driven(0), context, frames: frames)
  }

  /// Drives the right side in place.
  @_noLocks @inline(never)
  func driveRight(_ x: UnsafeMutablePointer<Lanes>, _ context: RenderContext, frames: Int) {
    drive(x, &block.extras.pointee.rightDrive, block.driven(1), context, frames: frames)
  }

  @_noLocks
  private func drive(
    _ x: UnsafeMutablePointer<Lanes>, _ drive: UnsafeMutablePointer<DriveLanes>,
    _ kept: UnsafeMutablePointer<Lanes>, _ context: RenderContext, frames: Int
  ) {
    let (high, scratch) = (DriveOversampling(kept), context.mixer.drive)
    let (from, to) = (filtering.driveRate.from, filtering.driveRate.to)
    if !filtering.driveRate.fades { return high.process(x, drive, scratch, frames: frames) }
    let beside = context.mixer.plainDrive
    var i = 0
    while i < frames {
      beside[i] = x[i]
      i &+= 1
    }
    var plain = drive.pointee
    if passed == 0, from == 1 { high.last.pointee = plain.last(after: high.input) }
    plain.last = high.last.pointee
    plain.process(beside, frames: frames)
    high.last.pointee = plain.last
    high.process(x, drive, scratch, frames: frames)
    let step = (to - from) / Float(planned)
    i = 0
    while i < frames {
      let place = from + step * Float(passed &+ Int32(i))
      // Without corners.
      let share = Lanes(repeating: place * place * (3 - 2 * place))
      x[i] = multiplyAdd(share, x[i] - beside[i], beside[i])
      i &+= 1
    }
  }
}
