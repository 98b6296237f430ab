import Parameters
import Presets
import Scenes
import Scratch
import Synth
import Testing
import Tuning
@testable import Control
@testable import Surface

/// What is kept for the next start and what is published to the sound, and what is neither.
struct KeptNodeTests {
  private let files = Folder()

  /// A player whose instrument has not saved anything yet.
  private func player() -> Player {
    files.file("five.scl", "five\n5\n240.0\n480.0\n720.0\n960.0\n2/1\n")
    let control = Instrument(
      link: Link(.initial), library: Library(database: nil, factory: nil, log: { _ in }),
      tunings: TuningFolder(files.path), log: { _ in })
    let player = Player(control)
    player.pass(milliseconds: 100)
    return player
  }

  @Test(
    "Whatever of the instrument is set by an address is in the session of the next start",
    arguments: [
      ("/focus", "3", "focus 3"), ("/filter/cutoff/hz", "440", "/part/1/filter/cutoff/hz 440"),
      ("/part/8/filter/resonance", "0.5", "/part/8/filter/resonance/percent 50"),
      ("/part/2/level/db", "-6", "/part/2/level/db -6"), ("/part/4/on", "1", "/part/4/on on"),
      ("/part/5/channel", "9", "/part/5/channel 9"), ("/part/3/key/low/key", "C3", "/part/3/key/low/key 48"),
      ("/part/6/hear/pedal", "0", "/part/6/hear/pedal off"),
      ("/master/level/db", "-3", "/master/level/db -3"),
      ("/tempo/bpm", "99", "/tempo/bpm 99"), ("/part/7/tuning", "five", "tuning 7 five"),
      ("/part/1/preset/save", "Mine", "preset 1 1 0"), ("/split/at", "C4", "/part/2/key/low/key 60"),
    ])
  func kept(address: String, word: String, line: String) throws {
    let player = player()
    #expect(player.harness.library.session == nil)
    player.say(address, word)
    player.pass(milliseconds: 20)
    let library = player.harness.library
    let text = try #require(library.session).text(library.wavetables)
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines.contains(line), "\(lines)")
    #expect(player.harness.transport.answers.isEmpty, "\(player.harness.transport.answers)")
  }

  /// Nothing of these is heard, and a memory card has only so many writes.
  @Test("Notices, lamps, pages, meters, the card, a recording and a song are neither published nor saved")
  func neither() {
    let player = player()
    let control = player.control
    let audio = player.harness.link.scene.audioSide
    let before = audio.take()
    let library = player.harness.library
    func check(_ what: String, _ act: () -> Void) {
      act()
      player.pass(milliseconds: 300)
      #expect(audio.take() == before, "\(what) is published")
      #expect(library.session == nil, "\(what) is saved")
    }
    check("a notice") { control.notices.post("the card is gone", about: .card, .problem) }
    check("a notice that goes") { control.notices.clear(about: .card) }
    check("learning") { player.say("/learn", 1) }
    check("unlearning") { player.say("/unlearn", 1) }
    check("a copy that waits") { player.say("/preset/copy", 1) }
    check("keys that are waited for") { player.say("/key/learn", 1) }
    check("the split that waits") { player.say("/split", 1) }
    check("the split that waits no more") { player.say("/split", 1) }
    check("a page") { player.say("/preset/page/next", 1) }
    check("the card") { control.card.state.name = "Device" }
    check("its volume") {
      control.card.state.level = .init(normalized: 0.5, decibels: -6, range: -60...0, text: "-6.0 dB")
    }
    check("a recording") { (control.recorder.state.isOn, control.recorder.state.length) = (true, "0:01") }
    check("a song") {
      (control.songs.state.name, control.songs.state.isOn, control.songs.state.position) = ("Tune", true, 3)
    }
    check("the meters") {
      for step in 1...4 {
        player.harness.link.meters.raise(.shownPeak, to: UInt64((Float(step) / 5).bitPattern))
        _ = player.control.healthWatch.updateLevels(player.now + Int64(step) * 100_000_000)
      }
    }
    check("voices that must go") { player.harness.link.meters.set(.limit, 100) }
    check("a note") { player.say("/note/60", 1) }
    check("a question") { player.say("/status", []) }
    check("feedback") { player.say("/sync", 1) }
    player.say("/filter/cutoff", 0.5)
    player.pass(milliseconds: 20)
    #expect(audio.take() != before && library.session != nil)
  }

  @Test("A preset that was removed leaves its sound, and no name after a restart; a tuning stays")
  func removed() throws {
    let folder = Folder()
    var other: OSCValue?
    files.file("five.scl", "five\n5\n240.0\n480.0\n720.0\n960.0\n2/1\n")
    func run(_ body: (Player) -> Void) {
      let library = Library(database: folder.database, factory: nil, log: { _ in })
      let player = Player(
        Instrument(link: Link(.initial), library: library, tunings: TuningFolder(files.path), log: { _ in }))
      body(player)
      #expect(player.control.finish(within: 60))
    }
    run { player in
      player.say("/filter/cutoff/hz", 500)
      player.say("/preset/save", "Mine")
      player.say("/preset/delete", 1)
      // Another lies in its slot by now.
      player.say("/part/2/preset/save/new", "Yours")
      player.say("/part/2/preset/copy/1", 1)
      #expect(player["/part/2/preset/program"] == .int(0) && player["/preset/bank"] == .int(-1))
      other = player["/part/2/preset/name"]
      player.say("/part/8/tuning", "five")
      // A sound controller leans what is heard, and is at rest after a restart.
      player.control.take(Event(frame: 0, kind: .controller, note: 74, value: 1))
    }
    run { player in
      #expect(player["/filter/cutoff/hz"] == .float(500) && player["/preset/name"] == .string(""))
      #expect(player["/preset/bank"] == .int(-1) && player["/part/2/preset/name"] == other)
      #expect(player["/part/8/tuning"] == .string("five") && player["/part/7/tuning"] == .string("equal"))
      #expect(player.harness.control.stage.tunings[7] != nil)
    }
  }

  @Test("What was done just before the end is kept")
  func lastWord() throws {
    let folder = Folder()
    func run(_ body: (Player) -> Void) {
      let library = Library(database: folder.database, factory: nil, log: { _ in })
      let player = Player(Instrument(link: Link(.initial), library: library, log: { _ in }))
      body(player)
      #expect(player.control.finish(within: 60))
    }
    run { player in
      player.say("/focus", 2)
      player.say("/filter/cutoff/hz", 500)
      player.say("/preset/save", "Mine")
      player.say("/filter/cutoff/hz", 600)
    }
    run { player in
      #expect(player["/focus"] == .int(2) && player["/preset/name"] == .string("Mine"))
      #expect(player["/filter/cutoff/hz"] == .float(600) && player["/preset/edited"] == .int(1))
      #expect(player["/part/1/filter/cutoff/hz"] == .float(8_000))
      // A restart is no step, and what was done before it is done.
      #expect(player.refusal("/preset/undo", .number(1)) != nil)
      player.say("/preset/load", "Mine")
      #expect(player["/filter/cutoff/hz"] == .float(500))
    }
  }
}
