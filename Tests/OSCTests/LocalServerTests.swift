import Control
import Glibc
import Scenes
import Scratch
import System
import Testing
@testable import OSC
@testable import OSCPackets
@testable import Surface

/// Commands of this machine ask the instrument without its port.
struct LocalServerTests {
  private let instrument: ServedInstrument
  private let local: LocalServer
  private let port: Int

  init() throws {
    instrument = try ServedInstrument()
    port = instrument.server.port
    local = LocalServer(port: port, surface: instrument.surface, loop: instrument.loop)
  }

  private func ask(_ address: String, _ arguments: [OSCValue] = []) -> [LocalQuery.Answer]? {
    let answers = Mutex<[LocalQuery.Answer]??>(nil)
    let port = port
    let thread = TestThread {
      let all = LocalQuery.ask(address, arguments, port: port, within: 60)
      answers.withLock { $0 = .some(all) }
      return 0
    }
    instrument.run(120_000) { answers.withLock { $0 != nil } }
    thread.result()
    return answers.withLock { $0 ?? nil }
  }

  @Test("A command is answered, takes no seat, and is not kept up to date")
  func command() throws {
    #expect(ask("/filter/cutoff/hz", [.float(500)])?.isEmpty == true)
    #expect(instrument.knob("/filter/cutoff") == 500)
    #expect(ask("/filter/cutoff/hz")?.map(\.value) == [.number(500)])
    #expect(ask("/filter/cutof")?.map(\.address) == ["/error"])
    #expect(ask("/preset/load", [.string("none")])?.map(\.address) == ["/error"])
    #expect(instrument.surface.clients.all.isEmpty)
  }

  @Test(
    "An instrument that ends before it has answered has not answered, and a command says so", .serialized,
    arguments: [false, true])
  func ends(isAnswered: Bool) throws {
    // The number names a socket, and is no port.
    let port = 100_000 + (isAnswered ? 1 : 0)
    let listener = LocalSocket.make()
    defer { close(listener) }
    #expect(LocalSocket.withAddress(port) { bind(listener, $0, $1) } == 0 && listen(listener, 1) == 0)
    let thread = TestThread { LocalQuery.ask("/restore", port: port, within: 60) == nil ? 1 : 0 }
    var connection: Int32 = -1
    let isConnected = eventually {
      connection = accept(listener, nil, nil)
      return connection >= 0
    }
    #expect(isConnected)
    if isAnswered {
      let packet = try #require(OSCMessage.packet("/restore", [.string("done")]))
      #expect(send(connection, packet, packet.count, Int32(MSG_NOSIGNAL)) == packet.count)
    }
    close(connection)
    #expect(thread.result() == 1)
  }

  /// Answers when the test lets it.
  private final class Slow: InquiryHandler {
    var answer: (() -> Void)?

    func handle(_ request: FileRequest, reply: @escaping (Result<FileAnswer, RequestRefused>) -> Void) {
      answer = {
        if case .list = request { return reply(.success(.files([]))) }
        reply(.failure(RequestRefused("finds none")))
      }
    }
  }

