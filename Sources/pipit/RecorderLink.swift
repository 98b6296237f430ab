import Control
import Recording
import Scenes
import System

/// Connects the recorder and the instrument, which are independent of each other: carries out requests, shows the
/// recording, and posts a notice when a file is finished. Control thread.
final class RecorderLink: RequestHandler {
  private let recorder: Recorder
  private let instrument: Instrument
  private let kept: Int
  private var outcomes = 0
  /// The finished recordings.
  let files: FileKind
  // The sample rate of the current recording, in Hz.
  private var rate = 0

  /// Connects them while `loop` runs. A file has one sample rate, so a recording ends when the rate changes.
  init(_ arguments: CommandArguments, state: String, _ instrument: Instrument, _ loop: PollLoop) {
    self.instrument = instrument
    kept = arguments.number(.recordLast)
    let waker = loop.waker
    let folder = arguments[.recordings] ?? Folders.recordings(state)
    files = RecorderLink.files(folder)
    recorder = Recorder(
      instrument.link.outputRing, folder: folder,
      format: SoundFile.Format(rawValue: arguments[.recordFormat] ?? "") ?? .flac, keeping: kept,
      rate: arguments.number(.rate)
    ) { waker.wake() }
    recorder.repair()
    instrument.recorder.handler = self
    loop.afterEachRound { [weak self] _ in
      self?.update()
      return nil
    }
  }

  /// The finished recordings of a folder.
  static func files(_ folder: String) -> FileKind {
    FileKind(
      FileShelf(folder, endings: SoundFile.Format.allCases.map { "." + $0.rawValue }, kind: "recording"),
      limit: 0, seconds: { RecordingLength.seconds($0) }, problem: { _ in "takes no recordings" })
  }

  func handle(_ request: RecordingRequest) -> String? {
    let playing = instrument.link.clock.rate
    if playing == 0 { return "has nothing to record: nothing plays" }
    switch request {
    case .start:
      rate = playing
      recorder.start(rate: rate)
    case .stop: recorder.stop()
    case .last:
      if kept == 0 { return "record-last is off; put record-last = 120 into pipit.conf" }
      recorder.saveLast(rate: playing)
    }
    return nil
  }

  private func update() {
    let state = recorder.state
    var shown = RecordingState()
    shown.isOn = state.isOn
    (shown.outcome, shown.failed, shown.outcomes) = (state.outcome, state.failed, state.outcomes)
    if state.hasFile { (shown.length, shown.file) = (Recorder.length(state.seconds), state.file) }
    if !shown.file.isEmpty, instrument.recorder.state.file.isEmpty {
      instrument.notices.post("recording into \(shown.file)", about: .recording)
    }
    instrument.recorder.state = shown
    if state.outcomes != outcomes {
      outcomes = state.outcomes
      instrument.notices.post(state.outcome, about: .recording)
    }
    for sentence in recorder.takeRepairReports() { instrument.notices.post(sentence, about: .recording) }
    let playing = instrument.link.clock.rate
    if state.isOn, playing != rate { recorder.stop() }
  }

  /// Ends the recording before the program ends.
  func finish() { recorder.finish(within: 5) }
}
