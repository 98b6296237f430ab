import Parameters
import Synth
import System

/// All addresses of the surface. One node serves all eight parts and all numbers.
public final class NodeTree: Sendable {
  /// The tree of the instrument.
  public static let instrument = NodeTree(Node.all)

  /// Every node, in the order of the reference.
  public let nodes: [Node]
  // The targets of addresses without a part, one for each number; for a knob, only its fader position.
  private let targets: [String: NodeAddress]

  /// A tree of nodes.
  init(_ nodes: [Node]) {
    self.nodes = nodes
    var targets: [String: NodeAddress] = [:]
    for (index, node) in nodes.enumerated() where !node.isBesideFader {
      for number in node.numbers ?? 0...0 {
        targets[node.address(number: number)] = NodeAddress(node: index, number: number)
      }
    }
    self.targets = targets
  }

  /// The target of an address, also of a former one; nil for an unknown address.
  public func find(_ address: String) -> NodeAddress? {
    findPresent(address) ?? FormerNames.address(address).flatMap(findPresent)
  }

  private func findPresent(_ address: String) -> NodeAddress? {
    guard let (part, rest) = Table.part(address[...]) else { return bare(address) }
    guard var found = bare(String(rest)), nodes[found.node].isPerPart else { return nil }
    found.part = part
    return found
  }

  /// The target of an address without a part.
  private func bare(_ address: String) -> NodeAddress? {
    if let target = targets[address] { return target }
    // The nodes of a knob's unit and text follow that of its fader position.
    guard let slash = address.utf8.lastIndex(of: UInt8(ascii: "/")),
      let fader = targets[String(address[..<slash])], nodes[fader.node].row != nil
    else { return nil }
    let others = nodes[(fader.node + 1)...].prefix { $0.isBesideFader }
    return others.firstIndex { $0.path == address }.map { NodeAddress(node: $0, number: 0) }
  }

  /// The node of a target.
  public subscript(target: NodeAddress) -> Node { nodes[target.node] }

  /// The address of a target as text.
  public func text(_ target: NodeAddress) -> String {
    NodeTree.prefix(target.part) + nodes[target.node].address(number: target.number)
  }

  /// The beginning of an address, as `/part/3`; empty for the part in focus.
  private static func prefix(_ part: Int?) -> String { part.map { "/part/\($0 + 1)" } ?? "" }

  /// The known address nearest to an unknown one; nil if none is near.
  func nearest(to address: String) -> String? {
    guard address.utf8.count <= 64 else { return nil }
    let (part, rest) = Table.part(address[...]).map { ($0.part, $0.rest) } ?? (nil, address[...])
    let wrong = Array(rest.utf8)
    var best: (path: String, distance: Int)?
    // Numbered nodes are left out: the 128 addresses of notes would be near everything.
    for node in nodes where node.numbers == nil && (part == nil || node.isPerPart) {
      let path = node.path
      let distance = editDistance(wrong, Array(path.utf8), below: best.map { $0.distance + 1 } ?? 4)
      // Among equally near names, the first in the alphabet.
      if let best, (best.distance, best.path) <= (distance, path) { continue }
      if distance < 4 { best = (path, distance) }
    }
    return best.map { NodeTree.prefix(part) + $0.path }
  }
}
