/// The sounds: for each part the current one, and those that recalls have replaced until they are silent.
///
/// The pool has room for a current sound of every part and an ending one for every group, so that a recall always
/// finds one: an ending sound without a group is silent, and free.
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
    for index in 0..<Limits.sounds { sounds[index].deallocate() }
    sounds.deallocate()
    current.deallocate()
  }

  /// A part begins anew with what the scene says, as at a recall. What sounds in it ends as it is.
  @_noLocks
  func begin(_ part: Int, _ scene: UnsafePointer<Part>, _ patch: UnsafePointer<Patch>) {
    let sound = sounds + current[part]
    if sound.pointee.isSounding {
      sound.pointee.isEnding = true
      current[part] = free()
    }
    sounds[current[part]].begin(patch, part: part, generation: scene.pointee.generation, seconds: seconds)
  }

  /// As new: only current sounds, all silent.
  func reset() {
    for index in 0..<Limits.sounds {
      sounds[index].isEnding = index >= Limits.parts
      sounds[index].groups = 0
    }
    for part in 0..<Limits.parts { current[part] = part }
  }

  /// A sound that is free; see above why there is one.
  @_noLocks
  private func free() -> Int {
    var index = 0
    while index < Limits.sounds {
      if sounds[index].isEnding, !sounds[index].isSounding { return index }
      index &+= 1
    }
    return Limits.sounds - 1
  }
}
