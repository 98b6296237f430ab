import CLiblo
import Control
import Parameters
import Presets
import Scenes
import Synth
import Testing
@testable import OSC
@testable import OSCPackets
@testable import Surface

/// What a message is as bytes, and how long answers are sent.
struct AnswerTests {
  @Test("Every type of an argument is read as what it is")
  func types() {
    let cases: [([UInt8], OSCArgument)] = [
      (Corpus.osc(",i") + Corpus.word(0xFFFF_FFFE), .number(-2)),
      (Corpus.osc(",h") + Corpus.word(1) + Corpus.word(2), .number(4_294_967_298)),
      (Corpus.osc(",f") + Corpus.float(0.25), .number(0.25)),
      (Corpus.osc(",d") + Corpus.word(0xBFE0_0000) + Corpus.word(0), .number(-0.5)),
      (Corpus.osc(",s", "Warm Bass"), .string("Warm Bass")), (Corpus.osc(",S", "Warm"), .string("Warm")),
      (Corpus.osc(",s", ""), .string("")), (Corpus.osc(",T"), .number(1)), (Corpus.osc(",F"), .number(0)),
      (Corpus.osc(",N"), .other("N")), (Corpus.osc(",I"), .other("I")),
      (Corpus.osc(",c") + Corpus.word(65), .other("c")), (Corpus.osc(",b") + Corpus.word(0), .other("b")),
      (Corpus.osc(",b") + Corpus.word(5) + [1, 2, 3, 4, 5, 0, 0, 0], .other("b")),
      (Corpus.osc(",r") + Corpus.word(.max), .other("r")), (Corpus.osc(",m") + Corpus.word(1), .other("m")),
      (Corpus.osc(",t") + Corpus.word(0) + Corpus.word(1), .other("t")),
      // Of a type that nobody knows the size is not known.
      (Corpus.osc(",x") + Corpus.word(7), .other("x")), (Corpus.word(0x3F80_0000), .untagged),
    ]
    for (bytes, argument) in cases {
      var packet = Corpus.osc("/preset/load") + bytes
      var read: [OSCArgument] = []
      let isOSC = packet.withUnsafeMutableBytes { bytes in Packet.read(bytes) { read += $0.arguments } }
      #expect(isOSC && read == [argument], "\(argument)")
    }
    var both = Corpus.osc("/note", ",if") + Corpus.word(60) + Corpus.float(0.5)
    both.withUnsafeMutableBytes { bytes in
      _ = Packet.read(bytes) {
        #expect($0.arguments == [.number(60), .number(0.5)] && $0.address == "/note")
      }
    }
  }

  @Test("A message whose type tags do not describe it is not OSC")
  func damaged() {
    let damaged: [[UInt8]] = [
      Corpus.osc(",i"), Corpus.osc(",h") + Corpus.word(1), Corpus.osc(",s"),
      Corpus.osc(",b") + Corpus.word(5),
      Corpus.osc(",b") + Corpus.word(.max), Corpus.osc(",f") + Corpus.float(1) + Corpus.float(1),
      Corpus.osc(",\u{7}"), [0x2C, 0x66, 0x66, 0x66], Corpus.osc(",i") + [0, 0, 0],
    ]
    for bytes in damaged {
      var packet = Corpus.osc("/focus") + bytes
      #expect(packet.withUnsafeMutableBytes { !Packet.read($0) { _ in } }, "\(bytes)")
    }
  }

  /// A transport that keeps the answers.
  private final class Listener: Transport {
    let replyPort: Int? = nil
    let budget = PacketBudget(packetBytes: 1_400, interval: 0, isLossy: false)
    var answers: [OSCMessage] = []
    func isReady(for peer: Peer, now: Int64) -> Bool { true }
    func send(_ messages: [OSCMessage], to peer: Peer) -> Bool { true }
    func answer(_ messages: [OSCMessage], to peer: Peer) -> Bool {
      answers += messages
      return true
    }
  }

