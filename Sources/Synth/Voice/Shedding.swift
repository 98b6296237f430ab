// Which voices end, and how what is left is packed, where the machine is too slow for all.

extension Voices {
  /// Fades the voices that are too many, the quietest released first, and packs the others: a group costs the
  /// same for one voice as for eight. Returns how many. At the beginning of a block.
  @_noLocks
  mutating func shed() -> UInt64 {
    var gone: UInt64 = 0
    while sounding > limit, let victim = victim() {
      fade(victim)
      gone &+= 1
    }
    gather()
    return gone
  }

  /// Moves some voices from the last groups into free lanes of earlier ones, where that empties a group in the
  /// end. A voice sounds the same in any lane.
  @_noLocks
  private func gather() {
    var moves = 0
    var to = 0
    var from = Limits.lanes &- 1
    while moves < Limits.gathered {
      while to < Limits.lanes, voices[to].state != Voice.free { to &+= 1 }
      while from > to, voices[from].state == Voice.free { from &-= 1 }
      // Within a group nothing is to be gained.
      if from / Limits.lanesPerGroup <= to / Limits.lanesPerGroup { return }
      if group(from).pointee.keepsTime(with: group(to)) {
        move(from, to)
        moves &+= 1
      } else {
        from &-= 1
      }
    }
  }

  @_noLocks
  private func move(_ from: Int, _ to: Int) {
    voices[to] = voices[from]
    patches[to] = patches[from]
    voices[from] = Voice()
    VoiceGroup.copy(group(from), lane(from), group(to), lane(to))
    group(to).pointee.arrived(lane(to))
    group(from).pointee.left(lane(from))
  }
}

extension VoiceGroup {
  /// Copies one lane of every vector. A group is vectors one after the other; the few numbers that are none lie
  /// at the end of each oscillator and of the group, in less than a vector's room.
  @_noLocks
  static func copy(
    _ source: UnsafeMutablePointer<VoiceGroup>, _ from: Int, _ target: UnsafeMutablePointer<VoiceGroup>,
    _ to: Int
  ) {
    let (source, target) = (UnsafeRawPointer(source), UnsafeMutableRawPointer(target))
    let oscillator = MemoryLayout<OscillatorLanes>.size
    let second = MemoryLayout<OscillatorLanes>.stride
    let rest = 2 &* second
    copy(source, from, target, to, bytes: oscillator)
    copy(source + second, from, target + second, to, bytes: oscillator)
    copy(source + rest, from, target + rest, to, bytes: MemoryLayout<VoiceGroup>.size &- rest)
  }

  /// The same for the whole vectors in some bytes.
  @_noLocks
  private static func copy(
    _ source: UnsafeRawPointer, _ from: Int, _ target: UnsafeMutableRawPointer, _ to: Int, bytes: Int
  ) {
    let read = source.assumingMemoryBound(to: UInt32.self)
    let write = target.assumingMemoryBound(to: UInt32.self)
    var vector = 0
    while vector < bytes / MemoryLayout<Lanes>.size {
      write[vector &* Limits.lanesPerGroup &+ to] = read[vector &* Limits.lanesPerGroup &+ from]
      vector &+= 1
    }
  }

  /// True when both stand at the same place between two control ticks, so that a voice can go from one to the
  /// other in the middle of its way. A group without voices stands wherever it is put.
  @_noLocks
  mutating func keepsTime(with other: UnsafeMutablePointer<VoiceGroup>) -> Bool {
    if fresh != 0 || stirred { return false }
    if other.pointee.used == 0 {
      (other.pointee.planned, other.pointee.passed) = (planned, passed)
      (other.pointee.fresh, other.pointee.stirred) = (0, false)
    }
    return !other.pointee.stirred && other.pointee.planned == planned && other.pointee.passed == passed
  }

  /// A voice has been put into a lane, in the middle of its sound.
  @_noLocks
  mutating func arrived(_ lane: Int) {
    used |= 1 << UInt8(lane)
    oscillator1.unsettle()
    oscillator2.unsettle()
  }

  /// The voice of a lane sounds elsewhere now.
  @_noLocks
  mutating func left(_ lane: Int) {
    free(lane)
    reset(lane)
    stepLeft[lane] = 0
    stepRight[lane] = 0
  }
}
