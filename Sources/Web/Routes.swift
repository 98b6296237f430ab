import Layout
import Scenes
import Surface
import System

/// The answer for each path: the page and its files below `/app`, and the tree of addresses everywhere else.
final class Routes {
  private let surface: ControlSurface
  private let loop: PollLoop
  private let worker: Worker
  private let version: String
  private let oscPort: () -> Int
  private let replyPort: Int
  private let resources: WebResources
  private let boxFiles: BoxFiles
  // Trees that are being written, with the functions that send them.
  private var writers: [(writer: QueryWriter, compresses: Bool, done: (HTTPResponse) -> Void)] = []
  /// The port of the server.
  var webPort = 0

  /// The time that one round may spend on writing trees, nanoseconds.
  static let turnTime: Int64 = 300_000

  init(
    _ surface: ControlSurface, loop: PollLoop, worker: Worker, page: String, version: String,
    oscPort: @escaping () -> Int,
    replyPort: Int, accessPoint: String
  ) {
    (self.surface, self.loop, self.version, self.oscPort) = (surface, loop, version, oscPort)
    self.replyPort = replyPort
    boxFiles = BoxFiles(surface.instrument, worker, accessPoint: accessPoint)
    self.worker = worker
    resources = WebResources(folder: page, surface.tree, worker)
    loop.afterEachRound { [weak self] now in self?.update(now) }
  }

  /// The longest body of a request, bytes.
  func bodyLimit(_ request: HTTPRequest) -> Int { request.method == .put ? boxFiles.limit(request.path) : 0 }

  func answer(_ request: HTTPRequest) -> HandlerResult {
    if let answer = boxFiles.answer(request) { return answer }
    guard request.method == .get || request.method == .head else {
      return .now(HTTPResponse(405, "nothing can be put there"))
    }
    if request.query["HOST_INFO"] != nil {
      return .now(json(HostInfo(oscPort: oscPort(), webPort: webPort).json))
    }
    let isPage =
      request.path == "/" && (request.query["HTML"] != nil || request.lists("text/html", in: "accept"))
    if isPage || request.path.hasPrefix("/app/") {
      let name = isPage ? "index.html" : String(request.path.dropFirst("/app/".count))
      if let size = Size(rawValue: request.query["size"] ?? "tablet"), name == "pipit.tosc" {
        return layout(size)
      }
      if name.hasPrefix("wavetables/") { return wavetable(name.dropFirst("wavetables/".count)) }
      return later { self.file(name, request) }
    }
    return tree(request)
  }

  private func later(_ answer: @escaping () -> HandlerResult) -> HandlerResult {
    if resources.isReady { return answer() }
    return .later { done in
      self.resources.whenReady {
        guard self.resources.isReady else { return done(HTTPResponse(503, "the machine has no thread left")) }
        switch answer() {
        case .now(let response): done(response)
        case .later(let start): start(done)
        case .upgrade: done(HTTPResponse(400))
        }
      }
    }
  }

  // MARK: - The page

  private func file(_ name: String, _ request: HTTPRequest) -> HandlerResult {
    guard let files = resources.files, let file = files[name] else {
      let isMissing = resources.files?.isEmpty ?? true
      return .now(
        HTTPResponse(
          404, isMissing ? "the files of the page are not installed" : "there is no \(name.prefix(100))"))
    }
    let host = request["host"] ?? ""
    func complete(_ answer: HTTPResponse) -> HTTPResponse {
      answer.with("ETag", file.tag).with("Cache-Control", "no-cache").with(
        "Content-Security-Policy",
        "default-src 'self'; connect-src 'self' ws://\(host); img-src 'self' data:; frame-ancestors 'none'; "
          + "base-uri 'none'; form-action 'none'")
    }
    if request["if-none-match"] == file.tag { return .now(complete(HTTPResponse(304))) }
    if request.lists("gzip", in: "accept-encoding"), !file.compressed.isEmpty {
      return .now(
        complete(HTTPResponse(200, file.compressed, type: file.type)).with("Content-Encoding", "gzip")
          .with("Vary", "Accept-Encoding"))
    }
    return .now(complete(HTTPResponse(200, file.bytes, type: file.type)))
  }

