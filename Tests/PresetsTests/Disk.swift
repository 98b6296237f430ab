import Foundation
import Scratch
import Testing

/// A small disk of its own; nil where the system does not allow it.
final class Disk {
  let folder = Folder()

  init?(kilobytes: Int) {
    guard run("mount", "-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", folder.path) else {
      print("skipped: a disk of its own needs the right to mount")
      return nil
    }
  }

  /// One that can only be read, with a preset "Old" on it.
  static func readOnly() throws -> Disk? {
    guard let disk = Disk(kilobytes: 1024) else { return nil }
    let library = disk.folder.library()
    try library.save(.initial, name: "Old")
    #expect(library.stop(within: 30))
    #expect(disk.readOnly(true))
    return disk
  }

  deinit { _ = run("umount", "-l", folder.path) }

  func readOnly(_ on: Bool) -> Bool { run("mount", "-o", "remount,\(on ? "ro" : "rw")", folder.path) }

  /// Leaves no room at all.
  func fill() { _ = run("dd", "if=/dev/zero", "of=\(folder.path)/ballast", "bs=4096") }

  func run(_ words: String...) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
