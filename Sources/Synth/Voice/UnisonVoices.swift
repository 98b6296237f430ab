// The voices of an oscillator's unison: phases in a lane, not lanes, since one filter and one set of envelopes are enough
// for all of them. Those in the middle, left and right are added up by themselves, so that a voice costs no product.

extension VoiceGroup {
  /// What all voices of an oscillator share while one block of it is made.
  private struct Making {
    let oscillator: Int
    /// The first voice.
    let first: WaveSource
    /// The waveforms that are heard, one bit each; and, where it is only one that can be added at once, which: a saw or a
    /// pulse, or synchronized as a whole, a saw.
    let heard: UInt8
    let only: Int
    /// The voices that are there as a whole, one bit each.
    let whole: UInt8
    let sync: Float
    let offsets: UnsafePointer<Phases>
    let frames: Int

    @_noLocks
    init(
      _ oscillator: Int, _ first: WaveSource, _ gains: UnsafePointer<OscillatorGains>, isPlain: Bool,
      sync: Float, _ offsets: UnsafePointer<Phases>, _ frames: Int
    ) {
      (self.oscillator, self.sync, self.offsets, self.frames) = (oscillator, sync, offsets, frames)
      self.first = first
      heard = gains.pointee.shares.heard
      whole = gains.pointee.weights.whole
      let one = heard.trailingZeroBitCount & 7
      let isOne = isPlain && heard & (heard &- 1) == 0 && gains.pointee.shares.whole &>> UInt8(one) & 1 != 0
      let isPulse = one == Waveform.square.index && sync == 0
      only = isOne && (one == Waveform.saw.index || isPulse) ? one : -1
    }
  }

  /// Makes an oscillator at full level in the room, in numbers of ±2^31: all voices of its unison, in all waveforms that
  /// are heard. Those of its sides, `Self.sides` of the `voices`, are still to be placed.
  @_noLocks
  func makeOscillator(
    _ oscillator: Int, _ voices: UInt8, _ control: UnsafePointer<SoundControl>,
    _ offsets: UnsafePointer<Phases>, _ context: Context, frames: Int
  ) {
    let (room, own, gains) = (context.room, block.oscillators + oscillator, block.gains + oscillator)
    let isUnison = voices & Self.sides != 0
    var source = WaveSource(own.pointee.phase, advance: own.pointee.advance, steepness: own.pointee.steepness)
    source.pulse = pulse(oscillator, control)
    let sync = oscillator == 1 ? control.pointee.sync : 0
    let isPlain =
      sync == 0 ? offsets == context.offsets && !source.fades : sync == 1 && !SyncSource.fades(source.advance)
    let making = Making(oscillator, source, gains, isPlain: isPlain, sync: sync, offsets, frames)
    if !isUnison || voices >> UInt8(OscillatorGains.middle) & 1 != 0 {
      let left = room.left(oscillator)
      let saw = AddedSaw(source)
      _ = add(
        making, saw, 0, OscillatorGains.middle, context.zeros, to: left, context)
    } else {
      clear(room.left(oscillator), frames)
    }
    if isUnison { addSides(making, control, voices & Self.sides, context) }
  }

  /// The voices of an oscillator that lie on a side, one bit each: all but the one in the middle.
  static var sides: UInt8 { @_noLocks get { 0x7f } }

  /// Puts the voices of an oscillator's sides, which were made last, where they belong.
  @_noLocks
  func place(_ oscillator: Int, _ isStereo: Bool, _ room: MixerRoom, _ frames: Int) {
    if sidesMove &>> UInt8(oscillator) & 1 != 0 {
      placeLanes(oscillator, isStereo, room, frames)
    } else {
      placeSides(oscillator, isStereo, room, frames)
    }
  }

