import Parameters
import Presets
import Scenes
import Scratch
import Storage
import Synth
import System
import Testing
@testable import Control

/// What is done to a part is taken back and done again exactly, and what is shown of it.
struct HistoryTests {
  private let folder = Folder()

  /// An instrument over a real database with three factory presets, which opens it when the test says so.
  private func instrument() throws -> (Instrument, SteppedLibrary, PollLoop) {
    for (number, name) in ["Glass", "Bass", "Pad"].enumerated() {
      folder.file(
        "factory/0\(number + 1)-x.txt", "pipit preset 1\nname \(name)\n/filter/cutoff/hz \(number + 1)00\n")
    }
    let stepped = SteppedLibrary(folder, factory: folder.path + "/factory")
    stepped.run(at: 0)
    let instrument = Instrument(link: Link(.initial), library: stepped.library, log: { _ in })
    let loop = try #require(PollLoop())
    instrument.join(loop)
    return (instrument, stepped, loop)
  }

  /// All that a part is shown as.
  private struct Picture: Equatable {
    let cutoff: Float
    let name: String
    let slot: Slot?
    let isEdited: Bool
    /// What lies in the player's banks.
    let own: [String]
  }

  private func picture(_ instrument: Instrument, part: Int = 0) -> Picture {
    Picture(
      cutoff: instrument.stage.scene[part].patch.filter.cutoff, name: instrument.presets.name(part: part),
      slot: instrument.presets.slot(part: part), isEdited: instrument.presets.isEdited(part: part),
      own: instrument.library.presets.filter { !$0.isFactory }.map { preset in
        "\(preset.slot.map { "\($0.bank)/\($0.program)" } ?? "") \(preset.name) "
          + "\(instrument.library.patch(of: preset)?.filter.cutoff ?? 0)"
      })
  }

