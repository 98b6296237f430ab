import Scenes

// Compaction of voices into fewer groups: a group costs the same for one voice as for eight.

extension Voices {
  /// Moves voices from the last groups of each sound into free lanes of its first groups, if that empties a group. The
  /// lane of a voice does not change its output. Called at frames that do not depend on the blocks.
  @_noLocks
  mutating func compact() {
    var moves = 0
    var sound = 0
    while sound < Limits.sounds {
      let one = sounds.sounds + sound
      sound &+= 1
      if one.pointee.groups == 0 { continue }
      if one.pointee.isSettled, !one.pointee.isJoined { join(sound &- 1) }
      let groups = one.pointee.groups
      if groups & (groups &- 1) != 0 { moves = compact(one, moves) }
    }
  }

  /// Merges an ending sound into another one of its part with an equal patch, which sounds the same. Presets recalled
  /// in turn then leave no more sounds than there are presets.
  @_noLocks
  private func join(_ index: Int) {
    let sound = sounds.sounds + index
    sound.pointee.isJoined = true
    for other in 0..<Limits.sounds {
      let one = sounds.sounds + other
      if other != index, one.pointee.isSettled, one.pointee.isSounding,
        one.pointee.part == sound.pointee.part,
        one.pointee.control.isStereo == sound.pointee.control.isStereo,
        one.pointee.patch.sounds(as: sound.pointee.patch)
      {
        var left = sound.pointee.groups
        while left != 0 {
          groups[left.trailingZeroBitCount].sound = other
          left &= left &- 1
        }
        one.pointee.groups |= sound.pointee.groups
        sound.pointee.groups = 0
        return
      }
    }
  }

  @_noLocks
  private mutating func compact(_ sound: UnsafeMutablePointer<Sound>, _ done: Int) -> Int {
    var moves = done
    while moves < Limits.movedVoices {
      let all = sound.pointee.groups
      let last = 63 &- all.leadingZeroBitCount
      guard canBeEmptied(last, among: all), let to = target(in: all & ~(UInt64(1) << UInt64(last)), for: last)
      else {
        return moves
      }
      let from = last &* Limits.lanesPerGroup &+ groups[last].used.trailingZeroBitCount
      notes[to] = notes[from]
      notes[from] = Note()
      group(to).pointee.take(lane(to), from: groups + last, lane(from))
      giveBack(last)
      moves &+= 1
    }
    return moves
  }

  /// Whether the other groups have free lanes for all voices of this one.
  @_noLocks
  private func canBeEmptied(_ group: Int, among all: UInt64) -> Bool {
    var free = 0
    var left = all & ~(UInt64(1) << UInt64(group))
    if left == 0 { return false }
    while left != 0 {
      free &+= Limits.lanesPerGroup &- groups[left.trailingZeroBitCount].used.nonzeroBitCount
      left &= left &- 1
    }
    return free >= groups[group].used.nonzeroBitCount
  }

  /// A free lane in the given groups that can take a voice of another group now.
  @_noLocks
  private func target(in all: UInt64, for other: Int) -> Int? {
    var left = all
    while left != 0 {
      let group = left.trailingZeroBitCount
      if groups[group].used != 0xff, groups[group].keepsTime(with: groups[other]) {
        return group &* Limits.lanesPerGroup &+ (~groups[group].used).trailingZeroBitCount
      }
      left &= left &- 1
    }
    return nil
  }
}
