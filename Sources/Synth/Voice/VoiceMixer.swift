// Oscillators that sound in unison or act on one another: each is made by itself, left and right where they differ,
// and what becomes of them is mixed at the end.

extension VoiceGroup {
  /// The second oscillator, the first, which it may move in phase, and their product: mixed into `x`, and where the
  /// sides differ into the room's `mix`.
  @_noLocks
  mutating func mixOscillators(
    _ control: UnsafePointer<SoundControl>, _ context: Context, _ x: UnsafeMutablePointer<Lanes>, frames: Int
  ) {
    let (room, extras, isStereo) = (context.room, block.extras, control.pointee.isStereo)
    let acts = Self.moves(extras.pointee.index) || Self.moves(extras.pointee.ring)
    if acts || Self.moves(extras.output(1).pointee) {
      let offsets = feedBack(1, context.offsets, context, frames)
      makeOscillator(1, control, offsets, context, frames: frames)
    } else {
      room.left(1).update(repeating: .zero, count: frames)
      if isStereo { right(1, room).update(repeating: .zero, count: frames) }
    }
    var offsets = context.offsets
    if Self.moves(extras.pointee.index) {
      modulatePhase(room.left(1), right(1, room), isStereo, room.offsets, frames)
      offsets = UnsafePointer(room.offsets)
    }
    offsets = feedBack(0, offsets, context, frames)
    makeOscillator(0, control, offsets, context, frames: frames)
    let (one, two, ring) = (extras.output(0).pointee, extras.output(1).pointee, extras.pointee.ring)
    if Self.moves(ring) {
      Self.mix(x, room.left(0), room.left(1), one, two, ring, frames)
      if isStereo { Self.mix(room.mix, right(0, room), right(1, room), one, two, ring, frames) }
    } else {
      if isStereo && right(1, room) == room.left(1) {
        Self.mix(x, room.mix, room.left(0), right(0, room), room.left(1), one, two, frames)
      } else {
        Self.mix(x, room.left(0), room.left(1), one, two, frames)
        if isStereo { Self.mix(room.mix, right(0, room), right(1, room), one, two, frames) }
      }
    }
    extras.output(0).pointee.pass(frames: frames)
    extras.output(1).pointee.pass(frames: frames)
    extras.pointee.ring.pass(frames: frames)
    extras.pointee.syncRatio.pass(frames: frames)
    block.gains[0].pass(frames: frames)
    block.gains[1].pass(frames: frames)
    if sidesMove != 0 { passSides(frames) }
    var oscillator = 0
    while oscillator < LaneBlock.oscillators {
      let place = block.oscillators + oscillator
      place.pointee.phase &+= place.pointee.advance &* Phases(repeating: Int32(truncatingIfNeeded: frames))
      oscillator &+= 1
    }
  }

  @_noLocks @inline(__always)
  private static func moves(_ ramp: Ramp) -> Bool {
    sum(magnitude(ramp.value) + magnitude(ramp.step)) > 0
  }

  @_noLocks
  private static func mix(
    _ x: UnsafeMutablePointer<Lanes>, _ first: UnsafeMutablePointer<Lanes>,
    _ second: UnsafeMutablePointer<Lanes>, _ one: Ramp, _ two: Ramp, _ ring: Ramp, _ frames: Int
  ) {
    var (one, two, ring) = (one, two, ring)
    let unit = BandLimitedStep.unit
    var i = 0
    while i < frames {
      let b = second[i] * unit
      let product = multiplyAdd(ring.value, b, one.value) * unit
      x[i] = multiplyAdd(first[i], product, two.value * b)
      one.value += one.step
      two.value += two.step
      ring.value += ring.step
      i &+= 1
    }
  }

  /// The same without their product.
  @_noLocks
  private static func mix(
    _ x: UnsafeMutablePointer<Lanes>, _ first: UnsafeMutablePointer<Lanes>,
    _ second: UnsafeMutablePointer<Lanes>, _ one: Ramp, _ two: Ramp, _ frames: Int
  ) {
    let unit = BandLimitedStep.unit
    var (a, b) = (one.value * unit, two.value * unit)
    let (stepA, stepB) = (one.step * unit, two.step * unit)
    var i = 0
    while i < frames {
      x[i] = multiplyAdd(first[i], a, b * second[i])
      a += stepA
      b += stepB
      i &+= 1
    }
  }

  /// The same for both sides, where the second oscillator is the same in both.
  @_noLocks
  private static func mix(
    _ x: UnsafeMutablePointer<Lanes>, _ y: UnsafeMutablePointer<Lanes>, _ left: UnsafeMutablePointer<Lanes>,
    _ right: UnsafeMutablePointer<Lanes>, _ second: UnsafeMutablePointer<Lanes>, _ one: Ramp, _ two: Ramp,
    _ frames: Int
  ) {
    let unit = BandLimitedStep.unit
    var (a, b) = (one.value * unit, two.value * unit)
    let (stepA, stepB) = (one.step * unit, two.step * unit)
    var i = 0
    while i < frames {
      let both = b * second[i]
      x[i] = multiplyAdd(left[i], a, both)
      y[i] = multiplyAdd(right[i], a, both)
      a += stepA
      b += stepB
      i &+= 1
    }
  }

  // MARK: - Phases

  /// The second oscillator as an offset of the first one's phase.
  @_noLocks
  private func modulatePhase(
    _ left: UnsafeMutablePointer<Lanes>, _ right: UnsafeMutablePointer<Lanes>, _ isStereo: Bool,
    _ offsets: UnsafeMutablePointer<Phases>, _ frames: Int
  ) {
    var index = block.extras.pointee.index
    let unit = isStereo ? 0.5 * BandLimitedStep.unit : BandLimitedStep.unit
    var i = 0
    while i < frames {
      let modulator = isStereo ? left[i] + right[i] : left[i]
      offsets[i] = phases(index.value * modulator * unit)
      index.value += index.step
      i &+= 1
    }
    block.extras.pointee.index.value = index.value
  }

  /// An oscillator that moves its own phase, by the mean of its last two samples, as Yamaha's DX7 does it, which keeps it
  /// from hunting. What moves it is the sine of its own phase, whatever its waveform.
  @_noLocks
  private func feedBack(
    _ oscillator: Int, _ offsets: UnsafePointer<Phases>, _ context: Context, _ frames: Int
  ) -> UnsafePointer<Phases> {
    let feedback = block.extras.feedback(oscillator)
    guard Self.moves(feedback.pointee.depth) else { return offsets }
    let (out, advance) = (context.room.offsets, block.oscillators[oscillator].advance)
    var (s, state) = (block.oscillators[oscillator].phase, feedback.pointee)
    var i = 0
    while i < frames {
      let own = phases(0.5 * state.depth.value * (state.last + state.before))
      let offset = offsets[i] &+ own
      out[i] = offset
      state.before = state.last
      state.last = sinePi(numbers(s &+ offset) * BandLimitedStep.unit)
      state.depth.value += state.depth.step
      s &+= advance
      i &+= 1
    }
    feedback.pointee = state
    return UnsafePointer(out)
  }
}
