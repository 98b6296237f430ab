import Glibc
import Parameters
import Presets
import Scenes
import Scratch
import Synth
import Testing
import Tuning
@testable import Control

/// Tunings as control gives them to parts, and as sessions keep them.
@Suite struct ChosenTuningTests {
  private let files = Folder()

  init() {
    files.file("five.scl", "five\n5\n240.0\n480.0\n720.0\n960.0\n2/1\n")
    files.file("a432.kbm", "0\n0\n127\n60\n69\n432.0\n0\n")
    files.file("bad.scl", "bad\n2\n100.0\n3:2\n")
  }

  private func instrument(
    _ library: Library = .none, _ folder: String? = nil, log: @escaping (String) -> Void = { _ in }
  ) -> Instrument {
    Instrument(
      link: Link(.initial), library: library, tunings: TuningFolder(folder ?? files.path), log: log)
  }

  private func key(_ key: Int, _ part: Int, _ instrument: Instrument) -> Float? {
    instrument.stage.tunings[part]?[key]
  }

  @Test("A part has its own tuning, and all parts one that is chosen for all")
  func parts() throws {
    let instrument = instrument()
    var told: [Change] = []
    instrument.listen { told.append($0) }
    try instrument.tunings.tune([2], toScale: "fiv")
    #expect(told == [.tuning])
    #expect(key(61, 2, instrument) == Float(62.4) && instrument.stage.tunings[0] == nil)
    #expect(instrument.tunings.scale(of: [2]) == "five" && instrument.tunings.scale(of: [0]) == "equal")
    #expect(instrument.tunings.scale(of: PartTunings.everyPart) == "various")
    try instrument.tunings.tune(PartTunings.everyPart, toMap: "A432")
    #expect(instrument.tunings.keyMap(of: PartTunings.everyPart) == "a432")
    let a: Float = 69 + 12 * log2(Float(432) / 440)
    #expect(abs((key(69, 0, instrument) ?? 0) - a) < 1e-4 && abs((key(69, 2, instrument) ?? 0) - a) < 1e-4)
    try instrument.tunings.tune(PartTunings.everyPart, toMap: "auto")
    try instrument.tunings.tune(PartTunings.everyPart, toScale: "equal")
    #expect(instrument.stage.tunings.allSatisfy { $0 == nil })
    #expect(instrument.tunings.scale(of: PartTunings.everyPart) == "equal")
  }

