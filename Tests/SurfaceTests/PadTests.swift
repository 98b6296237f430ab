import Control
import ControlHarness
import MIDI
import Scenes
import System
import Testing
@testable import Surface

/// Pads of a controller with a file: what they do and what their lights show.
@Suite("Pads") struct PadTests {
  /// A controller with pads beside a tablet.
  private final class Controller {
    let player = Player.connected()
    let asked = RequestLog<DeviceRequest>()
    let place = Device.Address(client: 20, port: 0)
    private var seen = 0

    init(_ lines: String) throws {
      player.control.devices.handler = asked
      var table = DeviceTable()
      table.use([try PadMap(reading: "device Grid\n" + lines, name: "grid.txt")])
      player.control.devices.table = table
      plug()
    }

    var pads: Pads { player.harness.surface.pads }

    func plug() {
      _ = player.control.devices.table.attach(PortIdentity(client: "Grid", port: "Grid"), at: place)
      player.control.devices.table.play(place, as: 3)
      pass()
    }

    func unplug() {
      player.control.devices.table.play(place, as: nil)
      player.control.devices.table.detach(place)
      pass()
    }

    func pass(milliseconds: Int64 = 50) {
      for _ in 0..<milliseconds / 10 {
        player.pass(milliseconds: 10)
        _ = pads.update(player.now)
      }
    }

    func send(_ note: UInt16, _ velocity: UInt32, _ kind: Binding.Kind = .note) {
      pads.take(
        Movement(source: 3, kind, note, MIDIValue(velocity, bits: 7)), now: player.now)
    }

    func press(_ note: UInt16) {
      send(note, 127)
      send(note, 0)
      pass()
    }

    /// The lights that were sent since this was asked last: note, value and channel from 1.
    func lights() -> [[Int]] {
      defer { seen = asked.requests.count }
      return asked.requests[seen...].flatMap { request -> [[Int]] in
        guard case .show(let messages) = request else { return [] }
        return messages.map { [Int($0.number), Int($0.value >> 7), Int($0.channel) + 1] }
      }
    }
  }

  private static let setups = """
    state current 21
    state filled 45 7
    state empty 1
    pad note 11 /setup/slot/1
    pad note 12 /setup/slot/2
    pad note 13 /setup/slot/3
    """

  private func withSetups() throws -> Controller {
    let grid = try Controller(Self.setups)
    grid.player.say("/setup/save/new", "One")
    grid.player.say("/setup/save/new", "Two")
    grid.pass()
    return grid
  }

  @Test("A press does what the address says, and the lights follow the state") func press() throws {
    let grid = try withSetups()
    #expect(grid.player["/setup"] == .string("Two"))
    let lights = grid.lights()
    for last in [[11, 45, 7], [12, 21, 1], [13, 1, 1]] {
      #expect(lights.last { $0[0] == last[0] } == last)
    }
    grid.press(11)
    #expect(grid.player["/setup"] == .string("One"))
    #expect(grid.lights() == [[11, 21, 1], [12, 45, 7]])
    // Whoever changes it, the lights follow.
    grid.player.say("/setup", "Two")
    grid.pass()
    #expect(grid.lights() == [[11, 45, 7], [12, 21, 1]])
    grid.pass(milliseconds: 500)
    #expect(grid.lights().isEmpty)
    // A note that is no pad does nothing.
    grid.press(14)
    #expect(grid.player["/setup"] == .string("Two") && grid.lights().isEmpty)
  }

  @Test("A button is sent the press and the release; a press can be a controller's") func release() throws {
    let grid = try Controller("pad note 1 /lock/press\npad cc 91 /lock/press\n")
    grid.press(1)
    #expect(grid.player["/lock"] == .int(1))
    // A short press does not unlock, a long one does: so the release comes.
    grid.press(1)
    grid.pass(milliseconds: 1_500)
    #expect(grid.player["/lock"] == .int(1))
    grid.send(91, 127, .controller)
    grid.pass(milliseconds: 1_100)
    #expect(grid.player["/lock"] == .int(0))
    grid.send(91, 0, .controller)
  }

