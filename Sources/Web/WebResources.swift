import Surface
import System

/// The files of the page and the tree for OSCQuery, which requests need. They are made on another thread at the first
/// request, so that neither the start nor a message waits for them. Control thread.
final class WebResources {
  /// The files of the page; nil until they are ready.
  private(set) var files: PageFiles?
  /// The tree; nil until it is ready.
  private(set) var tree: QueryBranch?
  private let folder: String
  private let nodes: NodeTree
  private let worker: Worker
  private var waiting: [() -> Void] = []
  private var isBeingMade = false

  init(folder: String, _ nodes: NodeTree, _ worker: Worker) {
    (self.folder, self.nodes, self.worker) = (folder, nodes, worker)
  }

  var isReady: Bool { files != nil }

  /// Calls `body` as soon as everything is ready; the first call starts to make it. Without a thread, `body` finds
  /// nothing ready, and another call tries again.
  func whenReady(_ body: @escaping () -> Void) {
    if isReady { return body() }
    waiting.append(body)
    if isBeingMade { return }
    isBeingMade = true
    let (folder, nodes) = (folder, nodes)
    worker.attempt {
      (PageFiles(folder: folder), QueryBranch(nodes))
    } then: { [weak self] made in
      guard let self else { return }
      isBeingMade = false
      if let made { (files, tree) = made }
      let ready = waiting
      waiting = []
      for body in ready { body() }
    }
  }
}
