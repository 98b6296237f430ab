import Control

/// The transport of the player's presses on pads: it keeps no clients, and shows refusals as notices.
final class PadTransport: Transport {
  static let peer = Peer(.thisMachine, connection: 0)
  private let notices: NoticeBoard

  init(_ notices: NoticeBoard) { self.notices = notices }

  let name = "pads"
  let budget = PacketBudget(packetBytes: 1_400, interval: 0, isLossy: false)
  let replyPort: Int? = nil
  let keepsClients = false

  func send(_ messages: [OSCMessage], to peer: Peer) -> Bool { true }

  func answer(_ messages: [OSCMessage], to peer: Peer) -> Bool {
    for message in messages where message.address == "/error" {
      if case .string(let text) = message.value { notices.post(text, about: .pads, .moment(seconds: 5)) }
    }
    return true
  }
}
