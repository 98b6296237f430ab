/// Hard sync: saws that restart whenever a period of their master ends. Besides the jumps at the ends of their periods
/// they have a jump of another height at each reset.
///
/// Alias-to-signal is -80 dB or better for saws under 9 kHz and masters of 110 to 880 Hz, at any ratio up to 20.
extension ImpulseTrain {
  /// Adds synchronized saws, as `add` does, and advances their phases to the end of the block.
  @_noLocks
  mutating func addSynced(_ places: UInt8, _ pan: Int) {
    if goesOn { addSynced(places, pan, goesOn: true) } else { addSynced(places, pan, goesOn: false) }
  }

  @_noLocks @inline(__always)
  private mutating func addSynced(_ places: UInt8, _ pan: Int, goesOn: Bool) {
    let saws = kept.synced
    let last = Lanes(repeating: lastSynced)
    var (line, left, jumping) = (room.lines[pan], places, synced)
    while left != 0 {
      let place = left.trailingZeroBitCount
      let (way, masterWay) = (room.motions(.way, place).pointee, room.motions(.masterWay, place).pointee)
      var (start, master) = (numbers(saws.phases[place]), numbers(room.phases(.masterPhase, place).pointee))
      if goesOn {
        start -= Self.ahead(start, saws.jumps[place])
        master -= Self.ahead(master, saws.resets[place])
      } else {
        goBack(&start, &master, way, masterWay, place)
      }
      saws.phases[place] &+= Synth.way(advances(way), frames)
      saws.jumps[place] = .zero
      saws.resets[place] = .zero
      room.motions(.first, place).pointee = start
      room.motions(.master, place).pointee = master
      let end = larger(multiplyAdd(way, last, start), multiplyAdd(masterWay, last, master))
      jumping |= UInt64(lanes(where: end .> Lanes(repeating: Self.half))) &<< UInt64(8 &* place)
      line.start += start
      line.slope += way
      left &= left &- 1
    }
    (room.lines[pan], synced) = (line, jumping)
    room.members[pan] |= Self.members(places)
  }

  /// Unwraps the phases of saws and masters to before every jump that reaches into the block.
  @_noLocks @inline(__always)
  private func goBack(
    _ start: inout Lanes, _ master: inout Lanes, _ way: Lanes, _ masterWay: Lanes, _ place: Int
  ) {
    let (half, end) = (Lanes(repeating: Self.half), SyncedPulse.end)
    let ahead = Self.ahead(master, kept.synced.resets[place])
    let behind = Self.behind(master, masterWay, end)
    master += behind
    let past = multiplyAdd(kept.synced.ends[place], Lanes(repeating: Self.whole), -half)
    let before = past - way * ((half - master) * inverse(masterWay))
    let isBack = unsafeBitCast(bits(ahead) | bits(behind), to: Phases.self) .!= Phases.zero
    start = select(before, start, where: isBack)
    start -= Self.whole * Synth.nearest((start - way * end) * (1 / Self.whole))
  }

  /// Jumps of synchronized saws at this time and later reach no sample; in samples from the first.
  var lastSynced: Float {
    @_noLocks @inline(__always) get { last + (SyncedPulse.end - SawPulse.end) }
  }
}
