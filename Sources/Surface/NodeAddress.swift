/// The target of an address: a node, with the part and the number that the address names.
public struct NodeAddress: Sendable, Hashable {
  // Small, because feedback holds thousands of them.
  private let index: Int32
  private var partOrNone: Int8
  private var numberInPath: Int16

  init(node: Int, part: Int? = nil, number: Int) {
    (index, partOrNone, numberInPath) = (Int32(node), Int8(part ?? -1), Int16(number))
  }

  /// Index into the tree's nodes.
  var node: Int { Int(index) }
  /// The part, 0…7; nil for a bare address.
  public internal(set) var part: Int? {
    get { partOrNone < 0 ? nil : Int(partOrNone) }
    set { partOrNone = Int8(newValue ?? -1) }
  }
  /// The number at `<n>`; 0 without one.
  public internal(set) var number: Int {
    get { Int(numberInPath) }
    set { numberInPath = Int16(newValue) }
  }
}
