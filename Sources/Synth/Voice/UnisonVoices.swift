// The voices of an oscillator's unison: phases in a lane, not lanes, since one filter and one set of envelopes are enough
// for all of them. Those in the middle, left and right are added up by themselves, so that a voice costs no product.

extension VoiceGroup {
  /// What all voices of an oscillator share while one block of it is made.
  private struct Making {
    let oscillator: Int
    /// The waveforms that are heard, one bit each; and, where it is only one that can be added at once, which.
    let heard: UInt8
    let only: Int
    /// The voices that are there as a whole, one bit each.
    let whole: UInt8
    let sync: Float
    let offsets: UnsafePointer<Phases>
    let frames: Int

    @_noLocks
    init(
      _ oscillator: Int, _ gains: UnsafePointer<OscillatorGains>, isPlain: Bool, sync: Float,
      _ offsets: UnsafePointer<Phases>, _ frames: Int
    ) {
      (self.oscillator, self.sync, self.offsets, self.frames) = (oscillator, sync, offsets, frames)
      heard = gains.pointee.shares.heard
      whole = gains.pointee.weights.whole
      let one = heard.trailingZeroBitCount & 7
      let isOne = isPlain && heard & (heard &- 1) == 0 && gains.pointee.shares.whole &>> UInt8(one) & 1 != 0
      only = isOne && (one == Waveform.saw.index || one == Waveform.square.index) ? one : -1
    }
  }

  /// Makes an oscillator at full level in the room, in numbers of ±2^31: all voices of its unison, in all waveforms that
  /// are heard.
  @_noLocks
  func makeOscillator(
    _ oscillator: Int, _ control: UnsafePointer<SoundControl>, _ offsets: UnsafePointer<Phases>,
    _ context: Context, frames: Int
  ) {
    let (room, own, gains) = (context.room, block.oscillators + oscillator, block.gains + oscillator)
    let voices = gains.pointee.weights.heard
    let isUnison = voices & 0x7f != 0
    var source = WaveSource(own.pointee.phase, advance: own.pointee.advance, steepness: own.pointee.steepness)
    source.pulse = pulse(oscillator, control)
    let sync = oscillator == 1 ? control.pointee.sync : 0
    let making = Making(
      oscillator, gains, isPlain: offsets == context.offsets && sync == 0 && !source.fades,
      sync: sync, offsets, frames)
    clear(room.left(oscillator), frames)
    if !isUnison || voices >> UInt8(OscillatorGains.middle) & 1 != 0 {
      _ = add(making, source, 0, OscillatorGains.middle, to: room.left(oscillator), context)
    }
    if isUnison {
      addSides(making, source, control, voices & 0x7f, context)
      placeSides(oscillator, control.pointee.isStereo, room, frames)
    } else if control.pointee.isStereo {
      copy(room.left(oscillator), to: room.right(oscillator), frames)
    }
  }

  /// All voices that lie on a side.
  @_noLocks
  private func addSides(
    _ making: Making, _ first: WaveSource, _ control: UnsafePointer<SoundControl>, _ heard: UInt8,
    _ context: Context
  ) {
    let knobs = control.oscillator(making.oscillator)
    let (room, phases) = (context.room, block.extras.phases(making.oscillator))
    let count = Phases(repeating: Int32(truncatingIfNeeded: making.frames))
    clear(room.leftVoices, making.frames)
    clear(room.rightVoices, making.frames)
    if heard & 1 != 0 {
      _ = add(
        making, first, 0, 0, to: knobs.pointee.unison.isFirstLeft ? room.leftVoices : room.rightVoices,
        context)
    }
    var source = first
    var voice = 1
    while heard >> UInt8(voice) != 0 {
      source.phase = phases[voice &- 1]
      source.advance = Self.scaled(first.advance, factors(making.oscillator, voice, control))
      let isLeft = Unison.left >> UInt8(voice) & 1 != 0
      phases[voice &- 1] = add(
        making, source, voice, voice, to: isLeft ? room.leftVoices : room.rightVoices, context)
      if making.sync > 0 { block.extras.masters[voice &- 1] &+= master(voice, source).advance &* count }
      voice &+= 1
    }
  }

