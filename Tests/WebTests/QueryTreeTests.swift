import Parameters
import Scenes
import Surface
import Testing
@testable import Web

/// The tree as OSCQuery shows it.
struct QueryTreeTests {
  private let tree = QueryBranch(.instrument)

  private func values(_ branch: QueryBranch, inPart: Bool) -> [QueryBranch] {
    branch.isValue ? [branch] : branch.listed(inPart: inPart).flatMap { values($0, inPart: inPart) }
  }

  @Test("Each knob is listed once by its bare address, and the strip of each part by its own")
  func once() {
    let addresses = values(tree, inPart: false).map(\.path)
    #expect(Set(addresses).count == addresses.count)
    for row in Table.rows {
      #expect(addresses.contains(row.address), "\(row.address)")
      let isStrip = row.field.scope == .strip
      #expect(addresses.contains("/part/8" + row.address) == isStrip, "\(row.address)")
    }
    #expect(
      !addresses.contains {
        $0.hasSuffix("/text") && !["/learn/text", "/preset/text"].contains($0)
          && !$0.hasPrefix("/sequence/slot/") || $0.hasSuffix("/hz") || $0.hasPrefix("/debug")
      })
  }

  @Test("The tree of a part has all of its knobs")
  func part() throws {
    let branch = try #require(tree["/part/3"])
    let addresses = values(branch, inPart: true).map(\.path)
    for row in Table.rows where row.field.scope != .master {
      #expect(addresses.contains("/part/3" + row.address), "\(row.address)")
    }
  }

  @Test("What is not listed answers to its address, and nothing else does")
  func unlisted() {
    for path in [
      "/filter/cutoff/hz", "/filter/cutoff/text", "/part/2/osc/1/wave", "/note/60", "/", "/presets/list",
    ] {
      #expect(tree[path] != nil, "\(path)")
    }
    for path in ["/filter/cutof", "/part/9", "/filter/cutoff/hz/x"] { #expect(tree[path] == nil, "\(path)") }
  }

  @Test("A choice is a name, a switch a truth, a button an impulse, and a note two numbers")
  func types() throws {
    func type(_ path: String) throws -> String {
      let target = try #require(NodeTree.instrument.find(path))
      return QueryType(NodeTree.instrument[target]).tags
    }
    #expect(try type("/osc/1/wave") == "s" && type("/drive/on") == "T" && type("/panic") == "I")
    #expect(try type("/note") == "if" && type("/filter/cutoff") == "f" && type("/focus") == "i")
    for node in NodeTree.instrument.nodes where node.isListed {
      #expect(!QueryType(node).tags.isEmpty, "\(node.path)")
    }
  }

  @Test(
    "The names of presets are a range as long as they are a menu, since no round may wait for a hundred thousand"
  )
  func presets() throws {
    let served = try ServedPage()
    let library = served.instrument.library
    let attributes = QueryAttributes(surface: served.surface, version: "1")
    let target = try #require(NodeTree.instrument.find("/preset/load"))
    func names() -> Int {
      var json = JSONWriter()
      json.beginObject()
      attributes.write("RANGE", target, to: &json)
      json.endObject()
      return String(decoding: json.bytes, as: UTF8.self).ranges(of: "\"Sound ").count
    }
    for number in 1...QueryAttributes.mostPresets {
      _ = try library.save(.initial, name: "Sound \(number)")
    }
    #expect(names() == QueryAttributes.mostPresets)
    _ = try library.save(.initial, name: "Sound 0")
    #expect(names() == 0)
  }

  @Test("Written a few nodes at a time, the tree is what it is written at once")
  func steps() throws {
    let served = try ServedPage()
    let attributes = QueryAttributes(surface: served.surface, version: "1")
    var (slow, quick) = (
      QueryWriter(tree, attributes, ofPage: true), QueryWriter(tree, attributes, ofPage: true)
    )
    var steps = 1
    while true {
      if let bytes = slow.write(until: .min) {
        #expect(bytes == quick.write(until: .max))
        break
      }
      steps += 1
    }
    #expect(steps > 200)
  }
}
