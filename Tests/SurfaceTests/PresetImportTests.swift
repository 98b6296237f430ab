import Control
import Presets
import Scenes
import Scratch
import Storage
import Synth
import System
import Testing
@testable import Surface

/// Imports of many presets into an instrument that runs in a loop.
@Suite(.serialized) struct PresetImportTests {
  private let folder = Folder()
  private let tablet = Peer(.thisMachine, connection: 1)

  /// An instrument with a database, its surface and its loop.
  private struct Box {
    let harness: SurfaceHarness
    let loop: PollLoop

    init(_ folder: Folder, isLossy: Bool = false, time: @escaping () -> Int64 = monotonic) throws {
      let library = Library(database: folder.database, factory: nil, log: { _ in })
      let instrument = Instrument(link: Link(.initial), library: library, log: { _ in })
      harness = SurfaceHarness(instrument, over: RecordedTransport(replyPort: nil, isLossy: isLossy))
      loop = try #require(PollLoop(time: time))
      instrument.join(loop)
      harness.surface.join(loop)
    }

    var library: Library { harness.library }

    /// Runs rounds until a condition is true.
    func run(until condition: () -> Bool) -> Bool {
      let end = monotonic() + 60_000_000_000
      while !condition(), monotonic() < end { loop.round(limit: 1_000_000) }
      return condition()
    }
  }

  private func bundle(_ count: Int) -> [UInt8] {
    Array((1...count).map { "pipit preset 1\nname Sound \($0)\n/filter/cutoff/hz 400\n" }.joined().utf8)
  }

  /// The presets in the database, as another process reads them.
  private func stored() -> Int {
    Library(database: folder.database, factory: nil, writes: false, log: { _ in }).count
  }

  @Test(
    "An import stores a few presets a round; others are heard meanwhile; the disk holds all of it or none")
  func rounds() throws {
    let (box, bytes) = (try Box(folder), bundle(2_000))
    let instrument = box.harness.control
    var imported: [ImportedPreset]?
    instrument.imports.start(FileContents(bytes)) { imported = try? $0.get() }
    var (before, most) = (0, 0)
    _ = box.run {
      (before, most) = (box.library.count, max(most, box.library.count - before))
      return before >= 500
    }
    #expect(most > 0 && most <= 64 && imported == nil && stored() == 0)
    // A save in between is kept, and is not a part of the import.
    try instrument.presets.saveNew(part: 0, named: "Mine", now: monotonic())
    #expect(box.library.savesWaiting ?? 0 > 500)
    #expect(box.run { imported != nil })
    #expect(imported?.count == 2_000 && box.library.count == 2_001)
    #expect(box.run { box.library.savesWaiting == 0 } && stored() == 2_001)
    try instrument.presets.undo(part: 0)
    #expect(box.library.count > 1_900)
    #expect(throws: DocumentError.self) { try instrument.presets.redo(part: 0) }
    #expect(box.run { box.library.count == 1 } && box.library.presets.map(\.name) == ["Mine"])
    #expect(box.run { box.library.savesWaiting == 0 } && stored() == 1)
    try instrument.presets.redo(part: 0)
    #expect(box.run { box.library.count == 2_001 })
  }

  @Test("What one packet stores is written together, also if it takes several rounds")
  func packets() throws {
    // No time passes: on a busy host the packet could take longer than it may be held.
    let now = monotonic()
    let box = try Box(folder, time: { now })
    let (surface, transport) = (box.harness.surface, box.harness.transport)
    let packet = surface.nextPacket()
    for number in 0..<400 {
      let message = IncomingMessage("/preset/save/new", [.string("Sound \(number)")], packet: packet)
      surface.enqueue(message, from: tablet, over: transport)
    }
    var parts: Set<Int> = []
    let isDone = box.run {
      parts.insert(stored())
      return box.library.count == 400
    }
    #expect(isDone)
    #expect(box.run { box.library.savesWaiting == 0 } && stored() == 400)
    #expect(parts.subtracting([0, 400]).isEmpty)
  }

  @Test("What was stored when the program ends is completed; what was not read yet is not imported")
  func end() throws {
    let (box, bytes) = (try Box(folder), bundle(1_000))
    box.harness.control.imports.start(FileContents(bytes)) { _ in }
    #expect(box.run { box.library.count > 100 })
    #expect(box.harness.control.finish(within: 60) && stored() == 1_000)
  }

  @Test("Imports follow one another, and one that cannot be read keeps the next from nothing")
  func several() throws {
    let box = try Box(folder)
    var outcomes: [String] = []
    func start(_ file: FileContents) {
      box.harness.control.imports.start(file) { result in
        switch result {
        case .success(let imported): outcomes.append("\(imported.count)")
        case .failure(let why): outcomes.append(why.description)
        }
      }
    }
    let bytes = bundle(300)
    start(FileContents(bytes))
    start(FileContents(OpenFile(-1, "bank.txt"), count: 100))
    start([0xFF])
    start([])
    start(FileContents(bytes))
    #expect(box.run { outcomes.count == 5 })
    let unreadable = "could not be read again: cannot read bank.txt: Bad file descriptor"
    #expect(outcomes == ["300", unreadable, "is no UTF-8 text", "0", "300"] && box.library.count == 300)
    #expect(box.run { box.library.savesWaiting == 0 })
  }

  @Test(
    "A long list is sent in pieces as the connection takes them, is made once for all, and ends with the connection"
  )
  func lists() throws {
    let box = try Box(folder)
    let (harness, bytes) = (box.harness, bundle(1_000))
    var isDone = false
    harness.control.imports.start(FileContents(bytes)) { _ in isDone = true }
    #expect(box.run { isDone })
    harness.transport.isReady = false
    let second = Peer(.thisMachine, connection: 2)
    for peer in [tablet, second] {
      harness.surface.enqueue(IncomingMessage("/presets/list", []), from: peer, over: harness.transport)
    }
    #expect(box.run { harness.surface.longAnswers.count == 2 })
    #expect(harness.surface.isAnswering(second, over: harness.transport))
    harness.surface.disconnected(second, over: harness.transport)
    #expect(!harness.surface.isAnswering(second, over: harness.transport))
    for _ in 0..<100 { box.loop.round(limit: 0) }
    #expect(harness.transport.answers.isEmpty)
    harness.transport.isReady = true
    #expect(box.run { !harness.surface.isAnswering(tablet, over: harness.transport) })
    #expect(harness.transport.answers.count == 1_001)
    #expect(harness.transport.answers.first == OSCMessage("/presets/list", .int(1_000)))
    #expect(harness.transport.answers.last?.address == "/presets/list/999")
    // Answers to one sender follow one another.
    harness.transport.answers.removeAll()
    for words in ["sound", "sound 999"] {
      harness.surface.enqueue(
        IncomingMessage("/presets/search", [.string(words)]), from: tablet, over: harness.transport)
    }
    #expect(box.run { harness.transport.answers.count == 1_003 })
    #expect(harness.transport.answers[0] == OSCMessage("/presets/search", .int(1_000)))
    #expect(harness.transport.answers[1_001] == OSCMessage("/presets/search", .int(1)))
  }
}
