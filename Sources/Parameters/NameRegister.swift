import System

/// Names that the knobs of an instrument learn while it runs: they follow their fixed names, and a name keeps its number
/// as long as the register exists. Presets and sessions hold the names, scenes the numbers. Any thread.
public final class NameRegister: Sendable {
  private let names = Mutex<[String]>([])

  /// A register without names.
  public init() {}

  /// The most names. Presets may name files that do not exist.
  public static let mostNames = 4_096
  /// The longest name, bytes.
  static let mostNameBytes = 200

  /// The number of names.
  public var count: Int { names.withLock { $0.count } }

  /// All names, by their numbers.
  public var all: [String] { names.withLock { $0 } }

  /// The name with a number; nil if there is none.
  public func name(_ number: Int) -> String? {
    names.withLock { $0.indices.contains(number) ? $0[number] : nil }
  }

  /// The number of a name, regardless of case; nil for an unknown one.
  public func number(_ name: some StringProtocol) -> Int? {
    let word = name.lowercased()
    return names.withLock { $0.firstIndex { $0.lowercased() == word } }
  }

  /// Adds a name, unless it is known, and returns its number. Nil for a name that does not fit in a line of a preset,
  /// and when there are too many.
  @discardableResult
  public func learn(_ name: some StringProtocol) -> Int? {
    if let number = number(name) { return number }
    let isName =
      (1...Self.mostNameBytes).contains(name.utf8.count) && name.first?.isWhitespace == false
      && name.last?.isWhitespace == false
      && name.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 }
      && !name.contains("/") && Double(String(name)) == nil
    return names.withLock { names in
      guard isName, names.count < Self.mostNames else { return nil }
      names.append(String(name))
      return names.count - 1
    }
  }
}