  @Test("Pads set, toggle and hold values, while the surfaces are locked too") func values() throws {
    let grid = try Controller(
      """
      state current 5
      state filled 2
      state empty 1
      pad note 1 /macro/1 set 0.25
      pad note 2 /macro/1 set 0.75
      pad note 3 /macro/2 hold 1
      pad note 4 /sequence/slot/2/velocity toggle 100
      """)
    grid.player.say("/lock", 1)
    grid.player.say("/sequence/slot/2/velocity", 0)
    grid.pass()
    _ = grid.lights()
    grid.press(2)
    #expect(grid.player["/macro/1"] == .float(0.75) && grid.lights().contains([2, 5, 1]))
    grid.press(1)
    #expect(grid.player["/macro/1"] == .float(0.25) && grid.lights() == [[1, 5, 1], [2, 2, 1]])
    let before = grid.player["/macro/2"]
    grid.send(3, 100)
    grid.pass()
    #expect(grid.player["/macro/2"] == .float(1) && grid.lights() == [[3, 5, 1]])
    grid.send(3, 0)
    grid.pass()
    #expect(grid.player["/macro/2"] == before && before != .float(1))
    let velocity = grid.player["/sequence/slot/2/velocity"]
    grid.press(4)
    let toggled = grid.player["/sequence/slot/2/velocity"]
    grid.press(4)
    #expect(grid.player["/sequence/slot/2/velocity"] == (velocity == .int(0) ? .int(0) : .int(100)))
    #expect(toggled == (velocity == .int(0) ? .int(100) : .int(0)))
  }

  @Test("A light is sent 30 times a second at most, and shows what is true in the end") func rate() throws {
    let grid = try Controller("state current 5\nstate filled 2\npad note 1 /macro/1 set 0.5\n")
    grid.pass()
    _ = grid.lights()
    // Each message is a hundredth of a second after the last.
    for step in 0..<200 {
      grid.player.say("/macro/1", step * step / 3 % 2 == 0 ? 0.5 : 0.1)
      _ = grid.pads.update(grid.player.now)
    }
    let sent = grid.lights()
    #expect((10...61).contains(sent.count), "\(sent.count)")
    grid.player.say("/macro/1", 0.5)
    grid.pass()
    #expect(grid.lights().last ?? sent.last == [1, 5, 1])
  }

  @Test("A device's answer to a light is no press; a finger is, and its release always counts") func echo()
    throws
  {
    let grid = try withSetups()
    grid.press(11)
    #expect(grid.lights().suffix(2) == [[11, 21, 1], [12, 45, 7]])
    grid.player.say("/setup", "Two")
    grid.player.pass(milliseconds: 40)
    _ = grid.pads.update(grid.player.now)
    #expect(grid.lights() == [[11, 45, 7], [12, 21, 1]])
    grid.send(11, 45)
    grid.pass(milliseconds: 10)
    #expect(grid.player["/setup"] == .string("Two"))
    // The echo comes once.
    grid.send(11, 45)
    grid.pass(milliseconds: 100)
    #expect(grid.player["/setup"] == .string("One"))
    grid.send(11, 0)
    grid.player.say("/setup", "Two")
    grid.pass(milliseconds: 100)
    grid.send(11, 45)
    grid.pass()
    #expect(grid.player["/setup"] == .string("One"))
  }

  @Test("A controller that returns is sent every light, and lets go what it held") func away() throws {
    let grid = try Controller(
      Self.setups + "\nstate down 9\npad note 1 /macro/2 hold 1\npad note 2 /setup/next")
    #expect(Set(grid.lights().map { $0[0] }) == [11, 12, 13, 1, 2])
    grid.send(1, 100)
    grid.send(2, 100)
    grid.pass()
    #expect(grid.lights() == [[1, 9, 1], [2, 9, 1]] && grid.player["/macro/2"] == .float(1))
    grid.unplug()
    #expect(grid.lights().isEmpty && grid.player["/macro/2"] == .float(0))
    grid.plug()
    let lights = grid.lights()
    #expect(lights.count == 5 && !lights.contains([1, 9, 1]) && !lights.contains([2, 9, 1]))
    // Also one that was away so shortly that nobody has seen it.
    var table = grid.player.control.devices.table
    table.play(grid.place, as: nil)
    table.play(grid.place, as: 3)
    grid.player.control.devices.table = table
    grid.pass()
    #expect(grid.lights().count == 5)
  }

