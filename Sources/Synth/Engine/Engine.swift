import CRealtime
import Scenes

/// The synthesis engine: turns a scene and performance events into samples. Lives behind a pointer; audio thread only.
public struct Engine: ~Copyable {
  /// Sample rate in Hz.
  public var rate: Double { @_noLocks get { parts.ensemble.rate } }
  /// The next frame to be rendered.
  public var frame: Int64 { @_noLocks get { parts.frame } }
  /// The instrument's own parts.
  var parts: PartEngine
  private let meters: Meters
  private let sharedClock: SharedBeatClock
  private let sharedArps: SharedArps
  // Parts whose arpeggiators were published last, one bit each; at first all, since another engine may have published.
  private var shownArps: UInt32 = (1 << UInt32(Limits.parts)) - 1
  private var master: MasterSection
  private var lastFrames = 0
  // Address of the engine of the song parts that this block is rendered with, 0 for none.
  private var songParts: UInt = 0
  // Voice counts of all song parts so far.
  private var otherVoices = VoiceCounts()

  /// An engine at `rate` Hz (within `Limits.rates`) that reads from `link`, which must outlive it. It takes the audio
  /// side of the scene, so no other engine of this link may run. An engine that replaces another continues at its
  /// `frame`, so that pending events stay in time. `outputs` holds the pair that each part plays on, if `render` gets
  /// buffers for it.
  public init(rate: Double, link: Link, frame: Int64 = 0, outputs: PartOutputs = PartOutputs()) {
    meters = link.meters
    sharedClock = link.beatClock
    sharedArps = link.arps
    parts = PartEngine(
      rate: rate, frame: frame, scenes: link.scene.audioSide, midi: link.midi, control: link.control,
      meters: meters, zones: link.zones, drums: link.drums, outputs: outputs)
    // The transport stays stopped when the sound card changes.
    parts.ensemble.renderer.beatClock = BeatClock(rate: rate, after: link.beatClock.now)
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
    let shed = parts.begin()
    if shed > 0 { meters.add(.shed, shed) }
    songParts = parts.scenes.takeSongParts()
    if songParts != 0 { beginSongParts() }
    master.begin()
    parts.ensemble.strips.isMeasured = master.isMeasured
    lastFrames = frames
    var done = 0
    while done < frames {
      let run = parts.beginRun(frames: frames &- done)
      let click = parts.ensemble.scene.pointee.master.click
      if click.on >= 0.5 || parts.ensemble.renderer.beatClock.countIn > 0 {
        master.beginStrokes(
          parts.ensemble.renderer.beatClock, click, pairs: further.pairs, from: frame, frames: run)
      }
      render(left + done, right + done, further, from: done, frames: run)
      done &+= run
      parts.ensemble.frame &+= Int64(run)
    }
    sharedClock.publish(parts.ensemble.renderer.beatClock)
    if parts.arps.used | shownArps != 0 { publishArps() }
    master.end(
      left, right, further, parts.ensemble.strips, first: frame &- Int64(frames), frames: frames, to: meters)
    report(frames: frames)
  }

  /// The routing of a run: every sound through its effects into the strip of its part, and the strips into the master
  /// section. In the buffers of `further` the run begins at index `from`.
  @_noLocks
  private mutating func render(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ further: ExtraOutputs,
    from: Int, frames: Int
  ) {
    parts.renderRun(left, right, further, from: from, frames: frames)
    if songParts != 0 { addSongParts(left, right, frames: frames) }
    if !master.process(
      left, right, further, from: from, frames: frames, tickOffset: parts.tickOffset,
      parts.ensemble.scene.pointee.master)
    {
      parts.ensemble.silence()
      if songParts != 0 { silenceSongParts() }
      meters.add(.faults, 1)
    }
  }

  /// Reports the share of its deadline that the last block took; 1 is all of it. If the machine is too slow for all
  /// voices, the next block fades the excess. Called by the audio loop after each block.
  @_noLocks
  public mutating func reportLoad(share: Float) {
    let frames = Float(max(lastFrames, 1))
    let work = Float(parts.ensemble.renderer.work) / frames
    let others = songParts == 0 ? 0 : Float(songPartsWork) / frames
    parts.ensemble.voices.budget.learn(share: share, groups: work + others, seconds: frames / Float(rate))
    if others > 0 { shareBudget(work, others) }
    meters.set(.limit, UInt64(parts.ensemble.voices.budget.voices))
  }

  /// Returns to the initial state: silence, nothing held, frame 0. The rings and the scene stay. Not while it renders.
  public mutating func reset() {
    parts.reset()
    master.reset()
  }

