import CLiblo
import Glibc
import Parameters
import Scenes
import Scratch
import Testing
@testable import Surface

/// A tablet with TouchOSC as far as the wire shows it: controls that keep what they were last set to, by a finger
/// or by a message, and send as TouchOSC does. A finger's movement goes on over several calls of `turn`.
final class FakeTouchOSC {
  /// What each control shows.
  private(set) var picture: [String: Tablet.Value] = [:]
  /// Gestures begun.
  private(set) var gestures = 0
  private let relay: Relay
  private var random: SeededRandom
  // What fingers are about to do, the next first: what a control shows then, and what is sent.
  private var fingers: [[(shows: Tablet.Value?, address: String, fill: (lo_message?) -> Void)]] = []

  private let faders: [String]
  private let toggles: [String]
  private let radios: [(address: String, steps: Int)]

  init(_ relay: Relay, random: SeededRandom) {
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
    gestures += 1
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<9:
      let address = faders[.random(in: 0..<faders.count, using: &random)]
      var place = Float.random(in: 0...1, using: &random)
      fingers.append(
        (0..<Int.random(in: 1...12, using: &random)).map { _ in
          place = max(0, min(place + .random(in: -0.1...0.1, using: &random), 1))
          return set(address, .float(place))
        })
    case 9..<11:
      let address = toggles[.random(in: 0..<toggles.count, using: &random)]
      fingers.append([set(address, .float(picture[address] == .float(1) ? 0 : 1))])
    case 11..<14:
      let (address, steps) = radios[.random(in: 0..<radios.count, using: &random)]
      fingers.append([set(address, .int(.random(in: 0..<steps, using: &random)))])
    case 14: fingers.append([set("/focus", .int(.random(in: 1...Limits.parts, using: &random)))])
    case 15..<18:
      let buttons = ["/preset/next", "/preset/previous", "/preset/undo", "/part/3/preset/next", "/note/60"]
      let address = buttons[.random(in: 0..<buttons.count, using: &random)]
      fingers.append([1, 0].map { press in (nil, address, { lo_message_add_float($0, press) }) })
    default:
      fingers.append(
        (0..<8).map { _ in
          let places = (0..<2).map { _ in Float.random(in: 0...1, using: &random) }
          return (
            nil, "/play/xy", { message in for place in places { lo_message_add_float(message, place) } }
          )
        })
    }
  }

  private func set(_ address: String, _ value: Tablet.Value) -> (
    shows: Tablet.Value?, address: String, fill: (lo_message?) -> Void
  ) {
    (
      value, address,
      {
        switch value {
        case .float(let number): lo_message_add_float($0, number)
        case .int(let number): lo_message_add_int32($0, Int32(number))
        case .string(let text): lo_message_add_string($0, text)
        }
      }
    )
  }

  /// Whether a finger is down.
  var isTouched: Bool { !fingers.isEmpty }

  /// The next message of each finger.
  func move(_ now: Int64) {
    for finger in fingers.indices {
      let (shows, address, fill) = fingers[finger].removeFirst()
      if let shows { picture[address] = shows }
      send(address, now, fill)
    }
    fingers.removeAll(where: \.isEmpty)
  }

  private func send(_ address: String, _ now: Int64, _ fill: (lo_message?) -> Void) {
    let message = lo_message_new()
    fill(message)
    var size = 0
    if let bytes = lo_message_serialise(message, address, nil, &size) {
      relay.send(toPipit: Array(UnsafeRawBufferPointer(start: bytes, count: size)), now)
      free(bytes)
    }
    lo_message_free(message)
  }

  /// Takes in a bundle.
  func receive(_ bytes: [UInt8], _ now: Int64) {
    var bytes = bytes
    bytes.withUnsafeMutableBytes { bytes in
      var offset = OSCMessage.bundleHead
      while offset < bytes.count {
        let length = Int(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
        let element = UnsafeMutableRawBufferPointer(rebasing: bytes[(offset + 4)..<(offset + 4 + length)])
        receiveMessage(element, now)
        offset += 4 + length
      }
    }
  }

  private func receiveMessage(_ bytes: UnsafeMutableRawBufferPointer, _ now: Int64) {
    guard let start = bytes.baseAddress, let message = lo_message_deserialise(start, bytes.count, nil) else {
      Issue.record("what pipit sent is no OSC")
      return
    }
    defer { lo_message_free(message) }
    let address = String(cString: start.assumingMemoryBound(to: CChar.self))
    let value = Tablet.Value(
      lo_message_get_types(message), lo_message_get_argv(message), lo_message_get_argc(message))
    // The script of the layout's root.
    if address == "/who", case .string(let word)? = value {
      send("/here", now) { lo_message_add_string($0, word) }
    }
    if picture[address] != nil { picture[address] = value }
  }
}
