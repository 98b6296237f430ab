// Which voice gives way when all are taken.

extension Voices {
  /// The quietest that has been released; else the oldest, but not the bass of a part if another will do.
  @_noLocks
  func victim() -> Int? {
    if let released = quietestReleased() { return released }
    findBasses()
    var oldest: Int?
    var oldestBass: Int?
    var index = 0
    while index < Limits.lanes {
      if voices[index].isHeld {
        if basses[Int(voices[index].part)] == index {
          if isOlder(index, oldestBass) { oldestBass = index }
        } else if isOlder(index, oldest) {
          oldest = index
        }
      }
      index &+= 1
    }
    return oldest ?? oldestBass
  }

  @_noLocks
  private func quietestReleased() -> Int? {
    var quietest: Int?
    var level: Float = 2
    var index = 0
    while index < Limits.lanes {
      if voices[index].state == Voice.released {
        let loudness = group(index).pointee.level(lane(index))
        if loudness < level { (quietest, level) = (index, loudness) }
      }
      index &+= 1
    }
    return quietest
  }

  @_noLocks
  private func isOlder(_ index: Int, _ other: Int?) -> Bool {
    guard let other else { return true }
    return voices[index].order < voices[other].order
  }

  /// Finds the newest voice on the lowest note that each part holds.
  @_noLocks
  private func findBasses() {
    basses.update(repeating: -1, count: Limits.parts)
    var index = 0
    while index < Limits.lanes {
      let voice = voices[index]
      if voice.isHeld {
        let bass = basses + Int(voice.part)
        if bass.pointee < 0 || isLower(voice, voices[bass.pointee]) { bass.pointee = index }
      }
      index &+= 1
    }
  }

  @_noLocks
  private func isLower(_ voice: Voice, _ other: Voice) -> Bool {
    voice.note < other.note || voice.note == other.note && voice.order > other.order
  }
}
