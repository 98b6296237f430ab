// Saws and pulses that are added to a sum.

extension ImpulseTrain {
  /// Adds saws in the middle (0), left (1) or right (2). `slots` has a bit for each slot, whose phase and increment
  /// are in the scratch memory.
  @_noLocks
  mutating func add(_ slots: UInt8, _ pan: Int) {
    if continues { add(slots, pan, continues: true) } else { add(slots, pan, continues: false) }
  }

  @_noLocks @inline(__always)
  private mutating func add(_ slots: UInt8, _ pan: Int, continues: Bool) {
    var (line, left, jumping) = (scratch.lines[pan], slots, saws)
    while left != 0 {
      let slot = left.trailingZeroBitCount
      let increment = scratch.motions(.increment, slot).pointee
      let phase = scratch.phases(.phase, slot).pointee
      line.start += begin(phase, increment, jumps + slot, .first, &jumping, slot, continues)
      line.slope += increment
      left &= left &- 1
    }
    (scratch.lines[pan], saws) = (line, jumping)
    scratch.members[pan] |= Self.members(slots)
  }

  /// Adds pulses: each is a saw minus a second saw, which runs a little faster or slower while the width moves.
  @_noLocks
  mutating func addPulses(_ slots: UInt8, _ pulse: PulseWidth, _ pan: Int) {
    let step = numbers(pulse.step)
    var left = slots
    while left != 0 {
      let slot = left.trailingZeroBitCount
      let increment = scratch.motions(.increment, slot).pointee
      let phase = scratch.phases(.phase, slot).pointee
      // Limited to half and twice the saw's increment: if the width jumps, the next update covers the rest.
      let endIncrement = smaller(larger(increment + step, 0.5 * increment), 2 * increment)
      let away = jumps + (ImpulseTail.slots &+ slot)
      scratch.motions(.endIncrement, slot).pointee = endIncrement
      scratch.lines[pan].start += begin(phase, increment, jumps + slot, .first, &saws, slot, continues)
      scratch.lines[pan].start -= begin(
        phase &+ pulse.end, endIncrement, away, .firstEnd, &ends, slot, continues)
      scratch.lines[pan].slope += increment - endIncrement
      left &= left &- 1
    }
    scratch.members[pan] |= Self.members(slots)
  }

  /// All lanes of some slots, a bit for each lane of each slot.
  @_noLocks @inline(__always)
  static func members(_ slots: UInt8) -> UInt64 {
    // A copy of the bits in each byte, which keeps the bit of its slot and spreads it over the slot's lanes.
    let bits = UInt64(slots) &* 0x0101_0101_0101_0101 & 0x8040_2010_0804_0201
    return ((bits &+ 0x7f7f_7f7f_7f7f_7f7f) | bits) &>> 7 & 0x0101_0101_0101_0101 &* 0xff
  }

  /// Finds the saws that jump within the frames, and returns where their lines start. A line starts a period lower if
  /// the last block has placed the next jump already, and a period higher if a jump before the first sample reaches
  /// into the block.
  @_noLocks @inline(__always)
  private func begin(
    _ phase: Phases, _ increment: Lanes, _ carried: UnsafeMutablePointer<Lanes>,
    _ kind: ImpulseScratch.Motion, _ jumps: inout UInt64, _ slot: Int, _ continues: Bool
  ) -> Lanes {
    let number = numbers(phase)
    let first =
      continues
      ? number - Self.ahead(number, carried.pointee)
      : number + Self.behind(number, increment, SawPulse.end)
    carried.pointee = .zero
    scratch.motions(kind, slot).pointee = first
    let end = multiplyAdd(increment, Lanes(repeating: last), first)
    jumps |= UInt64(lanes(where: end .> Lanes(repeating: Self.half))) &<< UInt64(8 &* slot)
    return first
  }

  /// A period in lanes whose next jump is already placed, 0 in the others. A jump that the last block placed after
  /// its end is still ahead, unless it has just passed: then the phase is near the beginning of its period.
  @_noLocks @inline(__always)
  static func ahead(_ number: Lanes, _ carried: Lanes) -> Lanes {
    let isAhead = number .> Lanes(repeating: -0.5 * half)
    return lanes(bits(carried) & unsafeBitCast(isAhead, to: LaneWords.self))
  }

  /// A period in lanes whose last jump lies less than `reach` samples back, 0 in the others.
  @_noLocks @inline(__always)
  static func behind(_ number: Lanes, _ increment: Lanes, _ reach: Float) -> Lanes {
    let isBehind = number .< multiplyAdd(increment, Lanes(repeating: reach), Lanes(repeating: -half))
    return lanes(bits(Lanes(repeating: whole)) & unsafeBitCast(isBehind, to: LaneWords.self))
  }
}
