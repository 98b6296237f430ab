import CRealtime

/// The effects of a sound, one after the other: drive, equalizer, chorus, delay, reverb. What is off is not rendered, nor
/// is any of them when all has been silent for a second.
struct Rack {
  /// What of the sound is to be heard through the rack.
  struct Knobs {
    /// Where the knobs are now.
    let now: UnsafePointer<EffectKnobs>
    /// Where they go.
    let chosen: UnsafePointer<EffectKnobs>
    /// Beats a second.
    let tempo: Float
    /// How much of what is left of its way a level goes in a tick.
    let share: Float
    /// True when no knob is on its way.
    let rest: Bool

    @_noLocks
    init(
      _ now: UnsafePointer<EffectKnobs>, to chosen: UnsafePointer<EffectKnobs>, tempo: Float, share: Float,
      rest: Bool
    ) {
      (self.now, self.chosen, self.tempo, self.share, self.rest) = (now, chosen, tempo, share, rest)
    }
  }

  /// A level that nobody hears: -120 dB.
  private static var nothing: Float { @_noLocks get { 1e-6 } }

  private var effects = PartEffects()
  private var drive = RackSlot()
  private var equalizer = RackSlot()
  private var chorus = RackSlot()
  private var delay = RackSlot()
  private var reverb = RackSlot()
  /// True until the first tick after a rest: nothing sounds, so that all knobs may jump.
  private(set) var rests = true
  // True when no knob was on its way in the last tick: an effect that is still then need not be aimed again.
  private var knobsRested = false
  private var quietFrames = 0
  /// True while an effect rings on: its sound is not over, though its last voice is.
  private(set) var rings = false
  /// True when what rings has been cut off for good.
  private(set) var isCut = false
  /// The loudest sample of the last run.
  private(set) var peak: Float = 0

  /// No effect.
  @_noLocks init() {}

  /// True while it has effects, and so something to do in a run.
  var isOn: Bool { @_noLocks get { effects.users != 0 } }

  /// Uses the effects of a part, which are as new.
  @_noLocks
  mutating func begin(_ effects: PartEffects) {
    (drive, equalizer, chorus, delay, reverb) = (RackSlot(), RackSlot(), RackSlot(), RackSlot(), RackSlot())
    (rests, knobsRested, rings, isCut, quietFrames, peak) = (true, false, false, false, 0, 0)
    follow(effects, isSounding: false)
  }

  /// Uses other effects, or more of them, while its sound is heard or not.
  @_noLocks
  mutating func follow(_ effects: PartEffects, isSounding: Bool) {
    if effects.users != self.effects.users {
      release()
      if let users = UnsafeMutablePointer<UInt64>(bitPattern: effects.users) {
        // Those that somebody has used before, as an engine at another time, are cleared first.
        let isStained = rt_add(users, 1) > 1 << 32
        (drive, equalizer) = (RackSlot(stained: isStained), RackSlot(stained: isStained))
        (chorus, delay, reverb) = (
          RackSlot(stained: isStained), RackSlot(stained: isStained), RackSlot(stained: isStained)
        )
        (rests, knobsRested) = (!isSounding, false)
      }
    }
    self.effects = effects
  }

  /// Gives the effects back to whoever has made them.
  @_noLocks
  mutating func release() {
    // One user less, and in the upper half one more that has used them.
    if let users = UnsafeMutablePointer<UInt64>(bitPattern: effects.users) {
      _ = rt_add(users, (1 << 32) &- 1)
    }
    effects = PartEffects()
    rings = false
  }

  /// What its effects cost, in quarters of what a group of voices does.
  var work: Int {
    @_noLocks get {
      (drive.isHeard ? 2 : 0) &+ (equalizer.isHeard ? 2 : 0) &+ (chorus.isHeard ? 1 : 0)
        &+ (delay.isHeard ? 1 : 0) &+ (reverb.isHeard ? 3 : 0)
    }
  }

  // MARK: - Ends

  /// What rings is faded in 4 ms, for good where its sound ends.
  @_noLocks
  mutating func cut(forGood: Bool) {
    isCut = forGood
    chorus.cut(forGood: forGood)
    delay.cut(forGood: forGood)
    reverb.cut(forGood: forGood)
  }

  /// Silence at once, and nothing left of what was heard: after a fault.
  @_noLocks
  mutating func stop() {
    drive.stop()
    equalizer.stop()
    chorus.stop()
    delay.stop()
    reverb.stop()
  }

  /// Clears a piece of what is off and has heard something. True when there is more.
  @_noLocks
  private mutating func clear() -> Bool {
    if drive.isDue, effects.drive?.pointee.forget() ?? true { drive.clear() }
    if equalizer.isDue, effects.equalizer?.pointee.forget() ?? true { equalizer.clear() }
    if chorus.isDue, effects.chorus?.pointee.forget() ?? true { chorus.clear() }
    if delay.isDue, effects.delay?.pointee.forget() ?? true { delay.clear() }
    if reverb.isDue, effects.reverb?.pointee.forget() ?? true { reverb.clear() }
    return drive.isDue || equalizer.isDue || chorus.isDue || delay.isDue || reverb.isDue
  }

