import MIDI
import Scenes
import Testing

/// What member channels and their managers say, before anything is heard. Channels are counted from 0, values are hundredths.
@Suite("A member channel") struct MPEMemberTests {
  private let played = Played()

  /// The events of controllers on a channel.
  private func play(_ channel: UInt8, _ pairs: (UInt8, UInt8)...) -> [String] {
    pairs.flatMap { played.events([0xB0 | channel, $0.0, $0.1]) }
  }

  private func zone(_ members: UInt8, manager: UInt8 = 0) {
    _ = play(manager, (101, 0), (100, 6), (6, members))
  }

  /// The range of a channel's bend, a hundredth of a semitone above what it was.
  private func range(_ channel: UInt8) -> [String] { play(channel, (101, 0), (100, 0), (96, 0)) }

  @Test(
    "bends 48 semitones at first, on every channel of the zone, and its manager 2",
    arguments: [0, 15] as [UInt8])
  func ranges(manager: UInt8) {
    _ = play(manager, (101, 0), (100, 0), (6, 12))
    zone(15, manager: manager)
    for member in 0..<16 as Range<UInt8> {
      #expect(range(member) == (member == manager ? ["bendRange 201"] : ["bendRange 4801"]), "\(member)")
      // It is back where it was, for all of them.
      _ = play(member, (97, 0))
    }
    // The last one has what the first is told.
    _ = play(manager == 0 ? 1 : 14, (101, 0), (100, 0), (6, 24))
    #expect(range(15 - manager) == ["bendRange 2401"])
  }

  @Test("shares its range with all members of its zone, and neither with the manager nor with the other zone")
  func shared() {
    zone(7)
    zone(6, manager: 15)
    _ = play(3, (101, 0), (100, 0), (6, 24))
    #expect(range(7) == ["bendRange 2401"] && range(1) == ["bendRange 2402"])
    #expect(range(0) == ["bendRange 201"] && range(9) == ["bendRange 4801"] && range(15) == ["bendRange 201"])
    _ = play(14, (101, 0), (100, 0), (6, 12))
    #expect(range(9) == ["bendRange 1201"] && range(7) == ["bendRange 2403"])
    // A channel of neither has its own.
    #expect(range(8) == ["bendRange 201"])
  }

  @Test(
    "of another zone keeps what it knows when a zone is made; the manager keeps its parameter and its bank")
  func kept() {
    zone(3, manager: 15)
    _ = play(13, (101, 0), (100, 0), (6, 24), (74, 64))
    _ = play(0, (0, 3))
    zone(7)
    #expect(play(13, (96, 0)) == ["bendRange 2401"] && play(13, (106, 127)).count == 1)
    #expect(play(0, (6, 5)) == ["mpeZone 0"])
    #expect(played.events([0xC0, 1]) == ["program 38400"])
    // One that becomes a member begins anew.
    _ = play(2, (101, 0), (100, 0), (6, 12))
    zone(0)
    #expect(play(2, (96, 0)) == [])
  }

  @Test("hears what is of one note, and nothing that is the manager's")
  func controllers() {
    zone(15)
    let heard = (0..<128 as Range<UInt8>).filter { number in
      number != 6 && number != 38 && !play(4, (number, 64)).isEmpty
    }
    // 106 and 33, 34 refine what has come.
    #expect(heard == [1, 2, 33, 34, 74, 106])
    #expect(played.events([0xC4, 1]) == [])
    for number in [1, 2] as [UInt8] {
      #expect(play(4, (101, 0), (100, number), (6, 70), (38, 1), (96, 0), (97, 0)) == [])
    }
    #expect(play(4, (101, 0), (100, 0), (6, 24), (38, 50), (96, 0), (97, 0)).count == 4)
    // The velocity of its note may be finer.
    _ = play(4, (88, 127))
    #expect(played.events([0x94, 60, 0x7F]) == ["noteOn 100"])
    _ = play(4, (88, 127))
    #expect(
      played.events([0x94, 60, 64]) == ["noteOn 51"] && played.events([0x94, 60, 64]) == ["noteOn 50"])
    // Neither does a member's 121 undo what it has chosen.
    #expect(play(4, (101, 0), (100, 0), (121, 0), (6, 12)) == ["bendRange 1200"])
  }

  @Test("is managed by channel 1 or 16, and by no other")
  func managers() {
    for manager in 1..<15 as Range<UInt8> {
      #expect(play(manager, (101, 0), (100, 6), (6, 3)) == [], "\(manager)")
      #expect(range(manager) == ["bendRange 201"])
    }
  }

  @Test("begins anew when the player chooses zones")
  func chosen() {
    _ = play(4, (101, 0), (100, 0), (6, 12))
    _ = play(0, (0, 3))
    _ = played.decoder.choose(.lower(15, range: 24), source: 0, frame: 0)
    #expect(play(4, (96, 0)) == [] && range(4) == ["bendRange 2401"])
    #expect(played.events([0xC0, 1]) == ["program 0"])
  }
}
