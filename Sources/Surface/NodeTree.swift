import Parameters
import Scenes
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

/// A word of an address with all branches below it, for walks of the address tree, as by OSCQuery.
public struct TreeBranch: Sendable {
  /// The word; empty for the root.
  public let name: String
  /// The target of the address up to this word; nil if that is only the beginning of other addresses.
  public private(set) var target: NodeAddress?
  /// The branches of the words that may follow, in the order of the reference.
  public private(set) var children: [TreeBranch] = []

  private init(_ name: String) { self.name = name }

  /// Makes the whole tree from its root: the bare addresses, and those of each part.
  public init(_ tree: NodeTree) {
    self.init("")
    for (index, node) in tree.nodes.enumerated() {
      for number in node.numbers ?? 0...0 { add(NodeAddress(node: index, number: number), tree) }
      if !node.isPerPart { continue }
      for part in 0..<Limits.parts {
        for number in node.numbers ?? 0...0 {
          add(NodeAddress(node: index, part: part, number: number), tree)
        }
      }
    }
  }

  private mutating func add(_ target: NodeAddress, _ tree: NodeTree) {
    add(target, at: tree.text(target).split(separator: "/")[...])
  }

  private mutating func add(_ target: NodeAddress, at words: ArraySlice<Substring>) {
    guard let word = words.first else {
      self.target = target
      return
    }
    let index = children.firstIndex { $0.name == word } ?? children.count
    if index == children.count { children.append(TreeBranch(String(word))) }
    children[index].add(target, at: words.dropFirst())
  }

  /// The branch at a path below, such as `/filter/cutoff`; nil for an unknown path.
  public subscript(path: String) -> TreeBranch? {
    var branch = self
    for word in path.split(separator: "/") {
      guard let next = branch.children.first(where: { $0.name == word }) else { return nil }
      branch = next
    }
    return branch
  }
}

/// The target of an address: a node, with the part and the number that the address names.
public struct NodeAddress: Sendable, Hashable {
  // Small, because feedback holds thousands of them.
  private let index: Int32
  private var partOrNone: Int8
  private var numberInPath: Int16

  init(node: Int, part: Int? = nil, number: Int) {
    (index, partOrNone, numberInPath) = (Int32(node), Int8(part ?? -1), Int16(number))
  }

  /// Index into the tree's nodes.
  var node: Int { Int(index) }
  /// The part, 0…7; nil for a bare address.
  public internal(set) var part: Int? {
    get { partOrNone < 0 ? nil : Int(partOrNone) }
    set { partOrNone = Int8(newValue ?? -1) }
  }
  /// The number at `<n>`; 0 without one.
  public internal(set) var number: Int {
    get { Int(numberInPath) }
    set { numberInPath = Int16(newValue) }
  }
}
