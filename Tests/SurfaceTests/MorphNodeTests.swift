import Parameters
import Presets
import Scenes
import Scratch
import Storage
import Testing
@testable import Control
@testable import Surface

/// Rules M3, M8 and M9 from outside: the morph between two snapshots.
struct MorphNodeTests {
  private func patch(_ player: Player, part: Int = 0) -> Patch { player.control.stage.scene[part].patch }

  /// A player with snapshots A and B, which differ in every knob.
  private func player(_ player: Player = .connected()) -> (Player, one: Patch, other: Patch) {
    var patches: [Patch] = []
    for (letter, seed) in [("a", UInt64(1)), ("b", 2)] {
      var dice = SeededRandom(seed)
      for (index, row) in Table.rows.enumerated() where row.field.scope == .patch {
        player.control.set(
          ParameterID(row: index, part: 0), to: .random(in: row.kind.range, using: &dice))
      }
      player.say("/snapshot/store")
      player.say("/snapshot/\(letter)")
      player.pass(milliseconds: 300)
      patches.append(patch(player))
    }
    return (player, patches[0], patches[1])
  }

  /// Whether two sounds are the same in all but the knobs that never move.
  private func isSame(_ one: Patch, _ other: Patch) -> Bool {
    SoundBlend.rows.allSatisfy { one[Table.rows[$0]].bitPattern == other[Table.rows[$0]].bitPattern }
  }

  @Test(
    "M3: at the ends the values are the snapshots' to the bit, between them between, and nothing begins anew")
  func ends() {
    let (player, one, other) = player()
    let generation = player.control.stage.scene[0].generation
    for _ in 0..<2 {
      for position in [0.3, 0.7, 1.0] {
        player.say("/morph/position", position)
        player.pass(milliseconds: 20)
        #expect(player["/morph/active"] == .int(1))
      }
      #expect(isSame(patch(player), other) && player["/snapshot/b/current"] == .int(1))
      for position in [0.9, 0.5] {
        player.say("/morph/position", position)
        player.pass(milliseconds: 20)
        let (low, high) = (
          min(one.filter.cutoff, other.filter.cutoff), max(one.filter.cutoff, other.filter.cutoff)
        )
        #expect((low...high).contains(patch(player).filter.cutoff) && !isSame(patch(player), other))
        #expect(player["/snapshot/b/current"] == .int(0))
      }
      player.say("/morph/position", 0)
      player.pass(milliseconds: 20)
      #expect(isSame(patch(player), one) && player["/snapshot/a/current"] == .int(1))
    }
    #expect(player.control.stage.scene[0].generation == generation)
    // M7, to the bit: B was stored last.
    #expect(patch(player).play.mode == other.play.mode && patch(player).play.bend == other.play.bend)
    #expect(patch(player).arp.on == other.arp.on && patch(player).arp.latch == other.arp.latch)
  }

