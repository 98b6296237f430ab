import CLiblo
import Parameters
import Scratch
import Synth
import Testing

@testable import Surface

/// A tablet with TouchOSC as far as the wire shows it: controls that keep what they were last set to, by a finger
/// or by a message, and send as TouchOSC does. A finger's movement goes on over several calls of `turn`.
final class FakeTouchOSC {
  /// What each control shows.
  private(set) var picture: [String: Tablet.Value] = [:]
  /// Gestures begun.
  private(set) var gestures = 0
  private let tablet: Tablet
  private let relay: Relay
  private var random: SeededRandom
  // What fingers are about to send, the next first.
  private var fingers: [[(Tablet) -> Void]] = []

  private let hasPad = NodeTree.instrument.find("/play/xy") != nil
  private let faders: [String]
  private let toggles: [String]
  private let radios: [(address: String, steps: Int)]

  init(_ instrument: Instrument, _ relay: Relay, random: SeededRandom) throws {
    tablet = try Tablet(instrument, through: relay.port)
    relay.tablet = tablet.port
    relay.pipit = instrument.server.port
    self.relay = relay
    self.random = random
    var (faders, toggles, radios): ([String], [String], [(String, Int)]) = ([], [], [])
    for row in Table.rows {
      let parts = row.field.scope == .strip ? (1...Limits.parts).map { "/part/\($0)" } : []
      for prefix in [""] + parts {
        switch row.kind {
        case .toggle: toggles.append(prefix + row.address)
        case .choice(let names): radios.append((prefix + row.address, names.count))
        default: faders.append(prefix + row.address)
        }
      }
    }
    (self.faders, self.toggles, self.radios) = (faders, toggles, radios)
    // As a layout is when it is opened: every control at rest.
    for address in Tablet.picture { picture[address] = address.hasSuffix("/text") ? .string("-") : .float(0) }
  }

  /// Puts a finger somewhere.
  func gesture() {
    var messages: [(Tablet) -> Void] = []
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<9:
      guard let address = faders.randomElement(using: &random) else { return }
      var place = Float.random(in: 0...1, using: &random)
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        place = max(0, min(place + .random(in: -0.1...0.1, using: &random), 1))
        let x = place
        messages.append { [unowned self] in
          picture[address] = .float(x)
          $0.send(address, x)
        }
      }
    case 9..<11:
      guard let address = toggles.randomElement(using: &random) else { return }
      let on = picture[address] == .float(1)
      messages.append { [unowned self] in
        picture[address] = .float(on ? 0 : 1)
        $0.send(address, Float(on ? 0 : 1))
      }
    case 11..<14:
      guard let (address, steps) = radios.randomElement(using: &random) else { return }
      let step = Int.random(in: 0..<steps, using: &random)
      messages.append { [unowned self] in
        picture[address] = .int(step)
        $0.send(address, step)
      }
    case 14:
      let part = Int.random(in: 1...Limits.parts, using: &random)
      messages.append { [unowned self] in
        picture["/focus"] = .int(part)
        $0.send("/focus", part)
      }
    case 15..<18:
      let buttons = ["/preset/next", "/preset/previous", "/preset/undo", "/part/3/preset/next", "/note/60"]
      guard let address = buttons.randomElement(using: &random) else { return }
      messages.append { $0.send(address, Float(1)) }
      messages.append { $0.send(address, Float(0)) }
    default:
      guard hasPad else { return gesture() }
      for _ in 0..<8 {
        let (x, y) = (Float.random(in: 0...1, using: &random), Float.random(in: 0...1, using: &random))
        messages.append {
          $0.send("/play/xy") { message in
            lo_message_add_float(message, x)
            lo_message_add_float(message, y)
          }
        }
      }
    }
    gestures += 1
    fingers.append(messages)
  }

  /// Whether a finger is down.
  var isTouched: Bool { !fingers.isEmpty }

  /// The next message of each finger.
  func move() {
    for finger in fingers.indices { fingers[finger].removeFirst()(tablet) }
    fingers.removeAll(where: \.isEmpty)
  }

  /// Takes in what has come.
  func listen() {
    relay.turn()
    tablet.listen()
    for message in tablet.received where picture[message.address] != nil {
      picture[message.address] = message.value
    }
    tablet.received.removeAll(keepingCapacity: true)
  }
}
