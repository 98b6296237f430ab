import Presets
import Scenes
import Scratch
import Synth
import System
import Testing
@testable import Control
@testable import Surface

/// Undo and redo, as a player at a tablet does it.
struct HistoryNodeTests {
  @Test("What was turned is one step: undo takes all of it back, and redo loses none of it")
  func edits() {
    let player = Player()
    player.say("/filter/cutoff/hz", 1_000)
    player.say("/filter/resonance/percent", 40)
    player.say("/preset/undo", 1)
    #expect(player["/filter/cutoff/hz"] == .float(8_000) && player["/filter/resonance"] == .float(0))
    #expect(player.refusal("/preset/undo", .number(1))?.contains("nothing to undo") == true)
    player.say("/preset/redo", 1)
    #expect(player["/filter/cutoff/hz"] == .float(1_000) && player["/filter/resonance"] == .float(0.4))
    #expect(player.refusal("/preset/redo", .number(1))?.contains("nothing to redo") == true)
    // After a step of another kind as well.
    player.say("/preset/save", "One")
    player.say("/filter/cutoff/hz", 500)
    player.say("/preset/undo", 1)
    #expect(player["/filter/cutoff/hz"] == .float(1_000) && player["/preset/name"] == .string("One"))
    player.say("/preset/redo", 1)
    #expect(player["/filter/cutoff/hz"] == .float(500) && player["/preset/name"] == .string("One"))
  }

  @Test("Whatever is done after an undo ends the redo, and what was turned after it stays", arguments: 0..<3)
  func newStep(kind: Int) {
    let player = Player()
    player.say("/preset/save", "One")
    player.say("/filter/cutoff/hz", 1_000)
    player.say("/preset/save", "Two")
    player.say("/preset/undo", 1)
    player.say("/preset/undo", 1)
    #expect(player["/filter/cutoff/hz"] == .float(8_000))
    switch kind {
    case 0: player.say("/filter/cutoff/hz", 300)
    case 1:
      player.say("/filter/cutoff/hz", 300)
      player.say("/preset/save", "Three")
    default:
      player.say("/filter/cutoff/hz", 300)
      player.say("/preset/load", "One")
      player.say("/preset/undo", 1)
      player.say("/filter/resonance", 1)
    }
    #expect(player.refusal("/preset/redo", .number(1))?.contains("nothing to redo") == true)
    #expect(player["/filter/cutoff/hz"] == .float(300))
    if kind == 1 { player.say("/preset/undo", 1) }
    player.say("/preset/undo", 1)
    #expect(player["/filter/cutoff/hz"] == .float(kind == 2 ? 300 : 8_000))
    player.say("/preset/redo", 1)
    #expect(player["/filter/cutoff/hz"] == .float(300))
  }

  @Test("Thirty steps are kept, and each part has its own")
  func thirty() {
    let player = Player()
    player.say("/preset/save", "One")
    player.say("/filter/cutoff/hz", 1_000)
    player.say("/preset/save", "Two")
    for step in 0..<40 { player.say("/preset/load", step % 2 == 0 ? "One" : "Two") }
    player.say("/part/2/preset/load", "One")
    var steps = 0
    while steps < 100, player.refusal("/preset/undo", .number(1)) == nil { steps += 1 }
    #expect(steps == 30)
    #expect(player.refusal("/part/2/preset/undo", .number(1)) == nil)
    #expect(player.refusal("/part/2/preset/undo", .number(1)) != nil)
  }

  @Test("Undo brings back the name, the slot and the page, and redo those that came after")
  func places() {
    let player = Player()
    for number in 0..<20 { player.say("/preset/save/new", "P\(number)") }
    player.say("/preset/load", "P0")
    player.say("/preset/load", "P17")
    func place() -> [OSCValue?] {
      ["/preset/name", "/preset/bank", "/preset/program", "/preset/page", "/preset/edited"].map { player[$0] }
    }
    let (first, later): ([OSCValue?], [OSCValue?]) = (
      [.string("P0"), .int(1), .int(0), .string("Own 1-16"), .int(0)],
      [.string("P17"), .int(1), .int(17), .string("Own 17-32"), .int(0)]
    )
    #expect(place() == later)
    for _ in 0..<2 {
      player.say("/preset/undo", 1)
      #expect(place() == first)
      player.say("/preset/redo", 1)
      #expect(place() == later)
    }
  }

  @Test("A recall of what sounds already is no step")
  func nothingDone() {
    let player = Player()
    player.say("/preset/save", "One")
    player.say("/filter/cutoff/hz", 1_000)
    player.say("/preset/load", "One")
    player.say("/preset/load", "One")
    player.say("/preset/undo", 1)
    #expect(player["/filter/cutoff/hz"] == .float(1_000))
  }

  @Test("The mark of an edited sound comes with the first turn and goes when the knob is turned back")
  func mark() {
    let player = Player.connected()
    player.say("/filter/cutoff/hz", 440)
    player.say("/preset/save", "One")
    player.pass(milliseconds: 1_000)
    for (hertz, mark) in [(500, 1), (440, 0), (441, 1)] as [(Double, Int)] {
      player.forget()
      player.say("/filter/cutoff/hz", hertz)
      player.pass(milliseconds: 100)
      #expect(player.shown["/preset/edited"] == .int(mark), "\(hertz)")
      #expect(player.shown["/part/1/preset/edited"] == .int(mark))
    }
    // A strip is no part of the sound.
    player.say("/preset/undo", 1)
    player.say("/level", 0.3)
    #expect(player["/preset/edited"] == .int(0))
  }

  @Test("A save that was undone before it was on the disk is never called saved")
  func undoneSave() throws {
    let folder = Folder()
    let stepped = SteppedLibrary(folder)
    stepped.run(at: 0)
    let control = Instrument(link: Link(.initial), library: stepped.library, log: { _ in })
    let loop = try #require(PollLoop())
    control.join(loop)
    let player = Player(control)
    player.say("/filter/cutoff/hz", 900)
    player.say("/preset/save", "Glass")
    #expect(player["/notice"] == .string("Saving \"Glass\", Own 1…"))
    player.say("/preset/undo", 1)
    for second in 1...20 {
      stepped.round(at: Double(second))
      loop.round(limit: 0)
      guard case .string(let notice)? = player["/notice"] else { continue }
      #expect(!notice.contains("Saved \"Glass\"") && !notice.contains("Saving \"Glass\""), "\(notice)")
    }
    #expect(player["/preset/slot/1/name"] == .string(""))
    // One that stays is.
    player.say("/preset/save", "Bell")
    for second in 21...30 {
      stepped.round(at: Double(second))
      loop.round(limit: 0)
    }
    // The first slot keeps what was undone, for redo.
    #expect(player["/notice"] == .string("Saved \"Bell\", Own 2"))
  }
}
