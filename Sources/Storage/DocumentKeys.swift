/// The keys of the documents of a kind, in order. Keys that this version of pipit does not know come after them.
public struct DocumentKeys: Sendable {
  /// The number of keys.
  let count: Int
  /// The numbers of the keys that new documents get.
  let assigned: Range<Int>
  /// The key with a number from 0.
  let key: @Sendable (Int) -> String
  /// The number of a key, from 0; nil for an unknown one.
  let number: @Sendable (String) -> Int?

  /// Keys with the numbers from 0; new documents get those in `assigned`. Both functions may be called on any thread.
  public init(
    count: Int, assigned: Range<Int>? = nil, key: @escaping @Sendable (Int) -> String,
    number: @escaping @Sendable (String) -> Int?
  ) {
    (self.count, self.key, self.number) = (count, key, number)
    self.assigned = assigned ?? 0..<count
  }

  /// Whole numbers in digits.
  public static func numbers(_ range: ClosedRange<Int>) -> DocumentKeys {
    DocumentKeys(count: range.count) {
      "\(range.lowerBound + $0)"
    } number: { key in
      guard let number = Int(key), range.contains(number), "\(number)" == key else { return nil }
      return number - range.lowerBound
    }
  }

  /// The place of a key.
  func place(_ key: String) -> DocumentPlace { DocumentPlace(number: number(key) ?? .max, key: key) }
}

/// The place of a document in the order of its kind: by the number of its key, then by the key.
public struct DocumentPlace: Comparable, Sendable {
  /// The number of the key, from 0; `Int.max` for an unknown one.
  public let number: Int
  /// The key.
  public let key: String

  public static func < (one: DocumentPlace, other: DocumentPlace) -> Bool {
    one.number != other.number ? one.number < other.number : one.key < other.key
  }

  public static func == (one: DocumentPlace, other: DocumentPlace) -> Bool {
    one.number == other.number && one.key == other.key
  }
}
