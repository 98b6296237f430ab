import Foundation
import Parameters
import Presets
import Scenes
import Testing
@testable import Control
@testable import Surface

/// A client that sends back what it was shown.
struct EchoTests {
  private let peer = Peer(host: 0xC000_0201, port: 50_000)
  private let factory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../presets").standardized.path

  @Test("Every knob of every factory preset stays as it is when it is told what it shows, in any form")
  func presets() throws {
    let library = Library(database: nil, factory: factory) { Issue.record("\($0)") }
    let harness = SurfaceHarness(library)
    let rows = Table.rows.filter { $0.field.scope == .patch }
    var echoes = 0
    for preset in library.presets {
      harness.control.presets.recall(preset, part: 0)
      let before = harness.control.stage.scene[0].patch
      for row in rows {
        for (address, argument) in forms(row, before[row]) {
          harness.surface.receive(address, [argument], from: peer, over: harness.transport, now: 0)
          let now = harness.control.stage.scene[0].patch[row]
          #expect(now.bitPattern == before[row].bitPattern, "\(preset.name): \(address) \(argument)")
          echoes += 1
        }
      }
      #expect(!harness.control.presets.isEdited(part: 0), "\(preset.name)")
    }
    #expect(harness.transport.answers.isEmpty)
    #expect(library.presets.count >= 144 && echoes > 100_000)
  }

  /// What clients are shown of a value, as they may send it back.
  private func forms(_ row: Parameter, _ value: Float) -> [(String, OSCArgument)] {
    var forms: [(String, OSCArgument)] = []
    switch Node.value(value, row.kind, .fader) {
    case .float(let way): forms = [(row.address, .number(Double(way))), (row.address, .string("\(way)"))]
    case .int(let index): forms = [(row.address, .number(Double(index))), (row.address, .string("\(index)"))]
    case .string, .truth: break
    }
    if row.kind.isDiscrete { return forms + [(row.address, .string(row.kind.text(value: value)))] }
    guard let unit = row.kind.unit, case .float(let number) = Node.value(value, row.kind, .unit) else {
      return forms
    }
    let address = row.address + "/" + unit.rawValue
    return forms + [
      (address, .number(Double(number))), (address, .string("\(number)")),
      (address, .string(row.kind.exact(value: value))),
    ]
  }

  @Test("Any value that a knob can have stays as it is, also of the strips, the inputs and the master")
  func anyValue() throws {
    let harness = SurfaceHarness()
    var random = SeededNumbers()
    for (index, row) in Table.rows.enumerated() {
      let knob = ParameterID(row: index, part: 0)
      for _ in 0..<20 {
        let way = row.kind.isDiscrete ? row.kind.range.upperBound * random.next() : random.next()
        harness.control.set(knob, to: row.kind.value(fader: way) ?? 0)
        let before = harness.control.stage.scene[knob]
        for (address, argument) in forms(row, before) {
          harness.surface.receive(address, [argument], from: peer, over: harness.transport, now: 0)
          let now = harness.control.stage.scene[knob]
          #expect(now.bitPattern == before.bitPattern, "\(address) \(argument)")
        }
      }
    }
  }

  @Test("What is shown in a unit is the shortest number that reads back as the value")
  func shortest() throws {
    let percent = try #require(
      Table.rows.first { $0.kind.unit == .percent && $0.kind.range == 0...1 }?.kind)
    for (value, words) in [(Float(0.3), "30"), (0.07, "7"), (0.29, "29"), (0.575, "57.5"), (0.123, "12.3")] {
      #expect(percent.exact(value: value) == words)
      #expect(percent.number(value: value) == Float(words))
      #expect(percent.value(unit: try #require(Float(words))) == value)
      #expect(percent.value(text: words) == value)
    }
    for hundredth in 0...10_000 {
      let value = Float(Double(hundredth) / 10_000)
      #expect(percent.value(unit: percent.number(value: value)) == value)
      #expect("\(percent.number(value: value))".count <= 5)
    }
  }
}

/// Numbers of 0…1, the same in every run.
private struct SeededNumbers {
  private var state: UInt32 = 1
  mutating func next() -> Float {
    state = state &* 1_664_525 &+ 1_013_904_223
    return Float(state >> 8) / Float(1 << 24)
  }
}