  /// All voices that lie on a side.
  @_noLocks
  private func addSides(
    _ making: Making, _ control: UnsafePointer<SoundControl>, _ heard: UInt8, _ context: Context
  ) {
    let knobs = control.oscillator(making.oscillator)
    let (room, phases) = (context.room, block.extras.phases(making.oscillator))
    let left = Unison.left | (knobs.pointee.unison.isFirstLeft ? 1 : 0)
    var saw = AddedSaw(making.first)
    let way = numbers(making.first.advance) * BandLimitedStep.unit
    if heard & left == 0 { clear(room.leftVoices, making.frames) }
    if heard & ~left == 0 { clear(room.rightVoices, making.frames) }
    var rest = heard
    while rest != 0 {
      let voice = rest.trailingZeroBitCount
      let side = left >> UInt8(voice) & 1 != 0 ? left : ~left
      let x = side == left ? room.leftVoices : room.rightVoices
      // The first voice of a side finds nothing there.
      let base = heard & ~rest & side == 0 ? context.zeros : x
      if voice == 0 {
        _ = add(making, saw, 0, 0, base, to: x, context)
      } else if making.only == Waveform.saw.index, making.sync == 0,
        let second = Self.second(of: rest & side & making.whole, voice)
      {
        // Two or three at once: most of what a low saw takes is to fetch and keep what is there.
        tune(&saw, voice, making, way, control)
        var other = saw
        tune(&other, second, making, way, control)
        rest &= ~(UInt8(1) &<< UInt8(second))
        if saw.isLow, other.isLow, let third = Self.second(of: rest & side & making.whole, voice) {
          var last = saw
          tune(&last, third, making, way, control)
          if last.isLow {
            (phases[voice &- 1], phases[second &- 1], phases[third &- 1]) = saw.addLowSaws(
              other, last, base, x, frames: making.frames)
            rest &= ~(UInt8(1) &<< UInt8(third))
            rest &= rest &- 1
            continue
          }
        }
        (phases[voice &- 1], phases[second &- 1]) = saw.addSaws(other, base, x, frames: making.frames)
      } else {
        tune(&saw, voice, making, way, control)
        phases[voice &- 1] = add(making, saw, voice, voice, base, to: x, context)
      }
      rest &= rest &- 1
    }
  }

  /// Makes a saw that of a voice.
  @_noLocks @inline(__always)
  private func tune(
    _ saw: inout AddedSaw, _ voice: Int, _ making: Making, _ way: Lanes,
    _ control: UnsafePointer<SoundControl>
  ) {
    saw.phase = block.extras.phases(making.oscillator)[voice &- 1]
    saw.advance = Self.advance(way * factors(making.oscillator, voice, control))
  }

  /// The voice that comes after one among those of a side; nil where either is not there.
  @_noLocks @inline(__always)
  private static func second(of voices: UInt8, _ voice: Int) -> Int? {
    let after = voices & ~(UInt8(1) &<< UInt8(voice))
    return voices == after || after == 0 ? nil : after.trailingZeroBitCount
  }

  /// What a way of so many halves of a period for each sample is as a phase.
  @_noLocks @inline(__always)
  private static func advance(_ way: Lanes) -> Phases {
    phases(smaller(way, Lanes(repeating: OscillatorLanes.fastest)))
  }

  /// Adds one voice to `base`, which is `x` or nothing, in every waveform that is heard, as much as there is of it. Returns
  /// the phase behind it.
  @_noLocks @inline(__always)
  private func add(
    _ making: Making, _ saw: AddedSaw, _ voice: Int, _ weight: Int, _ base: UnsafeMutablePointer<Lanes>,
    to x: UnsafeMutablePointer<Lanes>, _ context: Context
  ) -> Phases {
    let isWhole = making.only >= 0 && making.whole &>> UInt8(weight) & 1 != 0
    if isWhole, making.sync == 0 {
      return making.only == Waveform.saw.index
        ? saw.addSaw(base, x, frames: making.frames) : saw.addPulse(base, x, frames: making.frames)
    }
    let count = Phases(repeating: Int32(truncatingIfNeeded: making.frames))
    let end = saw.phase &+ saw.advance &* count
    let master = master(making.sync > 0 ? voice : 0, saw.advance)
    if making.sync > 0, voice > 0 { block.extras.masters[voice &- 1] &+= master.advance &* count }
    if isWhole {
      var synced = SyncedSaw(master, advance: saw.advance, shift: Lanes.zero)
      synced.add(base, x, frames: making.frames)
      return end
    }
    if base != x { clear(x, making.frames) }
    var source = making.first
    (source.phase, source.advance) = (saw.phase, saw.advance)
    addWaves(making, source, master, voice, weight, to: x, context)
    return end
  }

  /// The same, each waveform by itself and at its level.
  @_noLocks
  private func addWaves(
    _ making: Making, _ source: WaveSource, _ master: SyncMaster, _ voice: Int, _ weight: Int,
    to x: UnsafeMutablePointer<Lanes>, _ context: Context
  ) {
    let gains = block.gains + making.oscillator
    let (wave, frames, count) = (context.room.wave, making.frames, Float(making.frames))
    var waveform = 0
    while making.heard >> UInt8(waveform) != 0 {
      let level = gains.pointee.shares.value[waveform] * gains.pointee.weights.value[weight]
      let end =
        (gains.pointee.shares.value[waveform] + gains.pointee.shares.step[waveform] * count)
        * (gains.pointee.weights.value[weight] + gains.pointee.weights.step[weight] * count)
      if level > 0 || end > 0 {
        if waveform != Waveform.noise.index {
          fill(waveform, source, master, making.sync, making.offsets, context, frames)
        } else if voice == 0 {
          block.oscillators[making.oscillator].fillNoise(wave, frames: frames)
        } else {
          clear(wave, frames)
        }
        let scale = BandLimitedStep.scale
        Self.add(wave, to: x, level * scale, step: (end - level) * scale / count, frames)
      }
      waveform &+= 1
    }
  }

