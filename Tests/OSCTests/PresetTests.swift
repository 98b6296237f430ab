import CLiblo
import Control
import Glibc
import Parameters
import Presets
import Scenes
import Scratch
import Testing
@testable import Surface

/// Presets by OSC, on a real database.
struct PresetTests {
  @Test("A sound that is saved is there after a restart, and the instrument wakes as it was left")
  func restart() throws {
    let folder = Folder()
    do {
      let instrument = try ServedInstrument(database: folder.database)
      let tablet = try Tablet(instrument)
      tablet.send("/filter/cutoff/hz", Float(440))
      tablet.send("/preset/save", "Nightingale")
      tablet.send("/part/2/level", Float(0.5))
      tablet.send("/part/2/preset/load", "nightingale")
      tablet.send("/focus", 2)
      #expect(tablet.ask("/preset/name") == .string("Nightingale"))
      #expect(tablet.ask("/filter/cutoff/hz") == .float(440))
      #expect(tablet.ask("/part/2/preset/bank") == .int(1))
      #expect(instrument.control.finish(within: 60))
    }
    let instrument = try ServedInstrument(database: folder.database)
    let tablet = try Tablet(instrument)
    #expect(tablet.ask("/focus") == .int(2))
    #expect(tablet.ask("/preset/name") == .string("Nightingale"))
    #expect(tablet.ask("/preset/edited") == .int(0))
    #expect(tablet.ask("/part/1/preset/name") == .string("Nightingale"))
    #expect(tablet.ask("/filter/cutoff/hz") == .float(440))
    #expect(tablet.ask("/level") == .float(0.5))
    #expect(tablet.ask("/preset/list", at: "/preset/list/0") == .string("Nightingale"))
    #expect(tablet.ask("/preset/list") == .int(1))
  }

  @Test("A recall shows the new sound and its name to everyone, and can be taken back")
  func recall() throws {
    let instrument = try ServedInstrument()
    let (tablet, other) = (try Tablet(instrument), try Tablet(instrument))
    other.send("/subscribe")
    tablet.send("/filter/cutoff", Float(0))
    tablet.send("/preset/save", "Low")
    tablet.send("/filter/cutoff", Float(1))
    tablet.send("/preset/save", "High")
    tablet.send("/filter/cutoff", Float(0.5))
    #expect(tablet.ask("/preset/edited") == .int(1))
    other.watch(instrument, 60_000) {
      other.hasSeenAll && other.values("/preset/name").last == .string("High")
    }
    other.received.removeAll()

    tablet.send("/preset/previous")
    let shown: [(String, Tablet.Value)] = [
      ("/preset/name", .string("Low")), ("/part/1/preset/edited", .int(0)), ("/filter/cutoff", .float(0)),
      ("/filter/cutoff/text", .string("20.0 Hz")),
    ]
    other.watch(instrument, 60_000) { shown.allSatisfy { other.values($0).last == $1 } }
    for (address, value) in shown { #expect(other.values(address).last == value) }

    tablet.send("/preset/undo", 1)
    #expect(tablet.ask("/preset/name") == .string("High"))
    #expect(tablet.ask("/preset/edited") == .int(1))
    guard case .float(let way)? = tablet.ask("/filter/cutoff") else {
      Issue.record("no answer")
      return
    }
    #expect(abs(way - 0.5) < 1e-6)
    tablet.send("/preset/redo", 1)
    #expect(tablet.ask("/preset/name") == .string("Low"))
    // From the last to the first and back.
    tablet.send("/preset/next", Float(0))
    #expect(tablet.ask("/preset/name") == .string("Low"))
    tablet.send("/preset/next", Float(1))
    tablet.send("/preset/next", Float(1))
    tablet.send("/preset/next", Float(1))
    #expect(tablet.ask("/preset/program") == .int(1))
    tablet.send("/preset/program", 0)
    #expect(tablet.ask("/preset/name") == .string("Low"))
    #expect(
      tablet.refusal("/preset/program") { lo_message_add_int32($0, 5) }?.contains("no program 5") == true)
    tablet.send("/preset/load", 1)
    #expect(tablet.ask("/preset/name") == .string("High"))
  }

  @Test("A save over another sound can be taken back")
  func overwrite() throws {
    let tablet = try Tablet(ServedInstrument())
    tablet.send("/filter/cutoff", Float(0))
    tablet.send("/preset/save", "One")
    tablet.send("/filter/cutoff", Float(1))
    tablet.send("/preset/save", 1)
    #expect(tablet.ask("/preset/edited") == .int(0))
    tablet.send("/preset/undo")
    #expect(tablet.ask("/preset/edited") == .int(1))
    tablet.send("/part/2/preset/load", "One")
    #expect(tablet.ask("/part/2/filter/cutoff") == .float(0))
  }

