// The interactions of a group's oscillators, which are then rendered separately: levels, ring and phase modulation,
// feedback, hard sync, and the positions of unison voices.

import CRealtime
import Scenes

extension VoiceOscillators {
  /// Aims the levels and interactions of oscillators that are rendered separately.
  @_noLocks
  mutating func aimMixer(
    _ control: UnsafePointer<SoundParameters>, _ sums: UnsafePointer<Lanes>, _ update: GroupUpdate,
    perFrame: Float
  ) {
    // Lanes without a voice jump, because sums of jumps continue only while nothing moves.
    let (extras, starting) = (block.extras, mask(update.started | ~update.used))
    if !interacts { beginMixer(control) }
    if update.started != 0 {
      block.gains[1].started |= update.started
      block.gains[0].summed = ImpulseKey()
    }
    var oscillator = 0
    while oscillator < control.pointee.count {
      let knobs = control.oscillator(oscillator)
      let level = control.routes.moved(knobs.pointee.level, by: .level(of: oscillator), sums, most: 1)
      extras.oscillator(oscillator).pointee.output.aim(at: level, starting, perFrame: perFrame)
      block.gains[oscillator].aim(at: knobs, perFrame: perFrame)
      if control.pointee.routes.moved & ModulationTarget.ofSides(oscillator) != 0
        || sidesMove != 0
      {
        aimSides(oscillator, control, sums, update, perFrame: perFrame)
      }
      let target = ModulationTarget.feedback(of: oscillator)
      let isFedBack = knobs.pointee.feedback > 0 || control.pointee.routes.moves(target)
      if isFedBack || isAny(extras.oscillator(oscillator).pointee.feedback.depth.value) {
        let increment = numbers(block.oscillators[oscillator].advance) * BandLimitedStep.unit
        // Limited by the frequency range above the pitch: more feedback would alias.
        let most = larger(0.037 * (1.25 - increment) / increment, Lanes.zero)
        let feedback = control.routes.moved(
          knobs.pointee.feedback, by: target, sums, most: OscillatorKnobs.mostFeedback)
        let depth = smaller(feedback, most) * Self.perRadian
        extras.oscillator(oscillator).pointee.feedback.depth.aim(at: depth, starting, perFrame: perFrame)
        bluntEnds(oscillator, control, increment, goal: depth)
      } else {
        extras.oscillator(oscillator).pointee.endBlunting = Lanes(repeating: 1)
      }
      extras.oscillator(oscillator).pointee.blunting = Lanes(repeating: 1)
      oscillator &+= 1
    }
    if control.pointee.hasThird { aimThird(control, sums, update, perFrame: perFrame) }
    let ring = control.routes.moved(control.pointee.ring, by: .ring, sums, most: 1)
    extras.pointee.ring.aim(at: ring, starting, perFrame: perFrame)
    let one = numbers(block.oscillators[0].advance)
    let two = numbers(block.oscillators[1].advance)
    if control.pointee.index > 0 || control.pointee.routes.moves(.pm) || isAny(extras.pointee.index.value) {
      let goal = control.routes.moved(control.pointee.index, by: .pm, sums, most: MixerKnobs.mostIndex)
      // A modulator that is modulated itself has sidebands above its frequency.
      let highest = two * extras.oscillator(1).pointee.blunting
      aimModulation(0, at: goal, one, by: highest, starting, perFrame: perFrame)
    } else {
      extras.pointee.index.rest(at: .zero)
    }
    if control.pointee.sync > 0 {
      let ratio = two / larger(one, Lanes(repeating: 1))
      extras.pointee.syncRatio.aim(at: ratio, starting, perFrame: perFrame)
    }
  }

  /// Sets how much farther the end of a pulse and the corners of a triangle or trisaw are smoothed while feedback
  /// modulates the phase: where it is 0, the phase moves up to 1 / (1 - index) times as fast, and jumps with an index
  /// above 1.
  @_noLocks
  private mutating func bluntEnds(
    _ oscillator: Int, _ control: UnsafePointer<SoundParameters>, _ increment: Lanes, goal: Lanes
  ) {
    let (extras, audible) = (block.extras.oscillator(oscillator), block.gains[oscillator].shares.audible)
    let isMoved = control.pointee.routes.moves(.width(of: oscillator))
    let isTriangle =
      audible & (Waveform.triangle.bit | Waveform.trisaw.bit | Waveform.wavetable.bit) != 0
    // The cosine of the phase at the pulse's end.
    let slope = isMoved || isTriangle ? 1 : -rt_cos(2 * Float.pi * control.pointee.widths[oscillator])
    let index = larger(extras.pointee.feedback.depth.value, goal) * (slope / Self.perRadian)
    // At least: smoothed over a little more than half of a half period.
    let slowness = larger(1 - index, 7 * increment)
    extras.pointee.endBlunting = larger(1 / slowness, Lanes(repeating: 1))
  }

