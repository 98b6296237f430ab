import Scenes
import Synth
import Testing
@testable import Control

/// The output as viewers see it: consecutive samples and peaks, and only while somebody looks.
struct MonitorTests {
  private let link = Link(.initial)
  private let instrument: Instrument

  init() { instrument = Instrument(link: link, library: .none, log: { _ in }) }

  /// Writes frames as the audio thread does: on the left n / 32,767, on the right three times as much.
  private func play(_ frames: Range<Int>) {
    for start in stride(from: frames.lowerBound, to: frames.upperBound, by: 64) {
      let block = start..<min(start + 64, frames.upperBound)
      link.watched.write(
        block.map { Float($0 % 8_000) / 32_767 }, block.map { Float($0 % 8_000) / 32_767 * 3 },
        frames: block.count)
    }
  }

  private func left(_ frames: Range<Int>) -> [Int16] { frames.map { Int16($0 % 8_000) } }

  @Test("Nothing is written or measured while nobody looks")
  func unwatched() {
    play(0..<1_000)
    #expect(link.watched.written == 0 && !link.peaks.isOn && !instrument.monitor.isWatched)
    let viewer = instrument.monitor.start()
    #expect(link.peaks.isOn && instrument.monitor.isWatched)
    play(0..<100)
    viewer.stop()
    viewer.stop()
    #expect(!link.peaks.isOn && !instrument.monitor.isWatched)
    play(100..<1_000)
    #expect(link.watched.written == 100)
    #expect(viewer.read(.mono, limit: 1_000) == MonitorViewer.Samples())
  }

  @Test("Each viewer reads every sample once, from when it began")
  func consecutive() {
    let first = instrument.monitor.start()
    play(0..<3_000)
    let second = instrument.monitor.start()
    play(3_000..<5_000)
    let samples = first.read(.stereo, limit: 10_000)
    #expect(samples.skipped == 0 && samples.values.count == 10_000)
    #expect(stride(from: 0, to: 10_000, by: 2).map { samples.values[$0] } == left(0..<5_000))
    #expect(
      stride(from: 1, to: 10_000, by: 2).allSatisfy { samples.values[$0] == 3 * samples.values[$0 - 1] })
    #expect(second.read(.stereo, limit: 10_000).values.count == 4_000)
    play(5_000..<5_010)
    let mono = first.read(.mono, limit: 10_000)
    #expect(mono.skipped == 0 && mono.values == (5_000..<5_010).map { Int16($0 * 2) })
    #expect(first.read(.mono, limit: 10_000) == MonitorViewer.Samples())
  }

  @Test("Whoever reads too seldom continues with the newest samples, and knows how many are missing")
  func late() {
    let viewer = instrument.monitor.start()
    play(0..<1_000)
    let some = viewer.read(.stereo, limit: 100)
    #expect(some.skipped == 900 && some.values.count == 200 && some.values[0] == 900)
    // More than the ring holds.
    play(1_000..<201_000)
    let rest = viewer.read(.stereo, limit: 1_000_000)
    #expect(rest.skipped > 100_000 && rest.skipped + rest.values.count / 2 == 200_000)
    #expect(
      stride(from: 0, to: rest.values.count, by: 2).map { rest.values[$0] }
        == left(1_000 + rest.skipped..<201_000))
    #expect(Double(rest.values.count / 2) >= 0.25 * 192_000)
  }

  @Test("A viewer that is freed looks no longer, and the next begins with the next sample")
  func freed() {
    var viewer: MonitorViewer? = instrument.monitor.start()
    let other = instrument.monitor.start()
    play(0..<10)
    viewer = nil
    #expect(viewer == nil && instrument.monitor.isWatched)
    other.stop()
    #expect(!instrument.monitor.isWatched)
    let last = instrument.monitor.start()
    play(20..<30)
    #expect(last.read(.stereo, limit: 100).values.first == 20)
  }

  @Test("Samples beyond full scale are clipped, with either sign")
  func clipped() {
    let viewer = instrument.monitor.start()
    link.watched.write([2, -2, 1, -1], [2, -2, 0, 1], frames: 4)
    #expect(viewer.read(.mono, limit: 4).values == [32_767, -32_767, 16_384, 0])
    link.watched.write([.infinity, -.infinity], [0, 0], frames: 2)
    #expect(viewer.read(.stereo, limit: 2).values == [32_767, 0, -32_767, 0])
  }
}
