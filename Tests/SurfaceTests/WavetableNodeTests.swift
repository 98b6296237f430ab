import Parameters
import Presets
import Scenes
import Scratch
import Synth
import Testing
import Wavetables
@testable import Control
@testable import Surface

@Suite("Wavetables, as a tablet sees them") struct WavetableNodeTests {
  private let tablet = Peer(host: 0x0A00_0002, port: 50_000)
  private let files = Folder()

  private func harness() -> SurfaceHarness {
    files.file("My Waves.wav", "any")
    return SurfaceHarness(
      Instrument(
        link: Link(.initial), library: Library(database: nil, factory: nil, log: { _ in }),
        wavetables: WavetableFolder(files.path), log: { _ in }))
  }

  private func chosen(_ harness: SurfaceHarness) -> String {
    let knob = ParameterID(row: Table.rows.firstIndex { $0.address == "/osc/1/table" } ?? 0, part: 0)
    return Table.rows[knob.row].kind.knowing(harness.control.library.wavetables)
      .text(value: harness.control.value(of: knob))
  }

  @Test("one is chosen by name or number, also one whose file has come later; others are refused")
  func choosing() {
    let harness = harness()
    harness.send("/osc/1/table", "tenor", from: tablet, at: 0)
    #expect(chosen(harness) == "tenor")
    harness.send("/osc/1/table", 3, from: tablet, at: 0)
    #expect(chosen(harness) == "slope")
    harness.send("/osc/1/table", "my waves", from: tablet, at: 0)
    #expect(chosen(harness) == "My Waves")
    files.file("Come Later.wav", "any")
    harness.send("/osc/1/table", "Come Later", from: tablet, at: 0)
    #expect(chosen(harness) == "Come Later")
    #expect(harness.transport.answers.isEmpty)
    harness.send("/osc/1/table", "No Such Table", from: tablet, at: 0)
    #expect(chosen(harness) == "Come Later")
    #expect(harness.transport.answers.contains { "\($0)".contains("/wavetable/list") })
  }

  @Test("the folder is read again only when its entries have changed, since the control thread waits for it")
  func folderIsReadOnce() {
    let harness = harness()
    files.lastChange(seconds: 1_000)
    harness.send("/osc/1/table", "My Waves", from: tablet, at: 0)
    files.file("Unseen.wav", "any")
    files.lastChange(seconds: 1_000)
    harness.send("/osc/1/table", "Unseen", from: tablet, at: 0)
    #expect(chosen(harness) == "My Waves")
    files.lastChange(seconds: 1_001)
    harness.send("/osc/1/table", "Unseen", from: tablet, at: 0)
    #expect(chosen(harness) == "Unseen")
  }

  @Test("a file that is none is named in a notice, once")
  func unreadable() {
    let harness = harness()
    harness.send("/here", from: tablet, at: 0)
    harness.send("/osc/1/table", "My Waves", from: tablet, at: 0)
    harness.send("/osc/1/wave", "wavetable", from: tablet, at: 0)
    for round in 0..<3 { _ = harness.control.update(Int64(round) * 10_000_000) }
    let shown = harness.packets(from: 0).flatMap(\.messages).filter { $0.address == "/notice" }
    #expect(shown.contains { "\($0.value)".contains("My Waves") })
    #expect(Set(shown.map { "\($0.value)" }).count == 1)
  }

  @Test("the list has those of the factory and those of the folder")
  func list() {
    let harness = harness()
    harness.send("/wavetable/list", from: tablet, at: 0)
    let answers = harness.transport.answers
    let factory = FactoryWavetable.allCases.count
    #expect(answers.first == OSCMessage("/wavetable/list", .int(factory + 1)))
    #expect(answers.contains(OSCMessage("/wavetable/list/0", .string("basic"))))
    #expect(answers.contains(OSCMessage("/wavetable/list/\(factory)", .string("My Waves"))))
  }
}
