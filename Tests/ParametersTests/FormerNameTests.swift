import Testing

@testable import Parameters

@Suite("Names of an older pipit") struct FormerNameTests {
  @Test(
    "mean the knobs that have other addresses now, in every part and spelling",
    arguments: [
      ("/lfo/rate", "/lfo/1/rate"), ("/lfo/rate/hz", "/lfo/1/rate/hz"), ("/lfo2/rate", "/lfo/2/rate"),
      ("/env3/attack/text", "/env/3/attack/text"), ("/part/8/lfo/wheel", "/part/8/lfo/1/wheel"),
      ("/part/1/env3/pitch", "/part/1/env/3/pitch"),
    ])
  func addresses(_ former: String, _ present: String) throws {
    #expect(try #require(Address(former, focus: 3)) == #require(Address(present, focus: 3)))
    #expect(FormerNames.address(former) == present)
    // Nobody is told of it: no row has it.
    #expect(!Table.rows.contains { former.hasSuffix($0.address) })
  }

  @Test(
    "are no way to an address that never was",
    arguments: ["/lfo/1", "/lfo/9/rate", "/lfo3/rate", "/env3/", "/lfo/1/1/rate"])
  func wrong(_ address: String) { #expect(Address(address, focus: 0) == nil) }

  @Test("mean the sources and targets of the matrix that have other names now")
  func choices() throws {
    let source = try #require(Table.rows.first { $0.address == "/mod/1/source" }).kind
    let target = try #require(Table.rows.first { $0.address == "/mod/1/target" }).kind
    #expect(try #require(source.value(text: "LFO")) == #require(source.value(text: "lfo-1")))
    for name in ["rate", "depth"] {
      #expect(
        try #require(target.value(text: "lfo-\(name)")) == #require(target.value(text: "lfo-1-\(name)")))
    }
    #expect(source.text(value: try #require(source.value(text: "lfo"))) == "lfo-1")
  }
}
