import Glibc
import Scratch
import Testing

@testable import Presets
@testable import Storage

/// One process writes into a state folder.
struct StateLockTests {
  @Test("A folder that is held is refused, with who holds it, and can be held again once it is let go")
  func held() throws {
    let folder = Folder()
    do {
      let lock = try StateLock(folder.path + "/state", timeout: 0)
      #expect {
        try StateLock(folder.path + "/state", timeout: 0)
      } throws: { error in
        "\(error)".hasPrefix("another pipit (process ")
          && "\(error)".contains(" uses \(folder.path)/state; stop it")
      }
      withExtendedLifetime(lock) {}
    }
    for _ in 0..<2 { _ = try StateLock(folder.path + "/state", timeout: 0) }
    // It leaves nothing behind.
    #expect(folder.names == ["state"])
  }

  @Test("A folder is let go though a process that is being started has a copy of what holds it")
  func copied() throws {
    let folder = Folder()
    func hold() throws -> Int32 {
      let lock = try StateLock(folder.path + "/state", timeout: 0)
      return dup(lock.descriptor)
    }
    let copy = try hold()
    #expect(copy >= 0)
    _ = try StateLock(folder.path + "/state", timeout: 0)
    close(copy)
  }

  @Test("A folder that can only be read is held as any other")
  func readOnly() throws {
    guard let disk = try Disk.readOnly() else { return }
    let lock = try StateLock(disk.folder.path, timeout: 0)
    #expect(throws: StateLock.Held.self) { try StateLock(disk.folder.path, timeout: 0) }
    withExtendedLifetime(lock) {}
  }

  @Test("A folder that cannot be made is held by nobody, and keeps nobody from playing")
  func none() throws {
    let locks = try (0..<2).map { _ in try StateLock("/dev/null/state", timeout: 0) }
    #expect(locks.count == 2)
  }

  @Test(
    "A new state is its user's to write and its group's to read, and nobody else's; an older one is closed")
  func modes() throws {
    let folder = Folder()
    func mode(_ name: String) -> mode_t {
      var status = stat()
      return stat(folder.path + name, &status) == 0 ? status.st_mode & 0o7777 : 0
    }
    StateFolder.make(of: folder.path + "/a/b/presets.sqlite")
    StateFolder.makeFile(folder.path + "/a/b/presets.sqlite")
    #expect(mode("/a/b") == 0o750 && mode("/a/b/presets.sqlite") == 0o640)
    let old = folder.file("old", "kept")
    for (before, after) in [(0o666, 0o660), (0o644, 0o640), (0o600, 0o600), (0o660, 0o660)]
      as [(mode_t, mode_t)]
    {
      chmod(old, before)
      StateFolder.makeFile(old)
      #expect(mode("/old") == after && contents(old) == Array("kept".utf8))
    }
  }
}
