import Glibc
import OSC
import Parameters
import Scenes
import Scratch
import Testing
@testable import Presets
@testable import Storage
@testable import pipit

/// `pipit presets` on real databases, with a running instrument and without one.
@Suite(.serialized) struct PresetsCommandTests {
  private let folder = Folder()
  private var state: String { folder.path + "/state" }

  /// A state folder with three presets of the player's and one of the factory's.
  private func fill() throws {
    folder.file("factory/01-glass.txt", "pipit preset 1\nname Glass\n/filter/cutoff/hz 100\n")
    let library = Library(database: state + "/presets.sqlite", factory: nil) { Issue.record("\($0)") }
    for (number, name) in ["Warm Bass", "Pad", "Lead"].enumerated() {
      var patch = Patch.initial
      patch.filter.cutoff = Float(number + 1) * 100
      try library.save(patch, name: name)
    }
    #expect(library.stop(within: 60))
  }

  private func presets(_ words: String..., more: [String]? = nil) -> Run {
    Run(["presets"] + words + (more ?? ["--state", state, "--presets", folder.path + "/factory"]))
  }

  /// A running instrument on the folder, asked by its port.
  private final class Service {
    let port: Int
    private let process: pid_t

    init(_ folder: Folder, port: Int, state: String, errors: String = "err") {
      self.port = port
      process = start(
        [
          "--device", "clock", "--state", state, "--osc-port", "\(port)", "--presets",
          folder.path + "/factory",
        ], environment: ["HOME=/nowhere"], output: folder.path + "/out", errors: folder.path + "/" + errors)
      #expect(eventually { Status.figures(port: port) != nil })
    }

    func stop() -> Int32 {
      Glibc.kill(process, SIGTERM)
      return end(of: process)
    }

    func kill() {
      Glibc.kill(process, SIGKILL)
      _ = end(of: process)
    }
  }

