import Parameters
import Scenes
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

  @Test("A preset has a line for each step that is no rest")
  func lines() {
    var patch = Patch.initial
    patch.sequence = sequence()
    let lines =
      "/sequence/step/1 0 100 50 1\n/sequence/step/3 -5 64 120 3\n/sequence/step/64 12 127 50 1 tie\n"
    #expect(PresetText.write(patch) == "pipit preset 1\n" + lines)
  }

  @Test("A session has a line with the part for each step that is no rest")
  func linesOfASession() throws {
    let line = "/part/3/sequence/step/6 7 90 50 1\n"
    let session = try Session.read("pipit session 1\n" + line).session
    #expect(session.text.hasSuffix(line))
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
    let steps = (0..<4).map { reading.patch.sequence[$0] }
    #expect(steps[0] == SequenceStep(note: 3, velocity: 80))
    #expect(steps[1].note == 60 && steps[3] == SequenceStep())
    #expect(reading.warnings.map(\.line) == [3, 4, 5])
  }

  @Test("Two versions of a preset differ in the steps that were changed")
  func differences() {
    func preset(_ lines: String) -> Preset {
      Preset(slot: nil, name: "A", text: "pipit preset 1\n" + lines, isFactory: false)
    }
    let library = Library(database: nil, factory: nil, log: { _ in })
    let found = library.differences(from: preset(""), to: preset("/sequence/step/2 7 90\n"))
    #expect(found.map(\.address) == ["/sequence/step/2"])
    #expect(found.map(\.before) == ["rest"] && found.map(\.after) == ["7 90 50 1"])
  }
}
