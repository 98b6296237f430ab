import Parameters
import Presets
import Scenes
import Scratch
import Storage
import Synth
import System
import Testing
@testable import Control

/// `/preset/edited` says what a comparison of the whole sounds says, though a message from a fader compares one knob.
struct EditedMarkTests {
  private let folder = Folder()

  private func instrument() -> Instrument {
    for (number, name) in ["Glass", "Bass", "Pad"].enumerated() {
      folder.file(
        "factory/0\(number + 1)-x.txt", "pipit preset 1\nname \(name)\n/filter/cutoff/hz \(number + 1)00\n")
    }
    let stepped = SteppedLibrary(folder, factory: folder.path + "/factory")
    stepped.run(at: 0)
    return Instrument(link: Link(.initial), library: stepped.library, log: { _ in })
  }

  private func isDifferent(_ instrument: Instrument, _ part: Int) -> Bool {
    let origin = instrument.presets.origins[part]
    if origin.isRemoved { return true }
    return origin.stored.map { !$0.isSame(as: instrument.stage.scene[part].patch) } ?? false
  }

  @Test("After random edits, recalls, saves and undo in two parts, the mark is that of the whole comparison")
  func everything() throws {
    let instrument = instrument()
    let presets = instrument.presets
    var told: [Bool] = [presets.isEdited(part: 0), presets.isEdited(part: 1)]
    instrument.listen { change in
      guard case .preset(let part) = change, part < 2 else { return }
      told[part] = presets.isEdited(part: part)
    }
    var random = SeededRandom(SeededRandom.seedOfRun)
    let rows = Table.rows.indices.filter { Table.rows[$0].field.scope == .patch }
    var marks = [false: 0, true: 0]
    for turn in 0..<3_000 {
      let part = Int.random(in: 0...1, using: &random)
      let row = try #require(rows.prefix(12).randomElement(using: &random))
      let knob = ParameterID(row: row, part: part)
      let range = Table.rows[row].kind.range
      switch Int.random(in: 0..<40, using: &random) {
      case 0..<12: instrument.set(knob, to: Float.random(in: range, using: &random))
      case 12..<28:
        // Back to the stored value, or as near as -0 to 0.
        let stored = presets.origins[part].stored?[Table.rows[row]] ?? 0
        instrument.set(knob, to: stored == 0 ? -0.0 : stored)
      case 28:
        instrument.set(
          try #require(rows.randomElement(using: &random).map { ParameterID(row: $0, part: part) }), to: 0.5)
      case 29..<33: presets.step(forward: Bool.random(using: &random), part: part)
      case 33: try? presets.save(part: part)
      case 34: try? presets.save(part: part, named: "Cloud")
      case 35: presets.copy(part: part, toPart: 1 - part)
      case 36..<38: try? presets.undo(part: part)
      case 38: try? presets.redo(part: part)
      default: try? presets.remove(part: part)
      }
      for part in 0...1 {
        let isDifferent = isDifferent(instrument, part)
        marks[isDifferent, default: 0] += 1
        #expect(
          presets.isEdited(part: part) == isDifferent && told[part] == isDifferent,
          "turn \(turn), part \(part)")
      }
    }
    #expect((marks[false] ?? 0) > 200 && (marks[true] ?? 0) > 200, "both are tested: \(marks)")
  }

  @Test("Every knob of the sound sets the mark of its part, and its stored value removes it")
  func everyKnob() throws {
    let instrument = instrument()
    instrument.presets.recall(try #require(instrument.library.named("Glass")), part: 3)
    for knob in ParameterID.all where knob.isOfSound && knob.part == 3 {
      let (stored, range) = (instrument.value(of: knob), Table.rows[knob.row].kind.range)
      instrument.set(knob, to: stored == range.upperBound ? range.lowerBound : range.upperBound)
      #expect(instrument.presets.isEdited(part: 3), "\(Table.rows[knob.row].address)")
      instrument.set(knob, to: stored)
      #expect(!instrument.presets.isEdited(part: 3), "\(Table.rows[knob.row].address)")
    }
  }

  @Test("A value that is rounded to 0 from below is the stored 0")
  func negativeZero() throws {
    let instrument = instrument()
    instrument.presets.recall(try #require(instrument.library.named("Glass")), part: 0)
    for address in ["/part/1/osc/1/semitone", "/part/1/osc/1/fine"] {
      let knob = try #require(Address(address, focus: 0)).knob
      #expect(instrument.value(of: knob) == 0)
      instrument.set(knob, to: address.hasSuffix("fine") ? -0.0 : -0.3)
      #expect(instrument.value(of: knob).bitPattern == 0, "\(address)")
    }
    #expect(!isDifferent(instrument, 0))
  }
}
