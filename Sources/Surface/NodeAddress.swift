/// The target of an address: a node, with the part and the number that the address names.
public struct NodeAddress: Sendable, Hashable {
  /// Index into the tree's nodes.
  let node: Int
  /// The part, 0…7; nil for a bare address.
  public internal(set) var part: Int?
  /// The number at `<n>`; 0 without one.
  public internal(set) var number: Int
}