  @Test(
    "Messages without type tags, with arrays and with types that nothing takes are read, or refused by name")
  func everyMessageIsAnswered() {
    let instrument = Instrument(
      link: Link(.initial), library: Library(database: nil, factory: nil, log: { _ in }), log: { _ in })
    let surface = ControlSurface(instrument, allow: .thisMachine, log: { _ in })
    let listener = Listener()
    var now: Int64 = 0
    func ask(_ packet: [UInt8]) -> [OSCMessage] {
      listener.answers = []
      now += 1_000_000_000
      var packet = packet
      packet.withUnsafeMutableBytes { bytes in
        _ = Packet.read(bytes) {
          surface.receive($0.address, $0.arguments, from: peer, over: listener, now: now)
        }
      }
      return listener.answers
    }
    func error(_ address: String, _ why: String) -> [OSCMessage] {
      [OSCMessage("/error", .string("\(address) \(why)"))]
    }
    // Without type tags there are no arguments: a question, and a press of a button.
    #expect(ask(Corpus.osc("/focus")) == [OSCMessage("/focus", .int(1))])
    #expect(ask(Corpus.osc("/preset/copy")).isEmpty && instrument.page.isCopyArmed)
    let untagged = error("/focus", "cannot take arguments without type tags")
    #expect(ask(Corpus.osc("/focus") + Corpus.word(3)) == untagged && instrument.focus == 0)
    let array = Corpus.osc("/play/xy", ",[ff]") + Corpus.float(0.5) + Corpus.float(1)
    #expect(ask(array) == error("/play/xy", "cannot take an array"))
    for (type, size) in ["r": 1, "c": 1, "m": 1, "t": 2, "N": 0, "I": 0, "b": 1, "x": 3] {
      let packet = Corpus.osc("/filter/cutoff", "," + type) + Array(repeating: 0, count: size * 4)
      #expect(ask(packet) == error("/filter/cutoff", "cannot take the type '\(type)'"))
    }
    // Queries and wrong addresses as well.
    let list = Corpus.osc("/presets/search", ",r") + Corpus.word(1)
    #expect(ask(list) == error("/presets/search", "cannot take the type 'r'"))
    #expect(ask(Corpus.osc("/focuss")) == error("/focuss", "is no address; did you mean /focus?"))
  }

  @Test("The bytes that a message is counted as are those that leave, whatever the length of its words")
  func sizes() throws {
    var values: [OSCValue] = [.int(-1), .float(0.5), .string("für Élise")]
    for length in 0...9 { values.append(.string(String(repeating: "x", count: length))) }
    for length in 1...9 {
      let address = "/" + String(repeating: "a", count: length)
      for value in values {
        let message = OSCMessage(address, value)
        let one = try #require(OSCMessage.packet(address, [value]))
        #expect(one.count == message.bytes, "\(message)")
        let bundle = try #require(OSCMessage.packet([message, message]))
        #expect(bundle.count == OSCMessage.bundleHead + 2 * message.size, "\(message)")
      }
    }
  }

  @Test("A long answer comes in packets that fit a network frame")
  func frames() throws {
    let instrument = try ServedInstrument(factory: presetsFolder)
    let tablet = try Tablet(instrument)
    let last = instrument.control.library.presets.count - 1
    #expect(tablet.ask("/presets/list", at: "/presets/list/\(last)") != nil)
    #expect(tablet.bundles >= 3 && tablet.largest <= 1452 && tablet.largest > 1000)
  }

  private let budget = PacketBudget.datagrams
  private let peer = Peer(host: 0x0A00_0001, port: 9)

  private func answer(_ question: String, _ count: Int, _ word: String = "word") -> [OSCMessage] {
    (0..<count).map { OSCMessage($0 == 0 ? question : "\(question)/\($0)", .string("\(word) \($0)")) }
  }

  /// What a spool sends from a time on until it is done.
  private func send(_ spool: inout Spool, from start: Int64, packets most: Int = .max)
    -> [(at: Int64, messages: [OSCMessage])]
  {
    var (sent, next): ([(Int64, [OSCMessage])], Int64?) = ([], start)
    while let now = next, sent.count < most {
      next = spool.send(now, budget, allowance: { _ in .max }) { messages, _ in sent.append((now, messages)) }
        .map { max($0, now) }
    }
    return sent
  }

