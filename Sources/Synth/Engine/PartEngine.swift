import CRealtime
import Scenes

/// The engine of eight parts, without a master: it follows the scenes that the control thread publishes, and gives the
/// events of its rings to the ensemble and to the arpeggiators that play it. The instrument has one for its parts, and
/// one more while a song plays the parts 9 to 16. Audio thread only.
struct PartEngine: ~Copyable {
  var ensemble: Ensemble
  var arps = Arps()
  /// Whether a panic has silenced these parts in this block.
  var hasPanicked = false
  /// The part of its figures that those of the instrument include already; of song parts only.
  var reported = VoiceCounts()
  let scenes: ManagedScene.AudioSide
  private let midi: EventRing
  private let control: EventRing
  let meters: Meters
  private var isNew = true
  private var midiOverrun = Overrun()
  private var controlOverrun = Overrun()

  /// The next frame to be rendered.
  var frame: Int64 { @_noLocks get { ensemble.frame } }

  /// An engine at `rate` Hz from `frame` on, with the scenes of `scenes` and the events of two rings. It counts strokes
  /// and, of the events of `midi`, the late ones in `meters`.
  init(
    rate: Double, frame: Int64, scenes: ManagedScene.AudioSide, midi: EventRing, control: EventRing,
    meters: Meters, zones: MPEZoneTable, drums: DrumKit, outputs: PartOutputs
  ) {
    (self.scenes, self.midi, self.control, self.meters) = (scenes, midi, control, meters)
    scenes.setRate(rate)
    ensemble = Ensemble(
      rate: rate, frame: frame, scene: scenes.take(), zones: zones, drums: drums, outputs: outputs)
  }

  /// Returns to the initial state: silence, nothing held, frame 0. The rings and the scene stay. Not while it renders.
  mutating func reset() {
    ensemble.reset()
    arps.reset()
    isNew = true
  }

  /// Begins a block: follows the newest scene, and fades the voices that the machine is too slow for. Returns their
  /// number.
  @_noLocks @inline(__always)
  mutating func begin() -> UInt64 {
    // Before the epoch is raised, after which the memory of combs may be taken back.
    if ensemble.renderer.context.comb != 0 { reportCombs() }
    let newest = scenes.take()
    ensemble.renderer.context.comb = scenes.takeComb()
    if newest != ensemble.scene || isNew {
      ensemble.scene = newest
      follow()
    }
    let shed = ensemble.voices.budget.isWhole ? 0 : ensemble.voices.shed()
    ensemble.renderer.work = 0
    hasPanicked = false
    midiOverrun.look(at: midi)
    controlOverrun.look(at: control)
    return shed
  }

  /// Tells the control thread whether a voice uses the memory of combs.
  // Not inlined: most patches have no comb.
  @_noLocks @inline(never)
  private func reportCombs() { scenes.reportCombs(areUsed: ensemble.voices.haveCombs) }

  // MARK: - Runs

  /// Plays what is due at the current frame, and begins a run. Returns its length, of at most `frames` frames (above 0):
  /// until something else is due.
  @_noLocks
  mutating func beginRun(frames: Int) -> Int {
    if arps.busy != 0 { arps.endSteps(&ensemble) }
    playDue()
    // A count-in that ends here starts the transport before its first step.
    if ensemble.renderer.beatClock.countIn > 0, ensemble.renderer.beatClock.count(at: frame) == 0 {
      arps.start(&ensemble)
    }
    if arps.busy != 0 { arps.play(&ensemble) }
    // Runs begin at absolute frames, so they do not depend on the blocks.
    let offset = Int(frame % Int64(Limits.runFrames))
    if offset == 0, ensemble.voices.compacts { ensemble.voices.compact() }
    let run = min(min(Limits.runFrames &- offset, frames), untilNextEvent())
    if ensemble.renderer.beatClock.countIn == 0 { return run }
    return Int(min(ensemble.renderer.beatClock.count(at: frame), Int64(run)))
  }

  /// Renders a run of `frames` frames into two buffers, and parts with outputs of their own into those of `further`, where
  /// the run begins at index `first`.
  @_noLocks @inline(__always)
  mutating func renderRun(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ further: ExtraOutputs,
    from first: Int, frames: Int
  ) {
    ensemble.renderSounds(frames: frames, tickOffset: tickOffset)
    ensemble.strips.mix(left, right, further, from: first, frames: frames, tickOffset: tickOffset)
  }

  /// Frames since the last tick of the modulation.
  var tickOffset: Int { @_noLocks get { Int(frame % Int64(Limits.runFrames)) % Limits.controlFrames } }

  // MARK: - Events

  @_noLocks
  private mutating func playDue() {
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
  private func untilNextEvent() -> Int {
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
}
