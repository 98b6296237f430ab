import Scenes

/// A pointer to an effect of any kind, with all operations that a rack needs. A new effect adds a case.
enum Effect {
  case drive(UnsafeMutablePointer<EffectDrive>)
  case equalizer(UnsafeMutablePointer<FiveBandEqualizer>)
  case chorus(UnsafeMutablePointer<Chorus>)
  case delay(UnsafeMutablePointer<Delay>)
  case reverb(UnsafeMutablePointer<Reverb>)
  case phaser(UnsafeMutablePointer<Phaser>)
  case compressor(UnsafeMutablePointer<Compressor>)
  case rotary(UnsafeMutablePointer<Rotary>)
  case flanger(UnsafeMutablePointer<Flanger>)

  // MARK: - Memory

  /// Makes the effect with an index, as in `EffectKnobs`. Control thread.
  init(_ index: Int, rate: Double) {
    func new<Kind>(_ effect: Kind) -> UnsafeMutablePointer<Kind> {
      let memory = UnsafeMutablePointer<Kind>.allocate(capacity: 1)
      memory.initialize(to: effect)
      return memory
    }
    switch index {
    case 0: self = .drive(new(EffectDrive(rate: rate)))
    case 1: self = .equalizer(new(FiveBandEqualizer(rate: rate)))
    case 2: self = .chorus(new(Chorus(rate: rate)))
    case 3: self = .delay(new(Delay(rate: rate)))
    case 4: self = .reverb(new(Reverb(rate: rate)))
    case 5: self = .phaser(new(Phaser(rate: rate)))
    case 6: self = .compressor(new(Compressor(rate: rate)))
    case 7: self = .rotary(new(Rotary(rate: rate)))
    default: self = .flanger(new(Flanger(rate: rate)))
    }
  }

  /// The effect with an index, at an address; nil for address 0.
  @_noLocks
  init?(_ index: Int, at address: UInt) {
    guard let memory = UnsafeMutableRawPointer(bitPattern: address) else { return nil }
    switch index {
    case 0: self = .drive(memory.assumingMemoryBound(to: EffectDrive.self))
    case 1: self = .equalizer(memory.assumingMemoryBound(to: FiveBandEqualizer.self))
    case 2: self = .chorus(memory.assumingMemoryBound(to: Chorus.self))
    case 3: self = .delay(memory.assumingMemoryBound(to: Delay.self))
    case 4: self = .reverb(memory.assumingMemoryBound(to: Reverb.self))
    case 5: self = .phaser(memory.assumingMemoryBound(to: Phaser.self))
    case 6: self = .compressor(memory.assumingMemoryBound(to: Compressor.self))
    case 7: self = .rotary(memory.assumingMemoryBound(to: Rotary.self))
    default: self = .flanger(memory.assumingMemoryBound(to: Flanger.self))
    }
  }

  /// The address of the effect.
  var address: UInt {
    switch self {
    case .drive(let effect): UInt(bitPattern: effect)
    case .equalizer(let effect): UInt(bitPattern: effect)
    case .chorus(let effect): UInt(bitPattern: effect)
    case .delay(let effect): UInt(bitPattern: effect)
    case .reverb(let effect): UInt(bitPattern: effect)
    case .phaser(let effect): UInt(bitPattern: effect)
    case .compressor(let effect): UInt(bitPattern: effect)
    case .rotary(let effect): UInt(bitPattern: effect)
    case .flanger(let effect): UInt(bitPattern: effect)
    }
  }

  /// Frees its memory. Control thread.
  func deallocate() {
    switch self {
    case .drive(let effect): effect.pointee.deallocate()
    case .equalizer(let effect): effect.pointee.deallocate()
    case .chorus(let effect): effect.pointee.deallocate()
    case .delay(let effect): effect.pointee.deallocate()
    case .reverb(let effect): effect.pointee.deallocate()
    case .phaser(let effect): effect.pointee.deallocate()
    case .compressor(let effect): effect.pointee.deallocate()
    case .rotary(let effect): effect.pointee.deallocate()
    case .flanger(let effect): effect.pointee.deallocate()
    }
    UnsafeMutableRawPointer(bitPattern: address)?.deallocate()
  }

  // MARK: - Properties

  /// True for an effect that replaces its input and may work in place. The others are mixed with their input and hold a
  /// memory of past sound.
  var replaces: Bool {
    @_noLocks @inline(__always) get {
      switch self {
      case .drive, .equalizer, .compressor: true
      case .chorus, .delay, .reverb, .phaser, .rotary, .flanger: false
      }
    }
  }

  /// Seconds of silence after which the effect counts as silent. The gap between two echoes may be as long as the delay
  /// time.
  var ringSeconds: Float {
    @_noLocks get {
      switch self {
      case .drive, .equalizer, .compressor, .rotary: 0.1
      case .chorus, .phaser, .flanger: 0.2
      case .delay: 1 + DelayKnobs.longest
      case .reverb: 1 + ReverbKnobs.longestPreDelay
      }
    }
  }

  /// Processing cost in quarters of that of a voice group.
  var work: Int {
    @_noLocks get {
      switch self {
      case .drive, .equalizer, .phaser, .rotary, .flanger: 2
      case .chorus, .delay, .compressor: 1
      case .reverb: 3
      }
    }
  }