  @_noLocks @inline(__always)
  private static func scaled(_ advance: Phases, _ factor: Lanes) -> Phases {
    let fastest = Lanes(repeating: OscillatorLanes.fastest)
    let scale = factor * BandLimitedStep.unit
    let way: Lanes = numbers(advance) * scale
    return phases(smaller(way, fastest))
  }

  /// Adds one voice in every waveform that is heard, as much as there is of it. Returns the phase behind it.
  @_noLocks @inline(__always)
  private func add(
    _ making: Making, _ source: WaveSource, _ voice: Int, _ weight: Int,
    to x: UnsafeMutablePointer<Lanes>, _ context: Context
  ) -> Phases {
    if making.only < 0 || making.whole &>> UInt8(weight) & 1 == 0 {
      addWaves(making, source, voice, weight, to: x, context)
      return source.phase &+ source.advance &* Phases(repeating: Int32(truncatingIfNeeded: making.frames))
    }
    return making.only == Waveform.saw.index
      ? source.addSaw(to: x, frames: making.frames) : source.addPulse(to: x, frames: making.frames)
  }

  /// The same, each waveform by itself and at its level.
  @_noLocks
  private func addWaves(
    _ making: Making, _ source: WaveSource, _ voice: Int, _ weight: Int,
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
          fill(waveform, source, voice, making.sync, making.offsets, context, frames)
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
    _ waveform: Int, _ source: WaveSource, _ voice: Int, _ sync: Float, _ offsets: UnsafePointer<Phases>,
    _ context: Context, _ frames: Int
  ) {
    let room = context.room
    if sync < 1 { source.fill(waveform, room.wave, offsets, frames: frames) }
    if sync == 0 { return }
    let master = master(voice, source)
    var synced = SyncSource(
      master.phase, advance: master.advance, steepness: master.steepness, block.extras.pointee.syncRatio,
      source)
    synced.fill(waveform, sync < 1 ? room.other : room.wave, frames: frames)
    if sync == 1 { return }
    var i = 0
    while i < frames {
      room.wave[i] += sync * (room.other[i] - room.wave[i])
      i &+= 1
    }
  }

  /// What a voice is synchronized to: the first oscillator, detuned as the voice is.
  @_noLocks
  private func master(_ voice: Int, _ source: WaveSource) -> WaveSource {
    let first = block.oscillators[0]
    if voice == 0 { return WaveSource(first.phase, advance: first.advance, steepness: first.steepness) }
    let way = numbers(source.advance) / block.extras.pointee.syncRatio.value
    let advance = phases(smaller(way * BandLimitedStep.unit, Lanes(repeating: OscillatorLanes.fastest)))
    return WaveSource(block.extras.masters[voice &- 1], advance: advance, steepness: first.steepness)
  }

  /// Puts the voices of both sides where the spread has them.
  @_noLocks
  private func placeSides(_ oscillator: Int, _ isStereo: Bool, _ room: MixerRoom, _ frames: Int) {
    var gains = block.gains[oscillator].sides.value
    let step = block.gains[oscillator].sides.step
    let (left, right) = (room.left(oscillator), room.right(oscillator))
    let (a, b) = (room.leftVoices, room.rightVoices)
    var i = 0
    while i < frames {
      let middle = left[i] * gains[0]
      left[i] = multiplyAdd(
        b[i], Lanes(repeating: gains[2]), multiplyAdd(a[i], Lanes(repeating: gains[1]), middle))
      if isStereo {
        right[i] = multiplyAdd(
          a[i], Lanes(repeating: gains[2]), multiplyAdd(b[i], Lanes(repeating: gains[1]), middle))
      }
      gains += step
      i &+= 1
    }
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
  private func copy(_ x: UnsafeMutablePointer<Lanes>, to y: UnsafeMutablePointer<Lanes>, _ frames: Int) {
    var i = 0
    while i < frames {
      y[i] = x[i]
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
