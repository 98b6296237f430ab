/// The master of a hard sync, and how many periods of the slave waveform one period of the master contains.
struct SyncMaster {
  let phase: Phases
  let advance: Phases
  let steepness: Lanes
  let ratio: Ramp

  @_noLocks @inline(__always)
  init(phase: Phases, advance: Phases, steepness: Lanes, ratio: Ramp) {
    (self.phase, self.advance) = (phase, advance)
    (self.steepness, self.ratio) = (steepness, ratio)
  }
}
