import Foundation

/// A folder of its own for a test: empty, and gone with everything in it when nothing holds it any more.
public final class Folder: Sendable {
  /// Where it is, without a slash at the end.
  public let path: String

  /// An empty folder.
  public init() {
    path = "/tmp/pipit-test-\(UUID().uuidString)"
    precondition(mkdir(path, 0o700) == 0, "could not make \(path)")
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Where a test keeps its database in it.
  public var database: String { path + "/presets.sqlite" }

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
    let isThere = FileManager.default.createFile(atPath: file.path, contents: Data(bytes))
    precondition(isThere, "could not write \(file.path)")
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
