import Parameters
import Scenes
@testable import Surface

extension NodeTree {
  /// The instrument's tree with more knobs in the sound of a part, as it will have.
  static func scaled(knobsPerPart: Int) -> NodeTree {
    let rows = Table.rows.indices.filter { Table.rows[$0].field.scope == .patch }
    let others = Table.rows.count { [.strip, .input, .morph].contains($0.field.scope) }
    let more = (0..<knobsPerPart - rows.count - others).flatMap { index in
      Node.knob(row: rows[index % rows.count], path: "/group\(index / 10)/knob\(index % 10)")
    }
    return NodeTree(Node.all + more)
  }
}

/// A client on a network that loses some of everything, on times that the test gives. A control of it shows what it
/// was last set to, by a hand or by a message.
final class LossyClient {
  let peer: Peer
  private(set) var controls: [String: OSCValue] = [:]

  init(_ peer: Peer) { self.peer = peer }

  func receive(_ messages: [OSCMessage]) {
    for message in messages { controls[message.address] = message.value }
  }

  /// It begins afresh, with nothing right.
  func begin() { controls = [:] }

  /// A hand moves a fader.
  func move(_ address: String, to way: Float) { controls[address] = .float(way) }
}
