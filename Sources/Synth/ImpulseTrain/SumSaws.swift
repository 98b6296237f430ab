// Saws and pulses that are added to a sum.

extension ImpulseTrain {
  /// Adds saws in the middle (0), left (1) or right (2). `places` has a bit for each slot, whose phase and increment
  /// are in the scratch memory.
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

  /// Adds pulses: each is a saw minus a second saw, which runs a little faster or slower while the width moves.
  @_noLocks
  mutating func addPulses(_ places: UInt8, _ pulse: PulseWidth, _ pan: Int) {
    let step = numbers(pulse.step)
    var left = places
    while left != 0 {
      let place = left.trailingZeroBitCount
      let way = room.motions(.way, place).pointee
      let phase = room.phases(.phase, place).pointee
      // Between half and twice the saw's increment: a width that jumps covers the rest at the next update.
      let endWay = smaller(larger(way + step, 0.5 * way), 2 * way)
      let away = jumps + (ImpulseTail.slots &+ place)
      room.motions(.endWay, place).pointee = endWay
      room.lines[pan].start += begin(phase, way, jumps + place, .first, &saws, place, goesOn)
      room.lines[pan].start -= begin(phase &+ pulse.end, endWay, away, .firstEnd, &ends, place, goesOn)
      room.lines[pan].slope += way - endWay
      left &= left &- 1
    }
    room.members[pan] |= Self.members(places)
  }

  /// All lanes of some slots, a bit for each lane of each slot.
  @_noLocks @inline(__always)
  static func members(_ places: UInt8) -> UInt64 {
    // A copy of the bits in each byte, which keeps the bit of its slot and spreads it over the slot's lanes.
    let bits = UInt64(places) &* 0x0101_0101_0101_0101 & 0x8040_2010_0804_0201
    return ((bits &+ 0x7f7f_7f7f_7f7f_7f7f) | bits) &>> 7 & 0x0101_0101_0101_0101 &* 0xff
  }

  /// Finds the saws that jump within the frames, and returns where their lines start. A line starts a period lower if
  /// the last block has placed the next jump already, and a period higher if a jump before the first sample reaches
  /// into the block.
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

  /// A period where the next jump is placed already, 0 elsewhere. A jump that the last block placed behind its end is
  /// still ahead, unless it has just passed: then the phase is near the beginning of its period.
  @_noLocks @inline(__always)
  static func ahead(_ number: Lanes, _ put: Lanes) -> Lanes {
    let isAhead = number .> Lanes(repeating: -0.5 * half)
    return lanes(bits(put) & unsafeBitCast(isAhead, to: LaneWords.self))
  }

  /// A period where the last jump lies less than `reach` samples behind, 0 elsewhere.
  @_noLocks @inline(__always)
  static func behind(_ number: Lanes, _ way: Lanes, _ reach: Float) -> Lanes {
    let isBehind = number .< multiplyAdd(way, Lanes(repeating: reach), Lanes(repeating: -half))
    return lanes(bits(Lanes(repeating: whole)) & unsafeBitCast(isBehind, to: LaneWords.self))
  }
}