  @Test("What cannot be recalled is refused, and changes nothing")
  func missing() throws {
    let tablet = try Tablet(ServedInstrument())
    tablet.send("/preset/save", "One")
    #expect(tablet.refusal("/preset/load") { lo_message_add_string($0, "Two") }?.contains("\"Two\"") == true)
    #expect(tablet.refusal("/preset/load") { lo_message_add_int32($0, 1) }?.contains("below 1") == true)
    #expect(tablet.refusal("/preset/load") { lo_message_add_int32($0, -1) } != nil)
    #expect(tablet.refusal("/preset/load") != nil)
    #expect(tablet.refusal("/preset/save") { lo_message_add_string($0, "\u{7}\n") } != nil)
    #expect(
      tablet.refusal("/preset/name") { lo_message_add_string($0, "Two") }?.contains("read-only") == true)
    #expect(tablet.refusal("/part/2/preset/undo")?.contains("nothing to undo") == true)
    #expect(tablet.ask("/preset/name") == .string("One"))
  }

  @Test(
    "A name is found by its beginning when only one begins so, and otherwise the answer says which there are")
  func beginning() throws {
    let tablet = try Tablet(ServedInstrument())
    for (name, way) in [("Warm Bass", 0), ("Bright Lead", 0.5), ("Bright Pad", 1)] as [(String, Float)] {
      tablet.send("/filter/cutoff", way)
      tablet.send("/preset/save", name)
    }
    tablet.send("/preset/load", "warm")
    #expect(tablet.ask("/preset/name") == .string("Warm Bass"))
    #expect(tablet.ask("/filter/cutoff") == .float(0))
    let why = tablet.refusal("/preset/load") { lo_message_add_string($0, "bright") }
    #expect(why?.contains("\"Bright Lead\", \"Bright Pad\"") == true)
    #expect(tablet.ask("/preset/name") == .string("Warm Bass"))
    tablet.send("/preset/save", "Bright")
    tablet.send("/preset/load", "warm bass")
    tablet.send("/preset/load", "BRIGHT")
    #expect(tablet.ask("/preset/name") == .string("Bright"))
  }

  @Test("A program change recalls on the parts of its channel, and says so when there is nothing")
  func program() throws {
    let instrument = try ServedInstrument()
    let tablet = try Tablet(instrument)
    tablet.send("/filter/cutoff", Float(0))
    tablet.send("/preset/save", "One")
    tablet.send("/filter/cutoff", Float(1))
    tablet.settle()
    let generation = instrument.control.stage.scene[0].generation
    instrument.link.commands.push(Event(frame: 0, kind: .program, target: 5, note: 0, value: 1))
    tablet.settle()
    #expect(tablet.ask("/filter/cutoff") == .float(0))
    #expect(instrument.control.stage.scene[0].generation == generation &+ 1)
    #expect(instrument.control.stage.scene[1].generation == 0)
    instrument.link.commands.push(Event(frame: 0, kind: .program, target: 5, note: 99, value: 3))
    tablet.settle()
    #expect(tablet.ask("/notice") == .string("there is no preset in bank 3, program 100"))
    #expect(tablet.ask("/preset/name") == .string("One"))
  }

  @Test(
    "Presets are saved as new, renamed, copied and removed by address, and each is taken back and done again")
  func kept() throws {
    let folder = Folder()
    let instrument = try ServedInstrument(database: folder.database)
    let tablet = try Tablet(instrument)
    tablet.send("/filter/cutoff/hz", Float(440))
    tablet.send("/preset/save", "Glass")
    #expect(tablet.ask("/preset/save/new/name") == .string("Glass 2"))
    tablet.send("/preset/save/new", 1)
    tablet.send("/preset/save/new", 0)
    #expect(tablet.ask("/preset/name") == .string("Glass 2"))
    #expect(tablet.ask("/preset/program") == .int(1))
    tablet.send("/preset/rename", "Cloud")
    #expect(tablet.ask("/preset/slot/2/name") == .string("Cloud"))
    #expect(
      tablet.refusal("/preset/rename") { lo_message_add_string($0, "glass") }?.contains("Own 1") == true)
    tablet.send("/part/2/preset/copy/9", 1)
    #expect(tablet.ask("/part/2/preset/program") == .int(8))
    tablet.send("/preset/copy", 1)
    #expect(tablet.ask("/preset/copy/armed") == .int(1))
    tablet.send("/preset/slot/5", 1)
    #expect(tablet.ask("/preset/copy/armed") == .int(0))
    #expect(tablet.ask("/preset/slot/5/current") == .int(1))
    tablet.send("/preset/delete", 1)
    #expect(tablet.ask("/preset/slot/5/name") == .string(""))
    #expect(tablet.ask("/preset/edited") == .int(1))
    // The sound of a preset that was removed is saved as any other.
    #expect(tablet.ask("/filter/cutoff/hz") == .float(440))
    for name in ["Cloud 2", "Cloud", "Glass 2", "Glass"] {
      tablet.send("/preset/undo", 1)
      #expect(tablet.ask("/preset/name") == .string(name))
    }
    for name in ["Glass 2", "Cloud", "Cloud 2"] {
      tablet.send("/preset/redo", 1)
      #expect(tablet.ask("/preset/name") == .string(name))
    }
    #expect(tablet.ask("/preset/slot/5/current") == .int(1))
  }

  @Test("Who keeps the presets in order is answered, and not kept up to date for it")
  func keeper() throws {
    let instrument = try ServedInstrument()
    let (tablet, keeper) = (try Tablet(instrument), try Tablet(instrument))
    tablet.send("/preset/save", "Glass")
    tablet.settle()
    let seats = instrument.surface.clients.all.count
    #expect(keeper.ask("/presets/list") == .int(1))
    #expect(keeper.ask("/presets/list", at: "/presets/list/0") == .string("1\t0\tuser\t\tGlass\t0\t\t\t\t"))
    #expect(
      keeper.ask("/presets/show") { lo_message_add_string($0, "glass") }
        == .string("pipit preset 1\nname Glass\nslot 1 0\n"))
    #expect(
      keeper.ask("/presets/delete") { lo_message_add_string($0, "1/0") }
        == .string("\"Glass\" is in the trash, from Own 1"))
    #expect(keeper.refusal("/presets/show") { lo_message_add_nil($0) }?.contains("type 'N'") == true)
    #expect(keeper.refusal("/presets/show") { lo_message_add_int32($0, 1) }?.contains("named \"1\"") == true)
    #expect(instrument.surface.clients.all.count == seats)
    // It was a step of the part in focus.
    tablet.send("/preset/undo", 1)
    #expect(tablet.ask("/preset/list") == .int(1))
  }
}
