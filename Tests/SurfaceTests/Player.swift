import Presets
import Scenes
@testable import Control
@testable import Surface

/// A player at a tablet that is known: sends to addresses and reads what they show. On a clock of the test's own, a
/// hundredth of a second for each message.
final class Player {
  let harness: SurfaceHarness
  let peer = Peer(host: 0xC0A8_0107, port: 50_000)
  var now: Int64 = 1_000_000_000
  /// The latest value that was heard at each address, and how many messages were.
  private(set) var shown: [String: OSCValue] = [:]
  private(set) var heard = 0

  init(_ harness: SurfaceHarness = SurfaceHarness()) { self.harness = harness }

  convenience init(_ library: Library) { self.init(SurfaceHarness(library)) }
  convenience init(_ control: Instrument) { self.init(SurfaceHarness(control)) }

  /// A player whose tablet has been shown everything, over a network that loses nothing.
  static func connected() -> Player {
    let player = Player(SurfaceHarness(over: RecordedTransport(replyPort: nil, isLossy: false)))
    player.say("/here")
    player.pass(milliseconds: 1_000)
    player.forget()
    return player
  }

  var control: Instrument { harness.control }

  func say(_ address: String) { say(address, []) }
  func say(_ address: String, _ numbers: Double...) { say(address, numbers.map { .number($0) }) }
  func say(_ address: String, _ words: String...) { say(address, words.map { .string($0) }) }

  func say(_ address: String, _ arguments: [OSCArgument]) {
    now += 10_000_000
    harness.surface.receive(address, arguments, from: peer, over: harness.transport, now: now)
  }

  /// Strikes and lifts a key of the tablet, a tenth of a second after the last message.
  func strike(_ key: Double, _ velocity: Double = 1) {
    pass(milliseconds: 100)
    for velocity in [velocity, 0] { say("/note", key, velocity) }
  }

  /// What an address answers; nil when it answers nothing.
  subscript(address: String) -> OSCValue? {
    harness.transport.answers.removeAll()
    say(address, [])
    return harness.transport.answers.first { $0.address == address }?.value
  }

  /// Everything that an address answers.
  func answers(_ address: String, _ words: String...) -> [OSCMessage] {
    harness.transport.answers.removeAll()
    say(address, words.map { .string($0) })
    return harness.transport.answers
  }

  /// Why a message is refused; nil when it is taken.
  func refusal(_ address: String, _ arguments: OSCArgument...) -> String? {
    harness.transport.answers.removeAll()
    say(address, arguments)
    guard case .string(let why)? = harness.transport.answers.first(where: { $0.address == "/error" })?.value
    else { return nil }
    return why
  }

  /// Lets time pass as the control thread's loop does, and listens.
  func pass(milliseconds: Int64) {
    for _ in 0..<max(1, milliseconds / 10) {
      now += 10_000_000
      _ = control.update(now)
      _ = control.healthWatch.updateHealth(now)
      for packet in harness.packets(from: now, until: now + 1) {
        for message in packet.messages { shown[message.address] = message.value }
        heard += packet.messages.count
      }
    }
  }

  /// What was heard so far counts no more.
  func forget() { (shown, heard) = ([:], 0) }

  /// What has reached the sound since it was last asked for.
  func played() -> [Event] {
    var events: [Event] = []
    while let event = harness.link.control.peek()?.pointee {
      events.append(event)
      harness.link.control.drop()
    }
    return events
  }
}