  // MARK: - Health

  /// Publishes the arpeggiators that play or have keys, and once more those that have come to rest.
  @_noLocks @inline(never)
  private mutating func publishArps() {
    parts.arps.updateActivity()
    var left = parts.arps.used | shownArps
    shownArps = parts.arps.used
    while left != 0 {
      let part = left.trailingZeroBitCount
      sharedArps.publish(part, parts.arps[part])
      left &= left &- 1
    }
  }

  @_noLocks
  private mutating func report(frames: Int) {
    meters.add(.frames, UInt64(frames))
    meters.add(.blocks, 1)
    meters.set(.voices, UInt64(parts.ensemble.voices.sounding))
    meters.set(.sounds, parts.ensemble.sounding)
    meters.raise(.mostVoices, to: UInt64(parts.ensemble.voices.most))
    if songParts != 0 { reportSongParts() }
    meters.set(.stolen, parts.ensemble.voices.counts.stolen &+ otherVoices.stolen)
    meters.set(.refused, parts.ensemble.voices.counts.refused &+ otherVoices.refused)
  }
}

// The song parts: their blocks begin with those of the instrument, and they are added to its mix run by run.
extension Engine {
  /// The engine of the song parts, while `songParts` is not 0.
  // A mutating function reads this property once, into a constant. With ThreadSanitizer, Swift 6.3.1 otherwise generates
  // invalid LLVM code for a mutating call through it.
  private var beside: UnsafeMutablePointer<PartEngine> {
    @_noLocks get { UnsafeMutablePointer(bitPattern: songParts).unsafelyUnwrapped }
  }

  /// Begins a block of the song parts. Those of another sample rate are not rendered.
  // Not inlined, like all that follows: most of the time there are none.
  @_noLocks @inline(never)
  private mutating func beginSongParts() {
    let beside = self.beside
    if beside.pointee.ensemble.rate != rate {
      songParts = 0
      return
    }
    let shed = beside.pointee.begin()
    if shed > 0 { meters.add(.shed, shed) }
    if beside.pointee.arps.used != 0 { beside.pointee.arps.updateActivity() }
  }

  /// Renders a run of the song parts and adds it to the mix. A panic of the instrument is theirs too.
  @_noLocks @inline(never)
  private mutating func addSongParts(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int
  ) {
    let beside = self.beside
    if parts.hasPanicked {
      beside.pointee.panic()
      parts.hasPanicked = false
    }
    // They have not been rendered for a while, or never.
    if beside.pointee.frame != frame { beside.pointee.ensemble.voices.silence() }
    beside.pointee.ensemble.frame = frame
    beside.pointee.ensemble.renderer.beatClock = parts.ensemble.renderer.beatClock
    beside.pointee.ensemble.renderer.context.tune = parts.ensemble.renderer.context.tune
    beside.pointee.add(left, right, frames: frames)
  }

  /// Silences the song parts at once: after a fault only.
  @_noLocks @inline(never)
  private func silenceSongParts() { beside.pointee.ensemble.silence() }

  /// Adds the figures of the song parts to those of a block.
  @_noLocks @inline(never)
  private mutating func reportSongParts() {
    let beside = self.beside
    let sounding = parts.ensemble.voices.sounding &+ beside.pointee.ensemble.voices.sounding
    meters.set(.voices, UInt64(sounding))
    meters.raise(.mostVoices, to: UInt64(sounding))
    meters.set(.sounds, parts.ensemble.sounding &+ beside.pointee.ensemble.sounding)
    beside.pointee.meters.set(.sounds, beside.pointee.ensemble.sounding)
    let counts = beside.pointee.ensemble.voices.counts
    otherVoices.add(counts, since: beside.pointee.reported)
    beside.pointee.reported = counts
  }

  /// Frames of groups that the song parts have rendered in the last block.
  private var songPartsWork: Int { @_noLocks get { beside.pointee.ensemble.renderer.work } }

  /// Shares the budget between the parts that render `work` groups and the song parts, which render `others`: each may
  /// have what the other leaves, and if that is too little for both, its share.
  @_noLocks @inline(never)
  private mutating func shareBudget(_ work: Float, _ others: Float) {
    let beside = self.beside
    let (allowed, share) = (parts.ensemble.voices.budget.allowed, work / (work + others))
    parts.ensemble.voices.budget.allow(max(allowed - others, allowed * share))
    beside.pointee.ensemble.voices.budget.allow(max(allowed - work, allowed * (1 - share)))
  }
}
