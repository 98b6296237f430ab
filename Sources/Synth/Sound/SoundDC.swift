// Where a sound may have a mean (DC), and how that is taken out of it: before its effects, since a drive would bend it
// together with the sound. What an effect has of a mean of its own, it takes out itself.

extension UnsafeMutablePointer where Pointee == Patch {
  /// Whether voices can have a mean. A waveform has none by itself, and filters leave none; but a product of oscillators
  /// has, a phase that is moved, a period that is cut off, and a wave that is not the same above and below and goes through
  /// the filter's drive.
  var makesDC: Bool {
    @_noLocks get {
      let (one, two) = (oscillator(0).pointee.feedback, oscillator(1).pointee.feedback)
      let mixer = pointee.mixer
      if mixer.sync > 0 || mixer.index > 0 || mixer.ring > 0 || one > 0 || two > 0 { return true }
      if pointee.filter.drive > 0 { return true }
      var slot = 0
      while slot < Limits.slots {
        let knobs = slots + slot
        let target = ModulationTarget.at(knobs.pointee.target).bit
        let moves = knobs.pointee.source > 0 && knobs.pointee.amount != 0
        if moves, target & ModulationTarget.ofDC != 0 { return true }
        slot &+= 1
      }
      return false
    }
  }
}

/// How the mean of a sound is taken out. A sound that cannot have one is left as it is, to the bit.
struct SoundDC {
  /// True when there may be one: then the sound is to be processed.
  private(set) var isOn = false
  /// True while what was taken out of its voices is still on its way back, though they are silent.
  private(set) var rings = false
  private var isVoiced = true
  private var blocker = DCBlocker()

  /// How many times as fast it goes while no voice sounds: then there is no bass whose phase it could turn.
  private static var haste: Float { @_noLocks get { 4 } }

  @_noLocks init() {}

  /// Begins with a patch, or follows an edit of it. Where the sound goes on, so does what is on: it begins and ends with the
  /// sound, and nothing clicks.
  @_noLocks
  mutating func follow(_ patch: UnsafeMutablePointer<Patch>, isSounding: Bool) {
    if isSounding {
      isOn = isOn || patch.makesDC
    } else {
      self = SoundDC()
      isOn = patch.makesDC
    }
  }

  /// Works in place on a run that ends before the frame `end`: `hasVoices` after it or not.
  @_noLocks
  mutating func process(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, share: Float, frames: Int,
    end: Int64, hasVoices: Bool
  ) {
    blocker.process(left, right, share: isVoiced ? share : Self.haste * share, frames: frames)
    // At frames that do not depend on the blocks.
    if end & Int64(Limits.runFrames &- 1) == 0 {
      isVoiced = hasVoices
      rings = hasVoices || blocker.isLoud
    }
  }
}
