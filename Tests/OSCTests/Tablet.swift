import CLiblo
import Control
import Glibc
import Parameters
import Presets
import Scenes
import Synth
import System
import Testing
@testable import OSC
@testable import OSCPackets
@testable import Surface

/// The control thread and the OSC server without the rest, run round by round by the test itself.
final class ServedInstrument {
  let link = Link(.initial)
  let loop: PollLoop
  let control: Instrument
  let surface: ControlSurface
  let server: Server
  private let logged = Lines()
  var log: [String] { logged.lines }

  private final class Lines { var lines: [String] = [] }

  /// Feedback goes to `replyPort`; by default to the discard service, where nobody listens.
  init(
    replyPort: Int = 9, allow: String = "private", database: String? = nil, factory: String? = nil
  ) throws {
    let loop = try #require(PollLoop())
    self.loop = loop
    control = Instrument(
      link: link, library: Library(database: database, factory: factory, log: { _ in }), log: { _ in })
    control.join(loop)
    let networks = try #require(AllowedNetworks(allow))
    surface = ControlSurface(control, allow: networks) { [logged] in logged.lines.append($0) }
    surface.join(loop)
    server = try Server(port: 0, replyPort: replyPort, surface: surface, loop: loop) { [logged] in
      logged.lines.append($0)
    }
  }

  /// Runs for so many milliseconds.
  func run(_ milliseconds: Int, until done: () -> Bool = { false }) {
    let end = monotonic() + Int64(milliseconds) * 1_000_000
    while monotonic() < end && !done() { loop.round(limit: 1_000_000) }
  }

  /// A datagram comes in at a time, and the surface takes its turn.
  func receive(
    _ datagram: UnsafeMutableRawBufferPointer, from peer: Peer, now: Int64, wall: TimeTag = .now
  ) {
    server.receive(datagram, from: peer, now: now, wall: wall)
    _ = surface.update(now)
  }

  /// The surface and the server take their turns at a time.
  func takeTurn(_ now: Int64) {
    _ = surface.update(now)
    _ = server.afterRound(now)
  }

  /// The value of a knob on the stage, in the unit of the scene.
  func knob(_ address: String) -> Float? {
    Address(address, focus: 0).map { control.stage.scene[$0.knob] }
  }
}

/// A liblo server and sender on one socket, as a program is; or, with `subscribe`, as a tablet is.
final class Tablet {
  struct Received: Equatable {
    let address: String
    let value: Value?
  }
  enum Value: Equatable {
    case float(Float), int(Int), string(String)

    /// The first argument of a message, as liblo read it.
    init?(
      _ types: UnsafePointer<CChar>?, _ values: UnsafeMutablePointer<UnsafeMutablePointer<lo_arg>?>?,
      _ count: Int32
    ) {
      guard count > 0, let types, let raw = values?[0].map({ UnsafeRawPointer($0) }) else { return nil }
      switch UInt8(bitPattern: types[0]) {
      case UInt8(ascii: "f"): self = .float(raw.load(as: Float.self))
      case UInt8(ascii: "i"): self = .int(Int(raw.load(as: Int32.self)))
      case UInt8(ascii: "s"): self = .string(String(cString: raw.assumingMemoryBound(to: CChar.self)))
      default: return nil
      }
    }
  }

  private let socket: lo_server
  private let target: lo_address
  private let instrument: ServedInstrument
  let port: Int
  var received: [Received] = []
  /// Bundles that came in.
  var bundles = 0
  /// The largest datagram so far, in bytes, and all together.
  var largest = 0
  var bytes = 0
  /// It answers `/who`, as the layout does; else it is silent, and `/who` is kept as any other message.
  var answersWho = true

  init(_ instrument: ServedInstrument) throws {
    self.instrument = instrument
    socket = try #require(lo_server_new_with_proto(nil, Int32(LO_UDP), nil))
    port = Int(lo_server_get_port(socket))
    target = try #require(lo_address_new("127.0.0.1", "\(instrument.server.port)"))
    lo_server_enable_queue(socket, 0, 1)
    let me = Unmanaged.passUnretained(self).toOpaque()
    lo_server_add_bundle_handlers(
      socket,
      { _, me in
        if let me { Unmanaged<Tablet>.fromOpaque(me).takeUnretainedValue().bundles += 1 }
        return 0
      }, { _ in 0 }, me)
    lo_server_add_method(
      socket, nil, nil,
      { path, types, values, count, message, me in
        guard let path, let me else { return 0 }
        let tablet = Unmanaged<Tablet>.fromOpaque(me).takeUnretainedValue()
        let received = Received(address: String(cString: path), value: Value(types, values, count))
        if tablet.answersWho, received.address == "/who", case .string(let word)? = received.value {
          tablet.answer(word, to: lo_message_get_source(message))
        } else {
          tablet.received.append(received)
        }
        return 0
      }, me)
  }