  private func layout(_ size: Size) -> HandlerResult {
    inBackground { [replyPort] in
      HTTPResponse(
        200, TouchOSC.file(TouchOSC.root(size, replyPort: replyPort)), type: "application/octet-stream"
      )
      .download(size == .tablet ? "pipit.tosc" : "pipit-\(size).tosc")
    }
  }

  /// The frames of a wavetable, for its picture.
  private func wavetable(_ name: Substring) -> HandlerResult {
    let missing = HTTPResponse(404, "there is no wavetable \(name.prefix(100))")
    guard name.hasSuffix(".json") else { return .now(missing) }
    let (name, folder) = (String(name.dropLast(".json".count)), surface.instrument.wavetables.folder)
    let factory = FactoryWavetable(rawValue: name)
    return inBackground {
      guard let spectrum = factory?.spectrum() ?? (try? folder.table(named: name)) else { return missing }
      return HTTPResponse(200, WavetablePicture.json(spectrum), type: "application/json")
        .with("Cache-Control", factory == nil ? "no-cache" : "max-age=86400")
    }
  }

  /// Makes an answer on another thread.
  private func inBackground(_ make: @escaping @Sendable () -> HTTPResponse) -> HandlerResult {
    .later { done in
      self.worker.attempt(make) { done($0 ?? HTTPResponse(503, "the machine has no thread left")) }
    }
  }

  // MARK: - OSCQuery

  private func tree(_ request: HTTPRequest) -> HandlerResult {
    later { [unowned self] in
      guard let tree = resources.tree, let branch = tree[request.path] else {
        return .now(HTTPResponse(404, "there is no \(request.path.prefix(100))"))
      }
      let attributes = QueryAttributes(surface: surface, version: version)
      let ofPage = request.query["PAGE"] != nil
      guard let name = request.query.keys.first, !ofPage, name != "CONTENTS" else {
        return .later { done in
          let onlyContents = request.query["CONTENTS"] != nil
          self.writers.append(
            (
              QueryWriter(branch, attributes, ofPage: ofPage, onlyContents: onlyContents),
              ofPage && request.lists("gzip", in: "accept-encoding"), done
            ))
          self.loop.waker.wake()
        }
      }
      return .now(attribute(name, branch, attributes))
    }
  }

  private func attribute(_ name: String, _ branch: QueryBranch, _ attributes: QueryAttributes) -> HTTPResponse
  {
    guard QueryAttributes.names.contains(name) else { return HTTPResponse(204) }
    var json = JSONWriter()
    json.beginObject()
    if let target = branch.target {
      if name == "VALUE", !attributes.isReadable(target) { return HTTPResponse(204) }
      attributes.write(name, target, to: &json)
    } else if name == "FULL_PATH" {
      json.name(name)
      json.value(branch.path)
    } else if name == "ACCESS" {
      json.name(name)
      json.value(0)
    }
    json.endObject()
    return self.json(json.bytes)
  }

  private func json(_ bytes: [UInt8]) -> HTTPResponse {
    HTTPResponse(200, bytes, type: "application/json").with("Cache-Control", "no-store")
  }

  /// Longer answers are compressed for the page, bytes. Other programs may claim to accept gzip without reading it.
  static let compressedBytes = 8 << 10

  /// Compresses an answer on another thread.
  private func compress(_ bytes: [UInt8], _ done: @escaping (HTTPResponse) -> Void) {
    worker.attempt {
      gzip(bytes, level: 6)
    } then: { [self] compressed in
      guard let compressed, !compressed.isEmpty else { return done(json(bytes)) }
      done(json(compressed).with("Content-Encoding", "gzip").with("Vary", "Accept-Encoding"))
    }
  }

  private func update(_ now: Int64) -> Int64? {
    if writers.isEmpty { return nil }
    let end = monotonic() + Routes.turnTime
    if let bytes = writers[0].writer.write(until: end) {
      let (_, compresses, done) = writers.removeFirst()
      if compresses && bytes.count > Routes.compressedBytes {
        compress(bytes, done)
      } else {
        done(json(bytes))
      }
    }
    return writers.isEmpty ? nil : now
  }
}