  @Test("An answer of many packets is sent whole and in order, a packet each fiftieth of a second")
  func spool() {
    var spool = Spool()
    let all = answer("/list", 200)
    _ = spool.add(all, to: peer)
    let sent = send(&spool, from: 5)
    #expect(sent.flatMap(\.messages) == all && sent.count >= 5)
    for packet in sent {
      #expect(packet.messages.reduce(OSCMessage.bundleHead) { $0 + $1.size } <= 1452)
    }
    for (one, next) in zip(sent, sent.dropFirst()) { #expect(next.at - one.at == 20_000_000) }
  }

  @Test(
    "A newer answer takes the place of the one that waits, and of none that is half sent; the most wait is 32"
  )
  func replaced() {
    var spool = Spool()
    func add(_ question: String, _ count: Int, _ word: String = "word", port: Int = 9) -> Bool {
      spool.add(answer(question, count, word), to: Peer(peer.host, port: port))
    }
    #expect(add("/list", 200) && add("/list", 200, "newer"))
    let first = send(&spool, from: 0, packets: 1).flatMap(\.messages)
    #expect(first.first?.value == .string("newer 0"))
    #expect(add("/list", 3, "newest"))
    let rest = send(&spool, from: 100_000_000).flatMap(\.messages)
    #expect(first + rest == answer("/list", 200, "newer") + answer("/list", 3, "newest"))
    for question in 0..<32 { #expect(add("/list\(question)", 2)) }
    #expect(!add("/more", 2))
    #expect(add("/list7", 2) && add("/more", 2, port: 10))
  }

  @Test("An answer waits five seconds for a peer that may not be sent it, and then for ever no more")
  func patience() {
    for (seconds, isSent) in [(4.9, true), (5, false)] as [(Double, Bool)] {
      var spool = Spool()
      _ = spool.add(answer("/list", 3), to: peer)
      var sent = 0
      let give: ([OSCMessage], Peer) -> Void = { messages, _ in sent += messages.count }
      let end = spool.send(0, budget, allowance: { _ in 8 }, send: give)
      #expect(end == 5_000_000_000)
      _ = spool.send(Int64(seconds * 1e9), budget, allowance: { _ in 8 }, send: give)
      _ = spool.send(Int64(seconds * 1e9) + 1, budget, allowance: { _ in .max }, send: give)
      #expect(sent == (isSent ? 3 : 0), "\(seconds)")
    }
  }

  @Test("Bundles may lie eight deep, and no deeper")
  func depth() {
    var packet = Corpus.osc("/panic", ",")
    for depth in 1...9 {
      packet = Corpus.bundle([packet])
      var (bytes, count) = (packet, 0)
      let isOSC = bytes.withUnsafeMutableBytes { bytes in Packet.read(bytes) { _ in count += 1 } }
      #expect(isOSC == (depth <= 8) && count == (depth <= 8 ? 1 : 0), "\(depth)")
    }
  }

  @Test("Answers for which there is no room are counted, and asked for by /status/osc/dropped")
  func counted() throws {
    let instrument = try ServedInstrument(factory: presetsFolder)
    var bytes = Corpus.osc("/presets/list", ",")
    for host in 1...80 as ClosedRange<UInt32> {
      bytes.withUnsafeMutableBytes {
        instrument.receive($0, from: Peer(host: 0x0A00_0000 + host, port: 9), now: 1_000)
      }
    }
    #expect(instrument.control.health.oscDropped == 80 - 64)
    let tablet = try Tablet(instrument)
    #expect(tablet.ask("/status/osc/dropped") == .int(16))
  }
}

/// Messages that wait for their turn.
struct WaitingTests {
  private let transport = RelayTransport([])

  private func message(_ address: String, _ value: Double) -> IncomingMessage {
    IncomingMessage(address, [.number(value)])
  }

  private func sender(_ port: Int) -> MessageSender {
    MessageSender(peer: Peer(host: 1, port: port), transport: transport)
  }

  private func isValue(_ message: IncomingMessage) -> Bool { message.address.hasPrefix("/knob") }

  private func taken(_ line: inout SenderQueue) -> [String] {
    var words: [String] = []
    while let message = line.take() {
      words.append("\(message.address) \(message.arguments[0].words)")
    }
    return words
  }

  @Test("Senders take turns, message by message")
  func turns() {
    var inbox = Inbox()
    let senders = (1...3).map(sender)
    for count in 0..<4 {
      for sender in senders { _ = inbox.add(message("/go", Double(count)), from: sender, isValue: isValue) }
    }
    for _ in 0..<10 { _ = inbox.add(message("/go", 9), from: senders[0], isValue: isValue) }
    var (ports, last): ([Int], [Int: Double]) = ([], [:])
    while let (sender, message) = inbox.next() {
      let port = sender.peer.port ?? 0
      ports.append(port)
      // Those of one sender in their order.
      let number = message.arguments[0].number ?? -1
      #expect(number >= last[port] ?? 0)
      last[port] = number
    }
    #expect(ports.count == 22 && inbox.isEmpty)
    for turn in 0..<4 { #expect(Set(ports[3 * turn..<3 * turn + 3]) == [1, 2, 3]) }
  }

  @Test(
    "In a full line the newest value of a knob displaces the older one, or else the oldest that is no value")
  func displaced() {
    var line = SenderQueue(sender(1))
    func add(_ address: String, _ value: Double) -> Bool {
      line.add(message(address, value), limit: 4, mostBytes: .max, isValue: isValue)
    }
    #expect(add("/knob1", 1) && add("/go", 2) && add("/knob2", 3) && add("/go", 4))
    #expect(!add("/knob1", 5) && line.count == 4)
    #expect(!add("/knob3", 6) && line.count == 4)
    // A message that is no value is dropped itself.
    #expect(!add("/go", 7) && line.count == 4)
    #expect(taken(&line) == ["/knob2 3", "/go 4", "/knob1 5", "/knob3 6"])
    #expect(line.count == 0)
  }

  @Test("A line never holds more than it may, also after its values were taken")
  func full() {
    var line = SenderQueue(sender(1))
    func add(_ address: String, _ value: Double) -> Bool {
      line.add(message(address, value), limit: 3, mostBytes: .max, isValue: isValue)
    }
    for number in 1...3 { #expect(add("/knob\(number)", 0)) }
    #expect(!add("/knob1", 1))
    for _ in 0..<2 { _ = line.take() }
    #expect(add("/knob4", 2) && add("/knob5", 3))
    // What lies there now are values of other knobs.
    #expect(!add("/knob3", 4) && line.count == 3)
    let first = line.take()
    #expect(first?.address == "/knob1" && add("/knob6", 5))
    #expect(taken(&line) == ["/knob4 2", "/knob5 3", "/knob6 5"])
    for number in 1...3 { #expect(add("/go", Double(number))) }
    #expect(taken(&line) == ["/go 1", "/go 2", "/go 3"])
  }
}
