import Parameters
import Presets
import Scratch
import Storage
import Synth
import System
import Testing

@testable import Control

/// What is done to a part is taken back and done again exactly, and what is shown of it.
struct HistoryTests {
  private let folder = Folder()

  /// A control over a real database with three factory presets, which opens it when the test says so.
  private func control() throws -> (Instrument, SteppedLibrary, PollLoop) {
    for (number, name) in ["Glass", "Bass", "Pad"].enumerated() {
      folder.file(
        "factory/0\(number + 1)-x.txt", "pipit preset 1\nname \(name)\n/filter/cutoff/hz \(number + 1)00\n")
    }
    let stepped = SteppedLibrary(folder, factory: folder.path + "/factory")
    stepped.run(at: 0)
    let control = Instrument(link: Link(.initial), library: stepped.library, log: { _ in })
    let loop = try #require(PollLoop())
    control.join(loop)
    return (control, stepped, loop)
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

  private func picture(_ control: Instrument, part: Int = 0) -> Picture {
    Picture(
      cutoff: control.stage.scene[part].patch.filter.cutoff, name: control.presets.name(part: part),
      slot: control.presets.slot(part: part), isEdited: control.presets.isEdited(part: part),
      own: control.library.presets.filter { !$0.isFactory }.map { preset in
        "\(preset.slot.map { "\($0.bank)/\($0.program)" } ?? "") \(preset.name) "
          + "\(control.library.patch(of: preset)?.filter.cutoff ?? 0)"
      })
  }

  private func turn(_ control: Instrument, _ hertz: Float, part: Int = 0) throws {
    control.set(try #require(Address("/part/\(part + 1)/filter/cutoff", focus: 0)).knob, to: hertz)
  }

  @Test("Whatever was done, undo brings back sound, name, place and mark one by one, and redo does it again")
  func everything() throws {
    let (control, _, _) = try control()
    var pictures = [picture(control)]
    func act(_ body: () throws -> Void) throws {
      try body()
      pictures.append(picture(control))
    }
    try act { try turn(control, 1_000) }
    try act { control.presets.step(forward: true, part: 0) }
    try act { control.presets.step(forward: true, part: 0) }
    try act { try turn(control, 1_500) }
    try act { try control.presets.save(part: 0) }
    try act { try turn(control, 2_000) }
    try act { try control.presets.saveNew(part: 0, now: 0) }
    try act { try control.presets.rename(part: 0, to: "Cloud") }
    try act { try turn(control, 2_500) }
    try act { try control.presets.save(part: 0) }
    try act { try control.presets.copy(part: 0, to: #require(Slot(bank: 3, program: 7))) }
    try act { control.presets.recall(try #require(control.library.named("Pad")), part: 0) }
    try act { try control.presets.save(part: 0, named: "Cloud") }
    try act { try control.presets.remove(part: 0) }
    try act { try turn(control, 3_000) }
    try act { try control.presets.save(part: 0) }
    #expect(Set(pictures.map { "\($0)" }).count == pictures.count)
    for _ in 0..<3 {
      for index in pictures.indices.reversed() {
        #expect(picture(control) == pictures[index], "\(index)")
        if index > 0 { try control.presets.undo(part: 0) }
      }
      #expect(throws: DocumentError.self) { try control.presets.undo(part: 0) }
      for index in pictures.indices {
        #expect(picture(control) == pictures[index], "\(index)")
        if index + 1 < pictures.count { try control.presets.redo(part: 0) }
      }
      #expect(throws: DocumentError.self) { try control.presets.redo(part: 0) }
    }
  }

  @Test(
    "Two NEXTs, or one that the network has doubled, lose no edit; nor do thirty steps more than there are")
  func next() throws {
    let (control, _, _) = try control()
    try turn(control, 1_234)
    let edited = picture(control)
    control.presets.step(forward: true, part: 0)
    control.presets.step(forward: true, part: 0)
    try control.presets.undo(part: 0)
    try control.presets.undo(part: 0)
    #expect(picture(control) == edited && edited.isEdited)
    // A doubled undo is done again.
    control.presets.step(forward: true, part: 0)
    let next = picture(control)
    try control.presets.undo(part: 0)
    try control.presets.undo(part: 0)
    try control.presets.redo(part: 0)
    #expect(picture(control) == edited)
    try control.presets.redo(part: 0)
    #expect(picture(control) == next)
    for _ in 0..<40 { control.presets.step(forward: true, part: 0) }
    for _ in 0..<History<PartState>.limit { try control.presets.undo(part: 0) }
    #expect(throws: DocumentError.self) { try control.presets.undo(part: 0) }
    // Another part has its own.
    #expect(throws: DocumentError.self) { try control.presets.undo(part: 1) }
  }

  @Test("After SAVE on a factory sound the page shows where it went, lit, and says so once it is on the disk")
  func save() throws {
    let (control, stepped, loop) = try control()
    #expect(control.page.name == "Factory 1-16")
    try turn(control, 900)
    let before = picture(control)
    try control.presets.save(part: 0)
    #expect(control.page.name == "Own 1-16" && control.page.isCurrent(button: 1, part: 0))
    #expect(control.page.name(button: 1) == "Glass" && !control.presets.isEdited(part: 0))
    #expect(control.notices.shown == "Saving \"Glass\", Own 1…")
    // Nothing of it is on the disk before the writer's turn.
    loop.round(limit: 0)
    #expect(control.notices.shown == "Saving \"Glass\", Own 1…")
    stepped.round(at: 1)
    loop.round(limit: 0)
    #expect(control.notices.shown == "Saved \"Glass\", Own 1")
    // Its time begins with the first look.
    _ = control.update(0)
    _ = control.update(.max / 2)
    #expect(control.notices.shown.isEmpty)
    // A tap on the slot brings what was saved.
    try control.page.press(button: 1, part: 0)
    #expect(picture(control).cutoff == 900)
    try control.presets.undo(part: 0)
    #expect(picture(control) == before && control.page.name == "Factory 1-16")
  }

  @Test("It is not called saved while a newer save of it, or another, is still being written")
  func saved() throws {
    let (control, stepped, loop) = try control()
    try turn(control, 900)
    try control.presets.save(part: 0)
    stepped.round(at: 1)
    try turn(control, 950)
    try control.presets.save(part: 0)
    // This hears of the first.
    loop.round(limit: 0)
    #expect(control.notices.shown == "Saving \"Glass\", Own 1…")
    stepped.round(at: 2)
    loop.round(limit: 0)
    #expect(control.notices.shown == "Saved \"Glass\", Own 1")
  }

  @Test("A new preset gets a name that follows; a doubled packet makes no second one")
  func saveNew() throws {
    let (control, _, _) = try control()
    #expect(control.presets.newName(part: 0) == "Glass 2")
    try control.presets.saveNew(part: 0, now: 5_000_000_000)
    try control.presets.saveNew(part: 0, now: 5_010_000_000)
    #expect(control.presets.name(part: 0) == "Glass 2" && control.presets.newName(part: 0) == "Glass 3")
    try control.presets.saveNew(part: 0, now: 6_000_000_000)
    #expect(picture(control).own == ["1/0 Glass 2 100.0", "1/1 Glass 3 100.0"])
  }

  @Test("COPY takes the next slot that is pressed, from the factory's page on one of the player's")
  func copy() throws {
    let (control, _, _) = try control()
    control.page.armCopy(now: 0)
    // The network has doubled the packet.
    control.page.armCopy(now: 1_000_000)
    #expect(control.page.isCopyArmed && control.page.name == "Own 1-16")
    try control.page.press(button: 5, part: 0)
    #expect(!control.page.isCopyArmed && control.page.isCurrent(button: 5, part: 0))
    #expect(picture(control).own == ["1/4 Glass 2 100.0"])
    // What lay there is overwritten, and comes back.
    control.presets.recall(try #require(control.library.named("Bass")), part: 0)
    #expect(throws: DocumentError.self) { try control.page.copy(part: 0, toButton: 4) }
    try control.presets.copy(part: 0, to: #require(Slot(bank: 1, program: 4)))
    #expect(picture(control).own == ["1/4 Bass 2 200.0"])
    try control.presets.undo(part: 0)
    #expect(picture(control).own == ["1/4 Glass 2 100.0"] && control.presets.name(part: 0) == "Bass")
    // A second press ends it, and a slot recalls again.
    control.page.armCopy(now: 10_000_000_000)
    control.page.armCopy(now: 11_000_000_000)
    control.presets.recall(try #require(control.library.named("Glass 2")), part: 0)
    try control.page.press(button: 4, part: 0)
    #expect(control.presets.name(part: 0) == "Glass 2" && !control.notices.shown.hasPrefix("Copy"))
  }

  @Test("A COPY that nobody uses ends after ten seconds, and a slot that is pressed then takes none")
  func copyEnds() throws {
    let (control, _, _) = try control()
    let second: Int64 = 1_000_000_000
    try control.presets.save(part: 0, named: "Mine")
    var pages = 0
    control.listen { if $0 == .page { pages += 1 } }
    control.page.armCopy(now: 5 * second)
    #expect(control.page.isCopyArmed && control.notices.shown.hasPrefix("Copy \"Mine\"") && pages == 1)
    _ = control.update(6 * second)
    // It wants to be woken for it.
    #expect(control.update(7 * second).map { $0 <= 15 * second } == true)
    _ = control.update(15 * second - 1)
    #expect(control.page.isCopyArmed && pages == 1)
    _ = control.update(15 * second)
    #expect(!control.page.isCopyArmed && !control.notices.shown.hasPrefix("Copy") && pages == 2)
    try control.page.press(button: 5, part: 0)
    #expect(control.presets.name(part: 0) == "Mine" && picture(control).own.count == 1)
    // Pressed once more it has its ten seconds again.
    control.page.armCopy(now: 20 * second)
    _ = control.update(29 * second)
    #expect(control.page.isCopyArmed)
  }

  @Test("A part whose preset another part removes keeps its name and sound, and finds it again")
  func otherPart() throws {
    let (control, _, _) = try control()
    try control.presets.save(part: 0, named: "Mine")
    control.presets.recall(try #require(control.library.named("Mine")), part: 1)
    try control.presets.remove(part: 0)
    #expect(
      control.presets.name(part: 1) == "Mine" && control.presets.slot(part: 1) == nil
        && control.presets.isEdited(part: 1))
    try control.presets.undo(part: 0)
    #expect(control.presets.slot(part: 1) == Slot(bank: 1, program: 0) && !control.presets.isEdited(part: 1))
    // What another part has saved there since is not taken away.
    try turn(control, 3_000, part: 1)
    try control.presets.save(part: 1)
    try turn(control, 4_000)
    try control.presets.save(part: 0)
    try control.presets.undo(part: 1)
    #expect(picture(control).own == ["1/0 Mine 4000.0"])
    #expect(control.notices.shown == "saved since by another hand, and left as it is: Own 1")
  }

  @Test("A preset that was moved since, because another lay in its slot, is taken back where it is")
  func moved() throws {
    do {
      let library = Library(database: folder.database, factory: nil, log: { _ in })
      try library.save(.initial, name: "Old")
      #expect(library.stop(within: 30))
    }
    let stepped = SteppedLibrary(folder)
    let control = Instrument(link: Link(.initial), library: stepped.library, log: { _ in })
    let loop = try #require(PollLoop())
    control.join(loop)
    try turn(control, 300)
    try control.presets.save(part: 0, named: "Blind")
    try turn(control, 400)
    try control.presets.save(part: 0)
    #expect(control.presets.slot(part: 0) == Slot(bank: 1, program: 0))
    stepped.round(at: 10)
    loop.round(limit: 0)
    #expect(control.notices.shown == "Own 1 was taken: \"Blind\" is in Own 2")
    #expect(control.presets.slot(part: 0) == Slot(bank: 1, program: 1) && !control.presets.isEdited(part: 0))
    #expect(control.page.isCurrent(button: 2, part: 0))
    #expect(picture(control).own == ["1/0 Old 8000.0", "1/1 Blind 400.0"])
    try control.presets.undo(part: 0)
    #expect(
      picture(control).own == ["1/0 Old 8000.0", "1/1 Blind 300.0"] && control.presets.isEdited(part: 0))
    #expect(stepped.stop(at: 20))
    #expect(
      Library(database: folder.database, factory: nil, log: { _ in }).presets.map(\.name) == ["Old", "Blind"])
  }
}
