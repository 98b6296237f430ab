import Control
import Glibc
import System

/// Receives updates of the card image for the page. They are kept in the folder `update` of the state folder, where a
/// service of the image, which runs as root, finds and installs them (`packaging/image/update`). A worker thread
/// waits for the disk. Control thread.
final class UpdateKeeper: InquiryHandler {
  private let files: UpdateFiles
  private let worker: Worker

  /// A keeper of update files. It removes what an interrupted upload has left there.
  init(_ files: UpdateFiles, _ worker: Worker) {
    (self.files, self.worker) = (files, worker)
    worker.run({ unlink(files.incoming) }, then: { _ in })
  }

  func handle(
    _ request: UpdateRequest, reply: @escaping (Result<UpdateAnswer, RequestRefused>) -> Void
  ) {
    let files = files
    let isStarted = worker.run {
      Result { () throws(RequestRefused) in try files.answer(request) }
    } then: {
      reply($0)
    }
    if !isStarted { reply(.failure(RequestRefused("has no thread left to write files"))) }
  }
}
