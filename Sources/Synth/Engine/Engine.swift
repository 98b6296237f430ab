import CRealtime
import Scenes

/// The synthesis engine: turns a scene and performance events into samples. Lives behind a pointer; audio thread only.
public struct Engine: ~Copyable {
  /// Sample rate in Hz.
  public var rate: Double { @_noLocks get { ensemble.rate } }
  /// The next frame to be rendered.
  public var frame: Int64 { @_noLocks get { ensemble.frame } }
  let shared: ManagedScene.AudioSide
  let midi: EventRing
  let control: EventRing
  let meters: Meters
  private let sharedClock: SharedBeatClock
  private let sharedArps: SharedArps
  // Parts whose arpeggiators were published last, one bit each; at first all, since another engine may have published.
  private var shownArps: UInt32 = (1 << UInt32(Limits.parts)) - 1
  var ensemble: Ensemble
  var arps = Arps()
  private var master: MasterSection
  private let outputs: PartOutputs
  private var isNew = true
  private var lastFrames = 0
  private var midiOverrun = Overrun()
  private var controlOverrun = Overrun()
  // Address of the engine of the song parts that this block is rendered with, 0 for none.
  var songParts: UInt = 0
  // Voice counts of all song parts so far; in the engine of song parts, the counts that are already included.
  var otherVoices = VoiceCounts()

  /// An engine at `rate` Hz (within `Limits.rates`) that reads from `link`, which must outlive it. It takes the audio
  /// side of the scene, so no other engine of this link may run. An engine that replaces another continues at its
  /// `frame`, so that pending events stay in time. `outputs` holds the pair that each part plays on, if `render` gets
  /// buffers for it.
  public init(rate: Double, link: Link, frame: Int64 = 0, outputs: PartOutputs = PartOutputs()) {
    self.outputs = outputs
    shared = link.scene.audioSide
    midi = link.midi
    control = link.control
    meters = link.meters
    sharedClock = link.beatClock
    sharedArps = link.arps
    shared.setRate(rate)
    ensemble = Ensemble(
      rate: rate, frame: frame, scene: shared.take(), zones: link.zones, drums: link.drums, outputs: outputs)
    // The transport stays stopped when the sound card changes.
    ensemble.renderer.beatClock = BeatClock(rate: rate, after: link.beatClock.now)
    master = MasterSection(
      rate: rate, outputs: outputs, recordings: link.outputRing, peaks: link.peaks, tone: link.tone)
  }

  /// Renders the next `frames` frames (any number above 0) into two buffers, and parts with their own outputs into the
  /// buffers of `further`, and gives them to recordings. Any split into blocks gives the same sound, as long as scenes are
  /// published at the same frames: the same bits if blocks end at multiples of `Limits.runFrames`; otherwise modulated
  /// levels and widths are rounded differently.
  @_noLocks
  public mutating func render(
    left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>,
    further: ExtraOutputs = ExtraOutputs(), frames: Int
  ) {
    let control = rt_flush_denormals()
    defer { rt_restore_denormals(control) }
    let shed = begin()
    if shed > 0 { meters.add(.shed, shed) }
    songParts = shared.takeSongParts()
    if songParts != 0 { beginSongParts() }
    master.begin()
    ensemble.strips.isMeasured = master.isMeasured
    lastFrames = frames
    var done = 0
    while done < frames {
      if arps.busy != 0 { arps.endSteps(&ensemble) }
      playDue()
      // A count-in that ends here starts the transport before its first step.
      if ensemble.renderer.beatClock.countIn > 0, ensemble.renderer.beatClock.count(at: frame) == 0 {
        arps.start(&ensemble)
      }
      if arps.busy != 0 { arps.play(&ensemble) }
      // Runs begin at absolute frames, so they do not depend on the blocks.
      let runOffset = Int(frame % Int64(Limits.runFrames))
      if runOffset == 0, ensemble.voices.compacts { ensemble.voices.compact() }
      var run = min(min(Limits.runFrames &- runOffset, frames &- done), untilNextEvent())
      if ensemble.renderer.beatClock.countIn > 0 {
        run = Int(min(ensemble.renderer.beatClock.count(at: frame), Int64(run)))
      }
      if ensemble.scene.pointee.master.click.on >= 0.5 || ensemble.renderer.beatClock.countIn > 0 {
        master.beginStrokes(
          ensemble.renderer.beatClock, ensemble.scene.pointee.master.click, pairs: further.pairs, from: frame,
          frames: run)
      }
      render(
        left + done, right + done, further, from: done, frames: run,
        tickOffset: runOffset % Limits.controlFrames)
      done &+= run
      ensemble.frame &+= Int64(run)
    }
    sharedClock.publish(ensemble.renderer.beatClock)
    if arps.used | shownArps != 0 { publishArps() }
    master.end(
      left, right, further, ensemble.strips, first: frame &- Int64(frames), frames: frames, to: meters)
    report(frames: frames)
  }

