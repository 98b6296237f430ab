// Updates of features that most sounds do not use: mixer, sub oscillator, noise and drift.

import CRealtime

extension VoiceGroup {
  /// Aims the levels and interactions of oscillators that are rendered separately.
  @_noLocks
  mutating func aimMixer(
    _ control: UnsafePointer<SoundParameters>, _ sums: UnsafePointer<Lanes>, perFrame: Float
  ) {
    // Lanes without a voice jump, because sums of jumps continue only while nothing moves.
    let (extras, starting) = (block.extras, mask(started | ~used))
    if !paths.interacts { beginMixer(control) }
    if started != 0 {
      block.gains[1].started |= started
      block.gains[0].summed = ImpulseKey()
    }
    var oscillator = 0
    while oscillator < control.pointee.count {
      let knobs = control.oscillator(oscillator)
      let level = control.routes.moved(knobs.pointee.level, by: .level(of: oscillator), sums, most: 1)
      extras.oscillator(oscillator).pointee.output.aim(at: level, starting, perFrame: perFrame)
      block.gains[oscillator].aim(at: knobs, perFrame: perFrame)
      if control.pointee.routes.moved & ModulationTarget.ofSides(oscillator) != 0
        || oscillators.sidesMove != 0
      {
        aimSides(oscillator, control, sums, perFrame: perFrame)
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
    if control.pointee.hasThird { aimThird(control, sums, perFrame: perFrame) }
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
  private func bluntEnds(
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

  /// Changes over from oscillators rendered directly into the mix to oscillators rendered separately, at their current
  /// levels.
  @_noLocks
  private mutating func beginMixer(_ control: UnsafePointer<SoundParameters>) {
    (paths.interacts, oscillators.sidesMove) = (true, 0)
    var oscillator = 0
    while oscillator < Limits.oscillators {
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
      oscillator &+= 1
    }
    block.extras.pointee.syncRatio.rest(
      at: numbers(block.oscillators[1].advance)
        / larger(numbers(block.oscillators[0].advance), Lanes(repeating: 1)))
  }

  /// Changes back to oscillators rendered directly into the mix.
  @_noLocks
  mutating func endMixer() {
    paths.interacts = false
    var oscillator = 0
    while oscillator < LaneBlock.direct {
      let level = block.extras.oscillator(oscillator).pointee.output.value
      var waveform = 0
      while waveform < Waveform.count {
        block.levels(oscillator)[waveform].pointee.rest(
          at: level * block.gains[oscillator].shares.value[waveform])
        waveform &+= 1
      }
      oscillator &+= 1
    }
    oscillators.levelsMoved = SIMD2(repeating: 1)
  }

  /// Aims the levels of the sub oscillator and the noise.
  @_noLocks
  mutating func aimSources(
    _ control: UnsafePointer<SoundParameters>, _ sums: UnsafePointer<Lanes>, perFrame: Float
  ) {
    let (extras, starting) = (block.extras, mask(started))
    let sub = control.routes.moved(control.pointee.sub, by: .subLevel, sums, most: 1)
    let noise = control.routes.moved(control.pointee.noise, by: .noiseLevel, sums, most: 1)
    extras.pointee.sub.level.aim(at: sub, starting, perFrame: perFrame)
    extras.pointee.noise.level.aim(at: noise, starting, perFrame: perFrame)
    paths.hasSub = control.pointee.sub > 0 || isAny(larger(sub, extras.pointee.sub.level.value))
    paths.hasNoise = control.pointee.noise > 0 || isAny(larger(noise, extras.pointee.noise.level.value))
    aimColor(control, sums, perFrame: perFrame)
  }

  /// Advances the drift. Returns the factor of the oscillator's pitch.
  @_noLocks
  func drift(
    _ oscillator: Int, _ control: UnsafePointer<SoundParameters>, _ sums: UnsafePointer<Lanes>, seconds: Float
  ) -> Lanes {
    let knob = control.oscillator(oscillator).pointee.drift
    let depth = control.routes.moved(
      knob, by: .drift(of: oscillator), sums, most: OscillatorKnobs.mostDriftShare)
    let extras = block.extras.oscillator(oscillator)
    let pointer = block.oscillators + oscillator
    pointer.pointee.words = scrambled(pointer.pointee.words)
    extras.pointee.drift.advance(pointer.pointee.words, seconds: seconds)
    return multiplyAdd(extras.pointee.drift.value, depth, Lanes(repeating: 1))
  }

  /// Initializes a lane's state of these features for a key, partly with random numbers.
  @_noLocks
  func startExtras(
    _ lane: Int, _ key: UInt8, _ patch: UnsafeMutablePointer<Patch>, _ control: SoundParameters,
    _ random: inout RandomNumbers
  ) {
    let extras = block.extras
    var oscillator = 0
    while oscillator < control.count {
      let knobs = patch.oscillator(oscillator).pointee
      if var numbers = PhaseStart.at(knobs.start).numbers(oscillator: oscillator, key: key) {
        startByRule(oscillator, lane, within: knobs.random, &numbers)
      } else {
        startFreely(oscillator, lane, knobs, drifts: control.routes.moves(.drift(of: oscillator)), &random)
      }
      extras.oscillator(oscillator).pointee.feedback.last[lane] = 0
      extras.oscillator(oscillator).pointee.feedback.before[lane] = 0
      oscillator &+= 1
    }
    extras.pointee.sub.phase[lane] =
      block.oscillators[0].phase[lane] &>> Int32(control.subOctaves)
    extras.pointee.right.reset(lane)
    extras.pointee.rightGain.jump(lane, to: 0)
  }

  /// Starts the phases and the drift of an oscillator in a lane anywhere; the first voice within the share of its knob.
  @_noLocks
  private func startFreely(
    _ oscillator: Int, _ lane: Int, _ knobs: OscillatorKnobs, drifts: Bool, _ random: inout RandomNumbers
  ) {
    let extras = block.extras
    if knobs.random > 0 { block.oscillators[oscillator].phase[lane] &+= random.phase(within: knobs.random) }
    if knobs.drift > 0 || drifts {
      extras.oscillator(oscillator).pointee.drift.start(lane, 2 * random.next() - 1)
    }
    if knobs.unison <= 1 { return }
    var voice = 0
    while voice < Unison.mostVoices &- 1 {
      extras.phases(oscillator)[voice][lane] = random.phase()
      if oscillator == 1 { extras.masters[voice][lane] = random.phase() }
      voice &+= 1
    }
  }

  /// Starts the phases of all voices of an oscillator in a lane within a share of the period, and its drift in tune.
  @_noLocks
  private func startByRule(
    _ oscillator: Int, _ lane: Int, within share: Float, _ numbers: inout RandomNumbers
  ) {
    let (extras, zero) = (block.extras, block.oscillators[oscillator].phase[lane])
    let master = block.oscillators[0].phase[lane]
    block.oscillators[oscillator].phase[lane] = zero &+ numbers.phase(within: share)
    extras.oscillator(oscillator).pointee.drift.start(lane, 0)
    var voice = 0
    while voice < Unison.mostVoices &- 1 {
      let offset = numbers.phase(within: share)
      extras.phases(oscillator)[voice][lane] = zero &+ offset
      if oscillator == 1 { extras.masters[voice][lane] = master &+ offset }
      voice &+= 1
    }
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
