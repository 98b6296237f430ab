import Scenes

// Removal of the DC offset that a sound may have: before the effects, since a drive would distort it together with
// the sound. Effects remove the DC offset that they make themselves.

extension UnsafeMutablePointer where Pointee == Patch {
  /// Whether voices can have a DC offset. Waveforms have none, and filters add none; but a product of oscillators can
  /// have one, and so can a modulated phase, a period cut off by sync, and an asymmetric wave that passes through the
  /// filter's drive.
  var makesDC: Bool {
    @_noLocks get {
      let (one, two) = (oscillator(0).pointee.feedback, oscillator(1).pointee.feedback)
      let (three, mixer) = (oscillator(2).pointee.feedback, pointee.mixer)
      if mixer.sync > 0 || mixer.index > 0 || mixer.index2 > 0 || mixer.ring > 0 { return true }
      if one > 0 || two > 0 || three > 0 || pointee.filter.fm > 0 || pointee.filter.drive > 0 { return true }
      for slot in 0..<Limits.slots {
        let knobs = slots + slot
        let target = ModulationTarget.at(knobs.pointee.target).bit
        let moves = knobs.pointee.source > 0 && knobs.pointee.amount != 0
        if moves, target & ModulationTarget.ofDC != 0 { return true }
      }
      return false
    }
  }
}

/// The removal of a sound's DC offset. A sound that cannot have one passes bit for bit.
struct SoundDC {
  /// True when the sound may have a DC offset and has to be processed.
  private(set) var isOn = false
  /// True while the removed offset still decays after the voices are silent.
  private(set) var rings = false
  private var isVoiced = true
  private var blocker = DCBlocker()

  /// Factor of the speed while no voice sounds: there is then no bass whose phase could suffer.
  private static var haste: Float { @_noLocks get { 4 } }

  @_noLocks init() {}

  /// Starts with a patch or follows an edit of it. While the sound is audible the removal is not switched off, so
  /// nothing clicks.
  @_noLocks
  mutating func follow(_ patch: UnsafeMutablePointer<Patch>, isSounding: Bool) {
    if isSounding {
      isOn = isOn || patch.makesDC
    } else {
      self = SoundDC()
      isOn = patch.makesDC
    }
  }

  /// Processes a run in place that ends before frame `end`; `hasVoices` tells whether voices sound after it.
  @_noLocks
  mutating func process(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, share: Float, frames: Int,
    end: Int64, hasVoices: Bool
  ) {
    blocker.process(left, right, share: isVoiced ? share : Self.haste * share, frames: frames)
    // Checked at frames that do not depend on the blocks.
    if end & Int64(Limits.runFrames &- 1) == 0 {
      isVoiced = hasVoices
      rings = hasVoices || blocker.isLoud
    }
  }
}