  /// Begins a block: follows the newest scene, and fades the voices that the machine is too slow for. Returns their
  /// number.
  @_noLocks @inline(__always)
  mutating func begin() -> UInt64 {
    // Before the epoch is raised, after which the memory of combs may be taken back.
    if ensemble.renderer.context.comb != 0 { reportCombs() }
    let newest = shared.take()
    ensemble.renderer.context.comb = shared.takeComb()
    if newest != ensemble.scene || isNew {
      ensemble.scene = newest
      follow()
    }
    let shed = ensemble.voices.budget.isWhole ? 0 : ensemble.voices.shed()
    ensemble.renderer.work = 0
    midiOverrun.look(at: midi)
    controlOverrun.look(at: control)
    return shed
  }

  /// Tells the control thread whether a voice uses the memory of combs.
  // Not inlined: most patches have no comb.
  @_noLocks @inline(never)
  private func reportCombs() { shared.reportCombs(areUsed: ensemble.voices.haveCombs) }

  /// The routing of a run: every sound through its effects into the strip of its part, and the strips into the master
  /// section. In the buffers of `further` the run begins at index `from`.
  @_noLocks
  private mutating func render(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ further: ExtraOutputs,
    from: Int, frames: Int, tickOffset: Int
  ) {
    ensemble.renderSounds(frames: frames, tickOffset: tickOffset)
    ensemble.strips.mix(left, right, further, from: from, frames: frames, tickOffset: tickOffset)
    if songParts != 0 { addSongParts(left, right, frames: frames) }
    if !master.process(
      left, right, further, from: from, frames: frames, tickOffset: tickOffset, ensemble.scene.pointee.master)
    {
      ensemble.silence()
      if songParts != 0 { silenceSongParts() }
      meters.add(.faults, 1)
    }
  }

  /// Reports the share of its deadline that the last block took; 1 is all of it. If the machine is too slow for all
  /// voices, the next block fades the excess. Called by the audio loop after each block.
  @_noLocks
  public mutating func reportLoad(share: Float) {
    let frames = Float(max(lastFrames, 1))
    let work = Float(ensemble.renderer.work) / frames
    let others = songParts == 0 ? 0 : Float(songPartsWork) / frames
    ensemble.voices.budget.learn(share: share, groups: work + others, seconds: frames / Float(rate))
    if others > 0 { shareBudget(work, others) }
    meters.set(.limit, UInt64(ensemble.voices.budget.voices))
  }

  /// Returns to the initial state: silence, nothing held, frame 0. The rings and the scene stay. Not while it renders.
  public mutating func reset() {
    ensemble.reset(outputs: outputs)
    arps.reset()
    master.reset()
    isNew = true
  }

  // MARK: - Events