  @Test("lists one bank, and what plays the programs of General MIDI")
  func banks() throws {
    try fill()
    folder.file("factory/02-second.txt", "pipit preset 1\nname Second\n")
    #expect(presets("--bank", "gm").status == 1 && presets("--bank", "gm").errors.contains("has no gm.txt"))
    folder.file(
      "factory/gm.txt", "pipit programs 1\ndrums Glass\n128 glass +1  # Gun  shot\n1 Second\n2 Nothing\n")
    let gm = presets("--bank", "gm")
    #expect(gm.status == 0)
    #expect(
      gm.output == """
        GM     General MIDI  Name    Octaves
        1                    Second
        128    Gun shot      glass   +1
        drums                Glass

        """)
    #expect(gm.errors.contains("line 5") && gm.errors.split(separator: "\n").count == 1, "\(gm.errors)")
    let own = presets("--bank", "1").output.split(separator: "\n")
    #expect(own.count == 4 && own.dropFirst().allSatisfy { $0.hasPrefix("1 ") }, "\(own)")
    #expect(presets("--bank", "7").output.split(separator: "\n").count == 1)
    for wrong in ["128", "-1", "gs"] {
      let run = presets("--bank", wrong)
      #expect(run.status == 2 && run.errors.contains("--bank must be 'gm' or"), "\(run.errors)")
    }
    #expect(presets("show", "Glass", "--bank", "gm").status == 2)
  }

  /// What each action does, by whoever keeps the presets.
  private func act(_ more: [String]) throws {
    let list = presets(more: more)
    #expect(list.status == 0 && list.errors.isEmpty, "\(list.errors)")
    #expect(
      list.output == """
        Bank  Program  Name       Origin
        0     0        Glass      factory
        1     0        Warm Bass  user
        1     1        Pad        user
        1     2        Lead       user

        """)
    let show = presets("show", "warm", more: more)
    #expect(
      show.output == "pipit preset 1\nname Warm Bass\nslot 1 0\n/filter/cutoff/hz 100\n" && show.status == 0)
    #expect(presets("rename", "pad", "Cloud", more: more).output == "\"Pad\" is named \"Cloud\" now\n")
    #expect(
      presets("tag", "cloud", "Soft", "wide", more: more).output == "\"Cloud\" has the tags soft, wide\n")
    #expect(presets("favorite", "glass", more: more).output == "\"Glass\" is a favorite\n")
    #expect(presets("describe", "cloud", "author", "Jane", "Doe", more: more).status == 0)
    #expect(
      presets("search", "author:doe", "soft", more: more).output == """
        Bank  Program  Name   Origin  Favorite  Category  Author    Tags
        1     1        Cloud  user                        Jane Doe  soft, wide

        """)
    #expect(presets("search", "favorite", more: more).output.contains("Glass  factory  yes"))
    #expect(presets("favorite", "glass", "off", more: more).output == "\"Glass\" is no favorite\n")
    #expect(presets("favorite", "glass", "maybe", more: more).status == 2)
    let versions = presets("versions", "cloud", more: more).output.split(separator: "\n")
    #expect(
      versions.count == 3 && versions[1].hasPrefix("0    20") && versions[2].hasSuffix("Pad"), "\(versions)")
    #expect(presets("show", "cloud", "1", more: more).output.contains("name Pad\n"))
    #expect(
      presets("diff", "cloud", "1", more: more).output == """
        What    Version 1  Now
        name    Pad        Cloud
        tags               soft, wide
        author             Jane Doe

        """)
    #expect(presets("bring", "cloud", "1", more: more).output == "version 1 of \"Pad\" is back in Own 2\n")
    #expect(presets("bring", "pad", "1", more: more).status == 0)
    #expect(presets("tag", "cloud", "", more: more).output == "\"Cloud\" has no tags\n")
    #expect(presets("describe", "cloud", "author", more: more).status == 0)
    #expect(presets("move", "cloud", "1/9", more: more).output == "\"Cloud\" is in Own 10\n")
    #expect(presets("move", "cloud", "1/1", more: more).status == 0)
    let factory = presets("delete", "Glass", more: more)
    #expect(
      factory.status == 1 && factory.errors == "pipit: presets: \"Glass\" is a factory preset\n",
      "\(factory.errors)")
    #expect(presets("delete", "Nobody", more: more).errors.contains("no preset is named \"Nobody\""))
    // All of them in one file, with the one that is removed next.
    let backup = folder.path + "/backup.txt"
    #expect(presets("export", "-o", backup, more: more).status == 0)
    #expect(text(backup).split(separator: "\n").filter { $0.hasPrefix("name ") }.count == 3)
    #expect(presets("delete", "1/0", more: more).output == "\"Warm Bass\" is in the trash, from Own 1\n")
    #expect(presets("restore", more: more).output.contains("1     0        Warm Bass  user"))
    #expect(presets("restore", "warm", more: more).output == "\"Warm Bass\" is back in Own 1\n")
    #expect(presets("restore", "warm bass", more: more).status == 1)
    for name in ["Cloud", "Lead"] { #expect(presets("delete", name, more: more).status == 0) }
    let back = presets("import", backup, more: more)
    #expect(back.status == 0 && back.errors.isEmpty)
    #expect(
      back.output == """
        "Warm Bass" is in Own 1
        "Cloud" is in Own 2
        "Lead" is in Own 3

        """)
    #expect(presets("show", "Lead", more: more).output.hasSuffix("\n/filter/cutoff/hz 300\n"))
    // What is no preset keeps the rest of it from nothing.
    let mixed = folder.file(
      "my sound.txt", "nonsense\npipit preset 1\n/filter/cutoff/hz 50\n/what/is/this 1\n")
    let import2 = presets("import", mixed, folder.path + "/none.txt", more: more)
    #expect(import2.status == 1 && import2.output.hasPrefix("\"my sound\" is in Own 4; line 3: "))
    #expect(import2.errors.contains("my sound.txt: presets: the first line is \"nonsense\""))
    #expect(import2.errors.contains("none.txt: No such file"))
    #expect(import2.errors.hasSuffix("pipit: presets: 2 presets could not be read\n"))
  }

  @Test("Without a running instrument it works on the database, and what it did is on the disk")
  func database() throws {
    try fill()
    try act(["--state", state, "--presets", folder.path + "/factory"])
    let library = Library(database: state + "/presets.sqlite", factory: nil, writes: false) {
      Issue.record("\($0)")
    }
    #expect(
      library.presets.filter { !$0.isFactory }.map(\.name) == ["Warm Bass", "Cloud", "Lead", "my sound"])
  }

  @Test(
    "With one it works through it: it is heard of there at once, and is on the disk when the command ends")
  func running() throws {
    try fill()
    let port = try #require(freePort())
    let service = Service(folder, port: port, state: state)
    try act(["--osc-port", "\(port)"])
    // Nobody else writes into its folder.
    let held = presets("delete", "Cloud")
    #expect(held.status == 1 && held.errors.contains("another pipit (process ") && held.output.isEmpty)
    let found = try Store(state + "/presets.sqlite", writes: false).load(DocumentKind.all)
    #expect(
      found[.preset].histories.values.compactMap(\.current?.name).sorted() == [
        "Cloud", "Lead", "Warm Bass", "my sound",
      ])
    #expect(service.stop() == 0)
  }

  @Test("A preset of the largest size there is goes in and out of a running instrument and of a database")
  func largest() throws {
    try fill()
    #expect(Run(["presets", "--help"]).output.contains("at most \(Limits.presetBytes / 1_024) KiB"))
    func preset(_ bytes: Int) -> String {
      let head = "pipit preset 1\nname Large\n# "
      return head + String(repeating: "x", count: bytes - head.utf8.count - 1) + "\n"
    }
    let (fits, tooLong) = (
      folder.file("fits", preset(Limits.presetBytes)),
      folder.file("long", preset(Limits.presetBytes + 1 + "name Large\n".utf8.count))
    )
    let port = try #require(freePort())
    let service = Service(folder, port: port, state: state)
    for more in [["--osc-port", "\(port)"], ["--state", state, "--presets", "/nowhere"]] {
      if more[0] == "--state" { #expect(service.stop() == 0) }
      let run = presets("import", fits, more: more)
      #expect(run.status == 0 && run.output.hasPrefix("\"Large\" is in Own 4"), "\(run.errors)")
      let export = folder.path + "/export"
      #expect(presets("export", "Large", "-o", export, more: more).status == 0)
      #expect(text(export).utf8.count > Limits.presetBytes)
      #expect(presets("import", export, more: more).status == 0)
      let refused = presets("import", tooLong, more: more)
      #expect(
        refused.status == 1
          && refused.errors.contains("131073 bytes are too many for a preset; the limit is 131072"),
        "\(refused.errors)")
    }
  }

  @Test("What the running instrument has not written yet is in the list, by the name of its folder too")
  func pending() throws {
    try fill()
    let port = try #require(freePort())
    let service = Service(folder, port: port, state: state)
    let other = try Database(state + "/presets.sqlite", create: false)
    try other.script("BEGIN IMMEDIATE", "keep it from writing")
    #expect(LocalQuery.ask("/preset/save/new", [.string("Pending")], port: port, within: 60)?.isEmpty == true)
    for more in [["--osc-port", "\(port)"], ["--osc-port", "\(port)", "--state", state]] {
      #expect(presets(more: more).output.contains("Pending"), "\(more)")
    }
    try other.script("COMMIT", "let go")
    #expect(service.stop() == 0)
  }

  @Test(
    "A second service on one state refuses with a sentence; after kill -9 of the first it plays"
  )
  func second() throws {
    try fill()
    let (port, otherPort) = (try #require(freePort()), try #require(freePort()))
    let service = Service(folder, port: port, state: state)
    let other = Run(["--device", "clock", "--state", state, "--osc-port", "\(otherPort)"])
    #expect(other.status == 1)
    #expect(
      other.errors.contains("pipit: serve: another pipit (process ")
        && other.errors.contains("uses \(state); stop it, or give this one a folder of its own with --state"),
      "\(other.errors)")
    #expect(service.stop() == 0)
    // Killed, it holds nothing.
    let third = Service(folder, port: port, state: state)
    third.kill()
    _ = try StateLock(state, timeout: 0)
  }

  @Test("An export holds each preset once, also those that are named like the place of another")
  func namedLikePlaces() throws {
    let library = Library(database: state + "/presets.sqlite", factory: nil) { Issue.record("\($0)") }
    for name in ["Glass", "1/0", "1/4", "Pad", "1/1"] { try library.save(.initial, name: name) }
    #expect(library.stop(within: 60))
    let export = presets("export")
    let names = export.output.split(separator: "\n").filter { $0.hasPrefix("name ") }.map { $0.dropFirst(5) }
    #expect(export.status == 0 && names == ["Glass", "1/0", "1/4", "Pad", "1/1"], "\(names)")
    #expect(presets("delete", "1/4").output == "\"1/1\" is in the trash, from Own 5\n")
    #expect(presets("delete", "=1/4").output == "\"1/4\" is in the trash, from Own 3\n")
  }

  @Test("What cannot be read is listed as such, and is an error with an exit status, never a signal")
  func unreadable() throws {
    try fill()
    folder.file("factory/02-broken.txt", "no preset at all")
    let path = state + "/presets.sqlite"
    let database = try Database(path, create: false)
    try database.script("UPDATE documents SET text = 'nonsense', sum = NULL WHERE name = 'Pad'", "test")
    let list = presets()
    #expect(list.status == 1 && list.errors.hasSuffix("pipit: presets: 2 presets could not be read\n"))
    let lines = list.output.split(separator: "\n")
    #expect(lines.count == 6 && lines[0].hasSuffix("Origin   Cannot be read"))
    #expect(
      lines.contains { $0.hasPrefix("1     1        Pad") && $0.contains("the first line is \"nonsense\"") })
    #expect(lines.contains { $0.hasPrefix("-     -        02-broken.txt") })
    // What can be read is exported.
    let export = presets("export")
    #expect(export.status == 1 && export.output.split(separator: "\n").count { $0.hasPrefix("name ") } == 2)
    for statement in [
      "ALTER TABLE documents ADD COLUMN colour; PRAGMA user_version = 99", "PRAGMA user_version = 3",
      "DROP TABLE documents",
    ] {
      try database.script(statement, "test")
      let run = presets()
      #expect(run.status == 1 && run.output.isEmpty && run.errors.contains(path), "\(run.errors)")
    }
  }
}
