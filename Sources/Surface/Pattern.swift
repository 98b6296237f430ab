import Glibc
import Scenes

/// An OSC address pattern, as `/part/*/level`. It matches knobs only, so that no pattern saves or deletes presets.
struct Pattern {
  // The pattern with its braces expanded.
  private let alternatives: [String]

  /// Whether an address contains a pattern character.
  static func isPattern(_ address: String) -> Bool { address.utf8.contains { "*?[{".utf8.contains($0) } }

  /// A pattern; nil for one that is too long or has too many stars or alternatives.
  init?(_ text: String) {
    guard text.utf8.count <= 64, text.utf8.filter({ $0 == UInt8(ascii: "*") }).count <= 4,
      let alternatives = Pattern.alternatives(text)
    else { return nil }
    self.alternatives = alternatives
  }

  /// The knobs of a tree that it matches, in the order of the tree.
  func matches(in tree: NodeTree) -> [NodeAddress] {
    var found: [NodeAddress] = []
    var isFound: Set<NodeAddress> = []
    for pattern in alternatives {
      let named = Pattern.parts(pattern)
      for (index, node) in tree.nodes.enumerated() where node.isKnob {
        var targets: [NodeAddress] = []
        if Pattern.fits(pattern, node.path) { targets.append(NodeAddress(node: index, number: 0)) }
        if let named, node.isPerPart, Pattern.fits(named.rest, node.path) {
          targets += named.parts.map { NodeAddress(node: index, part: $0, number: 0) }
        }
        for target in targets where isFound.insert(target).inserted { found.append(target) }
      }
    }
    return found
  }

  /// The parts that a pattern names, and the rest of the pattern; nil if it names none.
  private static func parts(_ pattern: String) -> (parts: [Int], rest: String)? {
    let words = pattern.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard words.count == 4, words[0].isEmpty, fits(String(words[1]), "part") else { return nil }
    let parts = (0..<Limits.parts).filter { fits(String(words[2]), "\($0 + 1)") }
    return parts.isEmpty ? nil : (parts, "/" + words[3])
  }

  private static func fits(_ pattern: String, _ text: String) -> Bool {
    fnmatch(pattern, text, FNM_PATHNAME | FNM_NOESCAPE) == 0
  }

  /// A pattern with `{a,b}` expanded, up to 64 alternatives; nil for more, or for unbalanced braces.
  private static func alternatives(_ pattern: String) -> [String]? {
    var done: [String] = []
    var open = [pattern]
    while let next = open.popLast() {
      guard let start = next.firstIndex(of: "{") else {
        done.append(next)
        continue
      }
      guard let end = next[start...].firstIndex(of: "}") else { return nil }
      for choice in next[next.index(after: start)..<end].split(
        separator: ",", omittingEmptySubsequences: false)
      {
        open.append(String(next[..<start]) + choice + next[next.index(after: end)...])
      }
      if open.count + done.count > 64 { return nil }
    }
    return done
  }
}
