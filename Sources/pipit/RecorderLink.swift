import Control
import Recording
import Synth
import System

/// Joins the recorder and control, which know nothing of one another: what surfaces ask of it, what they see, and what is
/// said when a file is finished. Control thread.
final class RecorderLink {
  private let recorder: Recorder
  private let control: Control
  private let kept: Int
  private var outcomes = 0
  // Hertz of the recording that is on.
  private var rate = 0

  /// Joins them for as long as `loop` runs. A file holds one sample rate: where that changes, the
  /// recording ends.
  init(_ arguments: CommandArguments, state: String, _ control: Control, _ loop: PollLoop) {
    self.control = control
    kept = arguments.number(.recordLast)
    let waker = loop.waker
    recorder = Recorder(
      control.link.heard, folder: arguments[.recordings] ?? Folders.recordings(state),
      format: SoundFile.Format(rawValue: arguments[.recordFormat] ?? "") ?? .flac, keeping: kept,
      rate: arguments.number(.rate)
    ) { waker.wake() }
    recorder.mend()
    control.askRecorder = { [unowned self] in ask($0) }
    loop.afterEachRound { [self] _ in
      update()
      return nil
    }
  }

  /// Why not, as a sentence without its subject; nil when it is done.
  private func ask(_ request: RecordingRequest) -> String? {
    let playing = control.link.clock.rate
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
    if !shown.file.isEmpty, control.recording.file.isEmpty {
      control.notify("recording into \(shown.file)", about: .recording)
    }
    control.recording = shown
    if state.outcomes != outcomes {
      outcomes = state.outcomes
      control.notify(state.outcome, about: .recording)
    }
    for sentence in recorder.takeMended() { control.notify(sentence, about: .recording) }
    let playing = control.link.clock.rate
    if state.isOn, playing != rate { recorder.stop() }
  }

  /// Ends the recording, as the last thing.
  func finish() { recorder.finish(within: 5) }
}
