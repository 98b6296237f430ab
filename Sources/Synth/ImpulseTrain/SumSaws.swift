// Saws and pulses that are added to a sum.

extension ImpulseTrain {
  /// Adds saws that lie in the middle, left or right: 0…2. Each has a place of its own, of which the room knows the way and
  /// the phase; a bit for each place.
  @_noLocks
  mutating func add(_ places: UInt8, _ pan: Int) {
    if goesOn { add(places, pan, goesOn: true) } else { add(places, pan, goesOn: false) }
  }

  @_noLocks @inline(__always)
  private mutating func add(_ places: UInt8, _ pan: Int, goesOn: Bool) {
    var (line, left, jumping) = (room.lines[pan], places, saws)
    while left != 0 {
      let place = left.trailingZeroBitCount
      let way = room.motions(.way, place).pointee
      let phase = room.phases(.phase, place).pointee
      line.start += begin(phase, way, jumps + place, .first, &jumping, place, goesOn)
      line.slope += way
      left &= left &- 1
    }
    (room.lines[pan], saws) = (line, jumping)
    room.members[pan] |= Self.members(places)
  }

  /// Adds pulses: each is a saw less another one, which goes a little faster or slower where the width moves.
  @_noLocks
  mutating func addPulses(_ places: UInt8, _ pulse: PulseWidth, _ pan: Int) {
    let step = numbers(pulse.step)
    var left = places
    while left != 0 {
      let place = left.trailingZeroBitCount
      let way = room.motions(.way, place).pointee
      let phase = room.phases(.phase, place).pointee
      // Half as fast at least and twice at most: a width that leaps goes the rest of its way at the next update.
      let endWay = smaller(larger(way + step, 0.5 * way), 2 * way)
      let away = jumps + (ImpulseScratch.places &+ place)
      room.motions(.endWay, place).pointee = endWay
      room.lines[pan].start += begin(phase, way, jumps + place, .first, &saws, place, goesOn)
      room.lines[pan].start -= begin(phase &+ pulse.end, endWay, away, .firstEnd, &ends, place, goesOn)
      room.lines[pan].slope += way - endWay
      left &= left &- 1
    }
    room.members[pan] |= Self.members(places)
  }

  /// All lanes of some places.
  @_noLocks @inline(__always)
  static func members(_ places: UInt8) -> UInt64 {
    // A copy for each place, of which that place's bit is kept and spread over its lanes.
    let bits = UInt64(places) &* 0x0101_0101_0101_0101 & 0x8040_2010_0804_0201
    return ((bits &+ 0x7f7f_7f7f_7f7f_7f7f) | bits) &>> 7 & 0x0101_0101_0101_0101 &* 0xff
  }

  /// Finds out which saws jump. Where their lines begin: beyond the next jump where the block before has put it where it
  /// belongs, and above the saws where one before the first sample reaches into the block.
  @_noLocks @inline(__always)
  private func begin(
    _ phase: Phases, _ way: Lanes, _ put: UnsafeMutablePointer<Lanes>, _ kind: ImpulseScratch.Motion,
    _ jumps: inout UInt64, _ place: Int, _ goesOn: Bool
  ) -> Lanes {
    let number = numbers(phase)
    let first =
      goesOn
      ? number - Self.ahead(number, put.pointee)
      : number + Self.behind(number, way, SawPulse.end)
    put.pointee = .zero
    room.motions(kind, place).pointee = first
    let end = multiplyAdd(way, Lanes(repeating: last), first)
    jumps |= UInt64(lanes(where: end .> Lanes(repeating: Self.half))) &<< UInt64(8 &* place)
    return first
  }

  /// A period where the next jump has been put where it is, 0 elsewhere. What was put behind the block before is ahead if it
  /// is not just over: then the phase is near its beginning.
  @_noLocks @inline(__always)
  static func ahead(_ number: Lanes, _ put: Lanes) -> Lanes {
    let isAhead = number .> Lanes(repeating: -0.5 * half)
    return lanes(bits(put) & unsafeBitCast(isAhead, to: LaneWords.self))
  }

  /// A period where the last jump lies less than so many samples behind, 0 elsewhere.
  @_noLocks @inline(__always)
  static func behind(_ number: Lanes, _ way: Lanes, _ reach: Float) -> Lanes {
    let isBehind = number .< multiplyAdd(way, Lanes(repeating: reach), Lanes(repeating: -half))
    return lanes(bits(Lanes(repeating: whole)) & unsafeBitCast(isBehind, to: LaneWords.self))
  }
}