  @_noLocks
  mutating func playDue() {
    while let event = next(), event.pointee.frame <= frame {
      play(event.pointee)
      if event == midi.peek() {
        // Events stamped 0 are due at once and cannot be late.
        if event.pointee.frame > 0 { meters.raise(.lateKey, to: UInt64(frame &- event.pointee.frame)) }
        midi.drop()
      } else {
        control.drop()
      }
    }
    // A ring that was full may have lost note offs, so the notes of its sources are released.
    if midiOverrun.isOver(midi) { releaseSources(from: 0, to: Limits.surfaceSources) }
    if controlOverrun.isOver(control) {
      releaseSources(from: Limits.surfaceSources, to: Limits.sources)
      // The end of a song may be lost as well. A song that still plays takes the lead again.
      ensemble.renderer.beatClock.lose(UInt8(truncatingIfNeeded: Limits.songSource), frame: frame)
      ensemble.renderer.beatClock.endMeter()
    }
  }

  /// The earlier of the two rings' oldest events.
  @_noLocks
  private func next() -> UnsafePointer<Event>? {
    guard let key = midi.peek() else { return control.peek() }
    guard let touch = control.peek() else { return key }
    return touch.pointee.frame < key.pointee.frame ? touch : key
  }

  @_noLocks
  func untilNextEvent() -> Int {
    var until = Int64(Limits.period)
    if let event = next() { until = min(until, event.pointee.frame &- frame) }
    if arps.busy != 0 {
      until = min(until, max(arps.nextFrame(ensemble.renderer.beatClock.line), frame) &- frame)
    }
    return Int(max(until, 1))
  }

  // MARK: - Scene

  /// Follows a new scene. Each part compares it with its state and changes only what differs.
  @_noLocks
  private mutating func follow() {
    if isNew { ensemble.controllers.settleZones() }
    ensemble.renderer.beatClock.follow(sceneTempo: ensemble.scene.pointee.master.tempo, frame: frame)
    ensemble.renderer.context.tune = rt_log2(max(ensemble.scene.pointee.master.tune, 1))
    var receptionChanged = false
    for part in 0..<Limits.parts {
      let (home, patch) = (ensemble.scene.part(part), ensemble.patch(part))
      let (channels, received) = (home.pointee.strip.channels, home.pointee.input.received.bits)
      if ensemble.controllers.setReceived(part, channels: channels, controllers: received) {
        receptionChanged = true
      }
      ensemble.strips.follow(part, home.pointee.strip, atOnce: isNew)
      let sound = ensemble.voices.sounds.sounds + ensemble.voices.sounds.current[part]
      let isRecalled = isNew || sound.pointee.generation != home.pointee.generation
      if isRecalled {
        ensemble.voices.sounds.begin(part, home, patch)
        ensemble.followKit(part, patch)
        ensemble.played[part].pointee.mode = nil
      } else {
        sound.pointee.follow(
          patch, home.pointee.effects, home.pointee.tables, dynamics: home.pointee.input.dynamics,
          seconds: ensemble.voices.sounds.seconds)
      }
      ensemble.followMode(part, recalled: isRecalled)
      ensemble.followTuning(part)
      arps.follow(ensemble, part, recalled: isRecalled)
    }
    if receptionChanged {
      releaseUnheld()
      ensemble.followBalances()
      ensemble.controlAll()
    }
    isNew = false
  }

  // MARK: - Health

  /// Publishes the arpeggiators that play or have keys, and once more those that have come to rest.
  @_noLocks @inline(never)
  private mutating func publishArps() {
    arps.updateActivity()
    var left = arps.used | shownArps
    shownArps = arps.used
    while left != 0 {
      let part = left.trailingZeroBitCount
      sharedArps.publish(part, arps[part])
      left &= left &- 1
    }
  }

  @_noLocks
  private mutating func report(frames: Int) {
    meters.add(.frames, UInt64(frames))
    meters.add(.blocks, 1)
    meters.set(.voices, UInt64(ensemble.voices.sounding))
    meters.set(.sounds, ensemble.sounding)
    meters.raise(.mostVoices, to: UInt64(ensemble.voices.most))
    if songParts != 0 { reportSongParts() }
    meters.set(.stolen, ensemble.voices.counts.stolen &+ otherVoices.stolen)
    meters.set(.refused, ensemble.voices.counts.refused &+ otherVoices.refused)
  }
}
