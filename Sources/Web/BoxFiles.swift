import Control
import QR
import Scenes
import Surface
import System

/// Files of the box to be downloaded and uploaded by the page: backups, songs and recordings. Each is made or read on
/// another thread. No path of a request is used as a path of the file system.
struct BoxFiles {
  private let instrument: Instrument
  private let worker: Worker
  // The file that describes the Wi-Fi network of this machine.
  private let accessPoint: String

  init(_ instrument: Instrument, _ worker: Worker, accessPoint: String) {
    (self.instrument, self.worker, self.accessPoint) = (instrument, worker, accessPoint)
  }

  /// The longest body that is accepted for a path, bytes.
  func limit(_ path: String) -> Int {
    switch path {
    case "/app/backup": Limits.backupBytes
    case "/app/presets.txt": Limits.presetFileBytes
    case "/app/update": Limits.updatePieceBytes
    default: path.hasPrefix("/app/song/") ? Limits.songFileBytes : 0
    }
  }

  /// The answer to a request for one of these files; nil for every other request.
  func answer(_ request: HTTPRequest) -> HandlerResult? {
    let words = request.path.split(separator: "/", maxSplits: 2).map(String.init)
    guard words.first == "app", words.count >= 2 else { return nil }
    let isPut = request.method == .put
    if isPut, instrument.lock.isOn {
      return .now(HTTPResponse(423, "locked for the stage; hold the lock for a second"))
    }
    switch (words[1], words.count == 3 ? words[2] : "") {
    case ("qr.svg", "") where !isPut:
      return .now(request["host"].map { code("http://\($0)/") } ?? HTTPResponse(404))
    case ("wifi.svg", "") where !isPut:
      return .now(AccessPoint(file: accessPoint).map { code($0.code) } ?? HTTPResponse(404))
    case ("wifi.txt", "") where !isPut: return .now(network())
    case ("update", ""): return update(request)
    case ("backup", ""): return isPut ? restore(request.body) : backup()
    case ("presets.txt", ""):
      return isPut ? importPresets(request.body) : userPresets()
    case ("preset", let slot) where slot.hasSuffix(".txt") && !isPut:
      return .now(preset(String(slot.dropLast(".txt".count))))
    case ("song", let name) where !name.isEmpty:
      return isPut
        ? ask(instrument.songFiles, .save(name, request.body)) : ask(instrument.songFiles, .read(name))
    case ("recording", let name) where !name.isEmpty && !isPut:
      return ask(instrument.recordingFiles, .open(name))
    default: return nil
    }
  }

  private func code(_ text: String) -> HTTPResponse {
    guard let code = QRCode(text) else { return HTTPResponse(404) }
    return HTTPResponse(200, Array(code.svg.utf8), type: "image/svg+xml").with("Cache-Control", "no-store")
  }

  /// Name and password of the network that this machine has opened, each on a line; without one, an empty text.
  private func network() -> HTTPResponse {
    let lines = AccessPoint(file: accessPoint).map { [$0.name, $0.password] } ?? []
    return BoxFiles.lines(lines).with("Cache-Control", "no-store")
  }

  /// Receives a piece of an update, installs the update, restarts the machine, or reports the state of the update.
  private func update(_ request: HTTPRequest) -> HandlerResult {
    let asked: UpdateRequest
    if request.method != .put {
      asked = .state
    } else if let text = request.query["offset"] {
      guard let offset = Int(text) else { return .now(HTTPResponse(400, "offset must be a number of bytes")) }
      asked = .piece(request.body, offset: offset)
    } else if request.query["install"] != nil {
      asked = .install
    } else if request.query["restart"] != nil {
      asked = .restart
    } else {
      return .now(HTTPResponse(400, "name an offset, install or restart"))
    }
    return .later { done in
      instrument.updates.ask(asked) { result in
        switch result {
        case .success(let answer):
          done(
            HTTPResponse(200, "\(answer.stage.rawValue) \(answer.words)").with("Cache-Control", "no-store"))
        // On a machine without the card image, the page gets an empty answer.
        case .failure(let why):
          done(request.method == .put ? HTTPResponse(422, why.description) : HTTPResponse(200, ""))
        }
      }
    }
  }

