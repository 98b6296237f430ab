// The note struck last, whose sources modulate the effects of its sound.

extension Voices {
  /// The voice struck last among those that sound in the given groups, one bit each; nil when none sounds.
  @_noLocks
  func newest(in groups: UInt64) -> SoundingVoice? {
    var (newest, order) = (Limits.lanes, UInt64(0))
    var left = groups
    while left != 0 {
      let group = left.trailingZeroBitCount
      left &= left &- 1
      var lanes = self.groups[group].used & ~self.groups[group].fading
      while lanes != 0 {
        let voice = group &* Limits.lanesPerGroup &+ lanes.trailingZeroBitCount
        lanes &= lanes &- 1
        if notes[voice].order >= order { (newest, order) = (voice, notes[voice].order) }
      }
    }
    if newest == Limits.lanes { return nil }
    return SoundingVoice(
      note: notes + newest, sources: group(newest).pointee.block.sources, lane: lane(newest))
  }
}
