import Scenes
import Testing
@testable import Layout
@testable import Parameters

/// The sections of the panel in a browser.
struct PanelSectionTests {
  @Test("Each knob is in one section, except those of the matrix")
  func tiled() {
    let addresses = PanelSection.all.flatMap(\.addresses)
    let known = Table.rows.map(\.address)
    #expect(Set(addresses).count == addresses.count)
    for address in addresses { #expect(known.contains(address), "\(address)") }
    for address in known where !address.hasPrefix("/mod/") {
      #expect(addresses.contains(address), "\(address)")
    }
    #expect(Set(PanelSection.all.map(\.id)).count == PanelSection.all.count)
  }

  @Test("A knob that is not listed is in the section of its address, or in a new one")
  func unlisted() throws {
    func knob(_ address: String) -> Parameter {
      Table.knob(address, Table.path(\.amplifier.level), Table.percent, 0, "A knob.")
    }
    let all = PanelSection.all.adding(["/amp/new", "/new/rate", "/new/on", "/mod/1/new"].map(knob))
    let amp = try #require(all.first { $0.id == "amp" })
    let before = try #require(PanelSection.all.first { $0.id == "amp" })
    #expect(amp.ranks == [before.ranks[0], before.ranks[1], before.ranks[2] + ["/amp/new"]])
    let new = try #require(all.last)
    #expect(new.id == "new" && new.title == "New" && new.page == .effects)
    #expect(new.switch == "/new/on" && new.ranks == [[], ["/new/rate"], []])
    #expect(all.count == PanelSection.all.count + 1)
  }

  @Test(
    "Each section is wide enough for a place on the page, and a section with a picture has what the picture draws"
  )
  func pictures() {
    for section in PanelSection.all {
      #expect((1...12).contains(section.span.width) && section.span.height > 0)
      let leaves = section.addresses.compactMap { $0.split(separator: "/").last.map(String.init) }
      let needed: [String] =
        switch section.picture {
        case .envelope: ["attack", "decay", "sustain", "release"]
        case .filter: ["cutoff", "resonance"]
        case .lfo, .wave: ["wave"]
        case .eq: ["frequency", "gain", "q"]
        case .delay: ["time", "feedback"]
        case .reverb: ["decay"]
        case .drive: ["shape", "gain"]
        case .rhythm: ["steps", "1", "16"]
        case .chorus: ["rate", "depth"]
        case .rotary: ["speed", "rate", "horn", "spread"]
        case .compressor: ["threshold", "ratio"]
        case .phaser: ["rate", "depth", "frequency", "stages"]
        case .flanger: ["rate", "depth", "delay"]
        case nil: []
        }
      for leaf in needed { #expect(leaves.contains(leaf), "\(section.id): \(leaf)") }
    }
  }

  @Test("Each target of the matrix moves a knob, except those that move no single one")
  func targets() {
    let without = ModulationTarget.names.dropFirst().filter { PanelMatrix.address(ofTarget: $0) == nil }
    #expect(Set(without) == ["pitch", "lfo-1-depth", "lfo-2-depth", "lfo-3-depth"])
    let known = Table.rows.map(\.address)
    for name in ModulationTarget.names {
      if let address = PanelMatrix.address(ofTarget: name) {
        #expect(known.contains(address), "\(name): \(address)")
      }
    }
    #expect(PanelMatrix.slots == Limits.slots && PanelMatrix.hue(ofSource: "lfo-2") == "violet")
    #expect(
      PanelMatrix.hue(ofSource: "filter-envelope") == "cyan" && PanelMatrix.hue(ofSource: "wheel") == "green")
  }
}