  /// A run is over: whether voices sounded in it, and how loud it was. Effects rest when nothing has been heard of them
  /// for so long that nothing will be.
  @_noLocks
  mutating func end(hasVoices: Bool, peak: Float, frames: Int, rate: Float) {
    self.peak = peak
    quietFrames = hasVoices || peak > Self.nothing ? 0 : quietFrames &+ frames
    let isDue = !isCut && clear()
    var seconds: Float = drive.isHeard || equalizer.isHeard ? 0.1 : 0
    if chorus.isHeard { seconds = 0.2 }
    // Between two echoes there may be as much silence as the delay is long.
    if reverb.isHeard { seconds = 1 + ReverbKnobs.longestPreDelay }
    if delay.isHeard { seconds = 1 + DelayKnobs.longest }
    rings = isDue || Float(quietFrames) < seconds * rate
    if !rings, !hasVoices { rests = true }
  }

  // MARK: - Sound

  /// Lets the effects work on frames of a tick in place, from where on it has `ahead` frames left; there is room for a whole
  /// one.
  @_noLocks
  mutating func process(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ wet: RackBuffers,
    _ knobs: Knobs,
    frames: Int, ahead: Int
  ) {
    let (now, chosen) = (knobs.now, knobs.chosen)
    let aims = ahead == Limits.controlFrames || rests
    let goesOn = knobs.rest && knobsRested && !rests
    if aims { knobsRested = knobs.rest }
    if let effect = effects.drive, aims || drive.isHeard {
      let (now, chosen) = (now.drive, chosen.drive)
      switch aims
        ? drive.aim(RackLevels.of(chosen), share: knobs.share, frames: ahead, atOnce: rests) : .goOn
      {
      case .rest: break
      case .arrive:
        effect.pointee.arrive(now, chosen, within: !rests)
        effect.pointee.aim(now, chosen, frames: ahead)
      case .aim: effect.pointee.aim(now, chosen, frames: ahead)
      case .goOn: break
      }
      if drive.replaces {
        effect.pointee.process(left, right, frames: frames)
      } else if drive.isHeard {
        wet.take(left, right)
        effect.pointee.process(wet.left, wet.right, frames: frames)
        drive.mix(wet, into: left, right, frames: frames)
      }
    }
    if let effect = effects.equalizer, aims || equalizer.isHeard {
      let (now, chosen) = (now.equalizer, chosen.equalizer)
      switch aims
        ? equalizer.aim(RackLevels.of(chosen), share: knobs.share, frames: ahead, atOnce: rests)
        : .goOn
      {
      case .rest: break
      case .arrive:
        effect.pointee.arrive(now)
        effect.pointee.aim(now, chosen, frames: ahead)
      case .aim where goesOn && effect.pointee.isStill: break
      case .aim: effect.pointee.aim(now, chosen, frames: ahead)
      case .goOn: break
      }
      if equalizer.replaces {
        effect.pointee.process(left, right, frames: frames)
      } else if equalizer.isHeard {
        wet.take(left, right)
        effect.pointee.process(wet.left, wet.right, frames: frames)
        equalizer.mix(wet, into: left, right, frames: frames)
      }
    }
    if let effect = effects.chorus, aims || chorus.isHeard {
      let (now, chosen) = (now.chorus, chosen.chorus)
      switch aims
        ? chorus.aim(RackLevels.of(chosen), share: knobs.share, frames: ahead, atOnce: rests) : .goOn
      {
      case .rest: break
      case .arrive:
        effect.pointee.arrive(chosen)
        effect.pointee.aim(now, chosen, frames: ahead)
      case .aim: effect.pointee.aim(now, chosen, frames: ahead)
      case .goOn: break
      }
      if chorus.isHeard {
        chorus.take(left, right, to: wet)
        effect.pointee.process(wet.left, wet.right, frames: frames)
        chorus.mix(wet, into: left, right, frames: frames)
      }
    }
    if let effect = effects.delay, aims || delay.isHeard {
      let (now, chosen) = (now.delay, chosen.delay)
      switch aims
        ? delay.aim(RackLevels.of(chosen), share: knobs.share, frames: ahead, atOnce: rests) : .goOn
      {
      case .rest: break
      case .arrive:
        effect.pointee.arrive(chosen, tempo: knobs.tempo)
        effect.pointee.aim(now, chosen, tempo: knobs.tempo, frames: ahead)
      case .aim where goesOn && effect.pointee.isStill(knobs.tempo): break
      case .aim: effect.pointee.aim(now, chosen, tempo: knobs.tempo, frames: ahead)
      case .goOn: break
      }
      if delay.isHeard {
        delay.take(left, right, to: wet)
        effect.pointee.process(wet.left, wet.right, frames: frames)
        delay.mix(wet, into: left, right, frames: frames)
      }
    }
    if let effect = effects.reverb, aims || reverb.isHeard {
      let (now, chosen) = (now.reverb, chosen.reverb)
      switch aims
        ? reverb.aim(RackLevels.of(chosen), share: knobs.share, frames: ahead, atOnce: rests) : .goOn
      {
      case .rest: break
      case .arrive:
        effect.pointee.control.arrive(now, chosen)
        effect.pointee.control.aim(now, chosen, frames: ahead)
      case .aim where goesOn && effect.pointee.control.isStill:
        effect.pointee.control.goOn(now, chosen, frames: ahead)
      case .aim: effect.pointee.control.aim(now, chosen, frames: ahead)
      case .goOn: break
      }
      if reverb.isHeard {
        reverb.take(left, right, to: wet)
        effect.pointee.process(wet.left, wet.right, frames: frames)
        reverb.mix(wet, into: left, right, frames: frames)
      }
    }
    rests = false
  }
}
