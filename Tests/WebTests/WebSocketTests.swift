import Glibc
import OSCPackets
import Scenes
import Scratch
import System
import Testing
@testable import Surface
@testable import Web

/// WebSockets over real connections.
struct WebSocketTests {
  /// A WebSocket of a browser that masks its frames.
  final class Client {
    let browser: Browser

    init(_ served: ServedPage) throws {
      browser = try served.connect()
      browser.ask(
        "GET /",
        [
          "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
          "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        ])
      let answer = try #require(browser.answer())
      try #require(answer.status == 101)
    }

    static func frame(_ opcode: UInt8, _ data: [UInt8], isLast: Bool = true) -> [UInt8] {
      let mask: [UInt8] = [1, 2, 3, 4]
      var frame: [UInt8] = [(isLast ? 0x80 : 0) | opcode]
      if data.count < 126 {
        frame.append(0x80 | UInt8(data.count))
      } else {
        let isShort = data.count < 65_536
        frame.append(isShort ? 0xFE : 0xFF)
        for byte in (0..<(isShort ? 2 : 8)).reversed() {
          frame.append(UInt8(truncatingIfNeeded: data.count >> (8 * byte)))
        }
      }
      frame += mask
      for (index, byte) in data.enumerated() { frame.append(byte ^ mask[index & 3]) }
      return frame
    }

    func send(_ opcode: UInt8, _ data: [UInt8], isLast: Bool = true) {
      browser.send(Self.frame(opcode, data, isLast: isLast))
    }

    func send(_ address: String, _ values: OSCValue...) {
      send(2, OSCMessage.packet(address, values) ?? [])
    }

    func command(_ text: String) { send(1, Array(text.utf8)) }

    private static func number(_ bytes: [UInt8]) -> Int {
      var number = 0
      for byte in bytes { number = number << 8 | Int(byte) }
      return number
    }

    /// The next frame; nil at the end of the connection.
    func next() -> (opcode: UInt8, data: [UInt8])? {
      guard let head = browser.bytes(2) else { return nil }
      var count = Int(head[1])
      if count == 126 { count = Self.number(browser.bytes(2) ?? []) }
      if count == 127 { count = Self.number(browser.bytes(8) ?? []) }
      return browser.bytes(count).map { (head[0] & 15, $0) }
    }

    /// The next message.
    func message() -> (address: String, value: OSCArgument?)? {
      guard var data = next()?.data else { return nil }
      var message: (String, OSCArgument?)?
      _ = data.withUnsafeMutableBytes { bytes in
        Packet.read(bytes) { message = ($0.address, $0.arguments.first) }
      }
      return message
    }
  }

  @Test(
    "A program that listens is sent the value at once, then each change of others as the tree types it, and no other"
  )
  func listens() throws {
    let served = try ServedPage()
    let (listener, sender) = (try Client(served), try Client(served))
    for address in ["/osc/1/wave", "/drive/on", "/part/3/level", "/nonsense"] {
      listener.command("{\"COMMAND\":\"LISTEN\",\"DATA\":\"\(address)\"}")
    }
    #expect(
      listener.message().map { "\($0)" }
        == "(address: \"/osc/1/wave\", value: Optional(Surface.OSCArgument.string(\"saw\")))")
    #expect(listener.message()?.value == .number(0))
    #expect(listener.message()?.address == "/part/3/level")
    sender.send("/filter/cutoff", .float(0.25))
    sender.send("/drive/on", .int(1))
    sender.send("/osc/1/wave", .string("square"))
    var heard: [String: OSCArgument?] = [:]
    for _ in 0..<2 { if let message = listener.message() { heard[message.address] = message.value } }
    #expect(heard == ["/drive/on": .number(1), "/osc/1/wave": .string("square")])
    // Nothing else has come when the next change comes.
    sender.send("/drive/on", .int(0))
    let last = listener.message()
    #expect(last?.address == "/drive/on" && last?.value == .number(0))
  }

  @Test("pipit's page is sent what a tablet is sent, each value once")
  func listensToAll() throws {
    let served = try ServedPage()
    let page = try Client(served)
    page.command("{\"COMMAND\":\"LISTEN_ALL\"}")
    var addresses: [String] = []
    func listen(until isSo: () -> Bool) {
      while !isSo(), let message = page.message() { addresses.append(message.address) }
    }
    let map = served.surface.feedback.map
    let all = Set((0..<map.groups.shared).map { map.text($0) })
    listen { addresses.count >= all.count }
    #expect(Set(addresses) == all && addresses.count == all.count && addresses.count > 500)
    #expect(addresses.contains("/filter/cutoff") && addresses.contains("/filter/cutoff/text"))
    // Nothing else has come when the answer to a ping comes.
    page.send(9, [1])
    #expect(page.next()?.opcode == 10)
  }

