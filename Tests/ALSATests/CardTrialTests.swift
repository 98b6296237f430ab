import Testing

@testable import ALSA

/// Settings on trial, by a clock of the test's own.
@Suite("Card settings on trial") struct CardTrialTests {
  private let before = CardSettings(rate: 48_000, period: 128, preference: nil)
  private let second: Int64 = 1_000_000_000

  /// The verdict of each quarter of a second, with frames that run at a share of the rate from a second on.
  private func verdicts(from start: Double, share: Double, until end: Double = 12) -> (
    CardTrial.Verdict, at: Double
  )? {
    var trial = CardTrial(before: before, "96000 Hz", at: 0)
    for quarter in 0...Int(end * 4) {
      let time = Double(quarter) / 4
      let frames = UInt64(max(0, time - start) * 48_000 * share)
      let verdict = trial.verdict(
        at: Int64(time * 1e9), isPlaying: time >= start, frames: frames, rate: 48_000)
      if verdict != .open { return (verdict, time) }
    }
    return nil
  }

  @Test("Settings that play are kept after two seconds of playback") func keptSettings() throws {
    let kept = try #require(verdicts(from: 1, share: 1))
    #expect(kept.0 == .confirmed && kept.at == 3)
  }

  @Test("Settings that never play are undone after 10 seconds") func neverPlays() throws {
    let undone = try #require(verdicts(from: 100, share: 1))
    #expect(undone.0 == .undone && undone.at == 10)
  }

  // A card that is open and takes nothing, or a block now and then.
  @Test("Settings with which the card stands still or barely runs are undone after 10 seconds")
  func standsStill() throws {
    for share in [0, 0.1] {
      let undone = try #require(verdicts(from: 0, share: share))
      #expect(undone.0 == .undone && undone.at == 10)
    }
  }

  @Test("Settings with which the card plays only now and then are undone after 10 seconds")
  func comesAndGoes() throws {
    var trial = CardTrial(before: before, "Device", at: 0)
    for quarter in 0..<40 {
      let now = Int64(quarter) * second / 4
      let verdict = trial.verdict(
        at: now, isPlaying: quarter % 6 < 4, frames: UInt64(quarter * 12_000), rate: 48_000)
      #expect(verdict == .open)
    }
    #expect(trial.verdict(at: 10 * second, isPlaying: true, frames: 480_000, rate: 48_000) == .undone)
  }

  @Test("Remembered settings hold until the configuration changes") func latestChange() {
    var memory = CardMemory()
    memory.start(device: "auto", rate: 48_000, period: 128)
    memory.rate = 96_000
    memory.period = 64
    memory = CardMemory(reading: memory.text)
    memory.start(device: "auto", rate: 48_000, period: 128)
    #expect(memory.rate == 96_000 && memory.period == 64)
    // A line of the file is changed, and everything that was chosen before holds no more.
    memory.start(device: "auto", rate: 44_100, period: 128)
    #expect(memory.rate == nil && memory.period == nil)
  }
}
