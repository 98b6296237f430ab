import Glibc
import Parameters
import Scratch
import Synth
import Testing

@testable import Control
@testable import Presets

/// A database that is out of reach when pipit starts: another program holds it.
struct LateLibraryTests {
  private static let cutoff = Address("/part/6/filter/cutoff", focus: 0)?.knob ?? Knob.all[0]

  /// What was told from when the database came, and the library and control that it came to.
  private func late(_ meanwhile: (Control) -> Void = { _ in }) throws -> (
    Control, [Change], session: Session?
  ) {
    let folder = Folder()
    var path: String { folder.path + "/presets.sqlite" }
    do {
      let library = Library(database: path, factory: nil, log: { _ in })
      let mine = try library.save(.initial, name: "Mine")
      var session = Session(focus: 5)
      session.scene[Self.cutoff] = 1_000
      session.presets[5] = mine.slot
      library.keep(session)
      #expect(library.stop(within: 30))
    }
    let other = try Database(path, create: false)
    try other.script("BEGIN EXCLUSIVE", "hold the file")
    let library = Library(database: path, factory: nil, log: { _ in })
    let control = Control(link: Link(.initial), library: library, log: { _ in })
    let loop = try #require(Loop())
    control.join(loop)
    var told: [Change] = []
    control.listen { told.append($0) }
    #expect(control.page == nil)
    meanwhile(control)
    try other.script("COMMIT", "let go")
    library.writer?.put([:])
    let end = monotonic() + 20_000_000_000
    while monotonic() < end && !told.contains(.page) { loop.round(limit: 10_000_000) }
    #expect(told.contains(.page))
    #expect(control.slot(button: 1).flatMap { library[$0]?.name } == "Mine")
    #expect(control.finish(within: 30))
    return (control, told, Library(database: path, factory: nil, log: { _ in }).session)
  }

  @Test("An instrument that nobody has touched wakes as it was left, and whoever listens is told")
  func untouched() throws {
    let (control, told, session) = try late()
    #expect(control.focus == 5 && control.name(part: 5) == "Mine" && control.isEdited(part: 5))
    #expect(control.stage.scene[Self.cutoff] == 1_000)
    #expect(told.contains(.focus) && told.contains(.knob(Self.cutoff)) && told.contains(.preset(part: 5)))
    #expect(session?.focus == 5 && session?.scene[Self.cutoff] == 1_000)
  }

  @Test("What was changed meanwhile stays, and is the session from then on")
  func changed() throws {
    let (control, _, session) = try late { $0.focus = 2 }
    #expect(control.focus == 2 && control.name(part: 5) == "")
    #expect(session?.focus == 2)
  }

  @Test("While somebody plays, neither the sound nor the session that lies there is touched")
  func played() throws {
    let (control, _, session) = try late { control in
      #expect(control.link.midi.push(Event(frame: 0, kind: .noteOn, note: 60, value: 1)))
      _ = control.link.midi.peek()
      control.link.midi.drop()
    }
    #expect(control.focus == 0)
    #expect(session?.focus == 5)
  }
}
