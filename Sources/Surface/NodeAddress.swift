/// A node, and the part and the number that an address names with it.
struct NodeAddress: Sendable, Hashable {
  /// Index into the tree's nodes.
  let node: Int
  /// The part that is named; nil for a bare address.
  var part: Int?
  /// The number in the place of `<n>`; 0 where there is none.
  var number: Int
}