  private func turn(_ instrument: Instrument, _ hertz: Float, part: Int = 0) throws {
    instrument.set(try #require(Address("/part/\(part + 1)/filter/cutoff", focus: 0)).knob, to: hertz)
  }

  @Test("Whatever was done, undo brings back sound, name, place and mark one by one, and redo does it again")
  func everything() throws {
    let (instrument, _, _) = try instrument()
    var pictures = [picture(instrument)]
    func act(_ body: () throws -> Void) throws {
      try body()
      pictures.append(picture(instrument))
    }
    try act { try turn(instrument, 1_000) }
    try act { instrument.presets.step(forward: true, part: 0) }
    try act { instrument.presets.step(forward: true, part: 0) }
    try act { try turn(instrument, 1_500) }
    try act { try instrument.presets.save(part: 0) }
    try act { try turn(instrument, 2_000) }
    try act { try instrument.presets.saveNew(part: 0, now: 0) }
    try act { try instrument.presets.rename(part: 0, to: "Cloud") }
    try act { try turn(instrument, 2_500) }
    try act { try instrument.presets.save(part: 0) }
    try act { try instrument.presets.copy(part: 0, to: #require(Slot(bank: 3, program: 7))) }
    try act { instrument.presets.recall(try #require(instrument.library.named("Pad")), part: 0) }
    try act { try instrument.presets.save(part: 0, named: "Cloud") }
    try act { try instrument.presets.remove(part: 0) }
    try act { try turn(instrument, 3_000) }
    try act { try instrument.presets.save(part: 0) }
    #expect(Set(pictures.map { "\($0)" }).count == pictures.count)
    for _ in 0..<3 {
      for index in pictures.indices.reversed() {
        #expect(picture(instrument) == pictures[index], "\(index)")
        if index > 0 { try instrument.presets.undo(part: 0) }
      }
      #expect(throws: DocumentError.self) { try instrument.presets.undo(part: 0) }
      for index in pictures.indices {
        #expect(picture(instrument) == pictures[index], "\(index)")
        if index + 1 < pictures.count { try instrument.presets.redo(part: 0) }
      }
      #expect(throws: DocumentError.self) { try instrument.presets.redo(part: 0) }
    }
  }

  @Test(
    "Two NEXTs, or one that the network has doubled, lose no edit; nor do thirty steps more than there are")
  func next() throws {
    let (instrument, _, _) = try instrument()
    try turn(instrument, 1_234)
    let edited = picture(instrument)
    instrument.presets.step(forward: true, part: 0)
    instrument.presets.step(forward: true, part: 0)
    try instrument.presets.undo(part: 0)
    try instrument.presets.undo(part: 0)
    #expect(picture(instrument) == edited && edited.isEdited)
    // A doubled undo is done again.
    instrument.presets.step(forward: true, part: 0)
    let next = picture(instrument)
    try instrument.presets.undo(part: 0)
    try instrument.presets.undo(part: 0)
    try instrument.presets.redo(part: 0)
    #expect(picture(instrument) == edited)
    try instrument.presets.redo(part: 0)
    #expect(picture(instrument) == next)
    for _ in 0..<40 { instrument.presets.step(forward: true, part: 0) }
    for _ in 0..<History<PartState>.limit { try instrument.presets.undo(part: 0) }
    #expect(throws: DocumentError.self) { try instrument.presets.undo(part: 0) }
    // Another part has its own.
    #expect(throws: DocumentError.self) { try instrument.presets.undo(part: 1) }
  }

  @Test("After SAVE on a factory sound the page shows where it went, lit, and says so once it is on the disk")
  func save() throws {
    let (instrument, stepped, loop) = try instrument()
    #expect(instrument.page.name == "Factory 1-16")
    try turn(instrument, 900)
    let before = picture(instrument)
    try instrument.presets.save(part: 0)
    #expect(instrument.page.name == "Own 1-16" && instrument.page.isCurrent(button: 1, part: 0))
    #expect(instrument.page.name(button: 1) == "Glass" && !instrument.presets.isEdited(part: 0))
    #expect(instrument.notices.shown == "Saving \"Glass\", Own 1…")
    // Nothing of it is on the disk before the writer's turn.
    loop.round(limit: 0)
    #expect(instrument.notices.shown == "Saving \"Glass\", Own 1…")
    stepped.round(at: 1)
    loop.round(limit: 0)
    #expect(instrument.notices.shown == "Saved \"Glass\", Own 1")
    // Its time begins with the first look.
    _ = instrument.update(0)
    _ = instrument.update(.max / 2)
    #expect(instrument.notices.shown.isEmpty)
    // A tap on the slot brings what was saved.
    try instrument.page.press(button: 1, part: 0)
    #expect(picture(instrument).cutoff == 900)
    try instrument.presets.undo(part: 0)
    #expect(picture(instrument) == before && instrument.page.name == "Factory 1-16")
  }

  @Test("It is not called saved while a newer save of it, or another, is still being written")
  func saved() throws {
    let (instrument, stepped, loop) = try instrument()
    try turn(instrument, 900)
    try instrument.presets.save(part: 0)
    stepped.round(at: 1)
    try turn(instrument, 950)
    try instrument.presets.save(part: 0)
    // This hears of the first.
    loop.round(limit: 0)
    #expect(instrument.notices.shown == "Saving \"Glass\", Own 1…")
    stepped.round(at: 2)
    loop.round(limit: 0)
    #expect(instrument.notices.shown == "Saved \"Glass\", Own 1")
  }

  @Test("A new preset gets a name that follows; a doubled packet makes no second one")
  func saveNew() throws {
    let (instrument, _, _) = try instrument()
    #expect(instrument.presets.newName(part: 0) == "Glass 2")
    try instrument.presets.saveNew(part: 0, now: 5_000_000_000)
    try instrument.presets.saveNew(part: 0, now: 5_010_000_000)
    #expect(instrument.presets.name(part: 0) == "Glass 2" && instrument.presets.newName(part: 0) == "Glass 3")
    try instrument.presets.saveNew(part: 0, now: 6_000_000_000)
    #expect(picture(instrument).own == ["1/0 Glass 2 100.0", "1/1 Glass 3 100.0"])
  }

  @Test("COPY takes the next slot that is pressed, from the factory's page on one of the player's")
  func copy() throws {
    let (instrument, _, _) = try instrument()
    instrument.page.armCopy(now: 0)
    // The network has doubled the packet.
    instrument.page.armCopy(now: 1_000_000)
    #expect(instrument.page.isCopyArmed && instrument.page.name == "Own 1-16")
    try instrument.page.press(button: 5, part: 0)
    #expect(!instrument.page.isCopyArmed && instrument.page.isCurrent(button: 5, part: 0))
    #expect(picture(instrument).own == ["1/4 Glass 2 100.0"])
    // What lay there is overwritten, and comes back.
    instrument.presets.recall(try #require(instrument.library.named("Bass")), part: 0)
    #expect(throws: DocumentError.self) { try instrument.page.copy(part: 0, toButton: 4) }
    try instrument.presets.copy(part: 0, to: #require(Slot(bank: 1, program: 4)))
    #expect(picture(instrument).own == ["1/4 Bass 2 200.0"])
    try instrument.presets.undo(part: 0)
    #expect(picture(instrument).own == ["1/4 Glass 2 100.0"] && instrument.presets.name(part: 0) == "Bass")
    // A second press ends it, and a slot recalls again.
    instrument.page.armCopy(now: 10_000_000_000)
    instrument.page.armCopy(now: 11_000_000_000)
    instrument.presets.recall(try #require(instrument.library.named("Glass 2")), part: 0)
    try instrument.page.press(button: 4, part: 0)
    #expect(instrument.presets.name(part: 0) == "Glass 2" && !instrument.notices.shown.hasPrefix("Copy"))
  }

  @Test("A COPY that nobody uses ends after ten seconds, and a slot that is pressed then takes none")
  func copyEnds() throws {
    let (instrument, _, _) = try instrument()
    let second: Int64 = 1_000_000_000
    try instrument.presets.save(part: 0, named: "Mine")
    var pages = 0
    instrument.listen { if $0 == .page { pages += 1 } }
    instrument.page.armCopy(now: 5 * second)
    #expect(instrument.page.isCopyArmed && instrument.notices.shown.hasPrefix("Copy \"Mine\"") && pages == 1)
    _ = instrument.update(6 * second)
    // It wants to be woken for it.
    #expect(instrument.update(7 * second).map { $0 <= 15 * second } == true)
    _ = instrument.update(15 * second - 1)
    #expect(instrument.page.isCopyArmed && pages == 1)
    _ = instrument.update(15 * second)
    #expect(!instrument.page.isCopyArmed && !instrument.notices.shown.hasPrefix("Copy") && pages == 2)
    try instrument.page.press(button: 5, part: 0)
    #expect(instrument.presets.name(part: 0) == "Mine" && picture(instrument).own.count == 1)
    // Pressed once more it has its ten seconds again.
    instrument.page.armCopy(now: 20 * second)
    _ = instrument.update(29 * second)
    #expect(instrument.page.isCopyArmed)
  }

  @Test("A part whose preset another part removes keeps its name and sound, and finds it again")
  func otherPart() throws {
    let (instrument, _, _) = try instrument()
    try instrument.presets.save(part: 0, named: "Mine")
    instrument.presets.recall(try #require(instrument.library.named("Mine")), part: 1)
    try instrument.presets.remove(part: 0)
    #expect(
      instrument.presets.name(part: 1) == "Mine" && instrument.presets.slot(part: 1) == nil
        && instrument.presets.isEdited(part: 1))
    try instrument.presets.undo(part: 0)
    #expect(
      instrument.presets.slot(part: 1) == Slot(bank: 1, program: 0) && !instrument.presets.isEdited(part: 1))
    // What another part has saved there since is not taken away.
    try turn(instrument, 3_000, part: 1)
    try instrument.presets.save(part: 1)
    try turn(instrument, 4_000)
    try instrument.presets.save(part: 0)
    try instrument.presets.undo(part: 1)
    #expect(picture(instrument).own == ["1/0 Mine 4000.0"])
    #expect(instrument.notices.shown == "saved since by another hand, and left as it is: Own 1")
  }

  @Test("A preset that was moved since, because another lay in its slot, is taken back where it is")
  func moved() throws {
    do {
      let library = Library(database: folder.database, factory: nil, log: { _ in })
      try library.save(.initial, name: "Old")
      #expect(library.stop(within: 60))
    }
    let stepped = SteppedLibrary(folder)
    let instrument = Instrument(link: Link(.initial), library: stepped.library, log: { _ in })
    let loop = try #require(PollLoop())
    instrument.join(loop)
    try turn(instrument, 300)
    try instrument.presets.save(part: 0, named: "Blind")
    try turn(instrument, 400)
    try instrument.presets.save(part: 0)
    #expect(instrument.presets.slot(part: 0) == Slot(bank: 1, program: 0))
    stepped.round(at: 10)
    loop.round(limit: 0)
    #expect(instrument.notices.shown == "Own 1 was taken: \"Blind\" is in Own 2")
    #expect(
      instrument.presets.slot(part: 0) == Slot(bank: 1, program: 1) && !instrument.presets.isEdited(part: 0))
    #expect(instrument.page.isCurrent(button: 2, part: 0))
    #expect(picture(instrument).own == ["1/0 Old 8000.0", "1/1 Blind 400.0"])
    try instrument.presets.undo(part: 0)
    #expect(
      picture(instrument).own == ["1/0 Old 8000.0", "1/1 Blind 300.0"] && instrument.presets.isEdited(part: 0)
    )
    #expect(stepped.stop(at: 20))
    #expect(
      Library(database: folder.database, factory: nil, log: { _ in }).presets.map(\.name) == ["Old", "Blind"])
  }
}
