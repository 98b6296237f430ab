import CRealtime
import Scenes

/// The effects of a sound in series, in the order of its `RackPath`. Effects that are off are not rendered, and none is
/// rendered once the sound has been silent for longer than they ring.
struct Rack {
  /// Inaudible level: -120 dB.
  private static var nothing: Float { @_noLocks get { 1e-6 } }

  private var effects = PartEffects()
  /// The slots by the indices of the effects, and which of them hold an effect, one bit each.
  private let slots: UnsafeMutablePointer<RackSlot>
  private var present: UInt32 = 0
  private var path = RackPath()
  /// True until the first tick after a rest: the sound is silent, so knobs may jump.
  private(set) var isIdle = true
  // True when no knob moved in the last tick: an effect that is settled then need not be aimed again.
  private var knobsSettled = false
  private var quietFrames = 0
  /// True while an effect rings on: the sound continues after its last voice.
  private(set) var rings = false
  /// True when the ringing effects have been cut off for good.
  private(set) var isCut = false
  /// The largest magnitude of the last run.
  private(set) var peak: Float = 0

  /// No effects.
  init() {
    slots = .allocate(capacity: EffectKnobs.count)
    slots.initialize(repeating: RackSlot(), count: EffectKnobs.count)
  }

  /// Frees the memory of the rack, but not that of the effects, which belongs to their maker.
  func deallocate() { slots.deallocate() }

  /// True while it has effects.
  var isOn: Bool { @_noLocks get { effects.users != 0 } }

  /// Starts with the effects of a part, in their initial state.
  @_noLocks
  mutating func begin(_ effects: PartEffects) {
    reset(stained: false)
    (isIdle, knobsSettled, rings, isCut, quietFrames, peak) = (true, false, false, false, 0, 0)
    follow(effects, isSounding: false)
  }

  /// Switches to other effects or to more of them; `isSounding` tells whether the sound is audible.
  @_noLocks
  mutating func follow(_ effects: PartEffects, isSounding: Bool) {
    if effects.users != self.effects.users {
      release()
      if let users = UnsafeMutablePointer<UInt64>(bitPattern: effects.users) {
        // Effects that were in use before, for example by an earlier engine, are cleared first.
        reset(stained: rt_add(users, 1) > 1 << 32)
        (isIdle, knobsSettled) = (!isSounding, false)
      }
    }
    if effects.row != self.effects.row { place(effects.row) }
    self.effects = effects
  }

  /// Resets the slots; `stained` effects are to be cleared before use.
  @_noLocks
  private func reset(stained: Bool) {
    for index in 0..<EffectKnobs.count {
      slots[index] = RackSlot(slots[index].effect, stained: stained)
    }
  }

  /// Puts the effects of an address table into the slots.
  @_noLocks
  private mutating func place(_ row: UInt) {
    let row = UnsafePointer<UInt>(bitPattern: row)
    present = 0
    for index in 0..<EffectKnobs.count {
      slots[index].put(nil)
      if let row, let effect = Effect(index, at: row[index]) {
        slots[index].put(effect)
        present |= 1 &<< UInt32(index)
      }
    }
    path.place(present)
  }

  /// Returns the effects to their maker.
  @_noLocks
  mutating func release() {
    // One user fewer; the upper half of the cell counts past users.
    if let users = UnsafeMutablePointer<UInt64>(bitPattern: effects.users) {
      _ = rt_add(users, (1 << 32) &- 1)
    }
    effects = PartEffects()
    place(0)
    rings = false
  }

  /// The audible effects, one bit each.
  private var audible: UInt32 {
    @_noLocks get {
      var (audible, left) = (UInt32(0), present)
      while left != 0 {
        let index = left.trailingZeroBitCount
        if slots[index].isAudible { audible |= 1 &<< UInt32(index) }
        left &= left &- 1
      }
      return audible
    }
  }

  /// Whether it has a compressor.
  var hasCompressor: Bool {
    @_noLocks @inline(__always) get { present &>> UInt32(EffectKnobs.compressorIndex) & 1 != 0 }
  }

  /// Sets the sidechain of the compressor for the frames that are processed next, within a tick.
  @_noLocks
  func setSidechain(_ sidechain: Sidechain) {
    if case .compressor(let effect)? = slots[EffectKnobs.compressorIndex].effect {
      effect.pointee.setSidechain(sidechain)
    }
  }

  /// The rotors of its rotary speaker; nil without an audible one.
  var rotors: Rotors? {
    @_noLocks get {
      let slot = slots + EffectKnobs.rotaryIndex
      guard case .rotary(let effect)? = slot.pointee.effect, slot.pointee.isAudible else { return nil }
      return effect.pointee.rotors
    }
  }

