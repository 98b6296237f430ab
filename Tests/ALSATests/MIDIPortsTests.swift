import CALSA
import Glibc
import MIDI
import Scenes
import Testing
@testable import ALSA

/// Which ports are connected, and what is set for them.
@Suite("A port") struct MIDIPortsTests {
  private let one = MIDIBench.one
  private let two = MIDIBench.two

  @Test("that is there at the start is connected, and so is one that comes later", arguments: [true, false])
  func comes(isThere: Bool) throws {
    let bench = try #require(MIDIBench())
    bench.plug(one, isAnnounced: !isThere)
    // Our own, and what repeats others.
    let (own, through) = (Device.Address(client: 128, port: 1), Device.Address(client: 14, port: 0))
    bench.alsa.plug(own, MIDIBench.port(own), isAnnounced: !isThere)
    bench.alsa.plug(through, MIDIBench.port(through, "Midi Through"), isAnnounced: !isThere)
    if isThere { bench.reader.connectAll() }
    #expect(bench.read() && bench.read())
    #expect(bench.alsa.connected == [one])
    let device = try #require(bench.sequencer.devices[one])
    #expect(device.source == 0 && device.reason.isEmpty)
    #expect(bench.log == ["MIDI: connected Keys 20 MIDI 1"])
    // It changes: nothing to do.
    bench.alsa.announce(SND_SEQ_EVENT_PORT_CHANGE, one)
    bench.read()
    #expect(bench.sequencer.devices.devices.count == 1 && bench.log.count == 1)
    bench.alsa.unplug(one)
    bench.read()
    #expect(bench.sequencer.devices[one] == nil && bench.sequencer.devices.devices[0].source == nil)
    #expect(bench.log.last == "MIDI: Keys 20 MIDI 1 is gone" && bench.log.count == 2)
    // Each plug is said.
    bench.plug(one)
    bench.read()
    #expect(bench.log.count == 3 && bench.sequencer.devices.devices.count == 1)
  }

  @Test(
    "that is not ready when it is announced is tried once more, half a second later", arguments: [0, 1, 2])
  func retry(reason: Int) throws {
    let bench = try #require(MIDIBench())
    var port = MIDIBench.port(one)
    if reason == 0 {
      bench.alsa.announce(SND_SEQ_EVENT_PORT_START, one)
    } else {
      if reason == 1 { port.capabilities = 0 } else { bench.alsa.refuses = true }
      bench.alsa.plug(one, port)
    }
    bench.read()
    #expect(bench.reader.timeout == 501)
    bench.alsa.offered[one] = MIDIBench.port(one)
    bench.alsa.refuses = false
    bench.read(after: 499_999_999)
    #expect(bench.alsa.connected.isEmpty)
    bench.read(after: 1)
    #expect(bench.alsa.connected == [one] && bench.reader.timeout == -1)
    #expect(bench.sequencer.devices[one]?.source == 0)
  }

  @Test("that never gets ready is tried no third time; nor one that is gone meanwhile")
  func gaveUp() throws {
    let bench = try #require(MIDIBench())
    for place in [one, two] { bench.alsa.announce(SND_SEQ_EVENT_PORT_START, place) }
    bench.alsa.announce(SND_SEQ_EVENT_PORT_EXIT, two)
    bench.read()
    bench.alsa.offered[two] = MIDIBench.port(two)
    bench.read(after: 500_000_000)
    #expect(bench.reader.timeout == -1)
    bench.alsa.offered[one] = MIDIBench.port(one)
    bench.read(after: 10_000_000_000)
    #expect(bench.alsa.connected.isEmpty)
  }

  @Test(
    "that another program connects is played too, and no more when that ends; other connections are others'")
  func subscribed() throws {
    let bench = try #require(MIDIBench())
    var silent = MIDIBench.port(one)
    silent.type = 0
    bench.alsa.plug(one, silent, isAnnounced: false)
    bench.alsa.subscribe(one)
    bench.alsa.subscribe(two, to: 7)
    bench.alsa.subscribe(.init(client: 0, port: 1))
    bench.read()
    #expect(bench.sequencer.devices[one]?.source == 0 && bench.sequencer.devices.devices.count == 1)
    bench.send(0x90, 60, 100)
    bench.read()
    #expect(bench.voices == 1)
    bench.alsa.subscribe(one, ends: true, to: 7)
    bench.read()
    #expect(bench.voices == 1)
    bench.alsa.subscribe(one, ends: true)
    bench.read()
    #expect(bench.voices == 0)
    let device = try #require(bench.sequencer.devices[one])
    #expect(device.source == nil && device.reason == "not connected")
  }

