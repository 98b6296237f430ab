// Phase modulation: how deep it may be, and how far the jumps of carrier and modulator are smoothed, so that it hardly
// aliases.

extension VoiceGroup {
  /// Aims the phase modulation of oscillator 0 or 1 by the next one at an index in radians, and sets how both are
  /// smoothed. `carrier` and `modulator` are phase increments.
  @_noLocks @inline(__always)
  func aimModulation(
    _ oscillator: Int, at goal: Lanes, _ carrier: Lanes, by modulator: Lanes,
    _ starting: SIMDMask<SIMD8<Int32>>, perFrame: Float
  ) {
    let (extras, one) = (block.extras, Lanes(repeating: 1))
    let (carrier, modulator) = (larger(carrier, one), larger(modulator, one))
    let cornered = block.gains[oscillator].shares.audible & Waveform.cornered
    let jumping = block.gains[oscillator &+ 1].shares.audible & Waveform.jumping
    let steepness = cornered != 0 && jumping & ~Waveform.saw.bit != 0 ? Self.steepness : 1
    // The smoothing of jumps, which reaches farther with the index, stays within half a period.
    let half = 0.25 * BandLimitedStep.scale
    var most = Self.mostIndex(carrier, by: modulator)
    if cornered != 0 { most = smaller(most, (half / steepness - carrier) / modulator) }
    if jumping != 0 { most = smaller(most, half / modulator) }
    let index = smaller(goal, larger(most, Lanes.zero)) * Self.perRadian
    let ramp = extras.index(oscillator)
    ramp.pointee.aim(at: index, starting, perFrame: perFrame)

    let reached = larger(index, ramp.pointee.value) * (1 / Self.perRadian)
    let speed = multiplyAdd(reached, modulator / carrier, one)
    extras.oscillator(oscillator).pointee.blunting = speed * steepness
    let softness = extras.softness(of: oscillator &+ 1)
    softness.pointee = larger(reached, Lanes(repeating: 4))
    if cornered != 0, jumping != 0 {
      // A jump of the modulator moves the carrier's phase by twice the index. It takes so long that a jump of the carrier
      // in that time is as smooth as without modulation.
      let slow = Self.slowness * reached * BandLimitedStep.scale / (carrier * speed)
      softness.pointee = larger(softness.pointee, smaller(slow, half / modulator))
    }
  }

  /// Smoothing of a modulator's jump for each radian of the index and each half period of a carrier whose phase is not
  /// modulated. With 0.3, aliasing was 48 dB or more below the sound, up to 880 Hz and an index of 3.
  private static var slowness: Float { @_noLocks get { 0.3 } }
  /// The factor by which a carrier is smoothed farther when its modulator jumps both up and down.
  private static var steepness: Float { @_noLocks get { 1.6 } }

  /// The largest index of phase modulation whose aliasing stays 56 to 65 dB below the sound, in radians: measured for
  /// sines, with the modulator at 1 to 8 times the frequency of the carrier.
  @_noLocks @inline(__always)
  private static func mostIndex(_ carrier: Lanes, by modulator: Lanes) -> Lanes {
    // The distance from the carrier's frequency to 0.625 of the sample rate, which folds to 18 kHz at 48 kHz, in
    // multiples of the modulator's frequency.
    let clearance = (1.25 * BandLimitedStep.scale - carrier) / modulator
    let few: Lanes = clearance - 1
    let curved = multiplyAdd(
      multiplyAdd(few, Lanes(repeating: 0.036), Lanes(repeating: 0.27)), few, Lanes(repeating: -0.33))
    let straight = multiplyAdd(clearance, Lanes(repeating: 0.83), Lanes(repeating: -3.3))
    return select(curved, straight, where: clearance .< Lanes(repeating: 8))
  }

  /// Writes the modulator, the second oscillator, into scratch memory, in octaves, after it has been rendered.
  @_noLocks
  func keepModulator(_ control: UnsafePointer<SoundParameters>, _ context: RenderContext, _ frames: Int) {
    if !block.extras.pointee.fm.depth.isAny { return }
    let (scratch, octaves) = (context.mixer, context.mixer.octaves)
    let isWide = control.pointee.isStereo && block.gains[1].voices & Unison.sides != 0
    let (left, right) = (scratch.left(1), isWide ? scratch.right(1) : scratch.left(1))
    var depth = block.extras.pointee.fm.depth
    let unit = 0.5 * BandLimitedStep.unit
    var i = 0
    while i < frames {
      octaves[i] = depth.value * (left[i] + right[i]) * unit
      depth.value += depth.step
      i &+= 1
    }
  }
}
