import Synth

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