  /// What a command is answered that has said everything long before `slow` answers.
  private func ask(
    _ address: String, _ arguments: [OSCValue] = [], of slow: Slow, before: () -> Void = {}
  ) throws -> [OSCArgument?] {
    let socket = LocalSocket.make()
    defer { close(socket) }
    #expect(LocalSocket.withAddress(port) { connect(socket, $0, $1) } == 0)
    let question = try #require(OSCMessage.packet(address, arguments))
    #expect(send(socket, question, question.count, Int32(MSG_NOSIGNAL)) == question.count)
    shutdown(socket, Int32(SHUT_WR))
    slow.answer = nil
    instrument.run(60_000) { slow.answer != nil }
    // The end of the question has come as well.
    for _ in 0..<10 { instrument.loop.round(limit: 0) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    #expect(recv(socket, &bytes, bytes.count, Int32(MSG_DONTWAIT)) < 0 && errno == EAGAIN)
    before()
    let answer = try #require(slow.answer)
    answer()
    var (values, hasEnded): ([OSCArgument?], Bool) = ([], false)
    instrument.run(60_000) {
      let count = recv(socket, &bytes, bytes.count, Int32(MSG_DONTWAIT))
      if count > 0 {
        _ = bytes.withUnsafeMutableBytes { bytes in
          Packet.read(UnsafeMutableRawBufferPointer(rebasing: bytes[..<count])) {
            values.append($0.arguments.first)
          }
        }
      }
      hasEnded = count == 0
      return hasEnded
    }
    #expect(hasEnded)
    return values
  }

  @Test("A command waits for an answer that takes a while, also for a refusal that is not sent")
  func late() throws {
    let slow = Slow()
    instrument.control.songFiles.handler = slow
    #expect(try ask("/songs/list", of: slow) == [.number(0)])
    #expect(try ask("/songs/delete", [.string("x")], of: slow) == [.string("/songs/delete finds none")])
    // So many mistakes of the same connection that they are not answered any more.
    let third = 3
    let values = try ask("/songs/delete", [.string("x")], of: slow) {
      for _ in 0..<100 {
        instrument.surface.receive(
          "/nothing", [], from: Peer(.thisMachine, connection: third), over: local, now: monotonic())
      }
    }
    #expect(!values.isEmpty && !values.contains(.string("/songs/delete finds none")))
  }

  @Test("Answers that are more than the kernel holds arrive whole and in order")
  func large() throws {
    for number in 0..<100 {
      try instrument.control.presets.save(part: 0, named: "A preset with a long name, \(number)")
    }
    let socket = LocalSocket.make()
    defer { close(socket) }
    #expect(LocalSocket.withAddress(port) { connect(socket, $0, $1) } == 0)
    let question = try #require(OSCMessage.packet("/preset/list", []))
    let times = 100
    for _ in 0..<times {
      #expect(send(socket, question, question.count, Int32(MSG_NOSIGNAL)) == question.count)
      instrument.run(1)
    }
    shutdown(socket, Int32(SHUT_WR))
    // Nobody has read yet: what waits for room is sent as soon as there is some.
    var addresses: [String] = []
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 8)
    defer { buffer.deallocate() }
    instrument.run(60_000) {
      let count = recv(socket, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
      if count > 0 {
        _ = Packet.read(UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])) {
          addresses.append($0.address)
        }
      }
      return count == 0
    }
    let one = ["/preset/list"] + (0..<100).map { "/preset/list/\($0)" }
    #expect(addresses.count == times * 101 && addresses == (0..<times).flatMap { _ in one })
  }

  @Test("What is no OSC ends a connection and nothing else, and nobody there is no answer")
  func garbage() throws {
    let socket = LocalSocket.make()
    #expect(LocalSocket.withAddress(port) { connect(socket, $0, $1) } == 0)
    #expect(send(socket, "rubbish", 7, Int32(MSG_NOSIGNAL)) == 7)
    var byte: UInt8 = 0
    instrument.run(60_000) { recv(socket, &byte, 1, Int32(MSG_DONTWAIT)) == 0 }
    #expect(recv(socket, &byte, 1, Int32(MSG_DONTWAIT)) == 0)
    close(socket)
    #expect(ask("/focus")?.count == 1)
    #expect(LocalQuery.ask("/focus", port: 1) == nil)
  }

  @Test("Another pipit that has the name is known, and the one that has it answers")
  func taken() throws {
    #expect(!local.isTaken)
    let other = try ServedInstrument()
    let second = LocalServer(port: port, surface: other.surface, loop: other.loop)
    #expect(second.isTaken && !local.isTaken)
    other.control.focus = 5
    #expect(ask("/focus")?.map(\.value) == [.number(1)])
    #expect(!LocalServer(port: other.server.port, surface: other.surface, loop: other.loop).isTaken)
  }
}
