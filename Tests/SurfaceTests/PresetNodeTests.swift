import Presets
import Scenes
import Scratch
import Testing
@testable import Control
@testable import Surface

/// Presets by their addresses: pages, slots, programs, lists, and copies.
struct PresetNodeTests {
  private let second: Int64 = 1_000_000_000
  private let folder = Folder()

  /// A player with three presets of the factory's.
  private func player() -> Player {
    for (number, name) in ["Glass", "Bass", "Pad"].enumerated() {
      folder.file("0\(number + 1)-x.txt", "pipit preset 1\nname \(name)\n/filter/cutoff/hz \(number + 1)00\n")
    }
    return Player(Library(database: nil, factory: folder.path, log: { _ in }))
  }

  private func name(_ player: Player, _ part: Int = 1) -> String {
    guard case .string(let name)? = player["/part/\(part)/preset/name"] else { return "" }
    return name
  }

  private func words(_ messages: [OSCMessage]) -> [String] {
    messages.compactMap { if case .string(let words) = $0.value { words } else { nil } }
  }

  @Test("A program is one of the bank that the part's preset lies in, the first bank for a part without one")
  func programs() {
    let player = player()
    player.say("/preset/load", "Pad")
    for own in ["Mine", "Yours"] { player.say("/preset/save/new", own) }
    #expect(player["/preset/bank"] == .int(1) && player["/preset/program"] == .int(1))
    player.say("/preset/program", 0)
    #expect(name(player) == "Mine")
    player.say("/part/2/preset/program", 1)
    #expect(name(player, 2) == "Bass" && player["/part/2/preset/bank"] == .int(0))
    #expect(player["/part/3/preset/bank"] == .int(-1) && player["/part/3/preset/program"] == .int(-1))
    for number in [-1, 128] as [Double] {
      #expect(
        player.refusal("/preset/program", .number(number))
          == "/preset/program takes a program, 0…127, not \(Int(number))")
    }
    #expect(player.refusal("/preset/program", .number(2)) == "/preset/program finds no program 2 in bank 1")
    #expect(name(player) == "Mine")
  }

  @Test("Next and previous go round the presets in the order of their slots, for the part that is named")
  func steps() {
    let player = player()
    player.say("/part/3/preset/load", "Glass")
    var seen: [String] = []
    for _ in 0..<3 {
      player.say("/part/3/preset/next", 1)
      seen.append(name(player, 3))
    }
    #expect(seen == ["Bass", "Pad", "Glass"])
    player.say("/part/3/preset/previous", 1)
    #expect(name(player, 3) == "Pad" && name(player, 2) == "")
    player.say("/part/3/preset/previous", 0)
    player.say("/part/3/preset/previous", 1)
    #expect(name(player, 3) == "Bass")
    #expect(player["/part/3/filter/cutoff/hz"] == .float(200))
  }

  @Test("Lists are as long as the library at that moment, and the last number is the last preset")
  func lists() {
    let player = player()
    #expect(player.answers("/preset/list").count == 4)
    player.say("/preset/save/new", "Mine")
    let names = ["Glass", "Bass", "Pad", "Mine"]
    #expect(
      player.answers("/preset/list") == [OSCMessage("/preset/list", .int(4))]
        + names.enumerated().map { OSCMessage("/preset/list/\($0)", .string($1)) })
    player.say("/preset/load", 3)
    #expect(name(player) == "Mine")
    player.say("/preset/load", 0)
    #expect(name(player) == "Glass")
    #expect(player.refusal("/preset/load", .number(4))?.hasSuffix("takes a name or a number below 4") == true)
    let lines = player.answers("/presets/list")
    #expect(lines.dropFirst().first?.value == .string("0\t0\tfactory\t\tGlass\t0\t\t\t\t"))
    #expect(lines.last == OSCMessage("/presets/list/3", .string("1\t0\tuser\t\tMine\t0\t\t\t\t")))
  }

  @Test(
    "What is renamed and removed in the list is a step of the part in focus, and comes back from the trash")
  func keeper() {
    let player = player()
    player.say("/preset/save/new", "Mine")
    player.say("/focus", 2)
    #expect(
      player.answers("/presets/rename", "Mine", "Ours").first?.value
        == .string("\"Mine\" is named \"Ours\" now"))
    #expect(
      player.answers("/presets/delete", "Ours").first?.value
        == .string("\"Ours\" is in the trash, from Own 1"))
    #expect(player.answers("/presets/trash").last?.value == .string("1\t0\tuser\t\tOurs\t0\t\t\t\t"))
    #expect(player["/part/1/preset/bank"] == .int(-1) && player["/part/1/preset/edited"] == .int(1))
    player.say("/part/2/preset/undo", 1)
    #expect(player["/part/1/preset/bank"] == .int(1) && name(player) == "Ours")
    player.say("/part/2/preset/undo", 1)
    #expect(name(player) == "Mine" && player.refusal("/part/2/preset/undo", .number(1)) != nil)
    #expect(player.refusal("/presets/delete", .string("Pad"))?.contains("is a factory preset") == true)
    _ = player.answers("/presets/delete", "1/0")
    #expect(player.answers("/presets/restore", "mine").first?.value == .string("\"Mine\" is back in Own 1"))
    #expect(player["/part/1/preset/edited"] == .int(0))
  }

  @Test("The page goes with the part in focus, and NEXT and PREVIOUS turn one page, round and round")
  func pages() {
    let player = player()
    func page() -> OSCValue? { player["/preset/page"] }
    for number in 0..<40 { player.say("/preset/save/new", "P\(number)") }
    player.say("/part/2/preset/load", "Glass")
    player.say("/part/3/preset/load", "P20")
    #expect(page() == .string("Own 33-48"))
    player.say("/focus", 2)
    #expect(page() == .string("Factory 1-16") && player["/preset/slot/1/current"] == .int(1))
    player.say("/focus", 3)
    #expect(page() == .string("Own 17-32") && player["/preset/slot/5/current"] == .int(1))
    #expect(player["/preset/slot/1/current"] == .int(0) && player["/preset/slot/16/name"] == .string("P31"))
    // A part without a preset leaves it.
    player.say("/focus", 4)
    #expect(page() == .string("Own 17-32") && player["/preset/slot/5/current"] == .int(0))
    for expected in ["Own 33-48", "Factory 1-16", "Own 1-16", "Own 17-32"] {
      player.say("/preset/page/next", 1)
      #expect(page() == .string(expected))
    }
    for expected in ["Own 1-16", "Factory 1-16", "Own 33-48", "Own 17-32"] {
      player.say("/preset/page/previous", 1)
      #expect(page() == .string(expected))
    }
    // A recall of the part in focus turns to its page, that of another part does not.
    player.say("/part/2/preset/load", "P0")
    #expect(page() == .string("Own 17-32"))
    player.say("/preset/load", "P0")
    #expect(page() == .string("Own 1-16"))
  }

  @Test("While COPY waits for a slot there is a page with a free one, also where all pages are full")
  func freePage() {
    let player = player()
    for number in 0..<16 { player.say("/preset/save/new", "P\(number)") }
    #expect(player["/preset/page"] == .string("Own 1-16"))
    player.say("/preset/page/next", 1)
    #expect(player["/preset/page"] == .string("Factory 1-16"))
    player.say("/preset/page/next", 1)
    player.now += second
    player.say("/preset/copy", 1)
    #expect(player["/preset/page"] == .string("Own 1-16"))
    player.say("/preset/page/next", 1)
    #expect(player["/preset/page"] == .string("Own 17-32"))
    player.say("/preset/slot/3", 1)
    #expect(name(player) == "P15 2" || name(player) == "P16", "\(name(player))")
    #expect(player["/preset/program"] == .int(18) && player["/preset/copy/armed"] == .int(0))
  }

  @Test("A copy onto its own slot keeps the name, one onto another's takes a new name there")
  func copies() {
    let player = player()
    player.say("/preset/save/new", "Mine")
    player.say("/filter/cutoff/hz", 555)
    player.say("/preset/copy/1", 1)
    #expect(name(player) == "Mine" && player["/preset/edited"] == .int(0))
    #expect(player.refusal("/part/4/preset/copy/17", .number(1)) != nil)
    player.say("/preset/copy/2", 0)
    #expect(player["/preset/slot/2/name"] == .string(""))
    player.say("/preset/copy/2", 1)
    #expect(
      player["/preset/slot/1/name"] == .string("Mine") && player["/preset/slot/2/name"] == .string("Mine 2"))
    #expect(player["/preset/program"] == .int(1))
    player.say("/part/5/preset/load", "Mine")
    #expect(player["/part/5/filter/cutoff/hz"] == .float(555))
  }

  @Test("Nothing is copied over a preset of the factory's")
  func factory() {
    let player = player()
    player.say("/filter/cutoff/hz", 777)
    #expect(
      player.refusal("/preset/copy/2", .number(1))
        == "/preset/copy/2 Factory 2 is the factory's; there is room on the page Own 1-16")
    player.say("/preset/load", "Bass")
    #expect(player["/filter/cutoff/hz"] == .float(200) && player.answers("/preset/list").count == 4)
  }

  @Test("A new preset that is asked for twice within a quarter of a second is one, and after that two")
  func doubled() {
    let player = player()
    func count() -> OSCValue? { player.answers("/preset/list").first?.value }
    func new(after nanoseconds: Int64) {
      player.now += nanoseconds - 10_000_000
      player.say("/preset/save/new", 1)
    }
    new(after: second)
    new(after: 240_000_000)
    #expect(count() == .int(4))
    new(after: second)
    new(after: 260_000_000)
    #expect(count() == .int(6))
  }

  @Test("Without a database what was saved is said to be kept until pipit ends")
  func unkept() {
    let player = player()
    player.say("/preset/save", "Mine")
    #expect(player["/notice"] == .string("Saved \"Mine\", Own 1; kept until pipit ends"))
    #expect(player.answers("/presets/waiting").first?.value == .int(-1))
  }

  @Test("Of two presets of one name each is recalled, shown, marked and removed by its place")
  func twins() throws {
    let player = player()
    player.say("/preset/load", "Bass")
    player.say("/filter/cutoff/hz", 777)
    player.say("/preset/save", 1)
    #expect(player["/preset/bank"] == .int(1) && player["/preset/program"] == .int(0))
    let lines = words(player.answers("/presets/list")).filter { $0.contains("\tBass\t") }
    #expect(lines == ["0\t1\tfactory\t\tBass\t0\t\t\t\t", "1\t0\tuser\t\tBass\t0\t\t\t\t"])
    for (place, hertz, bank) in [("0/1", 200, 0), ("1/0", 777, 1)] as [(String, Float, Int)] {
      player.say("/part/2/preset/load", place)
      #expect(player["/part/2/filter/cutoff/hz"] == .float(hertz) && name(player, 2) == "Bass")
      #expect(player["/part/2/preset/bank"] == .int(bank))
      let text = words(player.answers("/presets/show", place)).first ?? ""
      #expect(text.contains("/filter/cutoff/hz \(Int(hertz))"), "\(text)")
    }
    // The mark of one is not that of the other.
    _ = player.answers("/presets/favorite", "0/1")
    #expect(words(player.answers("/presets/facts", "0/1")).first?.contains("Bass\t1") == true)
    #expect(words(player.answers("/presets/facts", "1/0")).first?.contains("Bass\t0") == true)
    // A new preset of the factory's sound is described as that is, not as its twin.
    _ = player.answers("/presets/tag", "1/0", "twin")
    player.say("/preset/load", "0/1")
    player.say("/preset/save/new", "Third")
    #expect(words(player.answers("/presets/facts", "Third")).first?.contains("twin") == false)
    _ = player.answers("/presets/delete", "1/0")
    player.say("/preset/load", "Bass")
    #expect(player["/preset/bank"] == .int(0))
  }

  @Test("A save over a preset marks the other parts that play what lay there")
  func others() {
    let player = player()
    player.say("/preset/save/new", "Mine")
    player.say("/part/2/preset/load", "Mine")
    player.say("/filter/cutoff/hz", 777)
    player.say("/preset/save", 1)
    #expect(player["/preset/edited"] == .int(0) && player["/part/2/preset/edited"] == .int(1))
    #expect(player["/part/2/filter/cutoff/hz"] != .float(777))
  }
}
