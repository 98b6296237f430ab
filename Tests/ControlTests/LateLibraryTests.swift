import Glibc
import Parameters
import Scenes
import Scratch
import Synth
import System
import Testing
@testable import Control
@testable import Presets
@testable import Storage

/// A database that is out of reach when pipit starts: another program holds it.
struct LateLibraryTests {
  private func cutoff() throws -> ParameterID {
    try #require(Address("/part/6/filter/cutoff", focus: 0)).knob
  }

  /// A session with a preset in the part in focus comes late, to a pipit that has a factory preset or none. The
  /// control that it came to, what that told, and the session as it lies there afterwards.
  private func late(
    focus: Int = 5, factory: Bool = false, _ meanwhile: (Instrument) -> Void = { _ in }
  ) throws -> (Instrument, [Change], session: Session?) {
    let (folder, cutoff) = (Folder(), try cutoff())
    if factory { folder.file("factory/01-first.txt", "pipit preset 1\nname First\n") }
    do {
      let library = Library(database: folder.database, factory: nil, log: { _ in })
      let mine = try library.save(.initial, name: "Mine")
      var session = Session(focus: focus)
      session.scene[cutoff] = 1_000
      session.presets[focus] = mine.slot
      library.save(session)
      #expect(library.stop(within: 60))
    }
    let other = try Database(folder.database, create: false)
    try other.script("BEGIN EXCLUSIVE", "hold the file")
    let stepped = SteppedLibrary(folder, factory: factory ? folder.path + "/factory" : nil)
    let library = stepped.library
    stepped.round(at: 0)
    let instrument = Instrument(link: Link(.initial), library: library, log: { _ in })
    let loop = try #require(PollLoop())
    instrument.join(loop)
    var told: [Change] = []
    instrument.listen { told.append($0) }
    #expect(instrument.presets.name(part: 0) == (factory ? "First" : ""))
    meanwhile(instrument)
    try other.script("COMMIT", "let go")
    // The next attempt, heard of in a round of the loop; then it is written to.
    stepped.round(at: 10)
    loop.round(limit: 0)
    #expect(told.contains(.page))
    #expect(instrument.page.slot(button: 1).flatMap { library[$0]?.name } == "Mine")
    _ = instrument.finish(within: 0)
    #expect(stepped.stop(at: 20))
    return (instrument, told, Library(database: folder.database, factory: nil, log: { _ in }).session)
  }

  @Test("An instrument that nobody has touched wakes as it was left, and whoever listens is told")
  func untouched() throws {
    let (instrument, told, session) = try late()
    let cutoff = try cutoff()
    #expect(
      instrument.focus == 5 && instrument.presets.name(part: 5) == "Mine"
        && instrument.presets.isEdited(part: 5))
    #expect(instrument.stage.scene[cutoff] == 1_000)
    #expect(told.contains(.focus) && told.contains(.knob(cutoff)) && told.contains(.preset(part: 5)))
    #expect(session?.focus == 5 && session?.scene[cutoff] == 1_000)
  }

  @Test("The page of presets goes with the part in focus, also from that of the first factory preset")
  func page() throws {
    let (instrument, _, _) = try late(focus: 0, factory: true)
    #expect(instrument.presets.name(part: 0) == "Mine")
  }

  @Test("What was changed meanwhile stays, and is the session from then on")
  func changed() throws {
    let (instrument, _, session) = try late { $0.focus = 2 }
    #expect(instrument.focus == 2 && instrument.presets.name(part: 5) == "")
    #expect(session?.focus == 2)
  }

  @Test("While somebody plays, neither the sound nor the session that lies there is touched")
  func played() throws {
    let (instrument, _, session) = try late { instrument in
      #expect(instrument.link.midi.push(Event(frame: 0, kind: .noteOn, note: 60, value: 1)))
      _ = instrument.link.midi.peek()
      instrument.link.midi.drop()
    }
    #expect(instrument.focus == 0)
    #expect(session?.focus == 5)
  }
}