  @Test("An error names file and line, is shown, and leaves all tunings as they were")
  func errors() throws {
    var lines: [String] = []
    let instrument = instrument(log: { lines.append($0) })
    try instrument.tunings.tune([1], toScale: "five")
    let version = instrument.stage.scene[1].tuning.version
    #expect(throws: TuningError.self) { try instrument.tunings.tune(PartTunings.everyPart, toScale: "bad") }
    #expect(instrument.notices.shown.hasPrefix("bad.scl, line 4: \"3:2\" is no pitch; takes cents"))
    #expect(
      lines.contains {
        $0.contains("bad.scl, line 4: \"3:2\" is no pitch; takes cents with a point, as 701.955")
      })
    #expect(
      instrument.tunings.scale(of: [1]) == "five" && instrument.stage.scene[1].tuning.version == version)
    #expect(throws: TuningError.self) { try instrument.tunings.tune([1], toScale: "six") }
    #expect(throws: TuningError.self) { try instrument.tunings.tune([1], toMap: "six") }
    // It can be chosen as soon as it is right, and the notice goes.
    files.file("bad.scl", "good\n1\n2/1\n")
    try instrument.tunings.tune([1], toScale: "bad")
    #expect(key(61, 1, instrument) == 72 && instrument.notices.shown.isEmpty)
  }

  @Test("A file that was changed counts when it is chosen again")
  func again() throws {
    let instrument = instrument()
    try instrument.tunings.tune([0], toScale: "five")
    files.file("five.scl", "two\n2\n600.0\n2/1\n")
    #expect(key(61, 0, instrument) == Float(62.4))
    try instrument.tunings.tune([0], toScale: "five")
    #expect(key(61, 0, instrument) == 66)
  }

  @Test("The steps go round, past what cannot be read")
  func steps() throws {
    let instrument = instrument()
    var seen: [String] = []
    for _ in 0..<3 {
      instrument.tunings.step([0], forward: true)
      seen.append(instrument.tunings.scale(of: [0]))
    }
    #expect(seen == ["five", "equal", "five"])
    instrument.tunings.step([0], forward: false)
    #expect(instrument.tunings.scale(of: [0]) == "equal")
    let alone = self.instrument(.none, "/nowhere")
    alone.tunings.step(PartTunings.everyPart, forward: true)
    #expect(alone.tunings.scale(of: PartTunings.everyPart) == "equal")
  }

  @Test("A recall leaves the tuning; the session keeps it")
  func session() throws {
    let instrument = instrument()
    try instrument.tunings.tune([3], toScale: "five")
    try instrument.tunings.tune([3], toMap: "a432")
    instrument.presets.setSound(.initial, PresetOrigin(), 3)
    #expect(instrument.tunings.scale(of: [3]) == "five" && instrument.stage.tunings[3] != nil)
    let session = Session(scene: instrument.stage.scene, tunings: instrument.tunings.choices)
    let names = instrument.library.wavetables
    let text = session.text(names)
    #expect(text.contains("tuning 4 five\nkeymap 4 a432\n"))
    let (read, warnings) = try Session.read(text, names: names)
    #expect(warnings.isEmpty && read.tunings == session.tunings)
    let broken = try Session.read(
      "pipit session 1\ntuning 9 five\ntuning 1\nkeymap 2 a/b\n", names: names)
    #expect(broken.warnings.count == 3 && broken.session.tunings == Session().tunings)
  }

  @Test("A start without the file plays in equal temperament, says so, and forgets nothing")
  func lost() throws {
    let folder = Folder()
    func library() -> Library { Library(database: folder.database, factory: nil) { _ in } }
    func run(_ tunings: String, _ body: (Instrument) throws -> Void) throws {
      let instrument = instrument(library(), tunings)
      try body(instrument)
      #expect(instrument.finish(within: 60))
    }
    try run(files.path) { try $0.tunings.tune([1], toScale: "five") }
    try run("/nowhere") {
      #expect($0.tunings.scale(of: [1]) == "equal" && $0.stage.tunings[1] == nil)
      #expect($0.notices.shown.hasPrefix("no tuning: five.scl: there is no such file in /nowhere"))
      #expect($0.health.complaint.contains("five.scl"))
      $0.set(try #require(Address("/filter/cutoff", focus: 0)).knob, to: 500)
    }
    try run(files.path) {
      #expect($0.tunings.scale(of: [1]) == "five" && key(61, 1, $0) == Float(62.4))
      #expect($0.notices.shown.isEmpty && $0.health.isWell)
    }
    try run("/nowhere") {
      try $0.tunings.tune([1], toScale: "equal")
      #expect($0.notices.shown.isEmpty && $0.health.isWell)
    }
    try run(files.path) { #expect($0.tunings.scale(of: [1]) == "equal") }
  }

  @Test("What is published has the tunings, and frees those that nobody plays any more")
  func published() throws {
    let instrument = instrument()
    let audio = instrument.link.scene.audioSide
    audio.setRunning(true)
    try instrument.tunings.tune([0], toScale: "five")
    weak var first: KeyTuning?
    first = instrument.stage.tunings[0]
    _ = instrument.update(0)
    #expect(audio.take().pointee[0].tuning.version == instrument.stage.scene[0].tuning.version)
    try instrument.tunings.tune([0], toScale: "equal")
    #expect(first != nil)
    _ = instrument.update(10_000_000)
    _ = audio.take()
    _ = instrument.update(30_000_000)
    #expect(first == nil)
  }
}
