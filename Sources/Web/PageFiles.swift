import Surface
import System

/// The files of the page, read once into memory, so that no address leads to a file system. Any thread.
struct PageFiles: Sendable {
  /// A file as it is sent.
  struct File: Sendable {
    /// The type for the field `Content-Type`.
    let type: String
    /// Its bytes, and the same compressed by gzip.
    let bytes, compressed: [UInt8]
    /// A tag that changes with the bytes.
    let tag: String
  }

  private var files: [String: File] = [:]

  /// The longest file, bytes, and the most files.
  static let fileBytes = 1 << 20
  static let limit = 200

  /// The media types of files by the extension of their names; others are not served.
  private static let types = [
    "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml", "png": "image/png", "webmanifest": "application/manifest+json",
    "woff2": "font/woff2", "json": "application/json",
  ]

  /// Reads the files in a folder and in the folders below it.
  init(folder: String) { add(folder, under: "") }

  private mutating func add(_ folder: String, under path: String) {
    for name in (fileNames(in: folder) ?? []).sorted() where !name.hasPrefix(".") {
      let file = "\(folder)/\(name)"
      guard let type = PageFiles.types[String(name.split(separator: ".").last ?? "")], name.contains(".")
      else {
        if !name.contains(".") { add(file, under: path + name + "/") }
        continue
      }
      guard files.count < PageFiles.limit, let read = try? readFile(file, limit: PageFiles.fileBytes) else {
        continue
      }
      let bytes = name.hasSuffix(".js") || name.hasSuffix(".css") ? PageFiles.code(read) : read
      files[path + name] = File(type: type, bytes: bytes, compressed: gzip(bytes), tag: PageFiles.tag(bytes))
    }
  }

  /// A file by its path below the folder; nil if there is none.
  subscript(path: String) -> File? { files[path] }

  /// Whether there is no file at all.
  var isEmpty: Bool { files.isEmpty }

  /// The text of a JavaScript module or a style sheet with its comment lines emptied, which saves browsers an eighth
  /// of the bytes. Line numbers stay the same.
  static func code(_ text: [UInt8]) -> [UInt8] {
    var code: [UInt8] = []
    for line in text.split(separator: 10, omittingEmptySubsequences: false) {
      let words = line.drop { $0 == 32 }
      let isComment =
        words.starts(with: "//".utf8)
        || words.starts(with: "/*".utf8) && words.suffix(2).elementsEqual("*/".utf8)
      if !isComment { code += line }
      code.append(10)
    }
    code.removeLast()
    return code
  }

  private static func tag(_ bytes: [UInt8]) -> String {
    // FNV-1a, 64 bits.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return "\"\(String(hash, radix: 16))\""
  }
}

/// Bytes compressed by gzip; empty if there is not enough memory.
func gzip(_ bytes: [UInt8], level: Int32 = 9) -> [UInt8] {
  guard let stream = DeflateStream(.gzip, level: level) else { return [] }
  stream.write(bytes)
  stream.finish()
  return stream.bytes
}

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