  @Test("is not played for a connection to another client or port, nor is the system, which announces others")
  func others() throws {
    let bench = try #require(MIDIBench())
    var silent = MIDIBench.port(one)
    silent.type = 0
    bench.alsa.plug(one, silent, isAnnounced: false)
    bench.alsa.subscribe(.init(client: 0, port: 1))
    bench.alsa.subscribe(one, to: bench.alsa.port, of: 77)
    bench.alsa.subscribe(one, to: bench.alsa.port + 1, of: bench.alsa.client)
    bench.read()
    #expect(
      bench.log.isEmpty && bench.sequencer.devices.devices.isEmpty && bench.reader.sources.inUse.isEmpty)
    bench.plug(two)
    bench.read()
    #expect(bench.sequencer.devices[two]?.source == 0)
    bench.send(0x90, 60, 100, from: two)
    bench.alsa.subscribe(two, ends: true, to: bench.alsa.port, of: 77)
    bench.read()
    #expect(bench.voices == 1 && bench.sequencer.devices[two]?.source == 0)
  }

  @Test(
    "that comes when as many play as can is left alone, which is said once, until another goes",
    arguments: ["plugged", "connected by another program", "sending without a connection"])
  func seventeenth(way: String) throws {
    let bench = try #require(MIDIBench())
    let ports = (0..<UInt8(Limits.surfaceSources)).map { Device.Address(client: 20 + $0, port: 0) }
    for port in ports { bench.plug(port) }
    bench.read()
    let late = Device.Address(client: 90, port: 0)
    var silent = MIDIBench.port(late)
    if way != "plugged" { silent.type = 0 }
    bench.alsa.plug(late, silent)
    if way == "connected by another program" { bench.alsa.subscribe(late) }
    bench.read()
    for _ in 0..<3 { bench.send(0x90, 60, 100, from: late) }
    bench.alsa.announce(SND_SEQ_EVENT_PORT_CHANGE, late)
    bench.read()
    #expect(bench.voices == 0 && bench.alsa.connected == Set(ports))
    #expect(
      bench.log.filter { $0.contains("left alone: ") && $0.contains("16 ports play already") }.count == 1)
    #expect(bench.reader.sources.number(of: late) == nil)

    bench.alsa.unplug(ports[3])
    bench.read()
    bench.read()
    if way == "connected by another program" { bench.alsa.subscribe(late) }
    bench.send(0x90, 60, 100, from: late)
    bench.read()
    #expect(bench.voices == 1 && bench.reader.sources.number(of: late) == 3)
    if way == "plugged" { #expect(bench.sequencer.devices[late]?.source == 3) }
  }

  @Test("is left alone and played again as is set for it, which is said once")
  func denied() throws {
    let bench = try #require(MIDIBench.ofTwo())
    bench.set(one) { $0.isAllowed = false }
    bench.read()
    #expect(bench.alsa.connected == [two])
    let device = try #require(bench.sequencer.devices[one])
    #expect(device.source == nil && device.reason == "not allowed")
    bench.alsa.announce(SND_SEQ_EVENT_PORT_CHANGE, one)
    bench.read()
    #expect(bench.log.filter { $0 == "MIDI: left alone: Keys 20 MIDI 1, not allowed" }.count == 1)
    bench.set(one) { $0.isAllowed = nil }
    bench.read()
    bench.read()
    #expect(bench.alsa.connected == [one, two] && bench.sequencer.devices[one]?.source == 0)
    // Plugged in again, it is as it was set.
    bench.set(one) { $0.isAllowed = false }
    bench.read()
    bench.alsa.unplug(one)
    bench.plug(one)
    bench.read()
    #expect(bench.alsa.connected == [two])
    #expect(bench.log.filter { $0 == "MIDI: left alone: Keys 20 MIDI 1, not allowed" }.count == 3)
  }

  @Test("of a DAW is left alone, with how to have it played")
  func known() throws {
    let bench = try #require(MIDIBench())
    var port = MIDIBench.port(one)
    (port.identity.usb, port.identity.port) = ("1235:0102", "Keys DAW")
    bench.alsa.plug(one, port)
    bench.read()
    #expect(
      bench.log == [
        "MIDI: left alone: Keys 20: Keys DAW, the port for a DAW; 'pipit devices allow 1' plays it"
      ])
    #expect(bench.sequencer.devices[one]?.reason == "the port for a DAW")
  }

  @Test("tells the engine which parts hear it: when it comes, when that changes, and when it is undone")
  func routes() throws {
    let bench = try #require(MIDIBench.ofTwo())
    // Source, channel and parts of each route.
    func routes() -> [[Int]] {
      bench.takeEvents().filter { $0.kind == .route }.map { [Int($0.source), Int($0.target), Int($0.value)] }
    }
    func expected(_ source: Int, _ masks: [Int: Int] = [1: 5, 15: 0]) -> [[Int]] {
      (0..<16).map { [source, $0, masks[$0] ?? -1] }
    }
    #expect(routes().isEmpty)
    bench.set(two) { $0.routes = ChannelRoutes("2:1,3 16:-") ?? ChannelRoutes() }
    bench.read()
    bench.read()
    #expect(routes() == expected(1))
    // Another engine is told anew.
    bench.sequencer.routeAgain()
    bench.read()
    bench.read()
    #expect(routes() == expected(1))
    // What is set for it goes with it, and the number it had is nobody's.
    bench.alsa.unplug(two)
    bench.read()
    bench.plug(.init(client: 30, port: 0))
    bench.read()
    #expect(routes() == expected(1, [:]))
    bench.plug(two)
    bench.read()
    // Once more when the kernel says that it is connected.
    #expect(routes().suffix(16) == expected(2)[...])
    bench.set(two) { $0.routes = ChannelRoutes() }
    bench.read()
    bench.read()
    #expect(routes() == expected(2, [:]))
    #expect(bench.sequencer.routed.isEmpty)
  }

  @Test("has its routes told as soon as the ring has room for all of them")
  func routesAndFullRing() throws {
    let bench = try #require(MIDIBench.ofTwo())
    bench.fillRing()
    bench.set(one) { $0.routes = ChannelRoutes("8") ?? ChannelRoutes() }
    bench.read()
    bench.read()
    #expect(bench.reader.timeout == 10)
    _ = bench.takeEvents()
    bench.read()
    #expect(bench.takeEvents().isEmpty)
    bench.read(after: 10_000_000)
    let events = bench.takeEvents()
    #expect(events.count == 16 && events.allSatisfy { $0.kind == .route && $0.value == 128 })
    #expect(bench.reader.timeout == -1)
  }

  @Test("plays by MPE as is set for it, or for all")
  func mpe() throws {
    let bench = try #require(MIDIBench.ofTwo(mpe: .upper(3)))
    func zones() -> [[UInt8]] {
      bench.takeEvents().filter { $0.kind == .mpeZone }.map { [$0.source, $0.target, $0.note] }
    }
    #expect(zones() == [[0, 0, 0], [0, 15, 3], [1, 0, 0], [1, 15, 3]])
    bench.set(one) { $0.mpe = .lower(5) }
    bench.read()
    #expect(zones() == [[0, 0, 5], [0, 15, 0]])
    bench.set(one) { $0.hasFeedback = true }
    bench.read()
    #expect(zones().isEmpty)
    bench.set(one) { $0.mpe = nil }
    bench.read()
    #expect(zones() == [[0, 0, 0], [0, 15, 3]])
  }

  @Test("is sent what its lamps show once it is connected both ways, and is left when they are switched off")
  func lamps() throws {
    let bench = try #require(MIDIBench.ofTwo())
    bench.set(one) { $0.hasFeedback = true }
    bench.sequencer.send(21, 100, isNote: false, channel: 3, to: one)
    bench.sequencer.send(36, 1, isNote: true, channel: 9, to: one)
    bench.read()
    #expect(bench.alsa.sent == ["cc 21 100 on 3 to 20:0", "note 36 1 on 9 to 20:0"])
    #expect(bench.alsa.reached == [one] && bench.alsa.left.isEmpty)
    bench.set(one) { $0.hasFeedback = false }
    bench.read()
    #expect(bench.alsa.left == [one])
    bench.sequencer.send(21, 0, isNote: false, channel: 3, to: one)
    bench.read()
    #expect(bench.alsa.reached == [one, one])
    bench.alsa.unplug(one)
    bench.read()
    #expect(bench.alsa.left == [one, one])
    // One that is not played is not reached.
    bench.sequencer.send(21, 0, isNote: false, channel: 3, to: one)
    bench.read()
    #expect(bench.alsa.reached.count == 2)
  }

  @Test("that another program connects is played as is set for it, too")
  func settingsOfOthers() throws {
    let bench = try #require(MIDIBench())
    var silent = MIDIBench.port(one)
    silent.type = 0
    bench.alsa.plug(one, silent, isAnnounced: false)
    bench.alsa.subscribe(one)
    bench.read()
    _ = bench.takeEvents()
    bench.set(one) { $0.mpe = .lower(7) }
    bench.read()
    #expect(bench.takeEvents().filter { $0.kind == .mpeZone }.map(\.note) == [7, 0])
    // The port of a DAW stays connected, whatever else is set for it.
    var port = MIDIBench.port(two)
    (port.identity.usb, port.identity.port) = ("1235:0102", "Keys DAW")
    bench.alsa.plug(two, port)
    bench.read()
    bench.alsa.subscribe(two)
    bench.read()
    bench.set(two) { $0.hasClock = true }
    bench.read()
    #expect(bench.alsa.connected == [one, two] && bench.sequencer.devices[two]?.source == 1)
  }

  @Test("whose client is gone is left alone anew when it comes again, which is said anew")
  func deniedClient() throws {
    let bench = try #require(MIDIBench.ofTwo())
    bench.set(one) { $0.isAllowed = false }
    bench.read()
    for _ in 0..<2 {
      bench.alsa.unplug(one, as: SND_SEQ_EVENT_CLIENT_EXIT)
      bench.plug(one)
      bench.read()
    }
    #expect(bench.log.filter { $0 == "MIDI: left alone: Keys 20 MIDI 1, not allowed" }.count == 3)
  }

  @Test("has its bindings from its first message on, after a restart too")
  func bindingsAtFirst() throws {
    var table = DeviceTable()
    let device = table.attach(MIDIBench.port(one).identity, at: one)
    var settings = DeviceSettings()
    settings.bind(Binding(.note, 36, to: "/panic", .press))
    table.set(device.id, settings)
    let bench = try #require(MIDIBench(devices: DeviceTable(reading: table.text)))
    bench.plug(one)
    bench.send(0x90, 36, 100)
    bench.send(0x90, 37, 100)
    bench.read()
    #expect(bench.takeEvents().filter { $0.kind == .noteOn }.map(\.note) == [37])
    #expect(bench.sequencer.takeMovements().map(\.number) == [36])
    // Unplugged, it is another's: what has its number is not bound.
    bench.alsa.unplug(one)
    bench.plug(two)
    bench.send(0x90, 36, 100, from: two)
    bench.read()
    #expect(bench.sequencer.devices[two]?.source == 0)
    #expect(bench.takeEvents().filter { $0.kind == .noteOn }.map(\.note) == [36])
  }

  @Test(
    "that was never sent anything is not disconnected from MIDI Out, and one that has asked who this is stays"
  )
  func notReached() throws {
    let bench = try #require(MIDIBench.ofTwo())
    bench.alsa.send(exclusive: [0xF0, 0x7E, 0x7F, 6, 1, 0xF7], from: one)
    bench.read()
    bench.set(one) { $0.hasClock = true }
    bench.set(two) { $0.hasClock = true }
    bench.read()
    #expect(bench.alsa.reached == [one] && bench.alsa.left.isEmpty)
    bench.alsa.unplug(two)
    bench.read()
    #expect(bench.alsa.left.isEmpty)
    bench.alsa.unplug(one)
    bench.read()
    #expect(bench.alsa.left == [one])
  }

  @Test(
    "whose clock is followed makes room for another at once when it is gone, or not to be followed",
    arguments: [true, false])
  func clocks(isGone: Bool) throws {
    let bench = try #require(MIDIBench.ofTwo())
    for place in [one, two] { bench.set(place) { $0.hasClock = true } }
    bench.read()
    func tempos(_ place: Device.Address) -> Set<Float> {
      for _ in 0..<26 {
        bench.send(0xF8, from: place)
        bench.read(after: 25_000_000)
      }
      return Set(bench.takeCommands().filter { $0.kind == .tempo }.map(\.value))
    }
    #expect(tempos(one) == [100])
    if isGone { bench.alsa.unplug(one) } else { bench.set(one) { $0.hasClock = false } }
    bench.read()
    // Within the time for which a clock that stands still is waited for.
    for _ in 0..<14 {
      bench.send(0xF8, from: two)
      bench.read(after: 25_000_000)
    }
    #expect(Set(bench.takeCommands().filter { $0.kind == .tempo }.map(\.source)) == [1])
  }
}
