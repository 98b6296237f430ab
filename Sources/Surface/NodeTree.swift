import Parameters
import Synth
import System

/// Every address that means something. There is one node for the eight parts and one for all numbers, and an address
/// is looked up once, whatever part it names.
public final class NodeTree: Sendable {
  /// The tree of the instrument.
  public static let instrument = NodeTree(Node.all)

  /// Every node, in the order of the reference.
  public let nodes: [Node]
  // By addresses without a part; each number has its own.
  private let bare: [Substring: NodeAddress]
  // What a wrong address is compared with: no numbers, since 128 notes are near everything.
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

  /// The node of an address, also by a former name; nil when there is none.
  public func find(_ address: String) -> NodeAddress? {
    findPresent(address) ?? FormerNames.address(address).flatMap(findPresent)
  }

  private func findPresent(_ address: String) -> NodeAddress? {
    guard let (part, rest) = Table.part(address[...]) else { return bare[address[...]] }
    guard var found = bare[rest], nodes[found.node].isPerPart else { return nil }
    found.part = part
    return found
  }

  /// The node that an address means, whatever part and number it names.
  public subscript(target: NodeAddress) -> Node { nodes[target.node] }

  /// The address as it is written.
  public func text(_ target: NodeAddress) -> String {
    NodeTree.prefix(target.part) + nodes[target.node].address(number: target.number)
  }

  /// What an address begins with: `/part/3`, or nothing for the part in focus.
  private static func prefix(_ part: Int?) -> String { part.map { "/part/\($0 + 1)" } ?? "" }

  /// The address most like one that means nothing; nil when none is near.
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
