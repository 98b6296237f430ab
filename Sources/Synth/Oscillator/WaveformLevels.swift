/// The waveforms of an oscillator in eight voices, each at its level, by the waveform's index.
struct WaveformLevels {
  /// A ramp for each waveform.
  let ramps: UnsafeMutablePointer<Ramp>

  @_noLocks init(_ ramps: UnsafeMutablePointer<Ramp>) { self.ramps = ramps }

  @_noLocks @inline(__always)
  subscript(_ waveform: Int) -> UnsafeMutablePointer<Ramp> { ramps + waveform }

  /// Aims every level; `fresh` lanes, whose notes have just started, are there at once. The waveforms that are heard on
  /// the way, one bit each.
  @_noLocks
  func aim(_ levels: Lanes, fresh: UInt8, perFrame: Float, rests: Bool) -> UInt8 {
    let starting = mask(fresh)
    var heard: UInt8 = 0
    var waveform = 0
    while waveform < Waveform.count {
      let goal = Lanes(repeating: levels[waveform])
      let ramp = self[waveform]
      if fresh != 0 { ramp.pointee.value = select(goal, ramp.pointee.value, where: starting) }
      if rests { ramp.pointee.rest(at: goal) } else { ramp.pointee.aim(at: goal, perFrame: perFrame) }
      if sum(ramp.pointee.value + goal) > 0 { heard |= 1 << UInt8(waveform) }
      waveform &+= 1
    }
    return heard
  }

  /// The same where each lane has a level of its own, of which the waveforms have `shares`.
  @_noLocks
  func aim(_ level: Lanes, _ shares: Lanes, fresh: UInt8, perFrame: Float) -> UInt8 {
    let starting = mask(fresh)
    var heard: UInt8 = 0
    var waveform = 0
    while waveform < Waveform.count {
      let goal = level * shares[waveform]
      self[waveform].pointee.aim(at: goal, starting, perFrame: perFrame)
      if isAny(larger(self[waveform].pointee.value, goal)) { heard |= 1 << UInt8(waveform) }
      waveform &+= 1
    }
    return heard
  }
}
