import Glibc
import Scratch
import Testing

@testable import pipit

/// `pipit songs` and `pipit recordings` on real folders, with a running instrument and without one.
@Suite(.serialized) struct FilesCommandTests {
  private static let song: [UInt8] = [
    0x4D, 0x54, 0x68, 0x64, 0, 0, 0, 6, 0, 0, 0, 1, 0, 96, 0x4D, 0x54, 0x72, 0x6B, 0, 0, 0, 13, 0, 0x90, 60,
    100, 0x83, 0x60, 0x80, 60, 0, 0, 0xFF, 0x2F, 0,
  ]

  /// What each action does, by whoever keeps the songs.
  private func act(_ folder: Folder, _ more: [String]) {
    func songs(_ words: String...) -> Run { Run(["songs"] + words + more) }
    func lines(_ run: Run) -> [[Substring]] {
      #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
      return run.output.split(separator: "\n").dropFirst().map { $0.split(separator: " ") }
    }
    let path = folder.file("My Tune.mid", Self.song)
    #expect(lines(songs()).isEmpty)
    #expect(songs("import", path).output == "\"My Tune.mid\" is saved\n")
    let list = lines(songs("list"))
    #expect(list.count == 1 && list[0].prefix(5) == ["My", "Tune.mid", "0:03", "1", "kB"], "\(list)")
    #expect(list[0].last == "own")
    #expect(songs("rename", "my", "Other").output == "\"My Tune.mid\" is named \"Other.mid\" now\n")
    let copy = folder.path + "/copy.mid"
    #expect(songs("export", "other", "-o", copy).status == 0 && contents(copy) == Self.song)
    #expect(songs("delete", "Other").output == "\"Other.mid\" is in the trash\n" && lines(songs()).isEmpty)
    #expect(lines(songs("restore")).count == 1)
    #expect(songs("restore", "other").output == "\"Other.mid\" is back\n" && lines(songs()).count == 1)
    #expect(songs("delete", "Other").status == 0)
    #expect(songs("empty").output == "1 song is deleted\n" && lines(songs("restore")).isEmpty)
    let broken = folder.file("broken.mid", Array("no song".utf8))
    let refused = songs("import", broken)
    #expect(
      refused.status == 1 && refused.errors.contains("cannot read this as a MIDI file"), "\(refused.errors)")
    #expect(
      songs("delete", "nothing").errors.contains("no song is named \"nothing\"") && lines(songs()).isEmpty)
  }

  @Test("manages the songs of a folder that no instrument uses")
  func folder() {
    let folder = Folder()
    mkdir(folder.path + "/state", 0o700)
    act(folder, ["--state", folder.path + "/state", "--presets", "/nowhere"])
    #expect(Run(["songs", "renam"]).errors.contains("did you mean 'rename'?"))
    #expect(Run(["songs", "rename", "a"]).errors.contains("takes a name and a new name"))
    #expect(Run(["songs", "export", "a"]).errors.contains("use -o FILE"))
  }

  @Test("manages the songs and recordings of the running instrument")
  func running() throws {
    let port = try #require(freePort())
    let service = Service(port)
    #expect(service.waits(for: "blocks") { (Int($0) ?? 0) > 0 })
    let more = ["--osc-port", "\(port)"]
    act(service.folder, more)
    #expect(Run(["record", "start"] + more).status == 0)
    #expect(service.waits(for: "blocks") { (Int($0) ?? 0) > 100 })
    // A recording that is being written is not listed.
    let during = Run(["recordings"] + more).output
    #expect(during.split(separator: "\n").count == 1, "\(during)")
    #expect(Run(["record", "stop"] + more).status == 0)
    let list = Run(["recordings"] + more)
    #expect(list.output.split(separator: "\n").count == 2 && list.output.contains("0:00"), "\(list.output)")
    #expect(
      Run(["recordings", "rename", "20", "Take"] + more).output.hasSuffix("is named \"Take.flac\" now\n"))
    #expect(Run(["recordings", "delete", "take"] + more).status == 0)
    #expect(Run(["recordings", "restore"] + more).output.contains("Take.flac"))
    #expect(Run(["recordings", "import", "x"] + more).status == 2)
    #expect(service.stop() == 0)
  }
}
