import Control
import Parameters
import Scenes
import Testing
@testable import Surface

/// Details of a part, of which there are too many for everyone who uses its addresses.
struct DetailFeedbackTests {
  private let second: Int64 = 1_000_000_000
  private let tablet = Peer(host: 0xC0A8_0114, port: 7)

  /// The addresses that are sent when knobs and details of part 3 have changed.
  private func sent(_ harness: SurfaceHarness, share: Float, at now: Int64) throws -> Set<String> {
    for address in ["/filter/cutoff", "/mod/8/amount", "/mod/9/amount", "/lfo-steps/3"] {
      let row = try #require(Table.rows.firstIndex { $0.address == address })
      let range = Table.rows[row].kind.range
      harness.control.set(
        ParameterID(row: row, part: 2), to: range.lowerBound + share * (range.upperBound - range.lowerBound))
    }
    let packets = harness.packets(from: now, until: now + 10 * second)
    return Set(packets.flatMap(\.messages).map(\.address))
  }

  @Test("Who used a part's knob is told its knobs; who used one of its details is told the details as well")
  func told() throws {
    let harness = SurfaceHarness()
    harness.send("/part/3/filter/cutoff", from: tablet, at: 0)
    let before = Set(harness.packets(from: 0, until: 10 * second).flatMap(\.messages).map(\.address))
    #expect(before.contains("/part/3/mod/8/amount") && before.contains("/mod/9/amount"))
    #expect(!before.contains("/part/3/mod/9/amount") && !before.contains("/part/3/lfo-steps/1"))
    let few = try sent(harness, share: 0.2, at: 20 * second)
    #expect(few.isSuperset(of: ["/part/3/filter/cutoff", "/part/3/mod/8/amount"]))
    #expect(few.isDisjoint(with: ["/part/3/mod/9/amount", "/part/3/lfo-steps/3"]))
    harness.send("/part/3/lfo-steps/3", 0.5, from: tablet, at: 40 * second)
    let opened = harness.packets(from: 40 * second, until: 50 * second).flatMap(\.messages).map(\.address)
    #expect(Set(opened).isSuperset(of: ["/part/3/mod/9/amount", "/part/3/lfo-steps/16/text"]))
    #expect(!opened.contains("/part/2/mod/9/amount"))
    let all = try sent(harness, share: 0.4, at: 60 * second)
    #expect(all.isSuperset(of: ["/part/3/filter/cutoff", "/part/3/mod/9/amount", "/part/3/lfo-steps/3"]))
  }

  @Test("Details come bring the rest of the sound with them, and are kept over a restart")
  func both() throws {
    let harness = SurfaceHarness()
    harness.send("/part/2/mod/16/target", from: tablet, at: 0)
    let told = Set(harness.packets(from: 0, until: 10 * second).flatMap(\.messages).map(\.address))
    #expect(
      told.isSuperset(of: ["/part/2/mod/16/target", "/part/2/mod/16/target/text", "/part/2/filter/cutoff"]))
    let client = try #require(harness.clients.first)
    #expect(client.soundParts == [1] && client.detailedParts == [1])
    let record = ClientRecord(client, received: 5)
    #expect(ClientRecord.read(ClientRecord.text([record])).all == [record])
  }

  @Test("Each entry of a group has a place of its own, and an address that leads back to it")
  func places() {
    let map = FeedbackMap(NodeTree.instrument)
    var entries = 0..<0
    for group in 0..<EntryGroups.count {
      #expect(map.groups.entries(of: group).lowerBound == entries.upperBound)
      entries = map.groups.entries(of: group)
      for (offset, entry) in entries.enumerated() {
        #expect(map.groups.location(of: entry) == (group, offset))
        #expect(map.entry(map[entry]) == entry)
      }
    }
    #expect(entries.upperBound == map.count && map.groups.details == 2 * 71)
  }
}
