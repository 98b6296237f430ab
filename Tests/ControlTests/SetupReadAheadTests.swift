import Glibc
import Presets
import Scenes
import Scratch
import Storage
import Synth
import System
import Testing
import Tuning
@testable import Control

/// What may be recalled next is read by a worker, while the control thread goes on.
struct SetupReadAheadTests {
  private func instrument(_ library: Library, _ loop: PollLoop, tunings: String) -> Instrument {
    let instrument = Instrument(
      link: Link(.initial), library: library, tunings: TuningFolder(tunings), log: { _ in })
    instrument.join(loop)
    return instrument
  }

  @Test(
    "Neighbours, presets and tunings are read on another thread, and a recall finds them; it waits for none")
  func worker() throws {
    let folder = Folder()
    folder.file("third.scl", "! third.scl\n!\nThird\n 2\n!\n 5/4\n 2/1\n")
    let library = Library(database: nil, factory: nil, log: { _ in })
    for (program, name) in ["A", "B", "C"].enumerated() {
      let text = "pipit setup 1\ntuning 1 third\n/part/1/filter/cutoff/hz \(program + 1)000\n"
      try library.documents.save(Document(name: name, text: text), .setup, "0/\(program)")
    }
    let loop = try #require(PollLoop())
    let instrument = instrument(library, loop, tunings: folder.path)
    let setups = instrument.setups
    func slot(_ number: Int) throws -> Slot { try #require(Slot(setupNumber: number)) }
    func wait(for numbers: [Int]) throws {
      let slots = Set(try numbers.map { try slot($0) })
      #expect(
        eventually {
          loop.round(limit: 1_000_000)
          return Set(setups.ready.keys) == slots && !setups.isReading
        })
    }
    // An update only asks for it; the result comes with a round of the loop.
    #expect(
      eventually {
        _ = instrument.update(monotonic())
        return setups.isReading
      })
    #expect(setups.ready.isEmpty)
    try wait(for: [1])
    // What was not read ahead is read by the recall.
    try setups.recall(number: 2)
    #expect(instrument.stage.scene[0].patch.filter.cutoff == 2_000)
    try wait(for: [1, 2, 3])
    // Its file is gone, and was read ahead.
    #expect(unlink(folder.path + "/third.scl") == 0)
    try setups.recall(number: 3)
    #expect(instrument.notices.shown == "" && instrument.tunings.scale(of: [0]) == "third")
    // A change is seen, whatever was read ahead.
    let text = "pipit setup 1\n/part/1/filter/cutoff/hz 777\n"
    try library.documents.save(Document(name: "B", text: text), .setup, "0/1")
    try setups.recall(number: 2)
    #expect(instrument.stage.scene[0].patch.filter.cutoff == 777)
    try wait(for: [1, 2, 3])
  }

  @Test("A setup that was just saved is prepared as if its text and its presets had been read")
  func saved() throws {
    let folder = Folder()
    folder.file(
      "01-x.txt", "pipit preset 1\nname Glass\n/filter/cutoff/hz 100\nsnapshot B \"Wide\"\n/amp/level/db -6\n"
    )
    let stand = ShowStand(Library(database: nil, factory: folder.path, log: { _ in }))
    let setups = stand.setups
    try stand.instrument.presets.recall(named: "Glass", part: 0)
    try stand.instrument.presets.saveNew(part: 1, named: "Mine", now: stand.now)
    stand.set("/part/1/filter/cutoff/hz", 432.1)
    stand.set("/part/3/level/db", -7.3)
    stand.set("/part/2/key/low", 40)
    stand.set("/tempo", 97.3)
    try setups.save(named: "A")
    try setups.describe("keep", "part 3")
    try setups.save()
    let slot = try #require(setups.slot)
    let saved = try #require(setups.ready[slot])
    stand.run()
    #expect(!setups.isEdited)
    setups.ready = [:]
    let read = try #require(setups.prepared(slot))
    #expect(saved.setup.isSame(as: read.setup) && saved.setup.about == read.setup.about)
    #expect(saved.name == read.name && saved.text == read.text && saved.missing == read.missing)
    #expect(saved.origins == read.origins)
    for (one, other) in zip(saved.origins, read.origins) {
      #expect(one.stored.map { $0.isSame(as: other.stored ?? .initial) } ?? (other.stored == nil))
      #expect(one.storedSnapshots == other.storedSnapshots)
    }
    // A preset that another hand has saved since is read again, others are not.
    try stand.library.save(.initial, name: "Other")
    #expect(setups.ready[slot].map { $0.isCurrent(in: stand.library) } == true)
    try stand.instrument.presets.saveNew(part: 0, named: "Own", now: stand.now + 1_000_000_000)
    #expect(setups.known(slot, try #require(setups.document)) != nil)
    _ = try stand.instrument.presets.rename("Mine", to: "Yours")
    #expect(setups.known(slot, try #require(setups.document)) == nil)
  }
}