  /// Makes the rotors of its rotary speaker continue the rotation of others, before it begins to sound.
  @_noLocks
  func continueRotation(of rotors: Rotors?) {
    guard let rotors, case .rotary(let effect)? = slots[EffectKnobs.rotaryIndex].effect else { return }
    effect.pointee.continueRotation(of: rotors)
  }

  /// Processing cost of the effects, in quarters of that of a voice group.
  var work: Int {
    @_noLocks get {
      var (work, left) = (0, present)
      while left != 0 {
        let slot = slots + left.trailingZeroBitCount
        if slot.pointee.isAudible { work &+= slot.pointee.work }
        left &= left &- 1
      }
      return work
    }
  }

  // MARK: - Ends

  /// Fades the ringing effects within 4 ms; `forGood` if the sound ends.
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

  /// Silences the effects at once after a fault. They then have to be cleared.
  @_noLocks
  mutating func stop() {
    for index in 0..<EffectKnobs.count {
      slots[index].stop()
    }
  }

  /// Clears the next piece of memory of effects that are off and hold sound. True when more is left.
  @_noLocks
  private mutating func clear() -> Bool {
    var isDue = false
    for index in 0..<EffectKnobs.count {
      if slots[index].isDue {
        if slots[index].effect?.clearPiece() ?? true { slots[index].clear() } else { isDue = true }
      }
    }
    return isDue
  }

  /// Ends a run; `hasVoices` and `peak` describe it. The effects rest once the silence has lasted longer than they
  /// ring.
  @_noLocks
  mutating func end(hasVoices: Bool, peak: Float, frames: Int, rate: Float) {
    self.peak = peak
    quietFrames = hasVoices || peak > Self.nothing ? 0 : quietFrames &+ frames
    let isDue = !isCut && clear()
    var (seconds, left) = (Float(0), present)
    while left != 0 {
      let slot = slots + left.trailingZeroBitCount
      if slot.pointee.isAudible { seconds = max(seconds, slot.pointee.ringSeconds) }
      left &= left &- 1
    }
    rings = isDue || Float(quietFrames) < seconds * rate
    if !rings, !hasVoices { isIdle = true }
  }

  // MARK: - Sound

  /// Processes frames of a tick in place; `ahead` is the number of frames left in the tick, and the buffers must have
  /// space for them.
  @_noLocks
  mutating func process(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ wet: RackBuffers,
    _ aim: EffectAim, frames: Int, ahead: Int
  ) {
    let aims = ahead == Limits.controlFrames || isIdle
    let continues = aim.isSettled && knobsSettled && !isIdle
    if aims {
      knobsSettled = aim.isSettled
      let order = aim.chosen.order
      if path.needsAim(order) { path.aim(order, audible: audible, frames: ahead, atOnce: isIdle) }
    }
    let isChanging = path.isChanging
    var digits = path.digits
    while digits & RackPath.end != RackPath.end {
      let slot = slots + Int(truncatingIfNeeded: digits & RackPath.end)
      digits = digits &>> 4
      guard let effect = slot.pointee.effect else { continue }
      if aims { self.aim(slot, effect, aim, frames: ahead, continues: continues) }
      if !slot.pointee.isAudible { continue }
      if isChanging { path.fade(left, right, frames: frames) }
      if slot.pointee.isInPlace, slot.pointee.replaces {
        effect.process(left, right, frames: frames)
        continue
      }
      wet.take(left, right)
      // Only effects with a memory fade in.
      if !slot.pointee.isInPlace, slot.pointee.isEntering { slot.pointee.fadeIn(wet) }
      effect.process(wet.left, wet.right, frames: frames)
      slot.pointee.mix(wet, into: left, right, frames: frames)
    }
    if isChanging {
      path.fade(left, right, frames: frames)
      path.pass(frames)
    }
    isIdle = false
  }

  /// Aims one effect at its knobs and mix over the next `frames`. A settled effect merely continues if no knob has
  /// moved since the last tick, as `continues` says.
  @_noLocks @inline(__always)
  private func aim(
    _ slot: UnsafeMutablePointer<RackSlot>, _ effect: Effect, _ aim: EffectAim, frames: Int, continues: Bool
  ) {
    let levels = effect.levels(aim.chosen)
    var continues = continues
    switch slot.pointee.aim(levels, share: aim.share, frames: frames, atOnce: isIdle) {
    case .rest: return
    case .snap:
      effect.snap(aim, within: !isIdle)
      continues = false
    case .aim: break
    }
    effect.aim(aim, frames: frames, continues: continues)
  }
}