  /// Makes a waveform of one voice in the room, synchronized to the first oscillator as far as the knob says.
  @_noLocks
  private func fill(
    _ waveform: Int, _ source: WaveSource, _ master: SyncMaster, _ sync: Float,
    _ offsets: UnsafePointer<Phases>, _ context: Context, _ frames: Int
  ) {
    let room = context.room
    if sync < 1 { source.fill(waveform, room.wave, offsets, frames: frames) }
    if sync == 0 { return }
    SyncSource(master, source).fill(waveform, sync < 1 ? room.other : room.wave, frames: frames)
    if sync == 1 { return }
    var i = 0
    while i < frames {
      room.wave[i] += sync * (room.other[i] - room.wave[i])
      i &+= 1
    }
  }

  /// What a voice is synchronized to: the first oscillator, detuned as the voice is.
  @_noLocks
  private func master(_ voice: Int, _ advance: Phases) -> SyncMaster {
    let (first, ratio) = (block.oscillators, block.extras.pointee.syncRatio)
    let steepness = first.pointee.steepness
    if voice == 0 {
      return SyncMaster(
        phase: first.pointee.phase, advance: first.pointee.advance, steepness: steepness, ratio: ratio)
    }
    let way = numbers(advance) / ratio.value
    let advance = phases(smaller(way * BandLimitedStep.unit, Lanes(repeating: OscillatorLanes.fastest)))
    return SyncMaster(
      phase: block.extras.masters[voice &- 1], advance: advance, steepness: steepness, ratio: ratio)
  }

  /// Puts the voices of both sides where the spread has them.
  @_noLocks
  private func placeSides(_ oscillator: Int, _ isStereo: Bool, _ room: MixerRoom, _ frames: Int) {
    let (value, step) = (block.gains[oscillator].sides.value, block.gains[oscillator].sides.step)
    var (middle, own, other) = (value[0], value[1], value[2])
    let (left, right) = (room.left(oscillator), room.right(oscillator))
    var i = 0
    if step == .zero, isStereo {
      let (middle, own, other) = (
        Lanes(repeating: middle), Lanes(repeating: own), Lanes(repeating: other)
      )
      while i < frames {
        let (x, y, z) = (left[i] * middle, room.leftVoices[i], room.rightVoices[i])
        left[i] = multiplyAdd(z, other, multiplyAdd(y, own, x))
        right[i] = multiplyAdd(y, other, multiplyAdd(z, own, x))
        i &+= 1
      }
      return
    }
    while i < frames {
      let (x, y, z) = (left[i] * middle, room.leftVoices[i], room.rightVoices[i])
      left[i] = Self.placed(x, near: y, far: z, own, other)
      if isStereo { right[i] = Self.placed(x, near: z, far: y, own, other) }
      (middle, own, other) = (middle + step[0], own + step[1], other + step[2])
      i &+= 1
    }
  }

  /// What one side hears: the middle, the voices that lie there, and the others.
  @_noLocks @inline(__always)
  private static func placed(_ middle: Lanes, near: Lanes, far: Lanes, _ own: Float, _ other: Float) -> Lanes
  {
    multiplyAdd(far, Lanes(repeating: other), multiplyAdd(near, Lanes(repeating: own), middle))
  }

  // MARK: - Blocks

  @_noLocks @inline(__always)
  private func clear(_ x: UnsafeMutablePointer<Lanes>, _ frames: Int) {
    var i = 0
    while i < frames {
      x[i] = .zero
      i &+= 1
    }
  }

  @_noLocks @inline(__always)
  private static func add(
    _ wave: UnsafeMutablePointer<Lanes>, to x: UnsafeMutablePointer<Lanes>, _ level: Float, step: Float,
    _ frames: Int
  ) {
    var level = level
    var i = 0
    while i < frames {
      x[i] = multiplyAdd(wave[i], Lanes(repeating: level), x[i])
      level += step
      i &+= 1
    }
  }
}
