import System

/// Names that the knobs of an instrument learn while it runs: they follow their fixed names, and a name keeps its number
/// as long as the register exists. Presets and sessions hold the names, scenes the numbers. A text that does not become
/// part of a scene, as one that is imported or compared, is read with a register of its own. Any thread.
public final class NameRegister: Sendable {
  private struct Names {
    var all: [String] = []
    // By the name in lower case.
    var numbers: [String: Int] = [:]
  }
  private let names = Mutex(Names())

  /// A register without names.
  public init() {}

  /// The most names: more than the presets of all banks have. Presets may name files that do not exist.
  public static let mostNames = 65_536

  /// The number of names.
  public var count: Int { names.withLock { $0.all.count } }

  /// All names, by their numbers.
  public var all: [String] { names.withLock { $0.all } }

  /// The name with a number; nil if there is none.
  public func name(_ number: Int) -> String? {
    names.withLock { $0.all.indices.contains(number) ? $0.all[number] : nil }
  }

  /// The number of a name, regardless of case; nil for an unknown one.
  public func number(_ name: some StringProtocol) -> Int? {
    let word = name.lowercased()
    return names.withLock { $0.numbers[word] }
  }

  /// Whether a name can be learned: it names a file, and is no number, which would mean a value. Every text that can
  /// hold it reads it back. Any thread.
  static func isName(_ name: some StringProtocol) -> Bool {
    FileName.isValid(name) && Double(String(name)) == nil
  }

  /// Adds a name, unless it is known, and returns its number. Nil for one that names no file or is a number, and when
  /// there are too many.
  @discardableResult
  public func learn(_ name: some StringProtocol) -> Int? {
    if let number = number(name) { return number }
    let isName = Self.isName(name)
    return names.withLock { names in
      guard isName, names.all.count < Self.mostNames else { return nil }
      names.all.append(String(name))
      names.numbers[name.lowercased()] = names.all.count - 1
      return names.all.count - 1
    }
  }
}
