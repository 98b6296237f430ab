import Scenes

/// The parts 9 to 16, which only songs use: eight parts of an engine of its own, with 128 voices, that the engine of the
/// instrument renders and mixes into the outputs 1 and 2 before its master. No player reaches them, and no preset,
/// setup or session holds them. They take no time and no memory before they are made.
///
/// Their beats, concert pitch and master are those of the instrument; `link.midi` and `link.scene` are theirs. The
/// clock, the click, recordings and `commands` of the link are unused. Not on the audio thread.
public final class SongParts {
  /// Their scene and their events.
  public let link: Link
  // Not retained: its scene holds these parts.
  private unowned let instrument: Link
  private let engine: UnsafeMutablePointer<Engine>

  /// Parts of `scene` for the sample rate of the instrument, with this kit where programs are General MIDI's.
  public init(_ scene: Scene, kit: Kit, beside instrument: Link) {
    link = Link(scene, kit: kit, beside: instrument)
    self.instrument = instrument
    engine = .allocate(capacity: 1)
    engine.initialize(to: Engine(rate: instrument.scene.rate, link: link))
    // Effects for their rate.
    link.scene.service()
  }

  deinit {
    engine.deinitialize(count: 1)
    engine.deallocate()
  }

  /// Whether they have the sample rate of the instrument, which renders no others.
  public var matchesSampleRate: Bool { link.scene.rate == instrument.scene.rate }

  /// Whether something sounds or rings on. False before the instrument has rendered a block of them.
  public var isSounding: Bool { link.meters[.sounds] > 0 }
}

extension Link {
  /// Makes the engine of this link render these parts from its next block on; nil for none. `ManagedScene.service`
  /// frees the parts that it rendered before. Control thread.
  public func setSongParts(_ parts: SongParts?) {
    scene.setSongParts(parts?.address ?? 0, parts)
  }
}

extension SongParts {
  fileprivate var address: UInt { UInt(bitPattern: engine) }
}

// Rendering of the song parts by the engine of the instrument: it begins their blocks with its own, and adds them to
// its mix run by run.

extension Engine {
  /// The engine of the song parts, while `songParts` is not 0.
  // A mutating function reads this property once, into a constant. With ThreadSanitizer, Swift 6.3.1 otherwise generates
  // invalid LLVM code for a mutating call through it.
  private var beside: UnsafeMutablePointer<Engine> {
    @_noLocks get { UnsafeMutablePointer(bitPattern: songParts).unsafelyUnwrapped }
  }

  /// Begins a block of the song parts. Those of another sample rate are not rendered.
  // Not inlined, like all that follows: most of the time there are none.
  @_noLocks @inline(never)
  mutating func beginSongParts() {
    let beside = self.beside
    if beside.pointee.rate != rate {
      songParts = 0
      return
    }
    let shed = beside.pointee.begin()
    if shed > 0 { meters.add(.shed, shed) }
    if beside.pointee.arps.used != 0 { beside.pointee.arps.updateActivity() }
  }

  /// Renders a run of the song parts and adds it to the mix.
  @_noLocks @inline(never)
  func addSongParts(_ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int) {
    // They have not been rendered for a while, or never.
    if beside.pointee.ensemble.frame != frame { beside.pointee.ensemble.voices.silence() }
    beside.pointee.ensemble.frame = frame
    beside.pointee.ensemble.renderer.beatClock = ensemble.renderer.beatClock
    beside.pointee.ensemble.renderer.context.tune = ensemble.renderer.context.tune
    beside.pointee.add(left, right, frames: frames)
  }

  /// Renders the next `frames` frames of this engine and adds them, without its master.
  @_noLocks
  private mutating func add(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int
  ) {
    var done = 0
    while done < frames {
      if arps.busy != 0 { arps.endSteps(&ensemble) }
      playDue()
      if arps.busy != 0 { arps.play(&ensemble) }
      let runOffset = Int(frame % Int64(Limits.runFrames))
      if runOffset == 0, ensemble.voices.compacts { ensemble.voices.compact() }
      let run = min(min(Limits.runFrames &- runOffset, frames &- done), untilNextEvent())
      ensemble.renderSounds(frames: run, tickOffset: runOffset % Limits.controlFrames)
      // The buffers of the last sound are free.
      ensemble.strips.mix(
        ensemble.renderer.left, ensemble.renderer.right, ExtraOutputs(), from: 0, frames: run,
        tickOffset: runOffset % Limits.controlFrames
      )
      var i = 0
      while i < run {
        left[done &+ i] += ensemble.renderer.left[i]
        right[done &+ i] += ensemble.renderer.right[i]
        i &+= 1
      }
      done &+= run
      ensemble.frame &+= Int64(run)
    }
  }

  /// Fades the voices and effects of the song parts, and resets their controllers.
  @_noLocks @inline(never)
  func panicSongParts() { beside.pointee.panic() }

  /// Silences the song parts at once: after a fault only.
  @_noLocks @inline(never)
  func silenceSongParts() {
    beside.pointee.ensemble.silence()
  }

  /// Adds the figures of the song parts to those of a block.
  @_noLocks @inline(never)
  mutating func reportSongParts() {
    let beside = self.beside
    let sounding = ensemble.voices.sounding &+ beside.pointee.ensemble.voices.sounding
    meters.set(.voices, UInt64(sounding))
    meters.raise(.mostVoices, to: UInt64(sounding))
    meters.set(.sounds, ensemble.sounding &+ beside.pointee.ensemble.sounding)
    beside.pointee.meters.set(.sounds, beside.pointee.ensemble.sounding)
    let counts = beside.pointee.ensemble.voices.counts
    otherVoices.add(counts, since: beside.pointee.otherVoices)
    beside.pointee.otherVoices = counts
  }

  /// Frames of groups that the song parts have rendered in the last block.
  var songPartsWork: Int { @_noLocks get { beside.pointee.ensemble.renderer.work } }

  /// Shares the budget between the parts that render `work` groups and the song parts, which render `others`: each may
  /// have what the other leaves, and if that is too little for both, its share.
  @_noLocks @inline(never)
  mutating func shareBudget(_ work: Float, _ others: Float) {
    let beside = self.beside
    let (allowed, share) = (ensemble.voices.budget.allowed, work / (work + others))
    ensemble.voices.budget.allow(max(allowed - others, allowed * share))
    beside.pointee.ensemble.voices.budget.allow(max(allowed - work, allowed * (1 - share)))
  }
}
