// Which voices end where the machine is too slow for all, and which groups are let go where few are left.

extension Voices {
  /// Fades what is too much for the machine: tails of old sounds; voices, the quietest released first; then as many as make groups empty,
  /// those of sounds that end first, since a group costs the same for one voice as for eight. Returns how many voices.
  /// At the beginning of a block.
  @_noLocks
  mutating func shed() -> UInt64 {
    let before = sounding
    // Tails of old sounds first: they are what is missed least.
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

  /// Fades the quietest group of a sound that ends, so that there will be a free one.
  @_noLocks
  mutating func letGo() {
    if let group = quietestEndingGroup() { fade(group: group) }
  }

  /// Groups that all sounds need when their voices have been brought together, without those that fade.
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

  /// Of the groups of sounds that end, the one whose loudest voice is the quietest.
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
