import Control
import Presets
import Scenes
import Scratch
import Synth
import Testing
import Tuning
@testable import Surface

@Suite("Tunings, as a tablet sees them") struct TuningNodeTests {
  private let tablet = Peer(host: 0x0A00_0002, port: 50_000)
  private let files = Folder()

  private func harness() -> SurfaceHarness {
    files.file("five.scl", "five\n5\n240.0\n480.0\n720.0\n960.0\n2/1\n")
    files.file("five white.kbm", "0\n0\n127\n60\n69\n432.0\n0\n")
    files.file("bad.scl", "bad\n1\n3:2\n")
    return SurfaceHarness(
      Instrument(
        link: Link(.initial), library: Library(database: nil, factory: nil, log: { _ in }),
        tunings: TuningFolder(files.path), log: { _ in }))
  }

  private func answers(_ harness: SurfaceHarness) -> [OSCMessage] {
    defer { harness.transport.answers.removeAll() }
    return harness.transport.answers
  }

  @Test(
    "one is chosen by name, by its beginning or by number, for the part in focus, one that is named, or all")
  func choosing() {
    let harness = harness()
    harness.send("/tuning", "FIV", from: tablet, at: 0)
    #expect(harness.control.tunings.scale(of: [0]) == "five")
    harness.send("/part/3/tuning", 2, from: tablet, at: 0)
    harness.send("/part/3/tuning/map", "five w", from: tablet, at: 0)
    #expect(
      harness.control.tunings.scale(of: [2]) == "five"
        && harness.control.tunings.keyMap(of: [2]) == "five white")
    _ = harness.packets(from: 0, until: 20_000_000_000)
    harness.send("/master/tuning", "equal", from: tablet, at: 20_000_000_000)
    #expect(harness.control.tunings.scale(of: PartTunings.everyPart) == "equal")
    let told = harness.packets(from: 20_000_000_000).flatMap(\.messages)
    #expect(told.contains(OSCMessage("/tuning", .string("equal"))))
    #expect(told.contains(OSCMessage("/part/3/tuning", .string("equal"))))
    #expect(told.contains(OSCMessage("/master/tuning", .string("equal"))))
    harness.send("/tuning/previous", from: tablet, at: 30_000_000_000)
    #expect(harness.control.tunings.scale(of: [0]) == "five")
    harness.send("/master/tuning/next", 1, from: tablet, at: 30_000_000_000)
    #expect(harness.control.tunings.scale(of: PartTunings.everyPart) == "equal")
    harness.send("/master/tuning/next", 0, from: tablet, at: 30_000_000_000)
    #expect(harness.control.tunings.scale(of: PartTunings.everyPart) == "equal")
    #expect(answers(harness).isEmpty)
  }

  @Test("NEXT and PREVIOUS go through the list, round and round, for a part and for all")
  func steps() {
    for name in ["a", "b", "c"] { files.file(name + ".scl", "x\n1\n3/2\n") }
    let player = Player(
      Instrument(
        link: Link(.initial), library: Library(database: nil, factory: nil, log: { _ in }),
        tunings: TuningFolder(files.path), log: { _ in }))
    for (stem, others) in [("/part/2/tuning", "/part/1/tuning"), ("/master/tuning", "/part/8/tuning")] {
      for (step, names) in [("next", ["a", "b", "c", "equal"]), ("previous", ["c", "b", "a", "equal"])] {
        for name in names {
          player.say("\(stem)/\(step)", 1)
          player.say("\(stem)/\(step)", 0)
          #expect(player[stem] == .string(name), "\(stem) \(step)")
          #expect(player[others] == .string(stem == "/master/tuning" ? name : "equal"))
        }
      }
    }
  }

  @Test("the list says what there is, and a question what is chosen")
  func lists() {
    let harness = harness()
    harness.send("/tuning/list", from: tablet, at: 0)
    let scales = ["equal", "bad", "five"].enumerated().map { OSCMessage("/tuning/list/\($0)", .string($1)) }
    #expect(answers(harness) == [OSCMessage("/tuning/list", .int(3))] + scales)
    harness.send("/tuning/map/list", from: tablet, at: 0)
    #expect(answers(harness).last == OSCMessage("/tuning/map/list/1", .string("five white")))
    harness.send("/part/8/tuning", from: tablet, at: 0)
    #expect(answers(harness) == [OSCMessage("/part/8/tuning", .string("equal"))])
    harness.send("/part/8/tuning", "five", from: tablet, at: 0)
    harness.send("/master/tuning", from: tablet, at: 0)
    #expect(answers(harness) == [OSCMessage("/master/tuning", .string("various"))])
  }

  @Test("what cannot be had is answered with the file, the line and what to write")
  func errors() {
    let harness = harness()
    func refusal(_ text: String) -> String? {
      harness.send("/tuning", text, from: tablet, at: 0)
      guard case .string(let text)? = answers(harness).first(where: { $0.address == "/error" })?.value else {
        return nil
      }
      return text
    }
    #expect(
      refusal("bad")
        == "/tuning bad.scl, line 3: \"3:2\" is no pitch; takes cents with a point, as 701.955, or a ratio, as 3/2"
    )
    #expect(refusal("fife") == "/tuning finds no tuning named \"fife\"; did you mean \"five\"?")
    harness.send("/tuning", 3, from: tablet, at: 0)
    #expect(
      answers(harness).first
        == OSCMessage("/error", .string("/tuning takes a name or a number below 3, not 3")))
    #expect(harness.control.tunings.scale(of: [0]) == "equal")
  }
}
