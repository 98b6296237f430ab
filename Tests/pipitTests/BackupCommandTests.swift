import Glibc
import OSC
import Scenes
import Scratch
import Surface
import System
import Testing
@testable import Presets
@testable import Storage
@testable import pipit

/// `pipit backup` and `pipit restore` on real state folders, with a running instrument and without one.
@Suite(.serialized) struct BackupCommandTests {
  private let folder = Folder()

  private func names(_ state: String) -> [String] {
    Library(database: state + "/presets.sqlite", factory: nil, writes: false) { _ in }.presets.map(\.name)
  }

  private func fill(_ state: String, _ name: String) throws {
    let library = Library(database: state + "/presets.sqlite", factory: nil) { _ in }
    try library.save(.initial, name: name)
    #expect(library.stop(within: 60))
  }

  /// Options for a state folder and a configuration of its own.
  private func options(_ state: String) -> [String] {
    let name = state.split(separator: "/").last ?? ""
    if access(state + ".conf", F_OK) != 0 { folder.file("\(name).conf", "# nothing\n") }
    return ["--state", state, "--config", state + ".conf"]
  }

  @Test("writes and restores without an instrument, and keeps the configuration before")
  func alone() throws {
    let (one, two) = (folder.path + "/one", folder.path + "/two")
    try fill(one, "First")
    folder.file("one/songs/a.mid", [1])
    folder.file("one.conf", "rate = 44100\n")
    folder.file("two.conf", "rate = 96000\n")
    let file = folder.path + "/b.tar.gz"
    let backup = Run(["backup", file] + options(one))
    #expect(backup.status == 0 && backup.output == "\(file): 1 kB\n" && backup.errors.isEmpty, "\(backup)")
    #expect(Run(["backup", "-"] + options(one), output: folder.path + "/stdout").status == 0)
    #expect(contents(folder.path + "/stdout").prefix(2) == [0x1F, 0x8B])

    // On a clean box, then over it.
    for round in 1...2 {
      let restore = Run(["restore", file] + options(two))
      #expect(restore.status == 0 && restore.errors.isEmpty, "\(restore)")
      #expect(
        restore.output.hasPrefix("restored 1 preset, 1 song and 0 tuning files of "), "\(restore.output)")
      #expect(names(two) == ["First"] && contents(two + "/songs/a.mid") == [1])
      #expect(text(two + ".conf") == "rate = 44100\n" && text(two + ".conf.before") == "rate = 96000\n")
      #expect(restore.output.contains("the configuration is restored") == (round == 1))
      #expect(access(two + "/restored", F_OK) != 0 || round == 1)
    }
    #expect((fileNames(in: two + "/backups") ?? []).count == 2)
  }

  @Test("refuses what is no backup, and another file than one that can be read; nothing is changed")
  func wrong() throws {
    let state = folder.path + "/one"
    try fill(state, "Mine")
    let file = folder.path + "/b.tar.gz"
    #expect(Run(["backup", file] + options(state)).status == 0)
    let cut = folder.file("cut.tar.gz", Array(contents(file).dropLast(20)))
    for (path, why) in [
      (cut, "damaged"), (folder.file("x", "hello"), "no backup of pipit"), ("/nowhere/x", "cannot read"),
    ] {
      let run = Run(["restore", path] + options(state))
      #expect(run.status == 1 && run.errors.contains(why), "\(run.errors)")
    }
    #expect(names(state) == ["Mine"] && access(state + "/backups", F_OK) != 0)
    #expect(Run(["backup", file] + options(folder.path + "/none")).errors.contains("there is no folder"))
    #expect(Run(["restore"]).status == 2)
  }

  @Test("goes through the running instrument, which plays on with what is restored, also after a restart")
  func running() throws {
    let port = try #require(freePort())
    let service = Service(port)
    #expect(service.waits(for: "blocks") { (Int($0) ?? 0) > 0 })
    func ask(_ address: String, _ values: [OSCValue] = []) -> OSCArgument? {
      LocalQuery.ask(address, values, port: port, within: 60)?.first?.value
    }
    let more = ["--osc-port", "\(port)", "--config", folder.file("none.conf", "")]
    _ = ask("/filter/cutoff/hz", [.float(500)])
    _ = ask("/preset/save", [.string("Mine")])
    let noise = (0..<90_000).map { _ in UInt8.random(in: 0...255) }
    service.folder.file("songs/large.mid", noise)
    let file = folder.path + "/b.tar.gz"
    let backup = Run(["backup", file] + more)
    #expect(backup.status == 0 && contents(file).count > 90_000, "\(backup)")
    #expect(Run(["backup", folder.path + "/again.tar.gz"] + more).status == 0)

    _ = ask("/filter/cutoff/hz", [.float(900)])
    _ = ask("/preset/save", [.string("Other")])
    _ = ask("/presets/delete", [.string("Mine")])
    unlink(service.folder.path + "/songs/large.mid")
    let restore = Run(["restore", file] + more)
    #expect(restore.status == 0 && restore.output.hasPrefix("restored 1 preset, 1 song"), "\(restore)")
    #expect(ask("/filter/cutoff/hz")?.number == 500 && ask("/preset/name") == .string("Mine"))
    #expect(ask("/presets/trash")?.number == 1)
    let isBack = contents(service.folder.path + "/songs/large.mid") == noise
    #expect(isBack)
    let refused = Run(["restore", folder.file("cut.tar.gz", Array(contents(file).dropLast(9)))] + more)
    #expect(refused.status == 1 && refused.errors.contains("damaged"), "\(refused.errors)")
    #expect(service.stop() == 0)
    #expect(names(service.folder.path) == ["Mine"])
  }
}
