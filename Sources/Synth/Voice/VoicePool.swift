import Scenes

/// The groups of eight lanes, and which of them are in use.
///
/// Its size is two words, so that functions that look for a voice get it in registers.
struct VoicePool {
  let groups: UnsafeMutablePointer<VoiceGroup>
  // Groups in use by a sound, one bit each.
  private var taken: UInt64 = 0

  /// All groups free.
  init(_ groups: UnsafeMutablePointer<VoiceGroup>) { self.groups = groups }

  /// Number of free groups.
  var free: Int { @_noLocks get { Limits.groups &- taken.nonzeroBitCount } }

  /// Allocates the first free group, without voices; nil when there is none.
  @_noLocks
  mutating func take() -> Int? {
    let group = (~taken).trailingZeroBitCount
    if group >= Limits.groups { return nil }
    taken |= 1 &<< UInt64(truncatingIfNeeded: group)
    groups[group] = VoiceGroup(groups[group].block)
    return group
  }

  /// Frees a group without voices.
  @_noLocks
  mutating func giveBack(_ group: Int) { taken &= ~(1 &<< UInt64(truncatingIfNeeded: group)) }

  // MARK: - Voices

  // A voice is numbered by its lane; divided as unsigned, so that the division by eight is a shift.
  @_noLocks @inline(__always)
  static func group(of voice: Int) -> Int { Int(UInt(bitPattern: voice) / UInt(Limits.lanesPerGroup)) }

  @_noLocks @inline(__always)
  static func lane(of voice: Int) -> Int { Int(UInt(bitPattern: voice) % UInt(Limits.lanesPerGroup)) }

  /// The first voice from `voice` on that sounds or fades; `Limits.lanes` when there is none.
  @_noLocks
  func next(_ voice: Int) -> Int {
    var left = taken(from: voice)
    while left != 0 {
      let group = left.trailingZeroBitCount
      let used = groups[group].used & lanes(of: group, from: voice)
      if used != 0 { return group &* Limits.lanesPerGroup &+ used.trailingZeroBitCount }
      left &= left &- 1
    }
    return Limits.lanes
  }

  /// The first voice from `voice` on that is held for the note with an ID; `Limits.lanes` when there is none.
  @_noLocks
  func nextHeld(by id: UInt32, _ voice: Int) -> Int {
    var left = taken(from: voice)
    while left != 0 {
      let group = left.trailingZeroBitCount
      let held = groups[group].held(by: id) & lanes(of: group, from: voice)
      if held != 0 { return group &* Limits.lanesPerGroup &+ held.trailingZeroBitCount }
      left &= left &- 1
    }
    return Limits.lanes
  }

  /// The first voice from `voice` on that sounds for the note with an ID, held or not; `Limits.lanes` when there is
  /// none.
  @_noLocks
  func nextSounding(by id: UInt32, _ voice: Int) -> Int {
    var left = taken(from: voice)
    while left != 0 {
      let group = left.trailingZeroBitCount
      let sounding = groups[group].sounding(by: id) & lanes(of: group, from: voice)
      if sounding != 0 { return group &* Limits.lanesPerGroup &+ sounding.trailingZeroBitCount }
      left &= left &- 1
    }
    return Limits.lanes
  }

  /// The groups in use, from that of a voice on.
  @_noLocks @inline(__always)
  private func taken(from voice: Int) -> UInt64 {
    taken & UInt64.max << UInt64(truncatingIfNeeded: Self.group(of: voice))
  }

  /// The lanes of a group from a voice on, which may be in an earlier group.
  @_noLocks @inline(__always)
  private func lanes(of group: Int, from voice: Int) -> UInt8 {
    UInt8.max &<< UInt8(truncatingIfNeeded: max(0, voice &- group &* Limits.lanesPerGroup))
  }
}
