import Foundation

/// A small disk of its own; nil where the system does not allow it.
public final class Disk {
  /// Where it is.
  public let folder = Folder()

  /// A disk of so many kilobytes.
  public init?(kilobytes: Int) {
    guard run("mount", "-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", folder.path) else {
      print("skipped: a disk of its own needs the right to mount")
      return nil
    }
  }

  deinit { _ = run("umount", "-l", folder.path) }

  /// Makes it one that can only be read, or one that can be written. False when that fails.
  public func readOnly(_ on: Bool) -> Bool {
    run("mount", "-o", "remount,\(on ? "ro" : "rw")", folder.path)
  }

  /// Leaves no room at all.
  public func fill() { _ = run("dd", "if=/dev/zero", "of=\(folder.path)/ballast", "bs=4096") }

  /// Runs a command. True when it has done what it is for.
  public func run(_ words: String...) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
