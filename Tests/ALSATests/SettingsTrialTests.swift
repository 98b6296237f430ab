import CTestCard
import Glibc
import TestCard
import Testing

/// Another period while it plays, in the time of a test: what becomes of it, and when.
@Suite("A new period on trial") struct SettingsTrialTests {
  private static let second: Int64 = 1_000_000_000
  private let card = TestCard()

  /// Plays for so many seconds, asks for a period of 512 after three, and tells when the first line was logged that
  /// contains `words`, in seconds after that.
  private func run(
    seconds: Double, until words: String, refusing refuse: @escaping (TestCard, Int64) -> Void,
    healing: Double = .infinity
  ) throws -> (played: PlayedCard, at: Double?) {
    let played = try PlayedCard(card, rate: 48_000, period: 128)
    var (askedAt, said): (Int64?, Int64?)
    played.run(seconds: seconds) {
      if askedAt == nil, played.now > 3 * Self.second {
        askedAt = played.now
        played.choose(period: 512)
        refuse(card, played.now)
      }
      if said == nil, played.lines.contains(where: { $0.contains(words) }) { said = played.now }
      if let askedAt, Double(played.now - askedAt) > healing * 1e9 { card.heal() }
    }
    let asked = try #require(askedAt)
    return (played, said.map { Double($0 - asked) * 1e-9 })
  }

  @Test("A new period that plays is kept after two seconds") func keptPeriod() throws {
    let (played, at) = try run(seconds: 10, until: "Kept: 512 frames") { _, _ in }
    // It is looked for once a second, and then four times.
    #expect(at.map { $0 > 2 && $0 < 4 } == true, "\(played.lines)")
    #expect(played.state.memory.period == 512 && played.state.undone.isEmpty)
  }

  @Test("A card that cannot be opened with a new period gets its old period back after 10 seconds")
  func openFails() throws {
    let (played, at) = try run(
      seconds: 20, until: "No sound in ten seconds with 512 frames",
      refusing: { card, _ in card.fail(Int(TEST_CARD_OPEN), times: .max / 2, with: -EBUSY) }, healing: 12)
    #expect(at.map { $0 >= 10 && $0 < 11.5 } == true, "\(played.lines)")
    #expect(played.state.undone == "no sound with 512 frames: undone")
    #expect(played.state.memory.period == nil && played.playing.contains("128"), "\(played.playing)")
  }

  @Test("A card that stands still with a new period gets its old period back after 10 seconds")
  func standsStill() throws {
    let (played, at) = try run(
      seconds: 20, until: "No sound in ten seconds with 512 frames",
      refusing: { card, now in
        card.card.pointee.stands_from = now + Self.second
        card.card.pointee.stands_to = now + 12 * Self.second
      })
    #expect(at.map { $0 >= 10 && $0 < 11.5 } == true, "\(played.lines)")
    #expect(played.state.memory.period == nil && played.playing.contains("128"), "\(played.playing)")
  }
}
