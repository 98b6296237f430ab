import CRealtime

/// The sound: a scene and performance events in, samples out. Lives behind a pointer; audio thread only.
public struct Engine: ~Copyable {
  /// Sample rate, Hz.
  public let rate: Double
  /// The next frame to be rendered.
  public private(set) var frame: Int64
  let shared: ManagedScene.AudioSide
  let midi: EventRing
  let control: EventRing
  let meters: Meters
  var scene: UnsafePointer<Scene>
  var voices: Voices
  let hands = AllHands()
  /// The gains of the parts' strips.
  let pans: UnsafeMutablePointer<Pan>
  /// Concert pitch, octaves above 1 Hz.
  var tune: Float = 8.78135971
  private var equalizer: Equalizer
  private var limiter: Limiter
  private var level = Level()
  private var isNew = true
  private var budget = Budget()
  private var lastFrames = 0
  private var midiOverrun = Overrun()
  private var controlOverrun = Overrun()

  /// An engine at `rate` Hz (within `Limits.rates`) that reads from `link`, which must outlive it. It takes the
  /// audio side of the scene: no other engine of this link may run. One that follows another goes on at its
  /// `frame`, so that events on their way stay in time.
  public init(rate: Double, link: Link, frame: Int64 = 0) {
    self.rate = rate
    self.frame = frame
    shared = link.scene.audioSide
    midi = link.midi
    control = link.control
    meters = link.meters
    scene = shared.take()
    voices = Voices(rate: rate)
    pans = .allocate(capacity: Limits.parts)
    pans.initialize(repeating: Pan(left: 1, right: 1), count: Limits.parts)
    equalizer = Equalizer(rate: rate)
    limiter = Limiter(rate: rate)
  }

  deinit { pans.deallocate() }

  /// Renders the next `frames` frames (any number above 0) into two buffers. Any split gives the same bits, as
  /// long as scenes are published at the same frames.
  @_noLocks
  public mutating func render(
    left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, frames: Int
  ) {
    rt_flush_denormals()
    let newest = shared.take()
    if newest != scene || isNew {
      (scene, isNew) = (newest, false)
      follow()
    }
    if voices.limit < Limits.voices {
      let gone = voices.shed()
      if gone > 0 { meters.add(.shed, gone) }
    }
    voices.work = 0
    lastFrames = frames
    midiOverrun.look(at: midi)
    controlOverrun.look(at: control)
    var done = 0
    while done < frames {
      playDue()
      // The grid of control rate lies on absolute frames, so that blocks do not matter.
      let gone = Int(frame % Int64(Limits.controlFrames))
      let ahead = Limits.controlFrames &- gone
      let chunk = min(min(ahead, frames &- done), untilNextEvent())
      render(left + done, right + done, frames: chunk, tick: gone == 0, ahead: ahead)
      done &+= chunk
      frame &+= Int64(chunk)
    }
    report(left, right, frames)
  }

  @_noLocks
  private mutating func render(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int, tick: Bool,
    ahead: Int
  ) {
    voices.render(left, right, frames: frames, tick: tick, ahead: ahead)
    if tick {
      level.aim(amplitude(decibels: scene.pointee.master.level), frames: ahead, rate: Float(rate))
      equalizer.aim(scene.pointee.master.equalizer, frames: ahead)
    }
    level.process(left, right, frames: frames)
    equalizer.process(left, right, frames: frames)
    if !isSound(left, right, frames) { fault(left, right, frames) }
    limiter.process(left, right, frames: frames)
  }

  /// Learns what share of its deadline the last block took, 1 being all of it. Where the machine is too slow
  /// for all voices, the next block fades those that are too many. The audio loop, after each block.
  @_noLocks
  public mutating func took(share: Float) {
    let frames = Float(max(lastFrames, 1))
    budget.learn(share: share, groups: Float(voices.work) / frames, seconds: frames / Float(rate))
    voices.limit = budget.voices
    meters.set(.limit, UInt64(voices.limit))
  }

