/// A kind of documents, and how it is stored. Kinds are equal if their names are.
public struct DocumentKind: Hashable, Sendable {
  /// The name on disk, which never changes.
  public let name: String
  /// The number of earlier versions kept of each document, for undo.
  public let earlierVersions: Int
  /// How long changes are collected before a write, seconds, since writes wear a memory card: the lower bound on a fast
  /// disk, up to the upper bound on a slow one.
  public let gatherSeconds: ClosedRange<Double>
  /// The longest text, bytes.
  public let textBytes: Int
  /// The reports about writes.
  public let reports: Reports
  /// The keys of the documents, from which a new document gets a free one, and one whose key an unrelated document has.
  /// Nil for kinds in which the newer document replaces the other.
  public let keys: DocumentKeys?

  /// The reports about writes.
  public enum Reports: Sendable {
    /// Successes and failures: for documents that the player saves.
    case savesAndFailures
    /// Failures only.
    case failures
    /// None, since no sound depends on it. Such kinds are written after the others, each in a transaction of its own and
    /// only into ample space, so that they never keep others from the disk.
    case nothing
  }

  /// A kind.
  public init(
    _ name: String, earlierVersions: Int = 0, gatherSeconds: ClosedRange<Double> = 0...0, textBytes: Int,
    reports: Reports = .failures, keys: DocumentKeys? = nil
  ) {
    (self.name, self.earlierVersions, self.gatherSeconds) = (name, earlierVersions, gatherSeconds)
    (self.textBytes, self.reports, self.keys) = (textBytes, reports, keys)
  }

  public static func == (one: DocumentKind, other: DocumentKind) -> Bool { one.name == other.name }

  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

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
