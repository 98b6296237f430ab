import Control
import System

/// The doctor in the running instrument: it checks on a worker thread, since the checks read files and ask ALSA.
/// Control thread.
final class DoctorLink: InquiryHandler {
  private let instrument: Instrument
  private let arguments: CommandArguments
  private let worker: Worker
  // The replies that wait for the running check.
  private var replies: [(Result<[DoctorFinding], RequestRefused>) -> Void] = []

  /// A doctor of an instrument.
  /// - Parameter arguments: The command line that it was started with.
  init(_ instrument: Instrument, _ arguments: CommandArguments, _ worker: Worker) {
    (self.instrument, self.arguments, self.worker) = (instrument, arguments, worker)
  }

  func handle(_: Void, reply: @escaping (Result<[DoctorFinding], RequestRefused>) -> Void) {
    replies.append(reply)
    if replies.count > 1 { return }
    let arguments = arguments
    let figures = StatusValue.all.map { ($0.name, Status.text($0.value(instrument.health))) }
    let checks = InstrumentChecks(figures: Dictionary(figures) { one, _ in one })
    let isStarted = worker.run {
      Result { try Doctor.findings(arguments, checks, asked: nil).map(\.shown) }
        .mapError { RequestRefused("\($0)") }
    } then: { [self] in
      answer($0)
    }
    if !isStarted { answer(.failure(RequestRefused("has no thread left for the checks"))) }
  }

  private func answer(_ result: Result<[DoctorFinding], RequestRefused>) {
    let all = replies
    replies = []
    for reply in all { reply(result) }
  }
}

extension Finding {
  /// The finding for surfaces.
  var shown: DoctorFinding {
    DoctorFinding(grade, thing, words, remedy: remedy ?? "", action: action)
  }
}
