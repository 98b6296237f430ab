import Presets
import Scenes
import Scratch
import Synth
import System
import Testing
@testable import Control
@testable import Presets
@testable import Storage

struct NoticeTests {
  @Test("What could not be saved is said until it is on the disk, and status is not well meanwhile")
  func saving() throws {
    let folder = Folder()
    let stepped = SteppedLibrary(folder)
    stepped.run(at: 0)
    var lines: [String] = []
    let instrument = Instrument(link: Link(.initial), library: stepped.library) { lines.append($0) }
    let loop = try #require(PollLoop())
    instrument.join(loop)
    let other = try Database(folder.database, create: false)
    try other.script("BEGIN EXCLUSIVE", "hold the file")
    try instrument.presets.save(part: 0, named: "Glass")
    stepped.round(at: 1)
    loop.round(limit: 0)
    #expect(instrument.notices.shown == "file held by another program: 1 save waits in memory")
    #expect(instrument.health.complaint == instrument.notices.shown)
    #expect(lines.contains { $0.contains("another program holds the file; close it") })
    try other.script("COMMIT", "let go")
    stepped.round(at: 11)
    loop.round(limit: 0)
    #expect(
      instrument.notices.shown == "Saved \"Glass\", Own 1" && instrument.health.isWell,
      "\(instrument.notices.shown)")
    // Its time begins with the first look.
    _ = instrument.update(0)
    _ = instrument.update(.max / 2)
    #expect(instrument.notices.shown.isEmpty, "\(instrument.notices.shown)")
  }

  @Test("A full disk is said until something is written again, and logged once a minute")
  func full() throws {
    let folder = Folder()
    let stepped = SteppedLibrary(folder)
    stepped.run(at: 0)
    var lines: [String] = []
    let instrument = Instrument(link: Link(.initial), library: stepped.library) { lines.append($0) }
    let loop = try #require(PollLoop())
    instrument.join(loop)
    // The session alone: nothing of it waits as a save does.
    instrument.focus = 3
    _ = instrument.update(0)
    let other = try Database(folder.database, create: false)
    try other.script("BEGIN EXCLUSIVE", "hold the file")
    stepped.round(at: 6)
    stepped.round(at: 11)
    loop.round(limit: 0)
    #expect(instrument.notices.shown == "file held by another program: presets are not kept")
    for number in 0..<22 {
      try instrument.presets.save(part: 0, named: "Preset \(number)")
      stepped.round(at: 12)
      loop.round(limit: 0)
    }
    #expect(instrument.notices.shown == "file held by another program: 22 saves wait in memory")
    #expect(lines.count { $0.contains("another program holds the file") } == 1, "\(lines)")
    try other.script("COMMIT", "let go")
    stepped.round(at: 30)
    loop.round(limit: 0)
    #expect(instrument.health.isWell, "\(instrument.health.complaint)")
  }

  @Test("What passes is shown before what lasts, and goes by itself; what is mended clears nothing else")
  func life() throws {
    let instrument = Instrument(
      link: Link(.initial), library: Library(database: nil, factory: nil, log: { _ in }), log: { _ in })
    var told = 0
    instrument.listen { if $0 == .notice { told += 1 } }
    instrument.notices.post("port taken: no tablet", about: .port, .problem)
    instrument.notices.post("saving Glass", about: .saving, .state)
    #expect(
      instrument.notices.shown == "port taken: no tablet"
        && instrument.health.complaint == instrument.notices.shown)
    instrument.notices.post("Saved Glass", about: .saving, .moment(seconds: 3))
    #expect(instrument.notices.shown == "Saved Glass" && told == 2)
    let second: Int64 = 1_000_000_000
    _ = instrument.update(5 * second)
    #expect(instrument.update(6 * second) == 8 * second)
    #expect(instrument.notices.shown == "Saved Glass")
    _ = instrument.update(8 * second)
    #expect(instrument.notices.shown == "port taken: no tablet" && told == 3)
    instrument.notices.clear(about: .card)
    #expect(!instrument.health.isWell)
    instrument.notices.clear(about: .port)
    #expect(instrument.health.isWell && instrument.notices.shown.isEmpty && told == 4)
  }

  @Test("A notice fits a phone's label, its reason first; the page and the log have the whole sentence")
  func letters() {
    var lines: [String] = []
    let instrument = Instrument(
      link: Link(.initial), library: Library(database: nil, factory: nil, log: { _ in })
    ) {
      lines.append($0)
    }
    let long = String(repeating: "word ", count: 20)
    instrument.notices.post(long, about: .preset)
    #expect(instrument.notices.label.count == 70 && instrument.notices.label.hasSuffix("…"))
    #expect(instrument.notices.shown == long && lines == [long])
    let folder = "/var/lib/pipit/recordings"
    let full = FileError("write", "\(folder)/2026-11-24 13.46.23.flac", "No space left on device")
    instrument.notices.post(full.reasonFirst, about: .recording)
    #expect(
      instrument.notices.label.hasPrefix("No space left on device: cannot write 2026-11-24 13.46.23.flac"))
    for code: Int32 in [8, 10, 11, 13, 14, 17, 5] {
      let error = StoreError(code: code, message: "", attempt: "save", path: "/a")
      #expect("\(error.reason): 1000 saves wait in memory".count <= Notice.letters)
    }
  }

  @Test("A preset that cannot be read is said once in the log")
  func unreadable() throws {
    let folder = Folder()
    folder.file("01-bad.txt", "pipit preset 1\nname Bad\n")
    var lines: [String] = []
    let library = Library(database: nil, factory: folder.path) { lines.append($0) }
    let instrument = Instrument(link: Link(.initial), library: library) { lines.append($0) }
    lines = []
    let preset = Preset(slot: nil, name: "Bad", text: "no preset\n", isFactory: true)
    instrument.presets.recall(preset, part: 0)
    #expect(instrument.notices.shown.contains("Bad") && lines.count { $0.contains("Bad") } == 1, "\(lines)")
  }

  @Test("A copy to a page of the factory's says where there is room")
  func factoryPage() throws {
    let folder = Folder()
    folder.file("01-glass.txt", "pipit preset 1\nname Glass\n")
    let library = Library(database: nil, factory: folder.path, log: { _ in })
    let instrument = Instrument(link: Link(.initial), library: library, log: { _ in })
    var refusal = ""
    do { try instrument.page.copy(part: 0, toButton: 3) } catch { refusal = error.description }
    #expect(refusal == "Factory 3 is the factory's; there is room on the page Own 1-16", "\(refusal)")
    let arps = try #require(Slot(bank: Slot.arpBank, program: 2))
    do { try instrument.presets.copy(part: 0, to: arps) } catch { refusal = error.description }
    #expect(refusal == "Arps 3 is the factory's; there is room on the page Own 1-16", "\(refusal)")
  }

  @Test("Blocks that come too late while everything starts are no complaint, and those after are")
  func start() {
    let link = Link(.initial)
    let instrument = Instrument(link: link, library: .none, log: { _ in })
    let second: Int64 = 1_000_000_000
    link.meters.set(.realtime, 1)
    for moment in [500, 1_500] as [Int64] {
      link.meters.add(.xruns, 27)
      link.meters.add(.frames, 48_000)
      _ = instrument.healthWatch.updateHealth(moment * 1_000_000)
    }
    #expect(instrument.health.isWell && instrument.health.xruns == 0, "\(instrument.health.complaint)")
    for moment in 3...6 {
      link.meters.add(.frames, 48_000)
      _ = instrument.healthWatch.updateHealth(Int64(moment) * second)
    }
    link.meters.add(.frames, 48_000)
    link.meters.add(.xruns, 2)
    _ = instrument.healthWatch.updateHealth(8 * second)
    #expect(instrument.health.complaint == "2 blocks were too late" && instrument.health.xruns == 2)
  }
}
