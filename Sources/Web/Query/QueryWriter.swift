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
