import Glibc
import Presets
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
}
