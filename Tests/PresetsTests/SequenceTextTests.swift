import Parameters
import Synth
import Testing

@testable import Presets

/// The steps of a sequence as lines of a preset and of a session.
@Suite struct SequenceTextTests {
  private func sequence() -> StepSequence {
    var sequence = Patch.initial.sequence
    sequence[0] = SequenceStep(note: 0, velocity: 100)
    sequence[2] = SequenceStep(note: -5, velocity: 64, gate: 120, ratchet: 3)
    sequence[63] = SequenceStep(note: 12, velocity: 127, gate: 50, ratchet: 1, isTie: true)
    return sequence
  }

  @Test("A preset has a line for each step that is no rest, and a session one with the part")
  func lines() throws {
    var patch = Patch.initial
    patch.sequence = sequence()
    let lines =
      "/sequence/step/1 0 100 50 1\n/sequence/step/3 -5 64 120 3\n/sequence/step/64 12 127 50 1 tie\n"
    #expect(PresetText.write(patch) == "pipit preset 1\n" + lines)
    var session = Session()
    session.scene[2].patch.sequence[5] = SequenceStep(note: 7, velocity: 90)
    #expect(session.text.hasSuffix("\n/part/3/sequence/step/6 7 90 50 1\n"))
    #expect(try Session.read(session.text).session.scene[2].patch.sequence[5].note == 7)
  }

  @Test("Gate and ratchet may be left out, numbers out of range are clamped and anything else is refused")
  func reading() throws {
    let text = """
      pipit preset 1
      /sequence/step/1 3 80
      /sequence/step/2 99 80
      /sequence/step/3 loud
      /sequence/step/65 0 80
      /sequence/step/4 rest
      """
    let reading = try PresetText.read(text)
    #expect(reading.patch.sequence[0] == SequenceStep(note: 3, velocity: 80))
    #expect(reading.patch.sequence[1].note == 60)
    #expect(reading.patch.sequence[3] == SequenceStep())
    #expect(reading.warnings.map(\.line) == [3, 4, 5])
  }

  @Test("Two versions of a preset differ in the steps that were changed")
  func differences() {
    func preset(_ lines: String) -> Preset {
      Preset(slot: nil, name: "A", text: "pipit preset 1\n" + lines, isFactory: false)
    }
    let found = Library.differences(from: preset(""), to: preset("/sequence/step/2 7 90\n"))
    #expect(found.map(\.address) == ["/sequence/step/2"])
    #expect(found.map(\.before) == ["rest"] && found.map(\.after) == ["7 90 50 1"])
  }
}