  private func answer(_ word: String, to source: lo_address?) {
    let message = lo_message_new()
    lo_message_add_string(message, word)
    lo_send_message_from(source, socket, "/here", message)
    lo_message_free(message)
  }

  deinit {
    lo_server_free(socket)
    lo_address_free(target)
  }

  /// Sends a message with whatever arguments `fill` adds.
  func send(_ address: String, fill: (lo_message?) -> Void) {
    let message = lo_message_new()
    fill(message)
    lo_send_message_from(target, socket, address, message)
    lo_message_free(message)
  }

  func send(_ address: String) { send(address) { _ in } }
  func send(_ address: String, _ value: Float) { send(address) { lo_message_add_float($0, value) } }
  func send(_ address: String, _ value: Int) { send(address) { lo_message_add_int32($0, Int32(value)) } }
  func send(_ address: String, _ value: String) { send(address) { lo_message_add_string($0, value) } }

  /// Sends floats in one bundle.
  func bundle(_ time: lo_timetag, _ messages: [(String, Float)]) {
    let bundle = lo_bundle_new(time)
    for (address, value) in messages {
      let message = lo_message_new()
      lo_message_add_float(message, value)
      lo_bundle_add_message(bundle, address, message)
    }
    lo_send_bundle_from(target, socket, bundle)
    lo_bundle_free_recursive(bundle)
  }

  /// Takes what has come in.
  func listen() {
    while true {
      let bytes = Int(lo_server_recv_noblock(socket, 0))
      if bytes <= 0 { return }
      largest = max(largest, bytes)
      self.bytes += bytes
    }
  }

  /// Everything there is to show by default: all knobs under bare addresses, and the strips of all parts.
  static let picture: Set<String> = {
    var addresses: Set<String> = []
    for row in Table.rows {
      addresses.insert(row.address)
      guard row.field.scope == .strip else { continue }
      for part in 1...Limits.parts { addresses.insert("/part/\(part)" + row.address) }
    }
    for address in addresses { addresses.insert(address + "/text") }
    for node in Node.commands where node.hasFeedback && !node.isMonitored {
      for number in node.numbers ?? 0...0 {
        let address = node.address(number: number)
        addresses.insert(address)
        guard node.owner == .part else { continue }
        for part in 1...Limits.parts { addresses.insert("/part/\(part)" + address) }
      }
    }
    return addresses
  }()

  /// Whether all of it has come in.
  var hasSeenAll: Bool { Tablet.picture.isSubset(of: received.map(\.address)) }

  /// Listens while another instrument runs.
  func watch(_ instrument: ServedInstrument, _ milliseconds: Int, until done: () -> Bool = { false }) {
    instrument.run(milliseconds) {
      listen()
      return done()
    }
  }

  static func number(_ value: Value) -> Float? {
    switch value {
    case .float(let number): number
    case .int(let number): Float(number)
    case .string: nil
    }
  }

  /// Runs the instrument, listening.
  func run(_ milliseconds: Int, until done: () -> Bool = { false }) {
    instrument.run(milliseconds) {
      listen()
      return done()
    }
    listen()
  }

  /// Waits until everything sent so far has been acted on: answers come in the order of the questions. A socket that is
  /// full loses an answer, so the question is repeated.
  func settle() {
    let before = received
    #expect((0..<10).contains { _ in ask("/focus", within: 6_000) != nil })
    received = before + received.filter { $0.address != "/focus" }
  }

  /// What comes back at `address` (by default the one asked at); nil when nothing does.
  func ask(
    _ address: String, at answer: String? = nil, within milliseconds: Int = 60_000,
    fill: (lo_message?) -> Void = { _ in }
  ) -> Value? {
    received.removeAll()
    send(address, fill: fill)
    run(milliseconds) { received.contains { $0.address == answer ?? address } }
    return received.first { $0.address == answer ?? address }?.value
  }

  /// What is refused, as the sentence in `/error`.
  func refusal(
    _ address: String, within milliseconds: Int = 60_000, fill: (lo_message?) -> Void = { _ in }
  ) -> String? {
    guard case .string(let why)? = ask(address, at: "/error", within: milliseconds, fill: fill) else {
      return nil
    }
    return why
  }

  /// The values that came in at an address.
  func values(_ address: String) -> [Value] { received.filter { $0.address == address }.compactMap(\.value) }
}

extension Peer {
  /// A socket of a machine by its IPv4 address.
  init(host: UInt32, port: Int) { self.init(HostAddress(host), port: port) }
}
