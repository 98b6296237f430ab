import Scenes

// The choice of a voice to steal.

extension Voices {
  /// The quietest released voice; otherwise the oldest, but the bass of a part only if there is no other, and the mono
  /// voice of a part last of all.
  @_noLocks
  func victim() -> Int? {
    if let released = quietestReleased() { return released }
    findBasses()
    var oldest: Int?
    var oldestBass: Int?
    var oldestMono: Int?
    var voice = next(0)
    while voice < Limits.lanes {
      if notes[voice].isHeld {
        if notes[voice].isMono {
          if isOlder(voice, oldestMono) { oldestMono = voice }
        } else if basses[Int(notes[voice].part)] == voice {
          if isOlder(voice, oldestBass) { oldestBass = voice }
        } else if isOlder(voice, oldest) {
          oldest = voice
        }
      }
      voice = next(voice &+ 1)
    }
    return oldest ?? oldestBass ?? oldestMono
  }

  @_noLocks
  private func quietestReleased() -> Int? {
    var quietest: Int?
    var level: Float = 2
    var voice = next(0)
    while voice < Limits.lanes {
      if isReleased(voice) {
        let (group, lane) = (group(voice), lane(voice))
        // A voice released before the end of its attack goes last.
        let isBrief =
          group.pointee.modulators.waiting >> UInt8(lane) & 1 != 0
          && group.pointee.block.state.pointee.envelope.rises(lane)
        let loudness = isBrief ? 1 : group.pointee.level(lane)
        if loudness < level { (quietest, level) = (voice, loudness) }
      }
      voice = next(voice &+ 1)
    }
    return quietest
  }

  @_noLocks
  private func isOlder(_ voice: Int, _ other: Int?) -> Bool {
    guard let other else { return true }
    return notes[voice].order < notes[other].order
  }

  /// Finds for each part the newest voice on its lowest held note.
  @_noLocks
  private func findBasses() {
    basses.update(repeating: -1, count: Limits.parts)
    var voice = next(0)
    while voice < Limits.lanes {
      let note = notes[voice]
      if note.isHeld {
        let bass = basses + Int(note.part)
        if bass.pointee < 0 || isLower(note, notes[bass.pointee]) { bass.pointee = voice }
      }
      voice = next(voice &+ 1)
    }
  }

  @_noLocks
  private func isLower(_ note: Note, _ other: Note) -> Bool {
    note.key < other.key || note.key == other.key && note.order > other.order
  }
}
