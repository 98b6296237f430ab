/// Eight voices of one sound, one in each lane, rendered together.
struct VoiceGroup {
  let block: LaneBlock
  /// The sound that it plays; of no meaning while no lane is used.
  var sound = 0

  /// Lanes that carry a voice, one bit each.
  var used: UInt8 = 0
  /// Those of them that no key and no pedal holds any more.
  var released: UInt8 = 0
  /// Those of the released that fade because they were stolen: they do not count as voices.
  var fading: UInt8 = 0
  /// Lanes whose voice has started since the last control.
  var fresh: UInt8 = 0
  /// Lanes struck since the last control, and those of them that were let go as soon: they sound their attack.
  var struck: UInt8 = 0
  var brief: UInt8 = 0
  /// True when something has happened to a lane, so that control must not wait for its tick.
  var stirred = false
  /// Frames from the last control to the next, and those that have passed.
  var planned: Int32 = 0
  var passed: Int32 = 0
  /// Control ticks for which what the player moves is still on its way.
  var moving: Int32 = 0

  // What of the control can be left out while it does not change.
  var attacks = (filter: false, amplifier: false)
  var curves: UInt32 = 0
  var damping: Float = 0
  var filterRests = false
  // For each oscillator: the waveforms that are heard, and whether their levels move.
  var heard = SIMD2<UInt8>.zero
  var levelsMoved = SIMD2<UInt8>.zero
  // Whether a lane of it is so high that its waveforms fade, one bit for each oscillator.
  var fades: UInt8 = 0

  /// A group without voices.
  @_noLocks init(_ block: LaneBlock) { self.block = block }

  /// What a group works with besides itself and its sound: room to compute in, and what all sounds share.
  struct Context {
    let sums: UnsafeMutablePointer<Lanes>
    /// For one block of `Limits.controlFrames` samples, and as many zeros, which nobody writes.
    let scratch: UnsafeMutablePointer<Lanes>
    let zeros: UnsafeMutablePointer<Lanes>
    /// Room for a waveform by itself.
    let wave: UnsafeMutablePointer<Lanes>
    let rate: Float
    /// Concert pitch, octaves above 1 Hz.
    var tune: Float

    /// As many phases that are nothing.
    var offsets: UnsafePointer<Phases> {
      @_noLocks get { UnsafeRawPointer(zeros).assumingMemoryBound(to: Phases.self) }
    }
  }

  /// Renders at most `Limits.controlFrames` frames through a scratch, and adds them to the mix, lane by lane.
  @_noLocks
  mutating func render(
    _ control: UnsafePointer<SoundControl>, _ context: Context, mix: UnsafeMutablePointer<Lanes>, frames: Int
  ) {
    var x = context.zeros
    var oscillator = 0
    while oscillator < LaneBlock.oscillators {
      let (levels, heard) = (block.levels(oscillator), heard[oscillator])
      let pulse = control.pointee.pulses[oscillator]
      if fades >> UInt8(oscillator) & 1 == 0 {
        x = block.oscillators[oscillator].render(
          x, context.scratch, levels, heard: heard, pulse: pulse, frames: frames)
      } else {
        x = block.oscillators[oscillator].renderFading(
          x, context.scratch, levels, heard: heard, pulse: pulse, context, frames: frames)
      }
      oscillator &+= 1
    }
    if x == context.zeros {
      x = context.scratch
      x.update(repeating: .zero, count: frames)
    }
    let state = block.state
    let gain = state.pointee.gain
    if filterRests {
      state.pointee.gain.value = state.pointee.filter.processAtRest(x, gain, mix: mix, frames: frames)
    } else {
      state.pointee.gain.value = state.pointee.filter.process(x, gain, mix: mix, frames: frames)
    }
    passed &+= Int32(frames)
  }
}
