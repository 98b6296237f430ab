import Glibc
import Parameters
import Scenes
import Testing
@testable import Surface

/// The tree of addresses: what an address finds, what a pattern matches, what a wrong one was meant to be.
struct NodeTreeTests {
  private let tree = NodeTree.instrument

  @Test("Every node is found at its address, in every part where there is one, and nowhere else")
  func found() throws {
    for (index, node) in tree.nodes.enumerated() {
      for number in node.numbers ?? 0...0 {
        let address = node.address(number: number)
        let target = NodeAddress(node: index, number: number)
        #expect(tree.find(address) == target && tree.text(target) == address, "\(address)")
        for part in 0..<Limits.parts {
          let named = NodeAddress(node: index, part: part, number: number)
          #expect(tree.find("/part/\(part + 1)" + address) == (node.isPerPart ? named : nil), "\(address)")
          if node.isPerPart { #expect(tree.text(named) == "/part/\(part + 1)" + address) }
        }
      }
    }
    for wrong in [
      "", "/", "filter/cutoff", "/filter/cutoff/", "/Filter/cutoff", "/note/128", "/note/-1", "/note/<n>",
      "/part/0/level", "/part/9/level", "/part/12/level", "/part/1/master/level", "/part/1/part/2/level",
      "/part/1", "/part/1/", "/part//level", "/filter/cutoff/text/hz",
    ] { #expect(tree.find(wrong) == nil, "\(wrong)") }
  }

  @Test("No two nodes have one address, each has a sentence, and what it takes is data")
  func rows() {
    let addresses = tree.nodes.flatMap { node in (node.numbers ?? 0...0).map { node.address(number: $0) } }
    #expect(Set(addresses).count == addresses.count)
    for node in tree.nodes {
      #expect(node.about.hasSuffix("."), "\(node.path)")
      #expect(
        node.access != .none || node.list != nil || node.ask != nil || node.inquire != nil, "\(node.path)")
      #expect(node.path.contains("<n>") == (node.numbers != nil), "\(node.path)")
      // What can be read has a type.
      #expect(!node.isReadable || node.arguments.count == 1, "\(node.path)")
    }
    let cutoff = tree.nodes.first { $0.path == "/filter/cutoff/hz" }
    #expect(cutoff?.arguments.first?.range == 20...20_000 && cutoff?.arguments.first?.tag == .float)
    #expect(cutoff?.access == .both)
    let wave = tree.nodes.first { $0.path == "/osc/1/wave" }
    #expect(wave?.arguments.first?.choices.contains("saw") == true && wave?.arguments.first?.tag == .int)
  }

  @Test("What a node is read as is of the type that it declares, and in its range")
  func types() {
    let harness = SurfaceHarness()
    for node in tree.nodes {
      guard let value = node.value(harness.control, part: 0, number: node.numbers?.lowerBound ?? 0),
        let type = node.arguments.first
      else { continue }
      switch value {
      case .float(let number):
        #expect(type.tag == .float && type.range?.contains(Double(number)) != false, "\(node.path) \(number)")
      case .int(let number):
        let isInside = type.range?.contains(Double(number)) != false
        // A part without a preset has no program.
        #expect(type.tag == .int && (isInside || node.path == "/preset/program"), "\(node.path) \(number)")
      case .string: #expect(type.tag == .string, "\(node.path)")
      case .truth: Issue.record("\(node.path) is read as a truth value, which only OSCQuery has")
      }
    }
  }

  @Test("A pattern reaches the knobs that it matches, each once, and no command")
  func patterns() throws {
    func matches(_ text: String) throws -> [String] {
      try #require(Pattern(text), "\(text)").matches(in: tree).map(tree.text).sorted()
    }
    #expect(try matches("/part/*/mute") == (1...8).map { "/part/\($0)/mute" })
    #expect(try matches("/part/[2-3]/mute") == ["/part/2/mute", "/part/3/mute"])
    #expect(try matches("/{part,part}/{1,2,1}/mute") == ["/part/1/mute", "/part/2/mute"])
    #expect(try matches("/osc/?/octave/octaves") == (1...3).map { "/osc/\($0)/octave/octaves" })
    #expect(try matches("/part/1/osc/*/wave") == (1...3).map { "/part/1/osc/\($0)/wave" })
    #expect(try matches("/*/{cutoff,1/cutoff}") == ["/filter/cutoff", "/lfo/1/cutoff"])
    #expect(try matches("/part/9*/level") == [] && matches("/preset/*") == [] && matches("/*") != [])
    for tangled in ["/{a", String(repeating: "*", count: 5), "/" + String(repeating: "{,", count: 25)] {
      #expect(Pattern(tangled) == nil)
    }
  }

  @Test("A wrong address is told the nearest, in the part that it names")
  func nearest() {
    #expect(tree.nearest(to: "/filter/cutof") == "/filter/cutoff")
    #expect(tree.nearest(to: "/part/3/filter/cuttof") == "/part/3/filter/cutoff")
    #expect(tree.nearest(to: "/part/3/master/levle") != "/part/3/master/level")
    #expect(tree.nearest(to: "/pannic") == "/panic")
    // Of equally near ones the first in the alphabet, wherever it stands in the table.
    #expect(tree.nearest(to: "/osc/4/wave") == "/osc/1/wave")
    #expect(tree.nearest(to: "/brontosaurus") == nil)
    #expect(tree.nearest(to: "/" + String(repeating: "x", count: 100)) == nil)
  }

  @Test("A node of a knob holds only its row and its spelling; a target is eight bytes")
  func size() throws {
    let place = try #require(dlsym(nil, "malloc_usable_size"))
    let usableSize = unsafeBitCast(place, to: (@convention(c) (UnsafeRawPointer) -> Int).self)
    #expect(usableSize(Unmanaged.passUnretained(try #require(Node.knobs.first)).toOpaque()) <= 72)
    #expect(MemoryLayout<NodeAddress>.stride <= 8)
  }

  @Test("Every entry of the feedback has an address of its own, and finds itself")
  func entries() {
    let map = FeedbackMap(tree)
    let texts = (0..<map.count).map { map.text($0) }
    #expect(Set(texts).count == texts.count)
    for entry in 0..<map.count { #expect(map.entry(map[entry]) == entry, "\(map.text(entry))") }
    // Knobs in their unit and notes are nobody's news.
    for address in ["/filter/cutoff/hz", "/note/60", "/part/2/amp/attack/seconds"] {
      #expect(tree.find(address).flatMap { map.entry($0) } == nil, "\(address)")
    }
  }
}
