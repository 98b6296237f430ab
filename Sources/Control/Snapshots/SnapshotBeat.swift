import Synth

// The beat or bar that the recall of a snapshot waits for.

extension SnapshotRecall {
  /// The beat that a recall waits for; nil to begin at once, also while the transport stands still.
  func nextBeat(_ start: SnapshotStart, _ now: Int64) -> Double? {
    if start == .off || writer.link.clock.rate == 0 || isStill { return nil }
    let quarters = writer.stage.scene.master.click.beatsPerBar
    let bars = writer.link.beatClock.now.bars(quarters: quarters)
    let step = start == .bar ? bars.bar : bars.unit
    // A press on the beat begins at once.
    return bars.origin + ((beat(now) - bars.origin) / step - 1e-3).rounded(.up) * step
  }

  /// The time of the next check of a beat that a recall waits for; nil if the recall is due.
  func dueTime(of beat: Double, _ now: Int64) -> Int64? {
    let left = (beat - self.beat(now)) / Double(writer.link.beatClock.now.line.perSecond)
    // A jump of the beat line must not leave a recall waiting.
    if isStill || left <= 0 || left > SnapshotRecall.longestBar { return nil }
    return now + max(Int64(clamping: min(left, 0.1) * 1e9), SceneWriter.publishInterval / 2)
  }

  private var isStill: Bool {
    let clock = writer.link.beatClock.now
    return !clock.isRunning && clock.countIn <= 0
  }

  /// The beat of the frame that is rendered now. Scenes are rendered at once, events a latency later.
  private func beat(_ now: Int64) -> Double {
    let clock = writer.link.clock
    return writer.link.beatClock.now.line.beat(at: clock.frame(at: now) - clock.now.latency)
  }

  /// Seconds of the longest bar: twelve beats at the slowest tempo, and a little more.
  private static let longestBar = 40.0
}