  private func backup() -> HandlerResult {
    .later { done in
      instrument.backups.ask(.make) { result in
        switch result {
        case .success(.made(let name, let file, _)):
          done(HTTPResponse(file, type: "application/gzip").download(name))
        case .success(.restored(let lines)): done(BoxFiles.lines(lines))
        case .failure(let why): done(HTTPResponse(503, why.description))
        }
      }
    }
  }

  private func restore(_ file: FileContents) -> HandlerResult {
    .later { done in
      instrument.backups.ask(.restore(file)) { result in
        switch result {
        case .success(.restored(let lines)): done(BoxFiles.lines(lines))
        case .success(.made): done(HTTPResponse(500))
        case .failure(let why): done(HTTPResponse(422, why.description))
        }
      }
    }
  }

  /// The texts of all of the player's presets.
  private func userPresets() -> HandlerResult {
    let presets = instrument.library.listing
    return .later { done in
      instrument.inBackground {
        Array(presets.userBundle.utf8)
      } then: { bytes in
        done(BoxFiles.presets(bytes, "pipit-presets.txt"))
      }
    }
  }

  private func preset(_ name: String) -> HTTPResponse {
    do {
      return BoxFiles.presets(Array(try instrument.presets.bundle([name]).utf8), "pipit-preset.txt")
    } catch {
      return HTTPResponse(404, "\(error)")
    }
  }

  private static func presets(_ bytes: [UInt8], _ file: String) -> HTTPResponse {
    HTTPResponse(200, bytes, type: "text/plain; charset=utf-8").download(file)
  }

  private func importPresets(_ file: FileContents) -> HandlerResult {
    .later { done in
      instrument.imports.start(file) { result in
        switch result {
        case .failure(let why): done(HTTPResponse(422, why.description))
        case .success(let imported):
          let isRefused = imported.allSatisfy { $0.slot == nil }
          // The answer says that they are there, so it waits until they are on the disk.
          instrument.whenSaved { [instrument] isSaved in
            instrument.inBackground {
              let problem = isSaved || isRefused ? [] : ["They are not on the disk; pipit status says why"]
              let sentences = imported.map(\.sentence) + problem
              return HTTPResponse(isRefused ? 422 : 200, sentences.joined(separator: "\n"))
            } then: {
              done($0)
            }
          }
        }
      }
    }
  }

  private func ask(_ files: Inquiries<FileRequest, FileAnswer>, _ request: FileRequest) -> HandlerResult {
    .later { done in
      files.ask(request) { result in
        switch result {
        case .success(.contents(let name, let bytes)):
          done(HTTPResponse(200, bytes, type: BoxFiles.type(name)).download(name))
        case .success(.opened(let name, let file)):
          done(HTTPResponse(file, type: BoxFiles.type(name)).download(name))
        case .success(.done(let sentence)): done(BoxFiles.lines([sentence]))
        case .success(.files): done(HTTPResponse(500))
        case .failure(let why): done(HTTPResponse(422, why.description))
        }
      }
    }
  }

  private static func lines(_ lines: [String]) -> HTTPResponse {
    HTTPResponse(200, lines.joined(separator: "\n"))
  }

  private static func type(_ name: String) -> String {
    switch name.split(separator: ".").last?.lowercased() {
    case "mid", "midi", "kar", "rmi", "midi2": "audio/midi"
    case "flac": "audio/flac"
    case "wav": "audio/wav"
    default: "application/octet-stream"
    }
  }
}

/// The Wi-Fi network that this machine has opened, as the services of pipit's card image describe it in a file of three
/// lines: the name, the password, and the text of its QR code. A value, any thread.
struct AccessPoint: Equatable {
  let name: String
  let password: String
  /// The text of the QR code with which a phone joins the network.
  let code: String

  /// Reads the file, which is in memory. Nil while no network is open, or if the file is not three lines.
  init?(file: String) {
    guard let bytes = try? readFile(file, limit: 1_024), let text = String(validating: bytes) else {
      return nil
    }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard lines.count == 4, lines[3].isEmpty, lines.dropLast().allSatisfy({ !$0.isEmpty }) else { return nil }
    (name, password, code) = (lines[0], lines[1], lines[2])
  }
}