  @Test("A message in pieces is one message, a ping is answered, and a goodbye too")
  func pieces() throws {
    let served = try ServedPage()
    let client = try Client(served)
    let message = OSCMessage.packet("/focus", [.int(5)]) ?? []
    client.send(2, Array(message[..<3]), isLast: false)
    client.send(9, [1, 2, 3])
    client.send(0, Array(message[3...]))
    let pong = try #require(client.next())
    #expect(pong.opcode == 10 && pong.data == [1, 2, 3])
    #expect(served.run { served.instrument.focus == 4 })
    client.send(8, [0x03, 0xE8])
    #expect(client.next()?.opcode == 8 && client.browser.end())
  }

  @Test("What a connection plays ends with it")
  func released() throws {
    let served = try ServedPage()
    let client = try Client(served)
    client.send("/note/60", .float(1))
    var events: [Event.Kind] = []
    func collect() {
      while let event = served.link.control.peek() {
        events.append(event.pointee.kind)
        served.link.control.drop()
      }
    }
    served.run {
      collect()
      return !events.isEmpty
    }
    client.browser.hangUp()
    served.run {
      collect()
      return events.count >= 2
    }
    #expect(events == [.noteOn, .sourceGone])
  }

  // A reserved opcode, a reserved bit, a ping that is too long, text that is no UTF-8, the continuation of nothing.
  private static let wrongFrames: [(first: UInt8, data: [UInt8])] = [
    (0x83, [0, 0, 0]), (0xC2, [1, 2, 3]), (0x89, [UInt8](repeating: 0, count: 126)), (0x81, [0xFF, 0xFE]),
    (0x80, [1]),
  ]

  @Test(
    "Frames against the rules end the connection with the reason, and only that one",
    arguments: WebSocketTests.wrongFrames)
  func wrong(first: UInt8, data: [UInt8]) throws {
    let served = try ServedPage()
    let (client, other) = (try Client(served), try Client(served))
    var frame = Client.frame(2, data)
    frame[0] = first
    client.browser.send(frame)
    let last = client.next()
    #expect(last?.opcode == 8 || last == nil)
    #expect(client.browser.end())
    other.send("/focus", .int(2))
    #expect(served.run { served.instrument.focus == 1 })
  }

  @Test("A thousand connections that speak and leave are forgotten, and what they said last counts")
  func left() throws {
    let served = try ServedPage()
    for number in 0..<1000 {
      let client = try Client(served)
      client.browser.send(
        Client.frame(2, OSCMessage.packet("/focus", [.int(1 + number % 8)]) ?? []) + Client.frame(3, []))
      #expect(client.browser.end())
    }
    #expect(served.run { served.surface.clientCount == 0 })
    #expect(served.run { served.instrument.focus == 7 })
  }

  @Test("A message longer than may be ends the connection; bytes that are no OSC too")
  func tooLong() throws {
    let served = try ServedPage()
    let client = try Client(served)
    client.send(2, [UInt8](repeating: 0, count: WebSocket.messageBytes + 1))
    let close = try #require(client.next())
    #expect(close.opcode == 8 && close.data.prefix(2) == [0x03, 0xF1])
    let second = try Client(served)
    second.send(2, [1, 2, 3])
    #expect(second.next()?.opcode == 8 && second.browser.end())
  }

  @Test("A peer that reads nothing while it asks for much holds up only itself")
  func slowReader() throws {
    let served = try ServedPage()
    let client = try Client(served)
    let question = Client.frame(2, OSCMessage.packet("/status", []) ?? [])
    let many = Array((0..<2000).flatMap { _ in question })
    client.browser.send(many)
    served.run(300)
    // However long the answers take: then it sleeps.
    let sleeps = (0..<300).contains { _ in
      (0..<200).count { _ in served.loop.round(limit: 1_000_000) } < 100
    }
    #expect(sleeps, "what is not read does not keep the loop awake")
    let other = try Client(served)
    other.send("/focus", .int(3))
    #expect(served.run { served.instrument.focus == 2 })
  }

  @Test("Frames with changed bytes are taken or end the connection")
  func random() throws {
    let served = try ServedPage()
    var random = SeededRandom.ofRun
    let messages = [
      Client.frame(2, OSCMessage.packet("/filter/cutoff", [.float(0.5)]) ?? []),
      Client.frame(1, Array("{\"COMMAND\":\"LISTEN\",\"DATA\":\"/filter/cutoff\"}".utf8)),
      Client.frame(9, [1, 2]), Client.frame(2, [UInt8](repeating: 47, count: 300)),
    ]
    for _ in 0..<ServedPage.inputs {
      let client = try Client(served)
      var bytes = (0..<4).flatMap { _ in messages.randomElement(using: &random) ?? [] }
      for _ in 0..<Int.random(in: 1...5, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      client.browser.send(bytes)
      client.browser.listen(1)
    }
    #expect(try served.ask("GET /?HOST_INFO").status == 200)
  }
}
