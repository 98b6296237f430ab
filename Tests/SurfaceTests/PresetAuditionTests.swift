import Parameters
import Presets
import Scenes
import Scratch
import Storage
import Synth
import Testing
@testable import Control
@testable import Surface

/// Hearing a preset that is not loaded.
struct PresetAuditionTests {
  private let folder = Folder()

  private func library(database: String? = nil) -> Library {
    for (number, name) in ["Glass", "Bass", "Pad"].enumerated() {
      folder.file(
        "factory/0\(number + 1)-x.txt", "pipit preset 1\nname \(name)\n/filter/cutoff/hz \(number + 1)00\n")
    }
    return Library(database: database, factory: folder.path + "/factory", log: { _ in })
  }

  /// What part 8 is shown as.
  private func part8(_ player: Player) -> [OSCValue?] {
    ["on", "filter/cutoff/hz", "preset/name", "preset/bank", "preset/edited"].map { player["/part/8/" + $0] }
  }

  private func keys(_ player: Player, _ kind: Event.Kind) -> [UInt8] {
    player.played().filter { $0.kind == kind && $0.target == Event.part(7) }.map(\.note)
  }

  @Test("A phrase plays on the highest part that is off, which then has all that it had, and nothing to undo")
  func phrase() {
    let player = Player(library())
    player.say("/part/8/preset/load", "Pad")
    player.say("/part/8/filter/cutoff/hz", 1_234)
    let before = part8(player)
    player.say("/presets/hear", "0/1")
    #expect(part8(player)[...3] == [.float(1), .float(200), .string("Bass"), .int(0)])
    _ = player.played()
    player.pass(milliseconds: 2_000)
    let events = player.played().filter { $0.target == Event.part(7) }
    #expect(events.filter { $0.kind == .noteOn }.map(\.note) == [60, 64, 67, 72])
    #expect(events.filter { $0.kind == .noteOff }.map(\.note).sorted() == [60, 64, 67, 72])
    player.pass(milliseconds: 1_000)
    #expect(part8(player) == before)
    // The edit is the step that it was, and the phrase is none.
    player.say("/part/8/preset/undo", 1)
    #expect(player["/part/8/filter/cutoff/hz"] == .float(300))
    #expect(
      player.refusal("/presets/hear", .string("nothing"))
        == "/presets/hear no preset is named \"nothing\"")
  }

  @Test("It ends with the connection of its client, and with a client whose notes end in silence")
  func ended() {
    let page = Player(
      SurfaceHarness(
        Instrument(link: Link(.initial), library: library(), log: { _ in }),
        over: RecordedTransport(replyPort: nil, isLossy: false)))
    page.say("/hold", 1)
    let before = part8(page)
    for isClosed in [true, false] {
      page.say("/here")
      page.say("/hold", 1)
      page.say("/presets/hear", "Bass")
      page.pass(milliseconds: 300)
      #expect(page.control.value(of: ParameterID(row: KeyRanges.isOn, part: 7)) == 1)
      _ = page.played()
      if isClosed {
        page.harness.surface.disconnected(page.peer, over: page.harness.transport)
      } else {
        _ = page.harness.surface.expire(page.now + 1_000_000_000)
      }
      #expect(keys(page, .noteOff) == [60])
      #expect(page.control.value(of: ParameterID(row: KeyRanges.isOn, part: 7)) == 0)
      #expect(part8(page) == before)
    }
    // Another client's end is not its end.
    page.say("/presets/hear", "Bass")
    let other = Peer(host: 0xC0A8_0108, port: 1)
    page.harness.send("/note/60", 1, from: other, at: page.now)
    page.harness.surface.disconnected(other, over: page.harness.transport)
    #expect(page["/part/8/on"] == .float(1))
  }

  @Test("A hand on the part ends it first: what the hand did stays, on the sound that the part had")
  func hands() throws {
    let player = Player(library())
    player.say("/part/8/preset/load", "Pad")
    player.say("/presets/hear", "Bass")
    player.say("/part/8/filter/resonance", 0.5)
    #expect(player["/part/8/preset/name"] == .string("Pad") && player["/part/8/on"] == .float(0))
    #expect(player["/part/8/filter/cutoff/hz"] == .float(300) && player["/part/8/preset/edited"] == .int(1))
    for (act, name) in [("load", "Glass"), ("undo", "Pad"), ("next", "Glass")] {
      let address = "/part/8/preset/" + act
      player.now += 1_000_000_000
      player.say("/presets/hear", "Bass")
      #expect(player["/part/8/preset/name"] == .string("Bass"))
      if act == "load" { player.say(address, name) } else { player.say(address, 1) }
      #expect(player["/part/8/on"] == .float(0) && player["/part/8/preset/name"] == .string(name), "\(act)")
      player.pass(milliseconds: 4_000)
      #expect(player["/part/8/preset/name"] == .string(name), "\(act)")
    }
    // A control of a keyboard steps from the preset that the part had, too.
    player.now += 1_000_000_000
    player.say("/presets/hear", "Pad")
    player.control.presets.step(forward: true, part: 7)
    #expect(player["/part/8/preset/name"] == .string("Bass") && player["/part/8/on"] == .float(0))
    // A phrase after another is the only one.
    player.now += 1_000_000_000
    let before = part8(player)
    player.say("/presets/hear", "Bass")
    player.say("/presets/hear", "Pad")
    #expect(player["/part/8/preset/name"] == .string("Pad") && player["/part/7/preset/name"] == .string(""))
    player.pass(milliseconds: 4_000)
    #expect(part8(player) == before)
  }

  @Test("A power cut meanwhile leaves the part as it was, and so does the end of pipit")
  func session() throws {
    let control = Instrument(
      link: Link(.initial), library: library(database: folder.database), log: { _ in })
    let player = Player(control)
    player.say("/part/8/preset/load", "Pad")
    player.say("/presets/hear", "Bass")
    #expect(player["/part/8/on"] == .float(1))
    control.session.save()
    let during = try #require(control.library.session)
    #expect(control.finish(within: 60))
    let after = try #require(Library(database: folder.database, factory: nil, log: { _ in }).session)
    for kept in [during, after] {
      #expect(kept.scene[7].strip.on == 0 && kept.scene[7].patch.filter.cutoff == 300)
      #expect(kept.presets[7] == Slot(bank: 0, program: 2))
    }
  }

  @Test("It is refused while something sounds, and when every part is on")
  func refused() {
    let player = Player(library())
    player.control.link.meters.set(.voices, 1)
    #expect(
      player.refusal("/presets/hear", .string("Bass"))
        == "/presets/hear finds something that sounds: end it first, then listen")
    player.control.link.meters.set(.voices, 0)
    player.now += 1_000_000_000
    for part in 2...8 { player.say("/part/\(part)/on", 1) }
    #expect(
      player.refusal("/presets/hear", .string("Bass"))
        == "/presets/hear finds all parts on: load the preset to hear it")
  }
}