  // Half periods per radian.
  static var perRadian: Float { @_noLocks get { 0.318309886 } }

  /// Aims the modulation of the second oscillator's phase by the third.
  @_noLocks @inline(never)
  mutating func aimThird(
    _ control: UnsafePointer<SoundParameters>, _ sums: UnsafePointer<Lanes>, _ update: GroupUpdate,
    perFrame: Float
  ) {
    let (extras, starting) = (block.extras, mask(update.started | ~update.used))
    let isIndexed = control.pointee.index2 > 0 || control.pointee.routes.moves(.pm2)
    if !isIndexed && !isAny(extras.pointee.index2.value) { return extras.pointee.index2.rest(at: .zero) }
    let goal = control.routes.moved(control.pointee.index2, by: .pm2, sums, most: MixerKnobs.mostIndex)
    let (two, three) = (numbers(block.oscillators[1].advance), numbers(block.oscillators[2].advance))
    aimModulation(1, at: goal, two, by: three, starting, perFrame: perFrame)
  }

  /// Aims the positions of an oscillator's unison voices, modulated in each lane. When no route moves them any more,
  /// the positions that all lanes share apply again.
  @_noLocks @inline(never)
  mutating func aimSides(
    _ oscillator: Int, _ control: UnsafePointer<SoundParameters>, _ sums: UnsafePointer<Lanes>,
    _ update: GroupUpdate, perFrame: Float
  ) {
    let (knobs, bit) = (control.oscillator(oscillator), UInt8(1) << UInt8(oscillator))
    let extras = block.extras.oscillator(oscillator)
    if control.pointee.routes.moved & ModulationTarget.ofSides(oscillator) == 0 {
      sidesMove &= ~bit
      return
    }
    if sidesMove & bit == 0 { extras.pointee.sides.rest(at: block.gains[oscillator].sides.value) }
    sidesMove |= bit
    let blend = control.routes.moved(knobs.pointee.blend, by: .blend(of: oscillator), sums, most: 1)
    let spread = control.routes.moved(knobs.pointee.spread, by: .spread(of: oscillator), sums, most: 1)
    let (goal, starting) = (knobs.pointee.unison.sides(blend: blend, spread: spread), mask(update.started))
    extras.pointee.sides.middle.aim(at: goal.middle, starting, perFrame: perFrame)
    extras.pointee.sides.own.aim(at: goal.own, starting, perFrame: perFrame)
    extras.pointee.sides.other.aim(at: goal.other, starting, perFrame: perFrame)
  }

  /// Changes over from oscillators rendered directly into the mix to oscillators rendered separately, at their current
  /// levels.
  @_noLocks
  private mutating func beginMixer(_ control: UnsafePointer<SoundParameters>) {
    (interacts, sidesMove) = (true, 0)
    for oscillator in 0..<Limits.oscillators {
      let knobs = control.oscillator(oscillator)
      var level = Lanes.zero
      var waveform = 0
      while waveform < Waveform.count, oscillator < LaneBlock.direct {
        level += block.levels(oscillator)[waveform].pointee.value
        waveform &+= 1
      }
      block.extras.oscillator(oscillator).pointee.output.rest(at: level)
      block.gains[oscillator].rest(at: knobs)
      block.gains[oscillator].synced = 0
      block.gains[oscillator].summed = ImpulseKey()
    }
    block.extras.pointee.syncRatio.rest(
      at: numbers(block.oscillators[1].advance)
        / larger(numbers(block.oscillators[0].advance), Lanes(repeating: 1)))
  }

  /// Changes back to oscillators rendered directly into the mix.
  @_noLocks
  mutating func endMixer() {
    interacts = false
    for oscillator in 0..<LaneBlock.direct {
      let level = block.extras.oscillator(oscillator).pointee.output.value
      for waveform in 0..<Waveform.count {
        block.levels(oscillator)[waveform].pointee.rest(
          at: level * block.gains[oscillator].shares.value[waveform])
      }
    }
    levelsMoved = SIMD2(repeating: 1)
  }

  // MARK: - Phase modulation

  /// Aims the phase modulation of oscillator 0 or 1 by the next one at an index in radians, and sets how both are
  /// smoothed. `carrier` and `modulator` are phase increments.
  @_noLocks @inline(__always)
  mutating func aimModulation(
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
}

extension Ramp {
  /// Aims at a goal; lanes that start jump to it.
  @_noLocks @inline(__always)
  mutating func aim(at goal: Lanes, _ starting: SIMDMask<SIMD8<Int32>>, perFrame: Float) {
    value = select(goal, value, where: starting)
    aim(at: goal, perFrame: perFrame)
  }
}
