/// Eight voices, one in each lane: their sound as each keeps it for itself, and their state.
struct VoiceGroup {
  var oscillator1 = OscillatorLanes()
  var oscillator2 = OscillatorLanes()
  var filter = FilterLanes()
  var filterEnvelope = EnvelopeLanes()
  var envelope = EnvelopeLanes()
  var lfo = LFOLanes()

  // What the player gave, and what the patch makes of it.
  /// Octaves above 1 Hz, without bend.
  var pitch = Lanes(repeating: 8)
  /// Octaves, from the pitch wheel.
  var bend = Ramp()
  /// Octaves that the LFO moves the pitch by: the patch's vibrato and the wheel's.
  var vibrato = Ramp()
  /// Octaves above 1 Hz: cutoff knob, key and velocity.
  var cutoff = Ramp()
  var resonance = Ramp()
  /// Octaves by the filter's envelope.
  var amount = Ramp()
  /// Octaves by the LFO.
  var wah = Ramp()
  /// 0…1 by the LFO.
  var tremolo = Ramp()
  /// Velocity, patch level, part level, pan, expression: everything but the envelope.
  var left = Ramp()
  var right = Ramp()

  /// The gains at this sample, and what is added at each.
  var gainLeft = Lanes.zero
  var gainRight = Lanes.zero
  var stepLeft = Lanes.zero
  var stepRight = Lanes.zero

  /// Lanes that carry a voice, one bit each.
  var used: UInt8 = 0
  /// Lanes whose voice has started since the last control.
  var fresh: UInt8 = 0
  /// True when something has happened to a lane, so that control must not wait for its tick.
  var stirred = false
  /// Frames from the last control to the next, and those that have passed.
  var planned: Int32 = 0
  var passed: Int32 = 0

  /// Loudness of one voice at full level: eight together reach full scale before the limiter works.
  static var gain: Float { @_noLocks get { 0.2 } }

  /// Control rate: envelopes, LFO and smoothing decide where everything goes in the next `frames`.
  /// Returns the lanes whose voice has ended.
  @_noLocks
  mutating func control(frames: Int, rate: Float) -> UInt8 {
    let perFrame = 1 / Float(frames)
    let seconds = Float(frames) / rate
    let gone = Float(passed) / rate
    let elapsed = planned > 0 ? Float(passed) / Float(planned) : 1
    let share = min(seconds / Ramp.seconds, 1)

    envelope.advance(elapsed: elapsed, seconds: seconds)
    filterEnvelope.advance(elapsed: elapsed, seconds: seconds)
    let wave = lfo.advance(passed: gone, seconds: seconds)

    // These are read at control rate only, so they move a whole step at once.
    let octaves = pitch + bend.settled(share) + wave * vibrato.settled(share)
    let sweep = amount.settled(share) * filterEnvelope.to + wave * wah.settled(share)
    filter.aim(
      cutoff: cutoff.settled(share) + sweep, resonance: resonance.settled(share), rate: rate,
      perFrame: perFrame)
    oscillator1.aim(octaves: octaves, rate: rate, share: share, perFrame: perFrame)
    oscillator2.aim(octaves: octaves, rate: rate, share: share, perFrame: perFrame)

    // A tremolo of full depth takes the level from 1 to 0.
    let level = envelope.to * (1 - tremolo.settled(share) * (0.5 - 0.5 * wave))
    stepLeft = (level * left.settled(share) - gainLeft) * perFrame
    stepRight = (level * right.settled(share) - gainRight) * perFrame

    if fresh != 0 { begin(frames: Float(frames), share: share) }
    planned = Int32(frames)
    passed = 0
    stirred = false
    return ended()
  }

