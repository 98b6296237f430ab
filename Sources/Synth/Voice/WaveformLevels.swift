/// The waveforms of an oscillator in eight voices, each at its level, by the waveform's index.
///
/// What the patch mixes, all lanes share; how high a lane sounds is its own, and with it the level of the sine that
/// takes the other waveforms' place up there.
struct WaveformLevels {
  /// A ramp for each waveform.
  let ramps: UnsafeMutablePointer<Ramp>

  @_noLocks init(_ ramps: UnsafeMutablePointer<Ramp>) { self.ramps = ramps }

  @_noLocks @inline(__always)
  subscript(_ waveform: Int) -> UnsafeMutablePointer<Ramp> { ramps + waveform }

  /// Where a waveform's level goes: `levels` are the patch's, `faded` how far the lanes have faded into sines.
  @_noLocks
  private static func goal(_ waveform: Int, _ levels: Lanes, faded: Lanes) -> Lanes {
    let own = Waveform.at(Float(waveform))
    switch own {
    case .sine: return levels[waveform] + faded * lost(levels)
    case .noise: return Lanes(repeating: levels[waveform])
    default: return levels[waveform] * (1 - faded)
    }
  }

  /// The first harmonics of all waveforms that fade, together.
  @_noLocks
  private static func lost(_ levels: Lanes) -> Float {
    var lost: Float = 0
    var waveform = Waveform.sine.index &+ 1
    while waveform < Waveform.count {
      lost += levels[waveform] * Waveform.at(Float(waveform)).firstHarmonic
      waveform &+= 1
    }
    return lost
  }

  /// Aims every level; `fresh` lanes, whose notes have just started, are there at once. The waveforms that are heard on
  /// the way, one bit each.
  @_noLocks
  func aim(_ levels: Lanes, faded: Lanes, fresh: UInt8, perFrame: Float, rests: Bool) -> UInt8 {
    let starting = mask(fresh)
    var heard: UInt8 = 0
    var waveform = 0
    while waveform < Waveform.count {
      let goal = Self.goal(waveform, levels, faded: faded)
      let ramp = self[waveform]
      if fresh != 0 { ramp.pointee.value = select(goal, ramp.pointee.value, where: starting) }
      if rests { ramp.pointee.rest(at: goal) } else { ramp.pointee.aim(at: goal, perFrame: perFrame) }
      if sum(ramp.pointee.value + goal) > 0 { heard |= 1 << UInt8(waveform) }
      waveform &+= 1
    }
    return heard
  }
}
