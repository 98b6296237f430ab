// Voice shedding: fades voices on a machine that is too slow for all of them, and groups when few are free.

extension Voices {
  /// Fades the excess over the budget: first tails of old sounds; then voices, the quietest released one first; then as
  /// many voices as empty a group, in ending sounds first, because a group costs the same for one voice as for eight.
  /// Returns the number of voices. Called at the beginning of a block.
  @_noLocks
  mutating func shed() -> UInt64 {
    let before = sounding
    // Tails of old sounds first, because they are missed least.
    while neededGroups &+ sounds.rackGroups > budget.groups, sounds.cutQuietestTail() {}
    while sounding > budget.voices, let victim = victim() { fade(victim) }
    let racks = sounds.rackGroups
    while sounding > Budget.least, neededGroups &+ racks > budget.groups {
      if let group = quietestEndingGroup() {
        fade(group: group)
      } else if let victim = victim() {
        fade(victim)
      } else {
        break
      }
    }
    return UInt64(before &- sounding)
  }

  /// Fades the quietest group of an ending sound, so that a group becomes free.
  @_noLocks
  mutating func letGo() {
    if let group = quietestEndingGroup() { fade(group: group) }
  }

  /// Groups that all sounds would need after compaction, without fading voices.
  private var neededGroups: Int {
    @_noLocks get {
      var count = 0
      var sound = 0
      while sound < Limits.sounds {
        var voices = 0
        var left = sounds.sounds[sound].groups
        while left != 0 {
          let group = left.trailingZeroBitCount
          voices &+= (groups[group].used & ~groups[group].fading).nonzeroBitCount
          left &= left &- 1
        }
        count &+= (voices &+ Limits.lanesPerGroup &- 1) / Limits.lanesPerGroup
        sound &+= 1
      }
      return count
    }
  }

  /// The group of an ending sound whose loudest voice is the quietest.
  @_noLocks
  private func quietestEndingGroup() -> Int? {
    var quietest: Int?
    var level = Float.infinity
    var group = 0
    while group < Limits.groups {
      if groups[group].used & ~groups[group].fading != 0, sounds.sounds[groups[group].sound].isEnding {
        let loudness = loudness(group)
        if loudness < level { (quietest, level) = (group, loudness) }
      }
      group &+= 1
    }
    return quietest
  }

  @_noLocks
  private func loudness(_ group: Int) -> Float {
    var loudness: Float = 0
    var left = groups[group].used & ~groups[group].fading
    while left != 0 {
      loudness = max(loudness, groups[group].level(left.trailingZeroBitCount))
      left &= left &- 1
    }
    return loudness
  }

  @_noLocks
  private mutating func fade(group: Int) {
    var left = groups[group].used
    while left != 0 {
      fade(group &* Limits.lanesPerGroup &+ left.trailingZeroBitCount)
      left &= left &- 1
    }
  }
}
