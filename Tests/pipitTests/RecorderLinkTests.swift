import Control
import Scenes
import Scratch
import Synth
import System
import Testing
@testable import pipit

/// The recorder joined with control, without an engine: the test plays.
private final class Joined {
  let loop: PollLoop
  let link = Link(.initial)
  let instrument: Instrument
  let recorder: RecorderLink
  let folder = Folder()

  init(_ more: [String] = []) throws {
    loop = try #require(PollLoop())
    instrument = Instrument(
      link: link, library: .init(database: nil, factory: nil, log: { _ in }), log: { _ in })
    instrument.join(loop)
    let arguments = try CommandArguments(more[...], of: .serve, named: true)
    recorder = RecorderLink(arguments, state: folder.path, instrument, loop)
  }

  func runs(at rate: Double) {
    link.clock.publish(frame: 0, nanoseconds: monotonic(), latency: 0, rate: rate)
  }

  func play(_ frames: Int) {
    let block = [Float](repeating: 0.25, count: frames)
    link.outputRing.write(block, block, frames: frames)
  }

  func until(_ isSo: (RecordingState) -> Bool) -> Bool {
    let end = monotonic() + 60_000_000_000
    while monotonic() < end {
      loop.round(limit: 10_000_000)
      if isSo(instrument.recorder.state) { return true }
    }
    return false
  }

  func ask(_ request: RecordingRequest) -> String? { recorder.handle(request) }
  var files: [String] { fileNames(in: folder.path + "/recordings") ?? [] }
}

@Suite("The recorder of the instrument") struct RecorderLinkTests {
  @Test("records while sound runs, and ends where the rate changes: a file has one")
  func rate() throws {
    let joined = try Joined()
    #expect(joined.ask(.start)?.hasPrefix("has nothing to record") == true)
    joined.runs(at: 48_000)
    #expect(joined.ask(.start) == nil && joined.until { $0.isOn && !$0.file.isEmpty })
    #expect(joined.instrument.notices.shown == "recording into \(joined.instrument.recorder.state.file)")
    joined.play(1_000)
    // The next engine.
    joined.runs(at: 44_100)
    #expect(joined.until { !$0.isOn && $0.outcomes == 1 })
    #expect(
      !joined.instrument.recorder.state.failed
        && joined.instrument.recorder.state.outcome.hasPrefix("recorded 0:00"))
    #expect(joined.instrument.recorder.state.file.isEmpty && joined.files.count == 1)
    #expect(joined.files.first?.hasSuffix(".flac") == true)
    #expect(joined.ask(.last) == "record-last is off; put record-last = 120 into pipit.conf")
    #expect(joined.ask(.stop) == nil)
  }

  @Test("takes format, folder and what is kept from the configuration, and ends as the last thing")
  func configured() throws {
    let place = Folder()
    let joined = try Joined([
      "--record-format", "wav", "--recordings", place.path + "/takes", "--record-last", "2",
    ])
    joined.runs(at: 48_000)
    joined.play(10_000)
    #expect(
      joined.ask(.last) == nil && joined.until { $0.outcomes == 1 } && !joined.instrument.recorder.state.isOn)
    #expect(joined.ask(.start) == nil && joined.until { $0.isOn && !$0.file.isEmpty })
    joined.play(1_000)
    joined.recorder.finish()
    let names = try #require(fileNames(in: place.path + "/takes"))
    #expect(names.count == 2 && names.allSatisfy { $0.hasSuffix(".wav") } && joined.files.isEmpty)
    // 8 bytes a frame behind the header.
    let sizes = names.map { contents(place.path + "/takes/" + $0).count }.sorted()
    #expect(sizes[0] - 8_000 == sizes[1] - 80_000)
  }
}
