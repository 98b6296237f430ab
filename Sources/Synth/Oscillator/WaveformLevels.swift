/// Levels of an oscillator's waveforms in eight voices, by the waveform's index.
struct WaveformLevels {
  /// The ramp of each waveform's level.
  let ramps: UnsafeMutablePointer<Ramp>

  @_noLocks init(_ ramps: UnsafeMutablePointer<Ramp>) { self.ramps = ramps }

  @_noLocks @inline(__always)
  subscript(_ waveform: Int) -> UnsafeMutablePointer<Ramp> { ramps + waveform }

  /// Aims every level at one goal for all lanes; `fresh` lanes, whose notes have just started, get it at once.
  /// Returns the waveforms that are audible during the ramp, one bit each.
  @_noLocks
  func aim(_ levels: Lanes, fresh: UInt8, perFrame: Float, isSettled: Bool) -> UInt8 {
    let starting = mask(fresh)
    var audible: UInt8 = 0
    var waveform = 0
    while waveform < Waveform.count {
      let goal = Lanes(repeating: levels[waveform])
      let ramp = self[waveform]
      if fresh != 0 { ramp.pointee.value = select(goal, ramp.pointee.value, where: starting) }
      if isSettled { ramp.pointee.rest(at: goal) } else { ramp.pointee.aim(at: goal, perFrame: perFrame) }
      if sum(ramp.pointee.value + goal) > 0 { audible |= 1 << UInt8(waveform) }
      waveform &+= 1
    }
    return audible
  }

  /// Aims every level at `level`, a goal for each lane, times the share of the waveform. Returns the waveforms that are
  /// audible during the ramp, one bit each.
  @_noLocks
  func aim(_ level: Lanes, _ shares: Lanes, fresh: UInt8, perFrame: Float) -> UInt8 {
    let starting = mask(fresh)
    var audible: UInt8 = 0
    var waveform = 0
    while waveform < Waveform.count {
      let goal = level * shares[waveform]
      self[waveform].pointee.aim(at: goal, starting, perFrame: perFrame)
      if isAny(larger(self[waveform].pointee.value, goal)) { audible |= 1 << UInt8(waveform) }
      waveform &+= 1
    }
    return audible
  }
}