  /// As new: silence, nothing held, frame 0. The rings and the scene stay as they are. Not while it renders.
  public mutating func reset() {
    voices.reset()
    hands.reset()
    equalizer = Equalizer(rate: rate)
    limiter = Limiter(rate: rate)
    level = Level()
    budget = Budget()
    voices.limit = Limits.voices
    (frame, isNew) = (0, true)
  }

  // MARK: - Events

  @_noLocks
  private mutating func playDue() {
    while let event = next(), event.pointee.frame <= frame {
      play(event.pointee)
      if event == midi.peek() {
        // What is stamped 0 means at once, and cannot be late.
        if event.pointee.frame > 0 { meters.raise(.lateKey, to: UInt64(frame &- event.pointee.frame)) }
        midi.drop()
      } else {
        control.drop()
      }
    }
    // A ring that was full may have lost note offs: what its sources hold is let go.
    if midiOverrun.isOver(midi) { releaseSources(from: 0, to: Limits.oscSources) }
    if controlOverrun.isOver(control) { releaseSources(from: Limits.oscSources, to: Limits.sources) }
  }

  /// The earlier of the two rings' oldest events.
  @_noLocks
  private func next() -> UnsafePointer<Event>? {
    guard let key = midi.peek() else { return control.peek() }
    guard let touch = control.peek() else { return key }
    return touch.pointee.frame < key.pointee.frame ? touch : key
  }

  @_noLocks
  private func untilNextEvent() -> Int {
    guard let event = next() else { return Limits.period }
    return Int(min(max(event.pointee.frame &- frame, 1), Int64(Limits.period)))
  }

  // MARK: - Scene

  /// Takes over a new scene: strips for all, knobs for the voices whose sound it is.
  @_noLocks
  mutating func follow() {
    tune = rt_log2(max(scene.pointee.master.tune, 1))
    var part = 0
    while part < Limits.parts {
      pans[part] = pan(scene.part(part).pointee.strip)
      part &+= 1
    }
    var index = 0
    while index < Limits.lanes {
      let voice = voices.voices[index]
      if voice.state != Voice.free {
        let home = scene.part(Int(voice.part))
        if voice.generation == home.pointee.generation {
          voices.patches[index] = home.pointee.patch
          voices.set(index, tune: tune)
        }
        touch(index)
      }
      index &+= 1
    }
  }

  @_noLocks
  func patch(_ part: Int) -> UnsafePointer<Patch> {
    // The patch in place: no copy of it on the stack.
    UnsafeRawPointer(scene.part(part)).advanced(by: Part.patchOffset).assumingMemoryBound(to: Patch.self)
  }

  /// Constant power, 0 dB in the middle.
  @_noLocks
  private func pan(_ strip: Strip) -> Pan {
    if strip.mute >= 0.5 { return Pan(left: 0, right: 0) }
    let gain = amplitude(decibels: strip.level) * 1.41421356
    let angle = (max(-1, min(strip.pan, 1)) + 1) * 0.785398163
    return Pan(left: gain * rt_cos(angle), right: gain * rt_sin(angle))
  }

  // MARK: - Health

  @_noLocks
  private func isSound(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int
  ) -> Bool {
    var sum: Float = 0
    var i = 0
    while i < frames {
      sum += left[i].magnitude + right[i].magnitude
      i &+= 1
    }
    return sum < 1e9
  }

  /// No number came out: silence now and a fresh start, rather than silence for ever.
  @_noLocks
  private mutating func fault(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int
  ) {
    left.update(repeating: 0, count: frames)
    right.update(repeating: 0, count: frames)
    voices.silence()
    equalizer.reset()
    meters.add(.faults, 1)
  }

  @_noLocks
  private func report(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int
  ) {
    var peak: Float = 0
    var i = 0
    while i < frames {
      peak = max(peak, max(left[i].magnitude, right[i].magnitude))
      i &+= 1
    }
    meters.raise(.peak, to: UInt64(peak.bitPattern))
    meters.add(.frames, UInt64(frames))
    meters.add(.blocks, 1)
    meters.set(.voices, UInt64(voices.sounding))
    meters.raise(.mostVoices, to: UInt64(voices.most))
    meters.set(.stolen, voices.stolen)
    meters.set(.refused, voices.refused)
  }
}
