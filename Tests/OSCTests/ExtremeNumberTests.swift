import Parameters
import Presets
import Scenes
import Scratch
import Synth
import Testing
@testable import Control
@testable import OSCPackets
@testable import Surface

/// Messages with the numbers at which arithmetic ends, as the bytes of a datagram: at each position of each address, in
/// each type.
struct ExtremeNumberTests {
  /// An argument as a sender encodes it.
  private struct Argument {
    let tag: String
    let bytes: [UInt8]

    static func word(_ number: Int32) -> Argument {
      Argument(tag: "i", bytes: Corpus.word(UInt32(bitPattern: number)))
    }
    static func long(_ number: Int64) -> Argument {
      Argument(tag: "h", bytes: withUnsafeBytes(of: number.bigEndian) { Array($0) })
    }
    static func float(_ number: Float) -> Argument { Argument(tag: "f", bytes: Corpus.float(number)) }
    static func double(_ number: Double) -> Argument {
      Argument(tag: "d", bytes: withUnsafeBytes(of: number.bitPattern.bigEndian) { Array($0) })
    }
    static func text(_ text: String) -> Argument { Argument(tag: "s", bytes: Corpus.osc(text)) }

    static let numbers: [Argument] =
      Extremes.words.map(word) + Extremes.longs.map(long) + Extremes.floats.map(float)
      + Extremes.doubles.map(double)
    static let texts: [Argument] = Extremes.texts.map(text)
  }

  /// A transport that counts the errors.
  private final class Ear: Transport {
    let replyPort: Int? = nil
    let budget = PacketBudget(packetBytes: 1_400, interval: 0, isLossy: false)
    var errors = 0
    func isReady(for peer: Peer, now: Int64) -> Bool { true }
    func send(_ messages: [OSCMessage], to peer: Peer) -> Bool { true }
    func answer(_ messages: [OSCMessage], to peer: Peer) -> Bool {
      errors += messages.count { $0.address == "/error" }
      return true
    }
  }

  /// An instrument with something in every list, and an engine that plays it.
  private final class Stage {
    let control: Instrument
    let surface: ControlSurface
    let ear = Ear()
    let peer = Peer(host: 0x7F00_0001, port: 50_000)
    var now: Int64 = 1_000_000_000
    var sent = 0
    private let engine = UnsafeMutablePointer<Engine>.allocate(capacity: 1)
    private let block = UnsafeMutablePointer<Float>.allocate(capacity: 128)

    init() {
      let link = Link(.initial)
      control = Instrument(
        link: link, library: Library(database: nil, factory: nil, log: { _ in }), log: { _ in })
      surface = ControlSurface(control, allow: AllowedNetworks("any") ?? .thisMachine, log: { _ in })
      engine.initialize(to: Engine(rate: 48_000, link: link))
      for address in ["/preset/save/new", "/setup/save/new", "/snapshot/a", "/set/new"] {
        send(address, [.text("A")])
      }
      for _ in 0..<3 { send("/set/add", []) }
    }

    deinit {
      engine.deinitialize(count: 1)
      engine.deallocate()
      block.deallocate()
    }

    /// Sends a datagram; the engine plays a block after each 64.
    func send(_ address: String, _ arguments: [Argument]) {
      now += 200_000_000
      var bytes =
        Corpus.osc(address) + Corpus.osc("," + arguments.map(\.tag).joined()) + arguments.flatMap(\.bytes)
      let isOSC = bytes.withUnsafeMutableBytes { bytes in
        Packet.read(bytes) {
          surface.receive($0.address, $0.arguments, from: peer, over: ear, now: now)
        }
      }
      if !isOSC { Issue.record("\(address) \(arguments.map(\.tag)) is not OSC") }
      sent += 1
      if sent % 64 == 0 { play() }
    }

    /// Ends what would keep the following messages from their nodes.
    func unlock() {
      control.lock.set(false)
      while control.learning.state > 0 {
        now += 1_000_000_000
        control.learning.press(now: now)
      }
    }

    func play() {
      _ = control.update(now)
      engine.pointee.render(left: block, right: block + 64, frames: 64)
      if !block[63].isFinite || !block[127].isFinite { Issue.record("no sound after \(sent) messages") }
    }
  }

  /// Values for the arguments of a node beside the extreme one. Of a string that is one of several words, each of them.
  private func usual(_ type: ArgumentType) -> [Argument] {
    switch type.tag {
    case .int: return [.word(1)]
    case .float: return [.float(0.5)]
    case .string:
      let words = type.name.split(whereSeparator: { " ,".contains($0) }).filter { !["or", "a"].contains($0) }
      return ["1"].map { .text($0) } + (type.name.contains(",") ? words.map { .text(String($0)) } : [])
    }
  }

  /// Every message to an address with one of the extremes at a position.
  private func messages(_ arguments: [ArgumentType], _ extremes: [Argument]) -> [[Argument]] {
    if arguments.isEmpty { return extremes.map { [$0] } }
    return arguments.indices.flatMap { position -> [[Argument]] in
      var all: [[Argument]] = [[]]
      for (index, type) in arguments.enumerated() {
        let values = index == position ? extremes : usual(type)
        all = all.flatMap { start in values.map { start + [$0] } }
      }
      return all
    }
  }

  @Test(
    "No number ends pipit, whatever its type, address and position, and none leaves a voice or a knob out of range"
  )
  func everywhere() {
    let stage = Stage()
    for node in NodeTree.instrument.nodes {
      let numbers = node.numbers.map { Set([$0.lowerBound, $0.upperBound]).sorted() } ?? [0]
      // A random sound is rendered and measured, which takes a while.
      let most = node.path.contains("/random/") ? 3 : .max
      // The knobs, of which there are hundreds, share the code that reads texts.
      let texts = node.isKnob ? sample(Argument.texts) : Argument.texts
      let all = messages(node.arguments, Argument.numbers + texts).prefix(most)
      for number in numbers {
        for message in all { stage.send(node.address(number: number), message) }
        stage.unlock()
      }
    }
    let scene = stage.control.stage.scene
    for knob in ParameterID.all where !Table.rows[knob.row].kind.bounds.contains(scene[knob]) {
      Issue.record("\(knob.address) is \(scene[knob])")
    }
    stage.send("/panic", [])
    for _ in 0..<400 { stage.play() }
    #expect(stage.control.link.meters[.voices] == 0)
    print(
      "extreme numbers: \(stage.sent) messages to \(NodeTree.instrument.nodes.count) addresses, \(stage.ear.errors) errors"
    )
    #expect(stage.sent > 100_000 && stage.ear.errors > 10_000)
  }
}
