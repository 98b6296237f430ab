/// Eight voices of one sound, one in each lane, rendered together.
struct VoiceGroup {
  let block: LaneBlock
  /// The sound that it plays; meaningless while no lane is used.
  var sound = 0

  /// Lanes that carry a voice, one bit each.
  var used: UInt8 = 0
  /// Used lanes that no key and no pedal holds any more.
  var released: UInt8 = 0
  /// Released lanes that fade because they were stolen: they do not count as voices.
  var fading: UInt8 = 0
  /// Lanes whose voice has started since the last update.
  var started: UInt8 = 0
  /// Lanes struck since the last update, and lanes whose release waits: for the top of their attack, or for
  /// the end of a percussive sound.
  var struckThisTick: UInt8 = 0
  var releasedInAttack: UInt8 = 0
  /// Lanes that were struck again or slurred since the last update, and whether the resulting transition is in
  /// progress.
  var restruck: UInt8 = 0
  var isRestruck = false
  /// Lanes that glide, and those whose glide has begun since the last update.
  var gliding: UInt8 = 0
  var unmoved: UInt8 = 0
  /// True when an event changed a lane, so that the update must not wait for its tick.
  var needsUpdate = false
  /// Sum over all voices of the octaves by which routes modulated the rates of the three LFOs at the last update, and
  /// the number of these voices: for LFOs that they share.
  var lfoOctaves = SIMD3<Float>.zero
  var lfoVoices: Int32 = 0
  /// Frames from the last update to the next, and frames of these that have passed.
  var planned: Int32 = 0
  var passed: Int32 = 0
  /// True when the next update is due.
  var isDue: Bool { @_noLocks @inline(__always) get { passed >= planned } }
  /// Control ticks during which the player's controllers still move.
  var moving: Int32 = 0

  /// State for skipping the parts of an update that have not changed.
  var envelopes = GroupEnvelopes()
  var filter: VoiceFilter
  var oscillators = GroupOscillators()
  var paths = GroupPaths()

  /// A group without voices.
  @_noLocks init(_ block: LaneBlock) { (self.block, filter) = (block, VoiceFilter(block)) }

  /// The update that is being rendered.
  var update: GroupUpdate {
    @_noLocks @inline(__always) get {
      GroupUpdate(planned: planned, passed: passed, used: used, started: started)
    }
  }

  /// Renders at most `Limits.unisonFrames` frames through scratch memory and adds them to the mix, lane by lane; also
  /// to `right` if the sides differ.
  @_noLocks
  mutating func render(
    _ control: UnsafePointer<SoundParameters>, _ context: RenderContext, mix: UnsafeMutablePointer<Lanes>,
    right: UnsafeMutablePointer<Lanes>, frames: Int
  ) {
    var x = context.scratch
    var isSubMixed = false
    if paths.interacts {
      isSubMixed = mixOscillators(control, context, x, frames: frames)
    } else {
      x = addOscillators(control, context, frames: frames)
    }
    let hasSub = paths.hasSub && !isSubMixed
    if hasSub || paths.hasNoise || (control.pointee.isStereo && !paths.interacts) {
      addSources(control, context, x, hasSub: hasSub, frames: frames)
    }
    if control.pointee.isStereo {
      filter.processSides(x, context.mixer.mix, context, update, mix: mix, right: right, frames: frames)
    } else {
      filter.process(x, context, update, mix: mix, frames: frames)
    }
    if oscillators.widthsMove != 0 { passWidths(frames) }
    passed &+= Int32(frames)
  }

  /// Renders both oscillators directly at their levels.
  @_noLocks @inline(__always)
  private mutating func addOscillators(
    _ control: UnsafePointer<SoundParameters>, _ context: RenderContext, frames: Int
  ) -> UnsafeMutablePointer<Lanes> {
    if oscillators.hasTables { return addTables(control, context, frames: frames) }
    var x = context.zeros
    var oscillator = 0
    while oscillator < LaneBlock.direct {
      x = addOscillator(oscillator, to: x, control, context, frames: frames)
      oscillator &+= 1
    }
    if x == context.zeros {
      x = context.scratch
      x.update(repeating: .zero, count: frames)
    }
    return x
  }

  /// Adds one oscillator to `x` at its level. Returns where the sum is.
  @_noLocks @inline(__always)
  mutating func addOscillator(
    _ oscillator: Int, to x: UnsafeMutablePointer<Lanes>, _ control: UnsafePointer<SoundParameters>,
    _ context: RenderContext, frames: Int
  ) -> UnsafeMutablePointer<Lanes> {
    block.oscillators[oscillator].render(
      x, context.scratch, block.levels(oscillator), audible: oscillators.audible[oscillator],
      levelsMove: oscillators.levelsMoved[oscillator] != 0, pulse: control.pointee.pulses[oscillator],
      isMoving: oscillators.widthsMove >> UInt8(oscillator) & 1 != 0,
      fades: oscillators.fades >> UInt8(oscillator) & 1 != 0, context, frames: frames)
  }

  /// Adds the sub oscillator and noise.
  @_noLocks
  private mutating func addSources(
    _ control: UnsafePointer<SoundParameters>, _ context: RenderContext, _ x: UnsafeMutablePointer<Lanes>,
    hasSub: Bool, frames: Int
  ) {
    let (extras, isStereo) = (block.extras, control.pointee.isStereo)
    let right = isStereo ? context.mixer.mix : x
    if isStereo && !paths.interacts {
      var i = 0
      while i < frames {
        right[i] = x[i]
        i &+= 1
      }
    }
    if hasSub { extras.pointee.sub.add(sub(control, part(frames)), to: x, right, block.kept, context) }
    if paths.hasNoise {
      extras.pointee.noise.add(
        to: x, right, control.pointee.noiseMix, isMoving: paths.hasColors, rate: context.rate,
        isOdd: passed & 1 != 0,
        frames: frames)
    }
  }

  /// The position of the next `frames` in the block up to the next update.
  @_noLocks @inline(__always)
  func part(_ frames: Int) -> BlockPart { update.part(frames) }

  /// The parameters of the sub oscillator.
  @_noLocks @inline(__always)
  func sub(_ control: UnsafePointer<SoundParameters>, _ part: BlockPart) -> SubOscillatorLanes.Block {
    SubOscillatorLanes.Block(
      block.extras.pointee.sub, wave: control.pointee.subWave, octaves: control.pointee.subOctaves,
      below: block.oscillators[0], middle(control), part)
  }
}
