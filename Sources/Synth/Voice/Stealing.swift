// Which voice gives way when all are taken.

extension Voices {
  /// The quietest that has been released; else the oldest, but not the bass of a part if another will do.
  @_noLocks
  func victim() -> Int? {
    if let released = quietestReleased() { return released }
    var oldest: Int?
    var oldestBass: Int?
    var index = 0
    while index < Limits.lanes {
      if voices[index].isHeld {
        if isBass(index) {
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

  /// True for the newest voice on the lowest note that a part holds.
  @_noLocks
  private func isBass(_ index: Int) -> Bool {
    let voice = voices[index]
    var other = 0
    while other < Limits.lanes {
      let candidate = voices[other]
      if candidate.isHeld, candidate.part == voice.part {
        if candidate.note < voice.note { return false }
        if candidate.note == voice.note, candidate.order > voice.order { return false }
      }
      other &+= 1
    }
    return true
  }
}
