import Foundation

/// A small file system in memory; nil if the system does not allow it.
public final class Disk {
  /// The mount point.
  public let folder = Folder()

  /// Mounts a file system of that many kilobytes.
  public init?(kilobytes: Int) {
    guard run("mount", "-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", folder.path) else {
      print("skipped: a disk of its own needs the right to mount")
      return nil
    }
  }

  deinit { _ = run("umount", "-l", folder.path) }

  /// Makes the file system read-only or writable. False if that fails.
  public func readOnly(_ on: Bool) -> Bool {
    // A process that another test starts holds every open file until it runs its program, and keeps the disk busy.
    eventually { run("mount", "-o", "remount,\(on ? "ro" : "rw")", folder.path) }
  }

  /// Fills all free space.
  public func fill() { _ = run("dd", "if=/dev/zero", "of=\(folder.path)/ballast", "bs=4096") }

  /// Runs a command. True if it succeeds.
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
