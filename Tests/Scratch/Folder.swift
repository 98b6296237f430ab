import Foundation

/// An empty folder for a test. It is removed with its contents when the last reference ends.
public final class Folder: Sendable {
  /// The path, without a slash at the end.
  public let path: String

  /// Makes an empty folder.
  public init() {
    path = "/tmp/pipit-test-\(UUID().uuidString)"
    precondition(mkdir(path, 0o700) == 0, "could not make \(path)")
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a test's database in the folder.
  public var database: String { path + "/presets.sqlite" }

  /// The sorted names of its files.
  public var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  /// Writes a file into the folder, or into a subfolder that its name contains. Returns its path.
  @discardableResult
  public func file(_ name: String, _ bytes: [UInt8]) -> String {
    let file = URL(fileURLWithPath: path + "/" + name)
    try? FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    let isThere = FileManager.default.createFile(atPath: file.path, contents: Data(bytes))
    precondition(isThere, "could not write \(file.path)")
    return file.path
  }

  /// Gives the folder a time of its last change, seconds since 1970.
  public func lastChange(seconds: Int) {
    let times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
    precondition(utimensat(AT_FDCWD, path, times, 0) == 0, "could not set the time of \(path)")
  }

  /// Writes a text file into the folder. Returns its path.
  @discardableResult
  public func file(_ name: String, _ text: String) -> String { file(name, Array(text.utf8)) }
}

/// The bytes of a file; empty if it cannot be read.
public func contents(_ path: String) -> [UInt8] {
  FileManager.default.contents(atPath: path).map(Array.init) ?? []
}
