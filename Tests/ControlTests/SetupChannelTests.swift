import Presets
import Scenes
import Storage
import Testing
@testable import Control

/// Programs on the channel of setups, and stepping through setups.
struct SetupChannelTests {
  @Test("A program on the setup channel recalls the setup of its bank, and reaches no part, omni included")
  func omni() throws {
    let stand = ShowStand()
    try stand.instrument.presets.save(part: 0, named: "Glass")
    let slot = try #require(stand.instrument.presets.slot(part: 0))
    try stand.save("A", "B")
    #expect(stand["/part/1/channel"] == 0)
    stand.program(slot.program, bank: slot.bank, channel: 15)
    #expect(stand.instrument.presets.name(part: 0) == "Glass" && stand.setups.name == "B")
    stand.setups.channel = 15
    let before = stand.generations
    stand.program(slot.program, bank: slot.bank, channel: 15)
    #expect(stand.generations == before)
    #expect(stand.instrument.notices.shown == "there is no setup in bank 1, program 1")
    stand.program(0, channel: 15)
    #expect(stand.setups.name == "A" && stand.cutoff == 1_000)
    // Other channels are the parts', and those of a song as well.
    stand.program(slot.program, bank: slot.bank, channel: 3)
    #expect(stand.setups.name == "A" && stand.generation(0) == before[0] + 2)
    stand.program(1, channel: 15, source: UInt8(Limits.songSource))
    #expect(stand.setups.name == "A")
  }

  @Test(
    "The numbers of setups are frozen: bank 0 program 0 is 1, bank 1 program 0 is 129, and a removal renumbers none"
  )
  func numbers() throws {
    let stand = ShowStand()
    try stand.save("A", "B", "C")
    #expect(Slot(bank: 0, program: 0)?.setupNumber == 1 && Slot(bank: 0, program: 127)?.setupNumber == 128)
    #expect(
      Slot(bank: 1, program: 0)?.setupNumber == 129 && Slot(bank: 127, program: 127)?.setupNumber == 16_384)
    for number in [1, 2, 128, 129, 16_384] { #expect(Slot(setupNumber: number)?.setupNumber == number) }
    #expect(Slot(setupNumber: 0) == nil && Slot(setupNumber: 16_385) == nil)
    _ = try stand.setups.remove("B")
    stand.setups.channel = 4
    stand.program(2, channel: 4)
    #expect(stand.setups.name == "C" && stand.setups.number == 3)
    // A new one leaves the number of the removed one free, so that it can come back.
    try stand.setups.save(named: "D")
    #expect(stand.setups.number == 4)
    _ = try stand.setups.move("D", to: "129")
    #expect(stand.setups.number == 129)
    stand.program(0, bank: 1, channel: 4)
    #expect(stand.setups.name == "D")
  }

  @Test("A second press within 150 ms is none; pages go round, from the last to the first and back")
  func steps() throws {
    let stand = ShowStand()
    try stand.save("A", "B", "C")
    try stand.setups.recall(named: "A")
    stand.setups.step(forward: true, now: stand.now)
    stand.setups.step(forward: true, now: stand.now + 149_000_000)
    #expect(stand.setups.name == "B")
    stand.setups.step(forward: true, now: stand.now + 150_000_000)
    #expect(stand.setups.name == "C")
    _ = try stand.setups.move("B", to: "20")
    _ = try stand.setups.move("C", to: "40")
    var names: [String] = [stand.setups.pageName]
    for forward in [true, true, false, false] {
      stand.setups.turnPage(forward: forward)
      names.append(stand.setups.pageName)
    }
    #expect(names == ["33-48", "1-16", "17-32", "1-16", "33-48"])
  }

  @Test("Program up and down at both ends: a setup that is missing is named, and the sound stays")
  func ends() throws {
    let stand = ShowStand()
    try stand.save("A", "B")
    stand.setups.channel = 0
    for program in [2, 127] {
      stand.program(program, channel: 0)
      #expect(stand.setups.name == "B")
      #expect(stand.instrument.notices.shown == "there is no setup in bank 0, program \(program + 1)")
    }
    stand.program(0, channel: 0)
    #expect(stand.setups.name == "A")
    stand.setups.step(forward: false, now: stand.now)
    #expect(stand.setups.name == "A" && stand.instrument.notices.shown == "\"A\" is the first setup")
    stand.setups.step(forward: true, now: stand.now)
    #expect(stand.setups.name == "B")
    stand.now += 200_000_000
    stand.setups.step(forward: true, now: stand.now)
    #expect(stand.setups.name == "B" && stand.instrument.notices.shown == "\"B\" is the last setup")
  }

  @Test(
    "An open page changes nothing: looking, turning and listing leave scene, marks and documents as they are")
  func page() throws {
    let stand = ShowStand()
    try stand.save("A", "B")
    _ = try stand.setups.move("B", to: "20")
    stand.run()
    let (before, generations) = (stand.setups.written, stand.generations)
    for _ in 0..<5 { stand.setups.turnPage(forward: true) }
    for button in 1...16 { _ = (stand.setups.name(button: button), stand.setups.isCurrent(button: button)) }
    _ = (
      stand.setups.names, stand.setups.listing.entries.map(Setups.line), try stand.setups.text(of: "A"),
      try stand.setups.versions(of: "A")
    )
    _ = (
      stand.setlists.coming, stand.setlists.listing.entries.map(Setlists.line), stand.setlists.entryCatalog
    )
    stand.run()
    #expect(stand.setups.written == before && stand.generations == generations)
    #expect(!stand.setups.isEdited && stand.setups.name == "B")
    #expect(try stand.setups.versions(of: "A").count == 1)
    // An empty button does nothing.
    stand.setups.press(button: 9)
    #expect(stand.setups.name == "B" && stand.generations == generations)
  }
}

extension Setups {
  /// The present setup as text.
  fileprivate var written: String { SetupText.write(present, names: writer.names) }
}
