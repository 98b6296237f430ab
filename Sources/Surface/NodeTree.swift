import Parameters
import Synth
import System

/// All addresses of the surface. One node serves all eight parts and all numbers.
public final class NodeTree: Sendable {
  /// The tree of the instrument.
  public static let instrument = NodeTree(Node.all)

  /// Every node, in the order of the reference.
  public let nodes: [Node]
  // Targets by address without a part; each number has an address.
  private let bare: [Substring: NodeAddress]
  // The addresses that a wrong one is compared with, without numbered ones: 128 notes would be near everything.
  private let spellings: [(node: Int, letters: [UInt8])]

  /// A tree of nodes.
  init(_ nodes: [Node]) {
    self.nodes = nodes
    var bare: [Substring: NodeAddress] = [:]
    for (index, node) in nodes.enumerated() {
      for number in node.numbers ?? 0...0 {
        bare[node.address(number: number)[...]] = NodeAddress(node: index, number: number)
      }
    }
    self.bare = bare
    spellings = nodes.enumerated().filter { $0.element.numbers == nil }
      .sorted { $0.element.path < $1.element.path }.map { ($0.offset, Array($0.element.path.utf8)) }
  }

  /// The target of an address, also of a former one; nil for an unknown address.
  public func find(_ address: String) -> NodeAddress? {
    findPresent(address) ?? FormerNames.address(address).flatMap(findPresent)
  }

  private func findPresent(_ address: String) -> NodeAddress? {
    guard let (part, rest) = Table.part(address[...]) else { return bare[address[...]] }
    guard var found = bare[rest], nodes[found.node].isPerPart else { return nil }
    found.part = part
    return found
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
    var best: (node: Int, distance: Int)?
    for (index, letters) in spellings where part == nil || nodes[index].isPerPart {
      let limit = best?.distance ?? 4
      let distance = editDistance(wrong, letters, below: limit)
      if distance < limit { best = (index, distance) }
    }
    return best.map { NodeTree.prefix(part) + nodes[$0.node].path }
  }
}
