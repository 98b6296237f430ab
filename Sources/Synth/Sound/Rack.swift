import CRealtime

/// The effects of a sound, one after the other: drive, equalizer, chorus, delay, reverb. What is off is not rendered, nor
/// is any of them when all has been silent for a second.
struct Rack {
  /// A level that nobody hears: -120 dB.
  private static var nothing: Float { @_noLocks get { 1e-6 } }

  private var effects = PartEffects()
  /// In the order that a sound goes through them, and those that have an effect, one bit each.
  private let slots: UnsafeMutablePointer<RackSlot>
  private var present: UInt32 = 0
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
  init() {
    slots = .allocate(capacity: EffectKnobs.count)
    slots.initialize(repeating: RackSlot(), count: EffectKnobs.count)
  }

  /// Frees the memory, but for that of the effects, which are whoever's who has made them.
  func deallocate() { slots.deallocate() }

  /// True while it has effects, and so something to do in a run.
  var isOn: Bool { @_noLocks get { effects.users != 0 } }

  /// Uses the effects of a part, which are as new.
  @_noLocks
  mutating func begin(_ effects: PartEffects) {
    reset(stained: false)
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
        reset(stained: rt_add(users, 1) > 1 << 32)
        (rests, knobsRested) = (!isSounding, false)
      }
    }
    if effects.row != self.effects.row { place(effects.row) }
    self.effects = effects
  }

  /// Empties the slots; what comes there is to be cleared first, or not.
  @_noLocks
  private func reset(stained: Bool) {
    var place = 0
    while place < EffectKnobs.count {
      slots[place] = RackSlot(slots[place].effect, stained: stained)
      place &+= 1
    }
  }

  /// Puts the effects of a row of addresses into the slots.
  @_noLocks
  private mutating func place(_ row: UInt) {
    let row = UnsafePointer<UInt>(bitPattern: row)
    present = 0
    var place = 0
    while place < EffectKnobs.count {
      slots[place].put(nil)
      if let row, let effect = Effect(place, at: row[place]) {
        slots[place].put(effect)
        present |= 1 &<< UInt32(place)
      }
      place &+= 1
    }
  }

  /// Gives the effects back to whoever has made them.
  @_noLocks
  mutating func release() {
    // One user less, and in the upper half one more that has used them.
    if let users = UnsafeMutablePointer<UInt64>(bitPattern: effects.users) {
      _ = rt_add(users, (1 << 32) &- 1)
    }
    effects = PartEffects()
    place(0)
    rings = false
  }

  /// What its effects cost, in quarters of what a group of voices does.
  var work: Int {
    @_noLocks get {
      var (work, left) = (0, present)
      while left != 0 {
        let slot = slots + left.trailingZeroBitCount
        if slot.pointee.isHeard { work &+= slot.pointee.work }
        left &= left &- 1
      }
      return work
    }
  }

  // MARK: - Ends

  /// What rings is faded in 4 ms, for good where its sound ends.
  @_noLocks
  mutating func cut(forGood: Bool) {
    isCut = forGood
    var left = present
    while left != 0 {
      let slot = slots + left.trailingZeroBitCount
      if !slot.pointee.isInPlace { slot.pointee.cut(forGood: forGood) }
      left &= left &- 1
    }
  }

  /// Silence at once, and nothing left of what was heard: after a fault.
  @_noLocks
  mutating func stop() {
    var place = 0
    while place < EffectKnobs.count {
      slots[place].stop()
      place &+= 1
    }
  }

  /// Clears a piece of what is off and has heard something. True when there is more.
  @_noLocks
  private mutating func clear() -> Bool {
    var isDue = false
    var place = 0
    while place < EffectKnobs.count {
      if slots[place].isDue {
        if slots[place].effect?.forget() ?? true { slots[place].clear() } else { isDue = true }
      }
      place &+= 1
    }
    return isDue
  }

  /// A run is over: whether voices sounded in it, and how loud it was. Effects rest when nothing has been heard of them
  /// for so long that nothing will be.
  @_noLocks
  mutating func end(hasVoices: Bool, peak: Float, frames: Int, rate: Float) {
    self.peak = peak
    quietFrames = hasVoices || peak > Self.nothing ? 0 : quietFrames &+ frames
    let isDue = !isCut && clear()
    var (seconds, left) = (Float(0), present)
    while left != 0 {
      let slot = slots + left.trailingZeroBitCount
      if slot.pointee.isHeard { seconds = max(seconds, slot.pointee.ringSeconds) }
      left &= left &- 1
    }
    rings = isDue || Float(quietFrames) < seconds * rate
    if !rings, !hasVoices { rests = true }
  }

  // MARK: - Sound

  /// Lets the effects work on frames of a tick in place, from where on it has `ahead` frames left; there is room for a whole
  /// one.
  @_noLocks
  mutating func process(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ wet: RackBuffers,
    _ aim: EffectAim, frames: Int, ahead: Int
  ) {
    let aims = ahead == Limits.controlFrames || rests
    let goesOn = aim.rest && knobsRested && !rests
    if aims { knobsRested = aim.rest }
    var remaining = present
    while remaining != 0 {
      let slot = slots + remaining.trailingZeroBitCount
      remaining &= remaining &- 1
      guard let effect = slot.pointee.effect else { continue }
      if aims { self.aim(slot, effect, aim, frames: ahead, goesOn: goesOn) }
      if !slot.pointee.isHeard { continue }
      if slot.pointee.isInPlace {
        if slot.pointee.replaces {
          effect.process(left, right, frames: frames)
          continue
        }
        wet.take(left, right)
      } else {
        slot.pointee.take(left, right, to: wet)
      }
      effect.process(wet.left, wet.right, frames: frames)
      slot.pointee.mix(wet, into: left, right, frames: frames)
    }
    rests = false
  }

  /// Aims one effect at its knobs over the next `frames`, and what is heard of it. Where no knob has moved since the last
  /// tick it goes on if it is there.
  @_noLocks @inline(__always)
  private func aim(
    _ slot: UnsafeMutablePointer<RackSlot>, _ effect: Effect, _ aim: EffectAim, frames: Int, goesOn: Bool
  ) {
    let levels = effect.levels(aim.chosen)
    var goesOn = goesOn
    switch slot.pointee.aim(levels, share: aim.share, frames: frames, atOnce: rests) {
    case .rest: return
    case .arrive:
      effect.arrive(aim, within: !rests)
      goesOn = false
    case .aim: break
    }
    effect.aim(aim, frames: frames, goesOn: goesOn)
  }
}
