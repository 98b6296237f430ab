import Control
import Parameters
import Testing

@testable import Surface

/// Setups and setlists as surfaces use them.
struct ShowNodeTests {
  private let player = Player.connected()

  /// Sends a message that must be taken, and listens for a while.
  private func say(_ address: String, _ arguments: OSCArgument...) {
    player.harness.transport.answers.removeAll()
    player.say(address, arguments)
    let refused = player.harness.transport.answers.filter { $0.address == "/error" }
    #expect(refused.isEmpty, "\(refused)")
    player.pass(milliseconds: 300)
  }

  @Test("A tablet saves, steps, recalls and undoes setups, and is told of each; a release does nothing")
  func setups() {
    say("/setup/save", .string("A"))
    player.control.set(cutoff, to: 500)
    player.pass(milliseconds: 20)
    #expect(player.shown["/setup"] == .string("A") && player.shown["/setup/edited"] == .int(1))
    say("/setup/save/new", .string("B"))
    #expect(player.shown["/setup"] == .string("B") && player.shown["/setup/number"] == .int(2))
    #expect(player.shown["/setup/edited"] == .int(0) && player.shown["/setup/page"] == .string("1-16"))
    #expect(player.shown["/setup/slot/1/name"] == .string("A"))
    #expect(player.shown["/setup/slot/2/current"] == .int(1))
    say("/setup/previous", .number(0))
    #expect(player.control.setups.name == "B")
    say("/setup/previous", .number(1))
    #expect(player.shown["/setup"] == .string("A") && player.shown["/setup/slot/1/current"] == .int(1))
    say("/setup/next", .number(1))
    say("/setup/slot/1", .number(1))
    #expect(player.shown["/setup"] == .string("A"))
    say("/setup/slot/2", .number(0))
    say("/setup/recall/2", .number(0))
    #expect(player.shown["/setup"] == .string("A"))
    say("/setup/recall/2", .number(1))
    #expect(player.shown["/setup"] == .string("B") && player.control.value(of: cutoff) == 500)
    say("/setup/undo", .number(1))
    #expect(player.shown["/setup"] == .string("A"))
    say("/setup/redo", .number(1))
    say("/setup", .string("a"))
    say("/setup/number", .number(2))
    say("/setup/keep", .string("tempo, part 3"))
    say("/setup/notes", .string("Lights down."))
    say("/setup/rename", .string("Bridge"))
    #expect(
      player.shown["/setup"] == .string("Bridge") && player.shown["/setup/keep"] == .string("tempo, part 3"))
    #expect(player.shown["/setup/notes"] == .string("Lights down."))
    #expect(player.refusal("/setup/recall", .string("Nobody"))?.contains("Nobody") == true)
    #expect(player.refusal("/setup/number", .number(77))?.contains("finds no setup 77") == true)
    #expect(player.refusal("/setup/keep", .string("everything"))?.contains("mixer") == true)
    #expect(player.control.setups.name == "Bridge")
    say("/setup/delete", .number(1))
    #expect(player.shown["/setup"] == .string("") && player.shown["/setup/number"] == .int(0))
  }

  @Test("A tablet makes a setlist, and is told of place, titles and notes as it steps through it")
  func sets() {
    for name in ["A", "B", "C"] {
      say("/setup/save", .string(name))
      say("/set/add", .number(1))
    }
    say("/set/edit", .number(2), .string("title"), .string("Bridge"))
    say("/set/edit", .number(2), .string("notes"), .string("Softly"))
    say("/set/edit", .number(2), .string("transpose"), .number(-5))
    #expect(player.refusal("/set/edit", .number(2), .string("transpose"), .number(13)) != nil)
    #expect(player.shown["/set/name"] == .string("Set 1") && player.shown["/set/count"] == .int(3))
    #expect(player.shown["/set/cue"] == .int(1) && player.shown["/set/next/title"] == .string("A"))
    say("/set/next", .number(1))
    say("/set/next", .number(0))
    say("/set/next", .number(1))
    #expect(player.shown["/set/place"] == .int(2) && player.shown["/set/title"] == .string("Bridge"))
    #expect(player.shown["/set/notes"] == .string("Softly") && player.shown["/set/transpose"] == .int(-5))
    #expect(player.shown["/set/next/title"] == .string("C"))
    say("/set/cue", .number(1))
    say("/set/wrap", .number(1))
    #expect(player.shown["/set/next/title"] == .string("A") && player.shown["/set/wrap"] == .int(1))
    say("/set/cue/next", .number(1))
    #expect(player.shown["/set/next/title"] == .string("Bridge"))
    say("/set/move", .number(2), .number(3))
    #expect(player.shown["/set/place"] == .int(3))
    #expect(player.refusal("/set/place", .number(4)) != nil)
    say("/set/place", .number(1))
    #expect(player.shown["/set/title"] == .string("A"))
    say("/set/rewind", .number(1))
    #expect(player.shown["/set/place"] == .int(0))
    let lines = player.answers("/set/list")
    #expect(lines.count == 4)
    #expect(lines[3].value == .string("3\tBridge\tsetup 0 1 B\tBridge\t-5\t\t\t\t\tSoftly"))
  }

  @Test("Programs list, show, rename, delete, restore and import setups and setlists")
  func queries() {
    func ask(_ address: String, _ words: String...) -> [String] {
      player.harness.transport.answers.removeAll()
      player.say(address, words.map { .string($0) })
      return player.harness.transport.answers.map {
        if case .string(let text) = $0.value { text } else { "" }
      }
    }
    say("/setup/save", .string("A"))
    say("/set/add", .number(1))
    #expect(ask("/setups/list") == ["", "1\tA\t\t"])
    #expect(ask("/setlists/list") == ["", "1\tSet 1\t1"])
    #expect(ask("/setups/describe", "A", "keep", "mixer") == ["\"A\": keep mixer"])
    #expect(ask("/setups/rename", "1", "Z") == ["\"A\" is named \"Z\" now"])
    #expect(ask("/setups/move", "Z", "130") == ["\"Z\" has the number 130 now"])
    let text = ask("/setups/show", "Z").joined()
    #expect(text.hasPrefix("pipit setup 1\nname Z\nkey 1/1\nkeep mixer\n"))
    #expect(ask("/setups/delete", "Z") == ["\"Z\" is in the trash"])
    #expect(ask("/setups/trash").count == 2)
    #expect(ask("/setups/restore", "130") == ["\"Z\" is back"])
    _ = ask("/setups/delete", "Z")
    #expect(ask("/setups/import", text) == ["\"Z\" is setup 130"])
    _ = ask("/setups/delete", "Z")
    // A text that is too long for a message comes in pieces.
    for start in stride(from: 0, to: text.utf8.count, by: 1_000) {
      let piece = Array(text.utf8)[start..<min(start + 1_000, text.utf8.count)]
      player.say("/file/write", [.number(Double(start)), .string(Hexadecimal.text(piece))])
    }
    #expect(ask("/setups/import", "", "Other") == ["\"Z\" is setup 130"])
    #expect(player.refusal("/setups/import", .string(""))?.contains("has no file") == true)
    let setlist = ask("/setlists/show", "Set").joined()
    #expect(setlist == "pipit setlist 1\nname Set 1\nkey 1\nentry setup 0 0 Z\n")
    #expect(ask("/setlists/rename", "1", "Friday") == ["\"Set 1\" is named \"Friday\" now"])
    #expect(ask("/setlists/delete", "Friday") == ["\"Friday\" is in the trash"])
    #expect(ask("/setlists/import", setlist) == ["\"Set 1\" is setlist 1"])
    player.say("/file/write", [.number(0), .string(Hexadecimal.text(Array(setlist.utf8)[...]))])
    #expect(ask("/setlists/import", "", "Other") == ["\"Set 1\" is setlist 1"])
  }
}
