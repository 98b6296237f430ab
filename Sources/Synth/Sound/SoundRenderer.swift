/// Renders the sounds: the knobs of each tick by tick, then its groups one after the other, each through the whole
/// run, so that a group's memory is brought near once.
struct SoundRenderer: ~Copyable {
  /// A run: frames without an event in them, that begin `gone` frames after a control tick.
  struct Run {
    let frames: Int
    let gone: Int
    /// The frame that the tick under way has begun at.
    let tick: Int64

    @_noLocks init(at frame: Int64, frames: Int, gone: Int) {
      (self.frames, self.gone, tick) = (frames, gone, frame &- Int64(gone))
    }
  }

  // What the sound's knobs mean at each tick of the run; the first is from before it.
  private let controls: UnsafeMutablePointer<SoundControl>
  // The voices of a sound added up, still by lanes.
  private let mix: UnsafeMutablePointer<Lanes>
  // The same of their right side, where a sound has two.
  private let mixRight: UnsafeMutablePointer<Lanes>
  private let left: UnsafeMutablePointer<Float>
  private let right: UnsafeMutablePointer<Float>
  private let share: Float
  var context: VoiceGroup.Context
  var tempo: TempoClock
  private let rate: Double
  // Curves of silence, which `controls` are made with.
  private let curves: UnsafeMutablePointer<EnvelopeCurves>
  /// Frames rendered, each as often as there were groups to render.
  var work = 0

  init(rate: Double) {
    let ticks = Limits.runFrames / Limits.controlFrames + 2
    controls = .allocate(capacity: ticks)
    curves = .allocate(capacity: 3)
    curves.initialize(repeating: EnvelopeCurves(), count: 3)
    controls.initialize(repeating: SoundControl(curves), count: ticks)
    (self.rate, tempo) = (rate, TempoClock(rate: rate))
    mix = .allocate(capacity: Limits.runFrames)
    mix.initialize(repeating: .zero, count: Limits.runFrames)
    mixRight = .allocate(capacity: Limits.runFrames)
    mixRight.initialize(repeating: .zero, count: Limits.runFrames)
    left = .allocate(capacity: Limits.runFrames)
    left.initialize(repeating: 0, count: Limits.runFrames)
    right = .allocate(capacity: Limits.runFrames)
    right.initialize(repeating: 0, count: Limits.runFrames)
    func vectors(_ count: Int) -> UnsafeMutablePointer<Lanes> {
      let vectors = UnsafeMutablePointer<Lanes>.allocate(capacity: count)
      vectors.initialize(repeating: .zero, count: count)
      return vectors
    }
    context = VoiceGroup.Context(
      sums: vectors(ModulationTarget.count), scratch: vectors(MixerRoom.place),
      zeros: vectors(Limits.controlFrames),
      room: MixerRoom(vectors: vectors(MixerRoom.count)), rate: Float(rate), tune: 0)
    share = min(1, Float(Double(Limits.controlFrames) / rate) / Smoothed.seconds)
  }

  deinit {
    controls.deallocate()
    curves.deallocate()
    mix.deallocate()
    mixRight.deallocate()
    left.deallocate()
    right.deallocate()
    for vectors in [context.sums, context.scratch, context.zeros, context.room.vectors] {
      vectors.deallocate()
    }
  }

  /// Renders one sound through a run and adds it to its part's strip.
  @_noLocks
  mutating func render(
    _ sound: UnsafeMutablePointer<Sound>, _ voices: inout Voices, into strips: inout MixerStrips, _ run: Run
  ) {
    if sound.pointee.control.movesSharedRates {
      renderTicks(sound, &voices, run)
    } else {
      renderGroups(sound, &voices, run, from: 0)
    }
    let isStereo = sound.pointee.control.isStereo
    var i = 0
    while i < run.frames {
      left[i] = sum(mix[i])
      right[i] = isStereo ? sum(mixRight[i]) : left[i]
      i &+= 1
    }
    if sound.pointee.rack.isOn(sound.pointee.now) {
      sound.pointee.rack.process(left, right, frames: run.frames, sound.pointee.now)
    }
    strips.add(sound.pointee.part, left, right, frames: run.frames)
  }

  /// Renders the groups of a sound tick by tick, so that what its voices say moves the next tick.
  @_noLocks
  private mutating func renderTicks(
    _ sound: UnsafeMutablePointer<Sound>, _ voices: inout Voices, _ run: Run
  ) {
    var (done, gone) = (0, run.gone)
    while done < run.frames {
      if gone == 0 { sound.pointee.moveSharedRates(voices.groups) }
      let frames = min(Limits.controlFrames &- gone, run.frames &- done)
      let tick = Run(at: run.tick &+ Int64(run.gone &+ done), frames: frames, gone: gone)
      renderGroups(sound, &voices, tick, from: done)
      (done, gone) = (done &+ frames, 0)
    }
  }

  /// Renders the groups of a sound into the mix, from so many frames on.
  @_noLocks
  private mutating func renderGroups(
    _ sound: UnsafeMutablePointer<Sound>, _ voices: inout Voices, _ run: Run, from first: Int
  ) {
    let wasStereo = sound.pointee.control.isStereo
    advance(sound, run)
    (mix + first).update(repeating: .zero, count: run.frames)
    if sound.pointee.control.isStereo {
      var i = wasStereo ? first : 0
      while i < first {
        mixRight[i] = mix[i]
        i &+= 1
      }
      (mixRight + first).update(repeating: .zero, count: run.frames)
    }
    var groups = sound.pointee.groups
    while groups != 0 {
      render(groups.trailingZeroBitCount, &voices, run, from: first)
      groups &= groups &- 1
    }
  }

  /// Lets the sound's knobs go on their way, tick by tick.
  @_noLocks
  private func advance(_ sound: UnsafeMutablePointer<Sound>, _ run: Run) {
    // Before the first tick, what an event within it needs.
    var end = run.tick &+ Int64(Limits.controlFrames)
    sound.pointee.advanceLFOs(to: end, tempo, rate: rate)
    controls[0] = sound.pointee.control
    if run.gone == 0 { end &-= Int64(Limits.controlFrames) }
    var tick = 0
    var at = run.gone == 0 ? 0 : Limits.controlFrames &- run.gone
    while at < run.frames {
      sound.pointee.advance(share: share)
      end &+= Int64(Limits.controlFrames)
      sound.pointee.advanceLFOs(to: end, tempo, rate: rate)
      tick &+= 1
      controls[tick] = sound.pointee.control
      at &+= Limits.controlFrames
    }
    // A sound that gets a right side has it from the beginning of the run.
    while sound.pointee.control.isStereo, tick >= 0 {
      controls[tick].isStereo = true
      tick &-= 1
    }
  }

  /// Renders one group through the run, from control tick to control tick.
  @_noLocks
  private mutating func render(_ group: Int, _ voices: inout Voices, _ run: Run, from first: Int) {
    let place = voices.groups + group
    var control = UnsafePointer(controls)
    var (done, gone) = (0, run.gone)
    while done < run.frames {
      let ahead = Limits.controlFrames &- gone
      if gone == 0 { control += 1 }
      if gone == 0 || place.pointee.stirred {
        let ended = place.pointee.control(control, context, frames: ahead)
        if ended != 0 { voices.free(group, ended) }
      }
      if place.pointee.used == 0 { return }
      let frames = min(ahead, run.frames &- done)
      let (left, right) = (mix + (first &+ done), mixRight + (first &+ done))
      place.pointee.render(control, context, mix: left, right: right, frames: frames)
      work &+= frames
      (done, gone) = (done &+ frames, 0)
    }
  }
}
