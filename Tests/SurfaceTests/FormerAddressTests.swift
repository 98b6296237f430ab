import Parameters
import Testing

@testable import Surface

/// An address of an older pipit, as the layout on a tablet sends it.
struct FormerAddressTests {
  @Test("A former address sets, answers and is matched by a pattern under its present name")
  func addresses() throws {
    let player = Player()
    player.say("/lfo/rate", 0.25)
    #expect(player["/lfo/1/rate"] == .float(0.25))
    player.say("/part/2/lfo2/rate", 0.5)
    #expect(player["/part/2/lfo/2/rate"] == .float(0.5))
    #expect(player.answers("/lfo/rate") == [OSCMessage("/lfo/1/rate", .float(0.25))])
    player.say("/env3/{attack,decay}", 1)
    #expect(player["/env/3/attack"] == .float(1) && player["/env/3/decay"] == .float(1))
    player.say("/part/*/lfo/rate", 0)
    #expect(player["/lfo/1/rate"] == .float(0.25))
    #expect(player.refusal("/lfo/rats", .number(1)) == "/lfo/rats is no address; did you mean /lfo/1/rate?")
  }
}
