import Control
import Parameters
import Scenes
import Scratch
import Synth
import System
import Testing
import Tuning
@testable import Backup
@testable import Presets
@testable import Storage

/// A box with a running instrument, without an engine: the test runs the loop.
private final class RunningBox {
  let box = Box()
  let loop: PollLoop
  let instrument: Instrument
  let worker: Worker
  let keeper: BackupKeeper

  init() throws {
    loop = try #require(PollLoop())
    let library = Library(database: box.state + "/presets.sqlite", factory: nil) { _ in }
    instrument = Instrument(
      link: Link(.initial), library: library, tunings: TuningFolder(box.state + "/tunings"), log: { _ in })
    instrument.join(loop)
    worker = Worker(loop)
    keeper = BackupKeeper(instrument, box.folders, version: "0.0.1", worker)
    instrument.backups.handler = keeper
  }

  func until(_ isSo: () -> Bool) {
    let end = monotonic() + 60_000_000_000
    while !isSo() && monotonic() < end { loop.round(limit: 5_000_000) }
  }

  func make() throws -> [UInt8] {
    var made: Result<BoxSnapshot.Made, BackupError>?
    keeper.make { made = $0 }
    until { made != nil }
    return try #require(made).get().bytes
  }

  func restore(_ bytes: [UInt8]) throws -> [String] {
    var outcome: Result<CheckedBackup.Outcome, BackupError>?
    keeper.restore(FileContents(bytes)) { outcome = $0 }
    until { outcome != nil }
    return try #require(outcome).get().sentences
  }
}

@Suite("The keeper of backups") struct BackupKeeperTests {
  private let cutoff = ParameterID(
    row: Table.rows.firstIndex { $0.address == "/filter/cutoff" } ?? 0, part: 2)

  @Test("restores a running instrument: knobs, focus, tunings, presets; and the next start finds the same")
  func running() throws {
    let (box, other) = (try RunningBox(), try RunningBox())
    box.box.folder.file("state/tunings/just.scl", Box.scale)
    box.instrument.set(cutoff, to: 321)
    box.instrument.focus = 2
    try box.instrument.tunings.tune([1], toScale: "just")
    try box.instrument.presets.save(part: 2, named: "Mine")
    box.instrument.set(cutoff, to: 322)
    // The session of this moment, although it was not saved yet.
    let bytes = try box.make()

    other.instrument.set(cutoff, to: 5_000)
    try other.instrument.presets.save(part: 0, named: "Other")
    let sentences = try other.restore(bytes)
    #expect(
      sentences.first?.hasPrefix("restored 1 preset, 0 songs and 1 tuning file") == true, "\(sentences)")
    #expect(other.instrument.stage.scene[cutoff] == 322 && other.instrument.focus == 2)
    #expect(other.instrument.presets.name(part: 2) == "Mine" && other.instrument.presets.isEdited(part: 2))
    #expect(other.instrument.presets.name(part: 0) == "")
    #expect(other.instrument.tunings.scale(of: [1]) == "just")
    #expect(other.instrument.library.presets.map(\.name) == ["Mine"])
    #expect(other.instrument.notices.shown.hasPrefix("restored 1 preset"))
    #expect(throws: (any Error).self) { try other.instrument.presets.undo(part: 2) }
    #expect(other.instrument.finish(within: 60) && box.instrument.finish(within: 60))
    let library = other.box.open()
    #expect(library.presets.map(\.name) == ["Mine"] && library.session?.focus == 2)
    #expect(library.session?.scene[cutoff] == 322)
    other.box.close(library)
  }

  @Test(
    "keeps the control thread free, refuses a second restore meanwhile, and changes nothing for a wrong file")
  func busy() throws {
    let box = try RunningBox()
    for number in 0..<300 { try box.instrument.presets.save(part: 0, named: "Preset \(number)") }
    box.until { box.instrument.library.savesWaiting == 0 }
    let bytes = try box.make()
    var results: [Result<CheckedBackup.Outcome, BackupError>] = []
    // The worker is held up, so whoever waits for it waits for a minute.
    let gate = Mutex(false)
    var isOpened: Bool?
    box.worker.run {
      eventually { gate.withLock { $0 } }
    } then: {
      isOpened = $0
    }
    // In processor time, so that what else the machine does is not counted.
    var (longest, start) = (Int64(0), threadTime())
    box.keeper.restore(FileContents(bytes)) { results.append($0) }
    #expect(threadTime() - start < 50_000_000)
    box.keeper.restore(FileContents(bytes)) { results.append($0) }
    var refused: [Result<BoxSnapshot.Made, BackupError>] = []
    box.keeper.make { refused.append($0) }
    for _ in 0..<20 { box.loop.round(limit: 0) }
    #expect(results.count == 1 && refused.count == 1 && isOpened == nil)
    gate.withLock { $0 = true }
    box.until {
      longest = max(longest, threadTime() - start)
      start = threadTime()
      return results.count == 2
    }
    #expect(isOpened == true)
    #expect(throws: BackupError.self) { try results[0].get() }
    #expect(throws: BackupError.self) { try refused[0].get() }
    #expect(throws: Never.self) { try results[1].get() }
    #expect(longest < 500_000_000, "a round took \(longest / 1_000) µs of processor time")

    #expect(throws: BackupError.self) { try box.restore(Array(bytes.dropLast())) }
    #expect(box.instrument.library.presets.count == 300 && box.instrument.library.listing.trash.isEmpty)
    // It is free again.
    #expect(throws: Never.self) { try box.make() }
  }
}
