import Parameters
import Presets
import Scenes
import Scratch
import Synth
import System
import Testing
@testable import Control
@testable import Storage

/// What the player is told of saving, against what is on the disk.
struct SavingTests {
  /// A player's change of what is stored, on an instrument with two presets, a setup and a setlist of the player's.
  struct Act: CustomTestStringConvertible {
    let testDescription: String
    let run: @Sendable (Instrument) throws -> Void

    init(_ words: String, _ run: @escaping @Sendable (Instrument) throws -> Void) {
      (testDescription, self.run) = (words, run)
    }
  }

  static let acts: [Act] = [
    Act("save") { try $0.presets.save(part: 0) },
    Act("save as") { try $0.presets.save(part: 0, named: "New") },
    Act("save new") { try $0.presets.saveNew(part: 0, now: 0) },
    Act("copy") { try $0.presets.copy(part: 0, to: try #require(Slot(bank: 3, program: 3))) },
    Act("rename a preset") { _ = try $0.presets.rename("Mine", to: "Ours") },
    Act("delete a preset") { _ = try $0.presets.remove("Mine") },
    Act("restore a preset") { _ = try $0.presets.restore("Gone") },
    Act("move a preset") { _ = try $0.presets.move("Mine", to: "5/5") },
    Act("bring back a version") { _ = try $0.presets.bring("Mine", age: 1) },
    Act("import a preset") {
      $0.imports.start(FileContents(Array("pipit preset 1\nname Came\n".utf8))) { _ in }
    },
    Act("mark a preset of the player's") { _ = try $0.presets.favorite("Mine", true) },
    Act("mark a factory preset") { _ = try $0.presets.favorite("Glass", true) },
    Act("tag a factory preset") { _ = try $0.presets.tag("Glass", "+zebra") },
    Act("describe a preset") { _ = try $0.presets.describe("Mine", "author", "me") },
    Act("undo of a save") { try $0.presets.undo(part: 1) },
    Act("redo of a save") {
      try $0.presets.undo(part: 1)
      try $0.presets.redo(part: 1)
    },
    Act("store a snapshot") { $0.presets.store(2, part: 0) },
    Act("name a snapshot") { try $0.presets.name(0, "High", part: 1) },
    Act("name a snapshot as before, while the session is gathered") {
      $0.set(try #require(Address("/part/2/filter/cutoff", focus: 0)).knob, to: 400)
      $0.session.save()
      try $0.presets.name(0, $0.presets.snapshots(part: 1)[0]?.name ?? "", part: 1)
    },
    Act("erase a snapshot") { try $0.presets.erase(0, part: 1) },
    Act("undo of a snapshot") {
      $0.presets.store(3, part: 0)
      try $0.presets.undo(part: 0)
    },
    Act("save a setup") { try $0.setups.save() },
    Act("save a new setup") { try $0.setups.saveNew(named: "Second", now: 0) },
    Act("rename a setup") { _ = try $0.setups.rename("First", to: "Other") },
    Act("delete a setup") { _ = try $0.setups.remove("First") },
    Act("move a setup") { _ = try $0.setups.move("First", to: "7") },
    Act("describe a setup") { _ = try $0.setups.describe("First", "notes", "loud") },
    Act("undo of a setup") { try $0.setups.undo() },
    Act("make a setlist") { try $0.setlists.create("Saturday") },
    Act("add to a setlist") { try $0.setlists.add() },
    Act("rename a setlist") { _ = try $0.setlists.rename("Friday", to: "Sunday") },
    Act("delete a setlist") { _ = try $0.setlists.remove("Friday") },
    Act("undo of a setlist") { try $0.setlists.undo() },
  ]

  /// All that is stored of the player, as text.
  private func stored(_ folder: Folder) throws -> String {
    let documents = try Documents(reading: folder.database, DocumentKind.all, log: { _ in })
    return texts(documents)
  }

  private func texts(_ documents: Documents) -> String {
    let kinds = DocumentKind.ofPlayer.filter { $0 != .cards }
    return documents.collections(of: kinds).histories.sorted { $0.key < $1.key }.map { id, history in
      "\(id): " + history.versions.map { "\($0.age) \($0.document.name) \($0.document.text)" }.joined()
    }.joined(separator: "\n")
  }

  @Test("Nothing is called saved before it is on the disk, and then without a wait", arguments: acts)
  func saved(act: Act) throws {
    let folder = Folder()
    folder.file("factory/01-glass.txt", "pipit preset 1\nname Glass\n")
    let stepped = SteppedLibrary(folder, factory: folder.path + "/factory")
    stepped.run(at: 0)
    let instrument = Instrument(link: Link(.initial), library: stepped.library, log: { _ in })
    // Each round is later than the last, so that the session is saved in it.
    var now: Int64 = 0
    let loop = try #require(
      PollLoop(time: {
        now += 20_000_000
        return now
      }))
    instrument.join(loop)
    let cutoff = try #require(Address("/part/2/filter/cutoff", focus: 0)).knob
    for (hertz, name) in [(100, "Gone"), (200, "Mine"), (300, "Mine")] as [(Float, String)] {
      instrument.set(cutoff, to: hertz)
      try instrument.presets.save(part: 1, named: name)
      if name == "Gone" { _ = try instrument.presets.remove("Gone") }
    }
    instrument.presets.store(0, part: 1)
    try instrument.presets.save(part: 1)
    try instrument.setups.save(named: "First")
    try instrument.setlists.create("Friday")
    // Everything else is on the disk, also what is gathered for seconds.
    instrument.session.save()
    stepped.run(at: 60)
    loop.round(limit: 0)
    #expect(instrument.library.savesWaiting == 0)
    let before = try stored(folder)

    let shown = instrument.notices.shown
    try act.run(instrument)
    // A worker reads what is imported, and stores it in later rounds.
    let isBegun = eventually {
      loop.round(limit: 0)
      return instrument.notices.shown != shown
    }
    #expect(isBegun)
    #expect(instrument.library.savesWaiting ?? 0 > 0)
    #expect(instrument.notices.shown.hasPrefix("Saving"), "\(instrument.notices.shown)")
    let isChanged = texts(instrument.library.documents) != before
    loop.round(limit: 0)
    #expect(instrument.notices.shown.hasPrefix("Saving"), "\(instrument.notices.shown)")
    // A machine that is switched off here loses it.
    #expect(try stored(folder) == before)

    stepped.round(at: 60)
    loop.round(limit: 0)
    #expect(instrument.notices.shown.hasPrefix("Saved"), "\(instrument.notices.shown)")
    #expect(instrument.library.savesWaiting == 0)
    #expect(try isChanged == (stored(folder) != before))
    #expect(try stored(folder) == texts(instrument.library.documents))
  }

  @Test("What could not be written is told to who waits for it; without a database nobody waits")
  func waiting() throws {
    let folder = Folder()
    let stepped = SteppedLibrary(folder)
    stepped.run(at: 0)
    let instrument = Instrument(link: Link(.initial), library: stepped.library, log: { _ in })
    let loop = try #require(PollLoop())
    instrument.join(loop)
    var told: [Bool] = []
    instrument.whenSaved { told.append($0) }
    #expect(told == [true])
    let other = try Database(folder.database, create: false)
    try other.script("BEGIN EXCLUSIVE", "hold the file")
    try instrument.presets.save(part: 0, named: "Glass")
    instrument.whenSaved { told.append($0) }
    #expect(told == [true])
    stepped.round(at: 1)
    loop.round(limit: 0)
    #expect(told == [true, false])
    instrument.whenSaved { told.append($0) }
    try other.script("COMMIT", "let go")
    stepped.round(at: 11)
    loop.round(limit: 0)
    #expect(told == [true, false, true])
    let unkept = Instrument(link: Link(.initial), library: .none, log: { _ in })
    unkept.whenSaved { told.append($0) }
    #expect(told == [true, false, true, false])
  }
}
