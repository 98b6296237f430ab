import Scenes

/// The master section of the mix: the master stage of every pair of outputs with its limiter, the test tone, the click,
/// the peaks that are shown, and the block that recordings get.
struct MasterSection: ~Copyable {
  private let rate: Double
  private let outputs: PartOutputs
  private let recordings: AudioRing
  private let peaks: Peaks
  private let tone: ToneRequest
  private var master: MasterOutput
  private var further: ExtraMasters
  private var click: Click
  /// Whether the peaks of this block are measured, because they are shown somewhere.
  private(set) var isMeasured = false

  init(rate: Double, outputs: PartOutputs, recordings: AudioRing, peaks: Peaks, tone: ToneRequest) {
    (self.rate, self.outputs, self.recordings) = (rate, outputs, recordings)
    (self.peaks, self.tone) = (peaks, tone)
    master = MasterOutput(rate: rate)
    further = ExtraMasters(rate: rate, outputs: outputs)
    click = Click(rate: rate)
  }

  /// Returns to the initial state. Not while it renders.
  mutating func reset() {
    master = MasterOutput(rate: rate)
    further = ExtraMasters(rate: rate, outputs: outputs)
    click = Click(rate: rate)
  }

  /// Begins a block, and the test tone if it is asked for.
  @_noLocks @inline(__always)
  mutating func begin() {
    isMeasured = peaks.isOn
    if tone.take() { master.startTone() }
  }

  /// Begins the strokes of the click that are due in a run, on one of the pairs that the card has.
  // Not inlined: most of the time the click is off.
  @_noLocks @inline(never)
  mutating func beginStrokes(
    _ clock: BeatClock, _ knobs: ClickKnobs, pairs: Int, from frame: Int64, frames: Int
  ) {
    click.follow(
      clock, knobs, pair: outputs.clickPair(knobs.output, available: pairs), from: frame, frames: frames)
  }

  /// Processes a run of the mix in place. In the buffers of `others` it begins at index `from`. False when a sample was
  /// not a number: the output is then silent.
  @_noLocks @inline(__always)
  mutating func process(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ others: ExtraOutputs,
    from: Int,
    frames: Int, tickOffset: Int, _ knobs: Master
  ) -> Bool {
    let isSound = further.process(others, from: from, frames: frames, tickOffset: tickOffset, knobs)
    return master.process(left, right, frames: frames, tickOffset: tickOffset, knobs) && isSound
  }

  /// Ends the block that began at frame `first`: reports its peaks and the reduction of the limiters, gives it to
  /// recordings, and adds the click.
  @_noLocks
  mutating func end(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ others: ExtraOutputs,
    _ strips: borrowing MixerStrips, first: Int64, frames: Int, to meters: Meters
  ) {
    var peak = loudest(left, right, frames)
    var pair = 1
    while pair < others.pairs {
      peak = max(peak, loudest(others.left(pair), others.right(pair), frames))
      pair &+= 1
    }
    meters.raise(.peak, to: UInt64(peak.bitPattern))
    meters.raise(.shownPeak, to: UInt64(peak.bitPattern))
    if isMeasured { reportPeaks(left, right, strips, frames) }
    let gain = min(master.takeLowestGain(), further.takeLowestGain())
    if gain < 1 { meters.raise(.reduction, to: UInt64((1 / gain).bitPattern)) }
    click.add(left, right, others, recordings, first: first, frames: frames)
  }

  /// Reports the peaks of the outputs 1 and 2 and of the parts.
  // Not inlined: most of the time nobody looks.
  @_noLocks @inline(never)
  private func reportPeaks(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>,
    _ strips: borrowing MixerStrips,
    _ frames: Int
  ) {
    peaks.raise(.left, to: loudest(left, frames))
    peaks.raise(.right, to: loudest(right, frames))
    for part in 0..<Limits.parts {
      peaks.raise(.part(part), to: strips.takePeak(part))
    }
  }
}
