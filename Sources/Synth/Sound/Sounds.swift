import Scenes

/// All sounds: the current one of each part, and those that recalls have replaced, until they are silent.
///
/// The pool is large enough for a current sound per part, an ending one per group, and some that only have tails, so
/// that a recall finds a free sound: an ending one without groups whose effects are silent.
struct Sounds: ~Copyable {
  let sounds: UnsafeMutablePointer<Sound>
  /// The index of each part's current sound.
  let current: UnsafeMutablePointer<Int>
  /// Seconds between two control ticks.
  let seconds: Float

  init(rate: Double) {
    seconds = Float(Double(Limits.controlFrames) / rate)
    sounds = .allocate(capacity: Limits.sounds)
    for index in 0..<Limits.sounds { (sounds + index).initialize(to: Sound()) }
    current = .allocate(capacity: Limits.parts)
    for part in 0..<Limits.parts {
      (current + part).initialize(to: part)
      sounds[part].isEnding = false
      sounds[part].part = part
    }
  }

  deinit {
    for index in 0..<Limits.sounds {
      sounds[index].release()
      sounds[index].deallocate()
    }
    sounds.deallocate()
    current.deallocate()
  }

  /// Starts a new sound in a part from the scene, as at a recall. The old sound ends with its own settings; if both
  /// have a rotary speaker, its rotors keep turning.
  @_noLocks
  func begin(_ part: Int, _ scene: UnsafePointer<Part>, _ patch: UnsafePointer<Patch>) {
    let sound = sounds + current[part]
    let rotors = sound.pointee.rack.rotors
    if sound.pointee.isSounding {
      sound.pointee.end()
      current[part] = free()
    }
    sounds[current[part]].begin(
      patch, scene.pointee.effects, scene.pointee.tables, part: part,
      generation: scene.pointee.generation, dynamics: scene.pointee.input.dynamics, seconds: seconds)
    sounds[current[part]].rack.continueRotation(of: rotors)
    cutQuietest()
  }

  /// The index of the sound of a part's drum, which begins if it does not sound yet. It has no effects, plays sines
  /// in place of wavetables, keeps the dynamics that the part had when it began, and ends with its notes.
  @_noLocks
  func drum(_ drum: UInt8, _ part: Int, _ patch: UnsafePointer<Patch>, dynamics: Float) -> Int {
    var index = 0
    while index < Limits.sounds {
      let sound = sounds + index
      if sound.pointee.drum == drum, sound.pointee.part == part, sound.pointee.groups != 0 { return index }
      index &+= 1
    }
    index = free()
    let generation = sounds[current[part]].generation
    sounds[index].begin(
      patch, PartEffects(), PartTables(), part: part, generation: generation, dynamics: dynamics,
      seconds: seconds)
    sounds[index].drum = drum
    sounds[index].isEnding = true
    return index
  }

  /// Fades the quietest tail if more sounds ring on than are allowed.
  @_noLocks
  private func cutQuietest() {
    var count = 0
    for index in 0..<Limits.sounds {
      if isTail(sounds + index) { count &+= 1 }
    }
    if count > Limits.endingRacks { _ = cutQuietestTail() }
  }

  /// True when an ending sound rings on through its effects.
  @_noLocks @inline(__always)
  private func isTail(_ sound: UnsafeMutablePointer<Sound>) -> Bool {
    sound.pointee.isEnding && sound.pointee.rack.rings && !sound.pointee.rack.isCut
  }

  /// Fades the quietest tail of an ending sound; false when there is none.
  @_noLocks
  func cutQuietestTail() -> Bool {
    var (quietest, level) = (-1, Float.infinity)
    for index in 0..<Limits.sounds {
      let sound = sounds + index
      if isTail(sound), sound.pointee.rack.peak < level {
        (quietest, level) = (index, sound.pointee.rack.peak)
      }
    }
    if quietest < 0 { return false }
    sounds[quietest].rack.cut(forGood: true)
    return true
  }

  /// Processing cost of all effects, in voice groups, without those that fade.
  var rackGroups: Int {
    @_noLocks get {
      var work = 0
      for index in 0..<Limits.sounds {
        if sounds[index].isSounding, !sounds[index].rack.isCut { work &+= sounds[index].rack.work }
      }
      return work / 4
    }
  }

  /// Fades the effects of all sounds.
  @_noLocks
  func cut() {
    for index in 0..<Limits.sounds {
      if sounds[index].rack.isOn { sounds[index].rack.cut(forGood: sounds[index].isEnding) }
    }
  }

  /// Silences and clears all effects: after a fault.
  @_noLocks
  func stop() {
    for index in 0..<Limits.sounds {
      sounds[index].rack.stop()
      sounds[index].dc.follow(sounds[index].patch, isSounding: false)
    }
  }

  /// Returns the effects and wavetables of a sound that has ended.
  @_noLocks
  func release(_ sound: UnsafeMutablePointer<Sound>) {
    if sound.pointee.isEnding, sound.pointee.hasMemory { sound.pointee.release() }
  }

  /// Returns to the initial state: only current sounds, all silent.
  func reset() {
    for index in 0..<Limits.sounds {
      sounds[index].isEnding = index >= Limits.parts
      sounds[index].groups = 0
      sounds[index].release()
      sounds[index].dc = SoundDC()
    }
    for part in 0..<Limits.parts { current[part] = part }
  }

  /// A free sound. If recalls come faster than tails fade, a sound that only has a tail is reused.
  @_noLocks
  private func free() -> Int {
    var (index, tail) = (0, Limits.sounds - 1)
    while index < Limits.sounds {
      let sound = sounds + index
      if sound.pointee.isEnding, sound.pointee.groups == 0 {
        if !sound.pointee.isSounding { return index }
        tail = index
      }
      index &+= 1
    }
    return tail
  }
}
