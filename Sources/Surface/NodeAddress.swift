/// A node, and the part and the number that an address names with it.
public struct NodeAddress: Sendable, Hashable {
  /// Index into the tree's nodes.
  let node: Int
  /// The part that is named, 0…7; nil for a bare address.
  public internal(set) var part: Int?
  /// The number in the place of `<n>`; 0 where there is none.
  public internal(set) var number: Int
}
