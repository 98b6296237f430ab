/// Hard sync: saws that restart whenever a period of their master ends. Besides the jumps at the ends of their periods
/// they have a jump of another height at each reset.
///
/// Alias-to-signal is -80 dB or better for saws under 9 kHz and masters of 110 to 880 Hz, at any ratio up to 20.
extension ImpulseTrain {
  /// Adds synchronized saws, as `add` does, and advances their phases to the end of the block.
  @_noLocks
  mutating func addSynced(_ slots: UInt8, _ pan: Int) {
    if continues { addSynced(slots, pan, continues: true) } else { addSynced(slots, pan, continues: false) }
  }

  @_noLocks @inline(__always)
  private mutating func addSynced(_ slots: UInt8, _ pan: Int, continues: Bool) {
    let saws = kept.synced
    let last = Lanes(repeating: lastSynced)
    var (line, left, jumping) = (scratch.lines[pan], slots, synced)
    while left != 0 {
      let slot = left.trailingZeroBitCount
      let (increment, masterIncrement) = (
        scratch.motions(.increment, slot).pointee, scratch.motions(.masterIncrement, slot).pointee
      )
      var (start, master) = (numbers(saws.phases[slot]), numbers(scratch.phases(.masterPhase, slot).pointee))
      if continues {
        start -= Self.ahead(start, saws.jumps[slot])
        master -= Self.ahead(master, saws.resets[slot])
      } else {
        goBack(&start, &master, increment, masterIncrement, slot)
      }
      saws.phases[slot] &+= phaseChange(advances(increment), frames)
      saws.jumps[slot] = .zero
      saws.resets[slot] = .zero
      scratch.motions(.first, slot).pointee = start
      scratch.motions(.master, slot).pointee = master
      let end = larger(multiplyAdd(increment, last, start), multiplyAdd(masterIncrement, last, master))
      jumping |= UInt64(lanes(where: end .> Lanes(repeating: Self.half))) &<< UInt64(8 &* slot)
      line.start += start
      line.slope += increment
      left &= left &- 1
    }
    (scratch.lines[pan], synced) = (line, jumping)
    scratch.members[pan] |= Self.members(slots)
  }

  /// Unwraps the phases of saws and masters to before every jump that reaches into the block.
  @_noLocks @inline(__always)
  private func goBack(
    _ start: inout Lanes, _ master: inout Lanes, _ increment: Lanes, _ masterIncrement: Lanes, _ slot: Int
  ) {
    let (half, end) = (Lanes(repeating: Self.half), SyncedPulse.end)
    let ahead = Self.ahead(master, kept.synced.resets[slot])
    let behind = Self.behind(master, masterIncrement, end)
    master += behind
    let past = multiplyAdd(kept.synced.ends[slot], Lanes(repeating: Self.whole), -half)
    let before = past - increment * ((half - master) * inverse(masterIncrement))
    let isBack = unsafeBitCast(bits(ahead) | bits(behind), to: Phases.self) .!= Phases.zero
    start = select(before, start, where: isBack)
    start -= Self.whole * Synth.nearest((start - increment * end) * (1 / Self.whole))
  }

  /// Jumps of synchronized saws at this time and later reach no sample; in samples from the first.
  var lastSynced: Float {
    @_noLocks @inline(__always) get { last + (SyncedPulse.end - SawPulse.end) }
  }
}