  @Test("M3: position and ends are saved in the session, and the morph goes on from there")
  func saved() throws {
    let library = Library(database: nil, factory: nil, log: { _ in })
    let (player, one, _) = player(Player(library))
    player.say("/morph/to", "c")
    player.say("/morph/to", "b")
    player.say("/morph/position", 0.4)
    player.pass(milliseconds: 50)
    let between = patch(player)
    let other = Library(database: nil, factory: nil, log: { _ in })
    let text = try #require(library.session).text(library.wavetables)
    other.save(try Session.read(text, names: other.wavetables).session)
    let next = Player(other)
    #expect(
      next["/morph/position"] == .float(0.4) && next["/morph/from"] == .int(0) && next["/morph/to"] == .int(1)
    )
    #expect(patch(next).isSame(as: between) && next["/morph/active"] == .int(1))
    next.say("/morph/position", 0)
    next.pass(milliseconds: 20)
    #expect(isSame(patch(next), one))
  }

  @Test("M3: a pedal is bound to it as to any knob")
  func learned() {
    #expect(BindingTarget("/morph/position")?.row?.address == "/morph/position")
    #expect(BindingTarget("/part/8/morph")?.address == "/part/8/morph/position")
  }

  @Test("M3: while a snapshot is empty nothing moves, and the notice says which")
  func empty() {
    let (player, _, other) = player()
    player.say("/morph/to", "g")
    player.say("/morph/position", 0.5)
    player.pass(milliseconds: 50)
    #expect(patch(player).isSame(as: other) && player["/morph/active"] == .int(0))
    #expect(player["/notice"] == .string("snapshot G is empty: the morph stands still"))
  }

  @Test("M8: a knob that a hand moves stays out of the morph until an end is reached")
  func hand() {
    let (player, one, other) = player()
    player.say("/morph/position", 0.2)
    player.pass(milliseconds: 20)
    player.say("/filter/cutoff/hz", 777)
    let resonance = patch(player).filter.resonance
    for position in [0.3, 0.8, 0.6] {
      player.say("/morph/position", position)
      player.pass(milliseconds: 20)
      #expect(patch(player).filter.cutoff == 777)
    }
    #expect(patch(player).filter.resonance != resonance)
    player.say("/morph/position", 1)
    player.pass(milliseconds: 20)
    #expect(isSame(patch(player), other))
    player.say("/morph/position", 0.5)
    player.pass(milliseconds: 20)
    #expect(patch(player).filter.cutoff != 777 && patch(player).filter.cutoff != other.filter.cutoff)
    player.say("/filter/cutoff/hz", 777)
    player.say("/morph/position", 0)
    player.pass(milliseconds: 20)
    #expect(isSame(patch(player), one))
  }

  @Test(
    "M9: the sound between is kept: a step of its own, and the morph leaves it alone until an end is reached")
  func keep() {
    let (player, one, other) = player()
    #expect(player.refusal("/morph/keep") == "/morph/keep finds no morph to keep; move /morph first")
    player.say("/morph/position", 0.6)
    player.pass(milliseconds: 20)
    let between = patch(player)
    player.say("/morph/keep")
    #expect(player["/morph/active"] == .int(0))
    player.say("/morph/position", 0.3)
    player.pass(milliseconds: 20)
    #expect(patch(player).isSame(as: between))
    player.say("/preset/save/new", "Between")
    player.say("/morph/position", 0)
    player.pass(milliseconds: 20)
    #expect(isSame(patch(player), one))
    player.say("/preset/load", "Between")
    #expect(patch(player).isSame(as: between))
    for _ in 0..<4 { player.say("/preset/undo") }
    #expect(isSame(patch(player), other))
    player.say("/preset/redo")
    #expect(patch(player).isSame(as: between))
  }

  @Test(
    "A recall of a letter moves the position to its end; one of another letter, or of a preset, lets the morph go"
  )
  func recalled() {
    let (player, _, _) = player()
    player.say("/filter/cutoff/hz", 500)
    player.say("/snapshot/store")
    player.say("/snapshot/c")
    player.say("/morph/position", 0.5)
    player.pass(milliseconds: 300)
    player.say("/snapshot/b")
    player.pass(milliseconds: 100)
    #expect(player["/morph/position"] == .float(1) && player["/morph/active"] == .int(1))
    player.say("/snapshot/a")
    player.pass(milliseconds: 100)
    #expect(player["/morph/position"] == .float(0) && player["/morph/active"] == .int(1))
    player.say("/snapshot/c")
    player.pass(milliseconds: 100)
    #expect(player["/morph/active"] == .int(0) && player["/snapshot/c/current"] == .int(1))
    player.say("/morph/position", 0.5)
    player.pass(milliseconds: 100)
    player.say("/preset/save/new", "X")
    player.say("/preset/load", "X")
    #expect(player["/morph/active"] == .int(0))
    let loaded = patch(player)
    player.pass(milliseconds: 500)
    #expect(patch(player).isSame(as: loaded))
  }
}
