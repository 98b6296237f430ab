import Control
import Scratch
import System
import Testing

@testable import Surface

/// Songs, recordings and backups, as they are asked by addresses: the answers come later.
struct FileNodeTests {
  /// Keeps the requests, and answers when the test says so.
  private final class Later<Request, Answer>: InquiryHandler {
    var requests: [Request] = []
    var replies: [(Result<Answer, RequestRefused>) -> Void] = []

    func handle(_ request: Request, reply: @escaping (Result<Answer, RequestRefused>) -> Void) {
      requests.append(request)
      replies.append(reply)
    }
  }

  private let player = Player()
  private let songs = Later<FileRequest, FileAnswer>()
  private let backups = Later<BackupRequest, BackupAnswer>()

  init() {
    player.control.songFiles.handler = songs
    player.control.backups.handler = backups
  }

  private var answers: [OSCMessage] { player.harness.transport.answers }

  @Test("A list is answered when the disk has answered, and the peer is awaited until then")
  func list() throws {
    #expect(player.answers("/songs/list").isEmpty)
    #expect(player.harness.surface.isAnswering(player.peer, over: player.harness.transport))
    #expect("\(songs.requests)".contains("list"))
    songs.replies[0](
      .success(
        .files([
          StoredFile(name: "a\tb.mid", seconds: 61, bytes: 1_000, modified: 5, isOwn: true),
          StoredFile(name: "demo.mid", seconds: nil, bytes: 2, modified: 6, isOwn: false),
        ])))
    #expect(
      answers == [
        OSCMessage("/songs/list", .int(2)), OSCMessage("/songs/list/0", .string("61\t1000\t5\town\ta b.mid")),
        OSCMessage("/songs/list/1", .string("-1\t2\t6\tfactory\tdemo.mid")),
      ])
    #expect(!player.harness.surface.isAnswering(player.peer, over: player.harness.transport))
    #expect(player.harness.clients.isEmpty)
  }

  @Test("Names are passed on, refusals are told with the address, and a missing keeper is one")
  func requests() {
    player.say("/songs/rename", "a", "b")
    player.say("/songs/delete", "a")
    player.say("/songs/restore", "a")
    player.say("/songs/empty")
    let all = songs.requests.map { "\($0)" }
    #expect(all == [#"rename("a", to: "b")"#, #"delete("a")"#, #"restore("a")"#, "emptyTrash"], "\(all)")
    songs.replies[1](.failure(RequestRefused("finds none")))
    #expect(answers.last == OSCMessage("/error", .string("/songs/delete finds none")))
    #expect(player.refusal("/songs/rename", .string("a"))?.contains("takes a name") == true)
    #expect(player.refusal("/songs/list", .string("a"))?.contains("takes nothing") == true)
    #expect(player.refusal("/recordings/list") == "/recordings/list keeps no recordings here")
    #expect(!player.harness.surface.isAnswering(Peer(host: 1, port: 1), over: player.harness.transport))
  }

  @Test("Only so many queries may wait for their answers")
  func limit() {
    for _ in 0..<ControlSurface.lateAnswers { player.say("/songs/list") }
    #expect(player.refusal("/songs/list")?.contains("waits for 32 answers already") == true)
    for reply in songs.replies { reply(.success(.done("x"))) }
    #expect(songs.replies.count == 32 && player.refusal("/songs/list") == nil && songs.replies.count == 33)
  }

  @Test("A file is sent in pieces and imported, and its pieces are gone then")
  func upload() throws {
    #expect(player.refusal("/songs/import", .string("x"))?.contains("has no file") == true)
    player.say("/file/write", [.number(0), .string("4d54")])
    player.say("/file/write", [.number(2), .string("FF")])
    #expect(player.refusal("/file/write", .number(7), .string("00"))?.contains("has 3 bytes so far") == true)
    #expect(player.refusal("/file/write", .number(3), .string("0g")) != nil)
    player.say("/songs/import", "tune")
    guard case .save("tune", let file)? = songs.requests.last else {
      Issue.record("\(songs.requests)")
      return
    }
    #expect(try file.bytes() == [0x4D, 0x54, 0xFF])
    #expect(player.refusal("/songs/import", .string("x"))?.contains("has no file") == true)
    // Another one of a minute ago.
    player.say("/file/write", [.number(0), .string("01")])
    _ = player.harness.surface.update(player.now)
    _ = player.harness.surface.update(player.now + FileTransfer.timeout + 1)
    #expect(player.refusal("/songs/import", .string("x"))?.contains("has no file") == true)
  }

  @Test("A long file waits on the disk, not in the memory, and arrives as it was sent")
  func longUpload() throws {
    let (loop, folder) = (try #require(PollLoop()), Folder())
    player.harness.surface.transfer.keep(in: folder.path, by: Worker(loop))
    let piece = (0..<30_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let text = Hexadecimal.text(piece[...])
    var refused = 0
    for number in 0..<300 {
      // Whoever does not wait for the disk is told so, and sends the piece again.
      while player.refusal("/file/write", .number(Double(number * piece.count)), .string(text)) != nil {
        refused += 1
        loop.round(limit: 1_000_000)
      }
    }
    #expect(refused > 0, "the disk has not written while the loop did not run")
    player.say("/songs/import", "tune")
    let end = monotonic() + 60_000_000_000
    while songs.requests.isEmpty && monotonic() < end { loop.round(limit: 1_000_000) }
    guard case .save("tune", let file)? = songs.requests.last else {
      Issue.record("\(songs.requests)")
      return
    }
    #expect(file.count == 300 * piece.count)
    for number in 0..<300 { #expect(try file.read(at: number * piece.count, count: piece.count) == piece) }
    #expect(folder.names.isEmpty, "the file has no name")
  }

  @Test("A backup is prepared, read in pieces, and forgotten after a minute")
  func download() throws {
    #expect(player.refusal("/file/read", .number(0))?.contains("has no file") == true)
    player.say("/backup")
    let bytes = (0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    backups.replies[0](.success(.made(name: "b.tar.gz", FileContents(bytes), problems: ["p"])))
    #expect(
      answers.suffix(3) == [
        OSCMessage("/backup", .int(70_000)), OSCMessage("/backup/name", .string("b.tar.gz")),
        OSCMessage("/backup/problem", .string("p")),
      ])
    var read: [UInt8] = []
    while true {
      player.harness.transport.answers = []
      player.say("/file/read", Double(read.count))
      guard case .string(let text)? = answers.first?.value, let piece = Hexadecimal.bytes(text),
        !piece.isEmpty
      else { break }
      #expect(answers[0].size <= player.harness.transport.messageBytes)
      read += piece
    }
    #expect(read == bytes)
    #expect(player.refusal("/file/read", .number(70_001))?.contains("0…70000") == true)
    let next = try #require(player.harness.surface.update(player.now))
    #expect(next <= player.now + FileTransfer.timeout)
    _ = player.harness.surface.update(player.now + FileTransfer.timeout + 1)
    #expect(player.refusal("/file/read", .number(0))?.contains("has no file") == true)
  }

  @Test("A backup is restored from its pieces, with sentences as the answer")
  func restore() throws {
    player.say("/file/write", [.number(0), .string("1f8b")])
    player.say("/restore")
    guard case .restore(let file)? = backups.requests.last else {
      Issue.record("\(backups.requests)")
      return
    }
    #expect(try file.bytes() == [0x1F, 0x8B])
    backups.replies[0](.success(.restored(["restored 1 preset", "more"])))
    #expect(
      answers.suffix(2) == [
        OSCMessage("/restore", .string("restored 1 preset")), OSCMessage("/restore", .string("more")),
      ])
  }
}
