import CRealtime

// The wavetables of a group: the levels that its lanes read.

extension VoiceGroup {
  /// Index in `LaneBlock.tables` of the second or the third oscillator as a modulator.
  @_noLocks @inline(__always)
  static func modulator(_ oscillator: Int) -> Int { Limits.oscillators &+ oscillator &- 1 }

  /// Chooses the levels for the pitches of this update. A modulator of a phase is read with fewer harmonics, as its jumps
  /// are smoothed farther in other waveforms.
  @_noLocks @inline(never)
  mutating func aimTables(_ control: UnsafePointer<SoundParameters>) {
    let elapsed = Int(passed)
    var oscillator = 0
    while oscillator < control.pointee.count {
      if control.oscillator(oscillator).pointee.shares[Waveform.wavetable.index] > 0 {
        let (change, fastest) = (control.pointee.tables.change(of: oscillator), fastest(oscillator, control))
        block.tables[oscillator].pass(frames: elapsed)
        block.tables[oscillator].aim(fastest, change.pointee, used: used, started: started)
        if oscillator > 0, block.extras.index(oscillator &- 1).pointee.isAny {
          let modulator = Self.modulator(oscillator)
          block.tables[modulator].pass(frames: elapsed)
          block.tables[modulator].aim(
            fastest * (Self.softening * block.extras.softness(of: oscillator).pointee), change.pointee,
            used: used,
            started: started)
        }
      }
      oscillator &+= 1
    }
  }

  /// Factor of the pitch of a modulator, beyond that of its jumps: it is read with harmonics up to 1.9 kHz.
  private static var softening: Float { @_noLocks get { 4 } }
  /// Half periods per sample by which a modulator that jumps moves a phase, for an index of one half period: it goes
  /// through its whole height in about 16 samples.
  private static var perIndex: Float { @_noLocks get { 0.125 } }
  /// Share of the room for harmonics that four sidebands take, by the increment of the modulator.
  private static var perSideband: Float { @_noLocks get { 3.2 } }
  /// Factor of the pitch of a synchronized oscillator, whose derivatives jump at the reset.
  private static var synced: Float { @_noLocks get { 2 } }

  /// The fastest phase increment at which an oscillator crosses its waveform, in half periods per sample: that of the
  /// highest unison voice, and faster where its phase is modulated.
  @_noLocks
  private func fastest(_ oscillator: Int, _ control: UnsafePointer<SoundParameters>) -> Lanes {
    let increment = numbers(block.oscillators[oscillator].advance) * BandLimitedStep.unit
    if !paths.interacts { return increment }
    let (knobs, extras) = (control.oscillator(oscillator), block.extras.oscillator(oscillator))
    var modulated = increment * (extras.pointee.blunting * extras.pointee.endBlunting)
    if oscillator < 2, block.extras.index(oscillator).pointee.isAny {
      if block.gains[oscillator &+ 1].shares.audible & Waveform.jumping != 0 {
        modulated += Self.perIndex * block.extras.index(oscillator).pointee.value
      }
      // The sidebands reach some multiples of the modulator's frequency farther than the index says.
      let modulator = numbers(block.oscillators[oscillator &+ 1].advance) * BandLimitedStep.unit
      modulated /= larger(1 - Self.perSideband * modulator, Lanes(repeating: 0.25))
    }
    if oscillator == 1, control.pointee.sync > 0 { modulated *= Self.synced }
    if knobs.pointee.voices == 1 { return modulated }
    // The outermost voice above the pitch, relative to the first voice.
    let reach = (1 - knobs.pointee.unison.offsets[0]) * (1 / 1200)
    if control.pointee.routes.moves(.detune(of: oscillator)) {
      return modulated * exp2(extras.pointee.detune * reach)
    }
    return modulated * rt_exp2(knobs.pointee.detune * reach)
  }

  /// Renders both oscillators directly at their levels, if one of them reads a wavetable.
  @_noLocks @inline(never)
  mutating func addTables(
    _ control: UnsafePointer<SoundParameters>, _ context: RenderContext, frames: Int
  ) -> UnsafeMutablePointer<Lanes> {
    var x = context.zeros
    var oscillator = 0
    while oscillator < LaneBlock.direct {
      readTable(oscillator, oscillator, control, context, from: Int(passed))
      x = addOscillator(oscillator, to: x, control, context, frames: frames)
      oscillator &+= 1
    }
    return x
  }

  /// Lets the next waveform of an oscillator read its wavetable at the levels `lanes` of `LaneBlock.tables`, `first`
  /// frames after the update.
  @_noLocks
  func readTable(
    _ lanes: Int, _ oscillator: Int, _ control: UnsafePointer<SoundParameters>, _ context: RenderContext,
    from first: Int
  ) {
    context.table.pointee = TableReader(
      block.tables + lanes, control.pointee.tables.change(of: oscillator), used: used, first: first)
  }
}
