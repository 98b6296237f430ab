import Parameters
import Scenes
import Testing
@testable import Presets

/// The factory's presets from 129 on, and what they do under the hands.
@Suite struct FurtherBankTests {
  private func bank() throws -> [(preset: Preset, patch: Patch)] {
    try factoryBank().filter { $0.preset.slot?.bank == Slot.furtherBank }.sorted {
      ($0.preset.slot?.program ?? 0) < ($1.preset.slot?.program ?? 0)
    }
  }

  /// The sources that the matrix of a sound uses, also as scales, in slots that do something.
  private func sources(_ patch: Patch) -> Set<String> {
    let used = Table.slots.map { patch[keyPath: $0] }.filter {
      $0.source > 0 && $0.target > 0 && $0.amount != 0
    }
    let sources: [Float] = used.map(\.source) + used.map(\.scale)
    return Set(sources.map { ModulationSource.names[Int($0)] })
  }

  @Test("They are 64, numbered without a gap, eight of each category in the order of the categories")
  func order() throws {
    let bank = try bank()
    #expect(bank.map(\.preset.slot?.program) == Array(0..<64))
    #expect(bank.first?.preset.slot?.label == "Factory 129" && bank.last?.preset.slot?.label == "Factory 192")
    let categories = try bank.map { try PresetText.read($0.preset.text).about.category }
    #expect(categories == PresetCategory.allCases.flatMap { Array(repeating: $0, count: 8) })
  }

  @Test("Each names two to four macros in a row, and routes them and no others")
  func macros() throws {
    for (preset, patch) in try bank() {
      let names = try PresetText.read(preset.text).about.macros
      let named = names.prefix { !$0.isEmpty }.count
      #expect((2...Limits.macros).contains(named), "\(preset.name)")
      #expect(
        Array(names.dropFirst(named)) == Array(repeating: "", count: names.count - named), "\(preset.name)")
      let sources = sources(patch)
      for macro in 1...Limits.macros {
        #expect(sources.contains("macro-\(macro)") == (macro <= named), "\(preset.name): macro \(macro)")
      }
    }
  }

  @Test("Each answers velocity, wheel and pressure; what fingers do counts as pressure")
  func hands() throws {
    for (preset, patch) in try bank() {
      let sources = sources(patch)
      #expect(sources.contains("wheel") || patch.lfo.wheel > 0, "\(preset.name)")
      #expect(sources.contains("pressure"), "\(preset.name)")
      let hears = patch.amplifier.velocity >= 0.7 || sources.contains("velocity")
      #expect(hears, "\(preset.name)")
    }
  }

  @Test("Sixteen or more read wavetables, no table is in many; all that is new is heard somewhere")
  func shows() throws {
    let lines = try bank().map { Set($0.preset.text.split(separator: "\n").map(String.init)) }
    let waves = lines.filter { $0.contains("/osc/1/wave wavetable") }
    #expect(waves.count >= 16, "\(waves.count)")
    let tables = waves.flatMap { $0.filter { $0.hasPrefix("/osc/1/table ") } }
    #expect(Set(tables).count >= 14, "\(tables.sorted())")
    let uses: [(prefix: String, count: Int)] = [
      ("/flanger/on on", 6), ("/rack/order ", 6), ("/lfo/3/", 6), ("/lfo-steps/16/", 2), ("/mod/9/", 8),
      ("/lfo/2/wave noise", 4), ("/osc/3/wave ", 12), ("/osc/2/pm/", 6), ("/osc/2/ratio/", 8),
      ("/osc/3/ratio/", 8), ("/filter/fm/", 2),
    ]
    for (prefix, count) in uses {
      let found = lines.filter { $0.contains { $0.hasPrefix(prefix) } }.count
      #expect(found >= count, "\(prefix): \(found)")
    }
    let shifted = lines.filter { $0.contains { $0.hasPrefix("/osc/") && $0.contains("/shift/") } }.count
    #expect(shifted >= 6, "\(shifted)")
    let orders = Set(lines.flatMap { $0.filter { $0.hasPrefix("/rack/order ") } })
    #expect(orders.count >= 4, "\(orders.sorted())")
  }
}

@Test("Every factory preset of a bank names the macros that it routes, and no others")
func namedMacros() throws {
  for (preset, patch) in try factoryBank() {
    let names = try PresetText.read(preset.text).about.macros
    let slots = Table.slots.map { patch[keyPath: $0] }
    let used = slots.filter { $0.source > 0 && $0.target > 0 && $0.amount != 0 }.flatMap { slot in
      [slot.source, slot.scale].map { ModulationSource.names[Int($0)] }
    }
    for (index, name) in names.enumerated() {
      #expect(used.contains("macro-\(index + 1)") == !name.isEmpty, "\(preset.name): macro \(index + 1)")
    }
  }
}
