import ALSA
import Control
import Scenes
import Scratch
import Synth
import System
import Testing
@testable import Presets
@testable import Storage
@testable import pipit

/// What is remembered of sound cards, joined with control and an output that does not run.
@Suite("The output joined with control") struct CardLinkTests {
  /// A memory with a choice that is in no database.
  private var memory: CardMemory {
    var memory = CardMemory()
    memory.start(device: "somewhere", rate: 44_100, period: 64)
    return memory
  }

  /// Joins them over a library, and goes round while `body` has it read its database.
  private func join(_ library: Library, _ body: () -> Void = {}) throws {
    let loop = try #require(PollLoop())
    let link = Link(.initial)
    let instrument = Instrument(link: link, library: library, log: { _ in })
    instrument.join(loop)
    let output = AudioOutput(device: .clock, rate: 48_000, period: 64, link: link, remembering: memory) { _ in
    }
    let cards = CardLink(output, instrument, loop)
    for _ in 0..<3 { loop.round(limit: 0) }
    body()
    for _ in 0..<3 { loop.round(limit: 0) }
    withExtendedLifetime(cards) {}
  }

  private func saved(_ folder: Folder) throws -> String? {
    try Store(folder.database, writes: false).load(DocumentKind.all)[DocumentID(.cards)].current?.text
  }

  @Test("keeps what is remembered, but not over what lies in a database that could not be read at the start")
  func kept() throws {
    for (before, isLate) in [("", false), ("older", false), ("", true), ("older", true)] {
      let folder = Folder()
      let first = SteppedLibrary(folder)
      first.run(at: 0)
      if !before.isEmpty { try first.library.documents.save(Document(text: before), .cards) }
      #expect(first.stop(at: 1))
      let other = try Database(folder.database, create: false)
      if isLate { try other.script("BEGIN EXCLUSIVE", "hold the file") }
      let stepped = SteppedLibrary(folder)
      stepped.run(at: 0)
      try join(stepped.library) {
        if isLate { try? other.script("COMMIT", "let go") }
        stepped.run(at: 10)
      }
      #expect(stepped.stop(at: 20))
      let text = try saved(folder)
      #expect(isLate && !before.isEmpty ? text == before : text == memory.text, "\(before) \(isLate)")
    }
  }
}
