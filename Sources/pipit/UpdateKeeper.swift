import Control
import Glibc
import System

/// Receives updates of the card image for the page. They are kept in a folder of the state, where a service of the image,
/// which is root, finds them and installs them (`packaging/image/update`). A worker thread waits for the disk. Control
/// thread.
final class UpdateKeeper: InquiryHandler {
  private let files: UpdateFiles
  private let worker: Worker

  /// A keeper that has its files in a folder of the state. What a broken upload has left there is removed.
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
