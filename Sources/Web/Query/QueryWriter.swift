import Control
import Surface
import System

/// Writes a branch of the tree as JSON, a few nodes at a time, so that no message waits for it. Control thread only.
struct QueryWriter {
  private var json = JSONWriter()
  // The branches that are open, each with the children that are still to be written.
  private var open: [ArraySlice<QueryBranch>] = []
  private let attributes: QueryAttributes
  private let inPart: Bool
  private let ofPage: Bool

  /// Begins with a branch.
  /// - Parameters:
  ///   - ofPage: Only knobs, with what the page must know about them.
  ///   - onlyContents: Leaves the attributes of the branch itself out.
  init(_ branch: QueryBranch, _ attributes: QueryAttributes, ofPage: Bool, onlyContents: Bool = false) {
    self.attributes = attributes
    (inPart, self.ofPage) = (branch.path.hasPrefix("/part/"), ofPage)
    json.reserve(1 << 16)
    begin(branch, onlyContents: onlyContents)
  }

  /// Writes for at most until `end`, CLOCK_MONOTONIC. Returns everything once it is complete.
  mutating func write(until end: Int64) -> [UInt8]? {
    repeat {
      guard var rest = open.popLast() else { return json.bytes }
      if let branch = rest.popFirst() {
        open.append(rest)
        json.name(branch.name)
        begin(branch)
      } else {
        json.endObject()
        json.endObject()
      }
    } while monotonic() < end
    return open.isEmpty ? json.bytes : nil
  }

  private mutating func begin(_ branch: QueryBranch, onlyContents: Bool = false) {
    json.beginObject()
    if !onlyContents { attributes.write(branch, ofPage: ofPage, to: &json) }
    let children = branch.listed(inPart: inPart).filter { !ofPage || attributes.leadsToKnob($0) }
    if branch.isValue { return json.endObject() }
    json.name("CONTENTS")
    json.beginObject()
    open.append(children[...])
  }
}

/// A word of the tree as OSCQuery shows it. There, a node is either a value or a group, since some clients ignore the
/// value of a node that has others below it.
struct QueryBranch: Sendable {
  /// The word; empty for the root.
  let name: String
  /// The address.
  let path: String
  /// The target of the address; nil if the branch only leads to others.
  let target: NodeAddress?
  /// Whether it is shown as a value, and not as a group.
  let isValue: Bool
  /// The branches below it, also those that are not listed and only answer to their address.
  let children: [QueryBranch]
  /// When it is listed.
  let listing: Listing

  /// When a branch is listed in the tree above it.
  enum Listing: Sendable {
    case always
    /// In the tree of its part, and not in that of the instrument: the bare addresses mean the part in focus.
    case inPart
    case never
  }

  /// The tree of the instrument.
  init(_ tree: NodeTree) { self.init(TreeBranch(tree), "", tree) }

  private init(_ branch: TreeBranch, _ path: String, _ tree: NodeTree) {
    (name, self.path, target) = (branch.name, path.isEmpty ? "/" : path, branch.target)
    let children = branch.children.map { QueryBranch($0, "\(path)/\($0.name)", tree) }
    let node = branch.target.map { tree[$0] }
    let isValue = node.map { QueryBranch.isValue($0, children) } ?? false
    if let node, let target = branch.target, isValue {
      listing = !node.isListed ? .never : target.part != nil && node.isOfSound ? .inPart : .always
    } else if children.contains(where: { $0.listing == .always }) {
      listing = .always
    } else {
      listing = children.contains { $0.listing == .inPart } ? .inPart : .never
    }
    (self.isValue, self.children) = (isValue, children)
  }

  /// Whether a node is shown as a value: if it can be read, or if all names below it, if any, are numbers.
  private static func isValue(_ node: Node, _ children: [QueryBranch]) -> Bool {
    if node.access == .read || node.access == .both { return true }
    return children.allSatisfy { $0.name.allSatisfy(\.isNumber) }
  }

  /// The branches that are listed below it in the tree of the instrument, or of a part.
  func listed(inPart: Bool) -> [QueryBranch] {
    if isValue { return [] }
    return children.filter { $0.listing == .always || inPart && $0.listing == .inPart }
  }

  /// The branch at a path below, such as `/filter/cutoff`; nil for an unknown path.
  subscript(path: some StringProtocol) -> QueryBranch? {
    var branch = self
    for word in path.split(separator: "/") {
      guard let next = branch.children.first(where: { $0.name == word }) else { return nil }
      branch = next
    }
    return branch
  }
}

/// The description of the instrument for OSCQuery.
struct HostInfo {
  /// The ports of OSC, and of the page and WebSocket.
  let oscPort, webPort: Int

  /// The extensions of OSCQuery that pipit supports, and its own.
  private static let extensions = [
    "ACCESS", "VALUE", "RANGE", "DESCRIPTION", "UNIT", "CLIPMODE", "OVERLOADS", "LISTEN", "PIPIT_ALL",
  ]

  /// The answer to `?HOST_INFO`. The address of the machine is left out: clients use the one that they asked.
  var json: [UInt8] {
    var json = JSONWriter()
    json.beginObject()
    json.name("NAME")
    json.value("pipit on \(hostName())")
    json.name("OSC_PORT")
    json.value(oscPort)
    json.name("OSC_TRANSPORT")
    json.value("UDP")
    json.name("WS_PORT")
    json.value(webPort)
    json.name("EXTENSIONS")
    json.beginObject()
    for name in HostInfo.extensions {
      json.name(name)
      json.value(true)
    }
    json.endObject()
    json.endObject()
    return json.bytes
  }
}