  /// Renders at most `Limits.controlFrames` frames, through the scratch `x`, and adds them to the mix.
  @_noLocks
  mutating func render(
    _ x: UnsafeMutablePointer<Lanes>, left: UnsafeMutablePointer<Lanes>, right: UnsafeMutablePointer<Lanes>,
    frames: Int
  ) {
    x.update(repeating: .zero, count: frames)
    oscillator1.render(x, frames: frames)
    oscillator2.render(x, frames: frames)
    filter.process(x, frames: frames)
    var (l, r) = (gainLeft, gainRight)
    let (dl, dr) = (stepLeft, stepRight)
    var i = 0
    while i < frames {
      left[i] += x[i] * l
      right[i] += x[i] * r
      l += dl
      r += dr
      i &+= 1
    }
    (gainLeft, gainRight) = (l, r)
    passed &+= Int32(frames)
  }

  // MARK: - One lane

  /// A lane that has not sounded yet is where the hands want it, without a way to it.
  @_noLocks
  mutating func settle(_ lane: Int) {
    if fresh & (1 << UInt8(lane)) == 0 { return }
    bend.arrive(lane)
    left.arrive(lane)
    right.arrive(lane)
  }

  /// Starts a voice in a free lane. `set` gives it its sound first.
  @_noLocks
  mutating func start(_ lane: Int, _ patch: UnsafePointer<Patch>) {
    oscillator1.start(lane, patch.pointee.oscillator1)
    oscillator2.start(lane, patch.pointee.oscillator2)
    filter.reset(lane)
    envelope.start(lane)
    filterEnvelope.start(lane)
    lfo.phase[lane] = 0
    bend.arrive(lane)
    vibrato.arrive(lane)
    cutoff.arrive(lane)
    resonance.arrive(lane)
    amount.arrive(lane)
    wah.arrive(lane)
    tremolo.arrive(lane)
    left.arrive(lane)
    right.arrive(lane)
    gainLeft[lane] = 0
    gainRight[lane] = 0
    used |= 1 << UInt8(lane)
    fresh |= 1 << UInt8(lane)
    stirred = true
  }

  /// Sends a voice into its release (2) or makes it fade at once (3).
  @_noLocks
  mutating func leave(_ lane: Int, stage: Float) {
    envelope.stage[lane] = max(envelope.stage[lane], stage)
    filterEnvelope.stage[lane] = max(filterEnvelope.stage[lane], min(stage, 2))
    stirred = true
  }

  /// Frees a lane whose voice has ended.
  @_noLocks
  mutating func free(_ lane: Int) {
    oscillator1.stop(lane)
    oscillator2.stop(lane)
    used &= ~(1 << UInt8(lane))
  }

  /// Empties a lane's memory of sound, after a fault.
  @_noLocks
  mutating func reset(_ lane: Int) {
    filter.reset(lane)
    envelope.start(lane)
    envelope.stage[lane] = 2
    gainLeft[lane] = 0
    gainRight[lane] = 0
  }

  /// How loud a voice is now: its envelope.
  @_noLocks
  func level(_ lane: Int) -> Float { envelope.to[lane] }

  /// Voices that start do so with the filter and the waveforms that they aim at.
  @_noLocks
  private mutating func begin(frames: Float, share: Float) {
    var lane = 0
    while lane < Limits.lanesPerGroup {
      if fresh & (1 << UInt8(lane)) != 0 {
        filter.arrive(lane, frames: frames)
        oscillator1.arrive(lane, steps: frames / share)
        oscillator2.arrive(lane, steps: frames / share)
      }
      lane &+= 1
    }
    fresh = 0
  }

  /// The lanes that carry a voice which has been silent for a whole step.
  @_noLocks @inline(__always)
  private func ended() -> UInt8 {
    let over = (envelope.stage .>= Lanes(repeating: 2)) .& (envelope.from .<= Lanes.zero)
    let count = Lanes.zero.replacing(with: Lanes(repeating: 1), where: over).sum()
    // Lanes without a voice look like that too; nearly always they are all there is.
    if Int(count) == Limits.lanesPerGroup &- used.nonzeroBitCount { return 0 }
    var lanes: UInt8 = 0
    var lane = 0
    while lane < Limits.lanesPerGroup {
      if over[lane] { lanes |= 1 << UInt8(lane) }
      lane &+= 1
    }
    return lanes & used
  }
}