  @Test("Pads that are turned off do nothing and are sent nothing") func off() throws {
    let grid = try withSetups()
    _ = grid.lights()
    var settings = DeviceSettings()
    settings.hasPads = false
    grid.player.control.devices.table.set(1, settings)
    grid.press(11)
    #expect(grid.player["/setup"] == .string("Two") && grid.lights().isEmpty)
    #expect(grid.player.answers("/device/list").last?.value == .string("1\tplayed\tGrid\t\t1\tpads off\t"))
    grid.player.control.devices.table.set(1, DeviceSettings())
    grid.pass()
    #expect(grid.lights().count == 3)
    #expect(grid.player.answers("/device/list").last?.value == .string("1\tplayed\tGrid\t\t1\t\tgrid.txt"))
  }

  @Test("A binding of the player's has the pad and its lamp, and a pad can be learned") func bound() throws {
    let grid = try withSetups()
    let pressed = Movement(source: 3, .note, 11, MIDIValue(127, bits: 7))
    #expect(!grid.player.control.bindings.take(pressed, now: grid.player.now))
    grid.player.say("/learn", 1)
    grid.player.say("/setup/next")
    #expect(grid.player.control.bindings.take(pressed, now: grid.player.now))
    let learned = grid.asked.requests.compactMap { request in
      if case .set(1, let settings) = request { settings } else { nil }
    }
    let settings = try #require(learned.last)
    #expect(settings.bindings.map(\.target) == ["/setup/next"])
    grid.player.control.devices.table.set(1, settings)
    for _ in 0..<2 {
      grid.pass(milliseconds: 300)
      grid.player.say("/learn", 1)
    }
    grid.pass()
    #expect(grid.player.control.learning.state == 0)
    _ = grid.lights()
    #expect(grid.player.control.bindings.take(pressed, now: grid.player.now))
    grid.player.say("/setup", "One")
    grid.pass()
    #expect(grid.lights() == [[12, 45, 7]])
  }

  @Test("A refused press is a notice") func refused() throws {
    let grid = try Controller("pad note 1 /setup/recall/9\n")
    grid.press(1)
    guard case .string(let notice)? = grid.player["/notice"] else { throw Refusal("no notice") }
    #expect(notice.hasPrefix("/setup/recall/9 "))
  }

  @Test("Wrong addresses are named with file and line, and the other pads act") func problems() throws {
    let lines = """
      device Grid
      pad note 1 /setup/nxt
      pad note 2 /setup/next
      pad note 3 /macro/1
      pad note 4 /setup/next set 1
      pad note 5 /setup/name set 1
      pad note 6 /presets/search
      pad note 7 /part/2/macro/1 set 1
      pad note 8 /part/9/macro/1 set 1
      """
    let map = try PadMap(reading: lines, name: "grid.txt")
    let problems = Pads.problems(of: map)
    let wrong: [Int] = [2, 4, 5, 6, 7, 9]
    #expect(problems.count == wrong.count)
    for (problem, line) in zip(problems, wrong) { #expect(problem.hasPrefix("grid.txt, line \(line): ")) }
    #expect(problems[0].contains("/setup/nxt is no address; did you mean /setup/next?"))
  }

  @Test("The files of the package are right", arguments: ["launchpad-mini-mk3.txt", "apc-mini-mk2.txt"])
  func package(file: String) throws {
    let folder = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let bytes = try readFile("/\(folder)/presets/pads/\(file)", limit: PadMap.mostBytes)
    let map = try PadMap(reading: String(decoding: bytes, as: UTF8.self), name: file)
    let hasSnapshots = NodeTree.instrument.find("/snapshot/a") != nil
    let problems = Pads.problems(of: map).filter { hasSnapshots || !$0.contains(" /snapshot/") }
    #expect(problems.isEmpty && map.pads.count > 60, "\(problems)")
    let addresses = map.pads.map(\.address)
    for kind in ["/setup/slot/16", "/snapshot/h", "/sequence/slot/16/velocity", "/macro/4"] {
      #expect(addresses.contains(kind))
    }
  }
}
