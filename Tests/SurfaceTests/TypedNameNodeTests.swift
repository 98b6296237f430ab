import Storage
import Testing

@testable import Surface

/// A name that is typed letter by letter.
struct TypedNameNodeTests {
  private func type(_ text: String, _ player: Player) {
    for letter in text {
      if letter == " " {
        player.say("/preset/text/space", 1)
      } else {
        player.say("/preset/text/add", "\(letter)")
      }
      player.pass(milliseconds: 60)
    }
  }

  @Test(
    "Each key adds a letter, with capitals at the start of words; back and clear remove; all surfaces see the text"
  )
  func types() {
    let player = Player.connected()
    #expect(player["/preset/text"] == .string("") && player["/preset/text/shift"] == .int(1))
    type("glass pipe", player)
    #expect(player["/preset/text"] == .string("Glass Pipe") && player["/preset/text/shift"] == .int(0))
    player.say("/preset/text/space", 1)
    player.say("/preset/text/space", 1)
    #expect(player["/preset/text"] == .string("Glass Pipe ") && player["/preset/text/shift"] == .int(1))
    player.say("/preset/text/shift", 0)
    type("x", player)
    player.say("/preset/text/add", 2)
    #expect(player["/preset/text"] == .string("Glass Pipe x2"))
    player.say("/preset/text/back", 1)
    // The release of a key types nothing.
    player.say("/preset/text/back", 0)
    #expect(player["/preset/text"] == .string("Glass Pipe x"))
    player.say("/preset/text/clear", 1)
    #expect(player["/preset/text"] == .string(""))
    player.say("/preset/text", "Whole")
    #expect(player["/preset/text"] == .string("Whole"))
  }

  @Test(
    "The sound is saved as a new preset under the text, which a doubled packet does not do twice; then it is renamed"
  )
  func saves() {
    let player = Player.connected()
    type("my bell", player)
    player.say("/part/2/preset/text/save", 1)
    #expect(player.refusal("/part/2/preset/text/save", .number(1)) == nil)
    #expect(player["/part/2/preset/name"] == .string("My Bell") && player["/preset/text"] == .string(""))
    #expect(player.answers("/presets/search", "my bell").first == OSCMessage("/presets/search", .int(1)))
    player.say("/part/2/preset/text/name", 1)
    player.say("/preset/text/add", "s")
    player.say("/part/2/preset/text/rename", 1)
    #expect(player.refusal("/part/2/preset/text/rename", .number(1)) == nil)
    #expect(player["/part/2/preset/name"] == .string("My Bells") && player["/preset/text"] == .string(""))
    player.say("/part/2/preset/undo", 1)
    #expect(player["/part/2/preset/name"] == .string("My Bell"))
  }

  @Test("A search by the text fills the slots, and the text stays")
  func searches() {
    let player = Player.connected()
    for name in ["Bell 1", "Bell 2"] { player.say("/preset/save/new", name) }
    type("bell", player)
    player.say("/preset/text/search", 1)
    #expect(player["/preset/search"] == .string("Bell") && player["/preset/text"] == .string("Bell"))
    #expect(player["/preset/slot/1/name"] == .string("Bell 1"))
  }

  @Test(
    "An empty text, a text too long, a name in use and letters that cannot be read are refused, and change nothing"
  )
  func refuses() {
    let player = Player.connected()
    for address in ["/preset/text/save", "/preset/text/rename", "/preset/text/search"] {
      #expect(player.refusal(address, .number(1))?.contains("type one first") == true, "\(address)")
      player.pass(milliseconds: 300)
    }
    let longest = String(repeating: "a", count: Document.nameBytes)
    player.say("/preset/text", longest)
    #expect(player["/preset/text"] == .string(longest))
    #expect(player.refusal("/preset/text/add", .string("b"))?.contains("is full") == true)
    #expect(player.refusal("/preset/text/space", .number(1))?.contains("is full") == true)
    #expect(player.refusal("/preset/text", .string(longest + "b"))?.contains("is full") == true)
    #expect(player.refusal("/preset/text/add", .string("\u{1}")) != nil)
    #expect(player["/preset/text"] == .string(longest))
    for name in ["One", "Two"] { player.say("/preset/save/new", name) }
    player.say("/preset/text", "one")
    #expect(player.refusal("/preset/text/rename", .number(1))?.contains("is named") == true)
    #expect(player["/preset/name"] == .string("Two") && player["/preset/text"] == .string("one"))
  }
}
