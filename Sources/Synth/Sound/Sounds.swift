/// The sounds: for each part the current one, and those that recalls have replaced until they are silent.
///
/// The pool has room for a current sound of every part, an ending one for every group, and those that have only tails left,
/// so that a recall finds one: an ending sound without a group whose effects are silent is free.
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
      sounds[index].rack.release()
      sounds[index].deallocate()
    }
    sounds.deallocate()
    current.deallocate()
  }

  /// A part begins anew with what the scene says, as at a recall. What sounds in it ends as it is.
  @_noLocks
  func begin(_ part: Int, _ scene: UnsafePointer<Part>, _ patch: UnsafePointer<Patch>) {
    let sound = sounds + current[part]
    if sound.pointee.isSounding {
      sound.pointee.end()
      current[part] = free()
    }
    sounds[current[part]].begin(
      patch, scene.pointee.effects, part: part, generation: scene.pointee.generation, seconds: seconds)
    cutQuietest()
  }

  /// Where more sounds ring on than there may be, the quietest is faded.
  @_noLocks
  private func cutQuietest() {
    var count = 0
    var index = 0
    while index < Limits.sounds {
      if isTail(sounds + index) { count &+= 1 }
      index &+= 1
    }
    if count > Limits.endingRacks { _ = cutQuietestTail() }
  }

  /// True when a sound that ends rings on through its effects.
  @_noLocks @inline(__always)
  private func isTail(_ sound: UnsafeMutablePointer<Sound>) -> Bool {
    sound.pointee.isEnding && sound.pointee.rack.rings && !sound.pointee.rack.isCut
  }

  /// Fades the quietest of the tails that old sounds have left; false when there is none.
  @_noLocks
  func cutQuietestTail() -> Bool {
    var (quietest, level) = (-1, Float.infinity)
    var index = 0
    while index < Limits.sounds {
      let sound = sounds + index
      if isTail(sound), sound.pointee.rack.peak < level {
        (quietest, level) = (index, sound.pointee.rack.peak)
      }
      index &+= 1
    }
    if quietest < 0 { return false }
    sounds[quietest].rack.cut(forGood: true)
    return true
  }

  /// What all effects cost, in groups of voices, without those that fade.
  var rackGroups: Int {
    @_noLocks get {
      var work = 0
      var index = 0
      while index < Limits.sounds {
        if sounds[index].isSounding, !sounds[index].rack.isCut { work &+= sounds[index].rack.work }
        index &+= 1
      }
      return work / 4
    }
  }

  /// What rings of all sounds is faded.
  @_noLocks
  func cut() {
    var index = 0
    while index < Limits.sounds {
      if sounds[index].rack.isOn { sounds[index].rack.cut(forGood: sounds[index].isEnding) }
      index &+= 1
    }
  }

  /// Nothing of what the effects have heard is left: after a fault.
  @_noLocks
  func stop() {
    var index = 0
    while index < Limits.sounds {
      sounds[index].rack.stop()
      sounds[index].dc.follow(sounds[index].patch, isSounding: false)
      index &+= 1
    }
  }

  /// Gives back the effects of a sound that is over.
  @_noLocks
  func release(_ sound: UnsafeMutablePointer<Sound>) {
    if sound.pointee.isEnding, sound.pointee.rack.isOn { sound.pointee.rack.release() }
  }

  /// As new: only current sounds, all silent.
  func reset() {
    for index in 0..<Limits.sounds {
      sounds[index].isEnding = index >= Limits.parts
      sounds[index].groups = 0
      sounds[index].rack.release()
      sounds[index].dc = SoundDC()
    }
    for part in 0..<Limits.parts { current[part] = part }
  }

  /// A sound that is free. Where recalls come faster than tails fade, one that has only a tail left gives way.
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
