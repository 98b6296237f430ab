import Parameters
import Scenes
import Scratch
import Storage
import Testing
@testable import Presets

/// The factory's second bank, from the folder `arps`.
@Suite struct ArpBankTests {
  /// A folder with a preset in each bank.
  private func folder() -> Folder {
    let folder = Folder()
    folder.file("factory/01-bass.txt", "pipit preset 1\nname Bass\n")
    folder.file("factory/arps/02-steps.txt", "pipit preset 1\nname Steps\n/arp/on on\n")
    return folder
  }

  @Test("Its presets are programs of bank 127, and follow those of the player")
  func programs() throws {
    let folder = folder()
    let library = folder.library(factory: folder.path + "/factory")
    try library.save(.initial, name: "Mine")
    #expect(library.presets.map { $0.slot?.label ?? "" } == ["Factory 1", "Own 1", "Arps 2"])
    let steps = try #require(library[try slot(127, 1)])
    #expect(steps.name == "Steps" && steps.isFactory && library.patch(of: steps)?.arp.on == 1)
    #expect(library.preset(bank: 127, program: 1, channel: 0, order: .pipit)?.name == "Steps")
    #expect(library.next(after: try slot(1, 0))?.name == "Steps")
    #expect(library.next(after: try slot(127, 1))?.name == "Bass")
    #expect(library.stop(within: 60))
  }

  @Test("An installation that comes to have it keeps the player's presets where they are, in bank 127 too")
  func update() throws {
    let folder = Folder()
    folder.file("factory/01-bass.txt", "pipit preset 1\nname Bass\n")
    let own = try [slot(1, 0), slot(1, 1), slot(127, 1)]
    do {
      let library = folder.library(factory: folder.path + "/factory")
      for (number, slot) in own.enumerated() {
        try library.save(.initial, name: "Mine \(number)", slot: slot)
      }
      #expect(library.stop(within: 60))
    }
    for number in 1...3 {
      folder.file("factory/arps/0\(number)-x.txt", "pipit preset 1\nname Steps \(number)\n")
    }
    do {
      let library = folder.library(factory: folder.path + "/factory")
      let wanted = ["Bass", "Mine 0", "Mine 1", "Steps 1", "Mine 2", "Steps 3"]
      #expect(library.presets.map(\.name) == wanted)
      try library.remove(slot(127, 1))
      #expect(library[try slot(127, 1)]?.name == "Steps 2")
      #expect(library.stop(within: 60))
    }
    // Without the folder, the copies in the database.
    let library = folder.library(factory: nil)
    #expect(library.presets.map(\.name) == ["Bass", "Mine 0", "Mine 1", "Steps 1", "Steps 2", "Steps 3"])
    #expect(library.stop(within: 60))
  }

  @Test("Nothing that is saved goes there by itself, and nothing is moved there")
  func saving() throws {
    let folder = folder()
    let library = folder.library(factory: folder.path + "/factory")
    let steps = try slot(127, 1)
    #expect(try library.save(.initial, current: steps).slot == slot(1, 0))
    #expect(try library.saveNew(.initial, origin: "Steps").slot == slot(1, 1))
    #expect(throws: DocumentError.self) { try library.move(slot(1, 0), to: slot(127, 5)) }
    #expect(!Slot.userSlots.contains { $0.isFactory })
    #expect(library.stop(within: 60))
  }

  @Test("A program of bank 127 in a song for General MIDI is General MIDI's")
  func generalMIDI() throws {
    let folder = folder()
    folder.file("factory/gm.txt", "pipit programs 1\n2 Bass\n")
    let library = folder.library(factory: folder.path + "/factory")
    #expect(library.preset(bank: 127, program: 1, channel: 0, order: .gm)?.name == "Bass")
    // A preset of the player's that lies there from before.
    try library.save(.initial, name: "Mine", slot: slot(127, 5))
    #expect(library.preset(bank: 127, program: 5, channel: 0, order: .gm)?.name == "Mine")
    #expect(library.stop(within: 60))
  }
}
