import Testing

@testable import pipit

@Suite("pipit update") struct UpdateCommandTests {
  @Test("says where this machine does not run the card image, and what updates it instead")
  func elsewhere() {
    let run = Run(["update", "back"])
    #expect(run.status == 1 && run.output.isEmpty)
    #expect(run.errors.contains("card image") && run.errors.contains("apt"))
    #expect(Run(["update"]).status == 2 && Run(["update", "a", "b"]).status == 2)
  }
}
