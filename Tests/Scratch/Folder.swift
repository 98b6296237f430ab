import Foundation

/// A folder of its own for a test: empty, and gone with everything in it when nothing holds it any more.
public final class Folder: Sendable {
  /// Where it is, without a slash at the end.
  public let path: String

  /// An empty folder.
  public init() {
    path = "/tmp/pipit-test-\(UUID().uuidString)"
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The names in it, sorted.
  public var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  /// Puts a file into it, and into a folder of its own where the name says so. Returns its path.
  @discardableResult
  public func file(_ name: String, _ bytes: [UInt8]) -> String {
    let file = URL(fileURLWithPath: path + "/" + name)
    try? FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    _ = FileManager.default.createFile(atPath: file.path, contents: Data(bytes))
    return file.path
  }

  /// The same with a text.
  @discardableResult
  public func file(_ name: String, _ text: String) -> String { file(name, Array(text.utf8)) }
}

/// The bytes of a file; none when it cannot be read.
public func contents(_ path: String) -> [UInt8] {
  FileManager.default.contents(atPath: path).map(Array.init) ?? []
}
