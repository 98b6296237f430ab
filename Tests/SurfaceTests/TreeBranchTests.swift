import Scenes
import Testing
@testable import Surface

/// The tree as somebody sees it who is no part of the surface.
struct TreeBranchTests {
  private let harness = SurfaceHarness()
  private let tablet = Peer(host: 0xC000_0201, port: 50_000)
  private let root = TreeBranch(.instrument)

  @Test("Whoever walks the tree meets each address once, and reads what a query answers")
  func walked() {
    var met: Set<NodeAddress> = []
    var open = [(branch: root, path: "")]
    while let (branch, path) = open.popLast() {
      open += branch.children.map { ($0, path + "/" + $0.name) }
      guard let target = branch.target else {
        #expect(!branch.children.isEmpty, "\(path)")
        continue
      }
      #expect(met.insert(target).inserted)
      #expect(harness.surface.tree.find(path) == target, "\(path)")
      guard let value = harness.surface.value(at: target), harness.surface.tree[target].list == nil else {
        continue
      }
      harness.transport.answers = []
      harness.send(path, from: tablet, at: 0)
      #expect(harness.transport.answers == [OSCMessage(path, value)], "\(path)")
    }
    let nodes = harness.surface.tree.nodes
    let addresses = nodes.map { ($0.numbers?.count ?? 1) * ($0.isPerPart ? 1 + Limits.parts : 1) }
    #expect(met.count == addresses.reduce(0, +))
  }

  @Test("A path leads to a word with those that follow it, its range and its unit")
  func found() throws {
    #expect(root["/filter/cutoff"]?.children.map(\.name) == ["hz", "text"])
    #expect(root["/filter"]?.target == nil && root["/nowhere"] == nil)
    let hertz = try #require(root["/part/3/filter/cutoff/hz"]?.target)
    let type = try #require(harness.surface.tree[hertz].arguments.first)
    #expect(type.unit == .hertz && type.range == 20...20_000 && hertz.part == 2)
  }
}
