import Scenes
import Testing
@testable import Parameters

/// The sections of the sound, which follow from the addresses of the table.
struct SoundSectionTests {
  @Test("Each knob of the sound is in one base section, and no other knob is in any section")
  func base() {
    let rows = SoundSection.base.flatMap { $0.knobs.map(\.row) }
    let ofSound = Table.rows.indices.filter { Table.rows[$0].field.scope == .patch }
    #expect(rows.sorted() == Array(ofSound))
    #expect(SoundSection.all.allSatisfy { $0.knobs.allSatisfy { ofSound.contains($0.row) } })
    #expect(Set(SoundSection.all.map(\.name)).count == SoundSection.all.count)
    // The effects follow the matrix, in the order of their rows.
    var effects: [String] = []
    for word in Table.effects.compactMap({ $0.address.split(separator: "/").first.map(String.init) })
    where effects.last != word { effects.append(word) }
    let names =
      ["osc-1 osc-2 osc-3 ring sub noise filter amp env-3 lfo-1 lfo-2 lfo-3 lfo-steps mod"] + effects
      + ["play macro arp chord sequence"]
    #expect(SoundSection.base.map(\.name).joined(separator: " ") == names.joined(separator: " "))
  }

  @Test(
    "Names are read as people write them",
    arguments: [
      ("osc 1", "osc-1"), ("Oscillator 2", "osc-2"), ("osc/1", "osc-1"), ("/osc/1", "osc-1"),
      ("OSC1", "osc-1"),
      ("filter", "filter"), ("filter env", "filter-envelope"), ("Amp Envelope", "amp-envelope"),
      ("envelope 3", "env-3"), ("env3", "env-3"), ("LFO 2", "lfo-2"), ("matrix", "mod"), ("mod/4", "mod-4"),
      ("slot 4", "mod-4"), ("Equalizer", "eq"), ("effects", "effects"), ("oscillators", "osc"),
    ])
  func names(_ written: String, _ name: String) { #expect(SoundSection.named(written)?.name == name) }

  @Test("What is no section is none", arguments: ["", "osc 4", "level", "osc 1 2", "/", "é"])
  func none(_ written: String) { #expect(SoundSection.named(written) == nil) }

  @Test("Sections fit those of their kind only")
  func kinds() throws {
    func fits(_ one: String, _ other: String) throws -> Bool {
      try #require(SoundSection.named(one)).fits(#require(SoundSection.named(other)))
    }
    for (one, other) in [
      ("osc-1", "osc-2"), ("lfo-1", "lfo-2"), ("amp-envelope", "filter-envelope"), ("env-3", "amp-envelope"),
      ("mod-1", "mod-8"), ("delay", "delay"), ("osc", "osc"),
    ] {
      #expect(try fits(one, other) && fits(other, one), "\(one) \(other)")
    }
    for (one, other) in [
      ("osc-1", "lfo-1"), ("osc", "osc-1"), ("filter", "filter-envelope"), ("mod", "mod-1"),
    ] {
      #expect(try !fits(one, other) && !fits(other, one), "\(one) \(other)")
    }
  }

  @Test("Only the knobs that both sections have are pasted, and all others stay")
  func pasting() throws {
    var source = Patch.initial
    (source.envelope3.envelope.attack, source.envelope3.pitch, source.filter.cutoff) = (0.7, 5, 300)
    var patch = Patch.initial
    patch.envelope3.pitch = 2
    let before = patch
    let filter = try #require(SoundSection.named("filter-envelope"))
    try filter.paste(#require(SoundSection.named("env-3")), of: source, into: &patch)
    #expect(patch.filter.envelope.attack == 0.7 && patch.envelope3.pitch == 2)
    #expect(patch.filter.cutoff == before.filter.cutoff)
    #expect(patch.envelope3.envelope.attack == before.envelope3.envelope.attack)
  }
}
