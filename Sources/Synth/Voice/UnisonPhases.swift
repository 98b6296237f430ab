// How the voices of a unison go, each in eight lanes.

extension VoiceGroup {
  /// Puts into the room where some voices of a unison are and how they go, and lets them go on to the end of the block. The
  /// first one goes on with the oscillator.
  @_noLocks
  func pass(
    _ voices: UInt8, _ making: UnisonBlock, _ control: UnsafePointer<SoundParameters>, _ room: ImpulseScratch
  ) {
    let (oscillators, extras) = (block.oscillators, block.extras)
    room.motions(.way, 0).pointee = making.way
    room.phases(.phase, 0).pointee = begun(oscillators[making.oscillator], making.part)
    let others = voices & Unison.sides & ~1
    let phases = extras.phases(making.oscillator)
    let knobs = control.oscillator(making.oscillator)
    var left = others
    if control.pointee.routes.moves(making.oscillator == 0 ? .detune1 : .detune2) {
      let (offsets, detune) = (
        knobs.pointee.unison.offsets, extras.oscillator(making.oscillator).pointee.detune
      )
      room.factors.pointee = (offsets - Lanes(repeating: offsets[0])) * (1 / 1200)
      while left != 0 {
        let voice = left.trailingZeroBitCount
        // A third of an octave at most.
        let factor = exp2OfPart(detune * room.factors.lane(voice))
        pass(voice, making.way * factor, phases, making.part, room)
        left &= left &- 1
      }
    } else {
      room.factors.pointee = knobs.pointee.factors
      while left != 0 {
        let voice = left.trailingZeroBitCount
        pass(voice, making.way * room.factors.lane(voice), phases, making.part, room)
        left &= left &- 1
      }
    }
    if making.sync > 0 { passMasters(others, making, room) }
  }

  @_noLocks @inline(__always)
  private func pass(
    _ voice: Int, _ way: Lanes, _ phases: UnsafeMutablePointer<Phases>, _ part: BlockPart,
    _ room: ImpulseScratch
  ) {
    let way = smaller(way, Self.fastest)
    room.motions(.way, voice).pointee = way
    room.phases(.phase, voice).pointee = pass(phases + (voice &- 1), way, part)
  }

  /// The same of what synchronizes each of them.
  @_noLocks
  private func passMasters(_ others: UInt8, _ making: UnisonBlock, _ room: ImpulseScratch) {
    let (first, masters) = (block.oscillators, block.extras.masters)
    room.motions(.masterWay, 0).pointee = larger(numbers(first.pointee.advance), Lanes(repeating: 1))
    room.phases(.masterPhase, 0).pointee = begun(first.pointee, making.part)
    var left = others
    while left != 0 {
      let voice = left.trailingZeroBitCount
      let way = smaller(room.motions(.way, voice).pointee * making.master, Self.fastest)
      room.motions(.masterWay, voice).pointee = way
      room.phases(.masterPhase, voice).pointee = pass(masters + (voice &- 1), way, making.part)
      left &= left &- 1
    }
  }

  /// Lets a phase go on by a part of a block. Returns where it was when the block began.
  @_noLocks @inline(__always)
  private func pass(_ phase: UnsafeMutablePointer<Phases>, _ way: Lanes, _ part: BlockPart) -> Phases {
    let (advance, now) = (advances(way), phase.pointee)
    phase.pointee = now &+ Synth.way(advance, part.frames)
    return part.first == 0 ? now : now &- Synth.way(advance, part.first)
  }

  /// Where an oscillator was when the block began.
  @_noLocks @inline(__always)
  private func begun(_ oscillator: OscillatorLanes, _ part: BlockPart) -> Phases {
    oscillator.phase &- Synth.way(oscillator.advance, part.first)
  }

  private static var fastest: Lanes {
    @_noLocks @inline(__always) get {
      Lanes(repeating: OscillatorLanes.fastest * BandLimitedStep.scale)
    }
  }
}