  /// Dry and wet gain that the knobs set.
  @_noLocks @inline(__always)
  func levels(_ knobs: UnsafePointer<EffectKnobs>) -> SIMD2<Float> {
    switch self {
    case .drive: knobs.drive.pointee.levels
    case .equalizer: knobs.equalizer.pointee.levels
    case .chorus: knobs.chorus.pointee.levels
    case .delay: knobs.delay.pointee.levels
    case .reverb: knobs.reverb.pointee.levels
    case .phaser: knobs.phaser.pointee.levels
    case .compressor: knobs.compressor.pointee.levels
    case .rotary: knobs.rotary.pointee.levels
    case .flanger: knobs.flanger.pointee.levels
    }
  }

  // MARK: - Sound

  /// Jumps to the knobs before the effect becomes audible. `within`: whether the sound is already audible.
  @_noLocks @inline(never)
  func snap(_ aim: EffectAim, within: Bool) {
    let (now, chosen) = (aim.now, aim.chosen)
    switch self {
    case .drive(let effect): effect.pointee.snap(now.drive, chosen.drive, within: within)
    case .equalizer(let effect): effect.pointee.snap(now.equalizer)
    case .chorus(let effect): effect.pointee.snap(chosen.chorus)
    case .delay(let effect): effect.pointee.snap(chosen.delay, tempo: aim.tempo)
    case .reverb(let effect): effect.pointee.control.snap(now.reverb, chosen.reverb)
    case .phaser(let effect): effect.pointee.snap(chosen.phaser, tempo: aim.tempo)
    case .compressor(let effect): effect.pointee.snap()
    case .rotary(let effect): effect.pointee.snap(chosen.rotary)
    case .flanger(let effect): effect.pointee.snap(chosen.flanger)
    }
  }

  /// Aims at the knobs over the next `frames`. A settled effect merely continues if `continues`: no knob has moved
  /// since the last tick.
  @_noLocks @inline(__always)
  func aim(_ aim: EffectAim, frames: Int, continues: Bool) {
    let (now, chosen) = (aim.now, aim.chosen)
    switch self {
    case .drive(let effect): effect.pointee.aim(now.drive, chosen.drive, frames: frames)
    case .equalizer(let effect):
      if continues, effect.pointee.isSettled { return }
      effect.pointee.aim(now.equalizer, chosen.equalizer, frames: frames)
    case .chorus(let effect): effect.pointee.aim(now.chorus, chosen.chorus, frames: frames)
    case .delay(let effect):
      if continues, effect.pointee.isSettled(aim.tempo) { return }
      effect.pointee.aim(now.delay, chosen.delay, tempo: aim.tempo, frames: frames)
    case .reverb(let effect):
      if continues, effect.pointee.control.isSettled {
        return effect.pointee.control.continueModulation(now.reverb, chosen.reverb, frames: frames)
      }
      effect.pointee.control.aim(now.reverb, chosen.reverb, frames: frames)
    case .phaser(let effect):
      effect.pointee.aim(now.phaser, chosen.phaser, tempo: aim.tempo, frames: frames)
    case .compressor(let effect): effect.pointee.aim(now.compressor, chosen.compressor)
    case .rotary(let effect): effect.pointee.aim(now.rotary, chosen.rotary, frames: frames)
    case .flanger(let effect): effect.pointee.aim(now.flanger, chosen.flanger, frames: frames)
    }
  }

  /// Processes some frames in place.
  @_noLocks @inline(__always)
  func process(_ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int) {
    switch self {
    case .drive(let effect): effect.pointee.process(left, right, frames: frames)
    case .equalizer(let effect): effect.pointee.process(left, right, frames: frames)
    case .chorus(let effect): effect.pointee.process(left, right, frames: frames)
    case .delay(let effect): effect.pointee.process(left, right, frames: frames)
    case .reverb(let effect): effect.pointee.process(left, right, frames: frames)
    case .phaser(let effect): effect.pointee.process(left, right, frames: frames)
    case .compressor(let effect): effect.pointee.process(left, right, frames: frames)
    case .rotary(let effect): effect.pointee.process(left, right, frames: frames)
    case .flanger(let effect): effect.pointee.process(left, right, frames: frames)
    }
  }

  /// Clears the next piece of the effect's memory; true when all of it is clear.
  @_noLocks
  func clearPiece() -> Bool {
    switch self {
    case .drive(let effect): effect.pointee.clearPiece()
    case .equalizer(let effect): effect.pointee.clearPiece()
    case .chorus(let effect): effect.pointee.clearPiece()
    case .delay(let effect): effect.pointee.clearPiece()
    case .reverb(let effect): effect.pointee.clearPiece()
    case .phaser(let effect): effect.pointee.clearPiece()
    case .compressor(let effect): effect.pointee.clearPiece()
    case .rotary(let effect): effect.pointee.clearPiece()
    case .flanger(let effect): effect.pointee.clearPiece()
    }
  }
}

/// Current values and targets of the knobs of a sound's effects in a tick.
struct EffectAim {
  /// Smoothed values of the knobs.
  let now: UnsafePointer<EffectKnobs>
  /// Target values of the knobs.
  let chosen: UnsafePointer<EffectKnobs>
  /// Beats per second.
  let tempo: Float
  /// Smoothing coefficient of levels per tick: the share of the remaining distance.
  let share: Float
  /// True when no knob is moving.
  let isSettled: Bool

  @_noLocks
  init(
    _ now: UnsafePointer<EffectKnobs>, to chosen: UnsafePointer<EffectKnobs>, tempo: Float, share: Float,
    isSettled: Bool
  ) {
    (self.now, self.chosen, self.tempo, self.share, self.isSettled) = (now, chosen, tempo, share, isSettled)
  }
}
