import Control
import ControlHarness
import MIDI
import Scenes
import Testing
@testable import Surface

@Suite("Keyboards, as whoever asks sees them") struct DeviceNodeTests {
  private let shell = Peer(host: 0x7F00_0001, port: 50_000)

  private let asked = RequestLog<DeviceRequest>()

  private func harness() -> SurfaceHarness {
    let harness = SurfaceHarness()
    var table = DeviceTable()
    let keys = Device.Address(client: 20, port: 0)
    _ = table.attach(
      PortIdentity(
        client: "Keys", port: "Keys MIDI 1", usb: "1235:0102", serial: "A", path: "1-1.2"), at: keys)
    table.play(keys, as: 0)
    let daw = Device.Address(client: 20, port: 1)
    _ = table.attach(PortIdentity(client: "Keys", port: "Keys DAW", index: 1, usb: "1235:0102"), at: daw)
    table.play(daw, as: nil, reason: "the port for a DAW")
    harness.control.devices.table = table
    harness.control.devices.handler = asked
    return harness
  }

  private func ask(_ harness: SurfaceHarness, _ address: String, _ words: String...) -> [OSCMessage] {
    harness.transport.answers = []
    harness.surface.receive(
      address, words.map { .string($0) }, from: shell, over: harness.transport, now: 0)
    return harness.transport.answers
  }

  private func words(_ answers: [OSCMessage]) -> String {
    if case .string(let text)? = answers.first?.value { return text }
    return ""
  }

  @Test("are listed with who they are, which parts hear them, and what was set") func list() {
    let harness = harness()
    let answers = ask(harness, "/device/list")
    #expect(
      answers == [
        OSCMessage("/device/list", .int(2)),
        OSCMessage(
          "/device/list/0",
          .string("1\tplayed\tKeys MIDI 1\tUSB 1235:0102, serial A, 1-1.2\t1\t\t")),
        OSCMessage("/device/list/1", .string("2\tthe port for a DAW\tKeys DAW\tUSB 1235:0102\t\t\t")),
      ])
    // Who asks is not sent everything that there is to show.
    #expect(harness.clients.isEmpty)
  }

  @Test("are heard by the parts that answer to their channels, or by those that were set") func parts() {
    let harness = harness()
    harness.send("/part/2/on", 1, from: shell, at: 0)
    harness.send("/part/2/channel", 3, from: shell, at: 0)
    func listeners() -> Substring {
      words([ask(harness, "/device/list")[1]]).split(separator: "\t", omittingEmptySubsequences: false)[4]
    }
    #expect(listeners() == "1, 2 (channel 3)")
    var settings = DeviceSettings()
    settings.routes = ChannelRoutes("3:4 1:-") ?? ChannelRoutes()
    harness.control.devices.table.set(1, settings)
    let others = (2...16).filter { $0 != 3 }.map { "\($0)" }.joined(separator: ", ")
    #expect(listeners() == "1 (channels \(others)), 4 (channel 3)")
    settings.routes = ChannelRoutes("-") ?? ChannelRoutes()
    harness.control.devices.table.set(1, settings)
    #expect(listeners() == "none")
  }

  @Test("are allowed, denied, set and forgotten") func set() {
    let harness = harness()
    var settings = DeviceSettings()
    settings.isAllowed = true
    #expect(words(ask(harness, "/device/allow", "keys daw")) == "Keys DAW: play on")
    #expect(asked.requests.last == .set(2, settings))
    settings.isAllowed = false
    #expect(words(ask(harness, "/device/deny", "1")) == "Keys MIDI 1: play off")
    #expect(asked.requests.last == .set(1, settings))
    settings = DeviceSettings()
    settings.hasClock = true
    #expect(words(ask(harness, "/device/set", "1", "clock", "on")) == "Keys MIDI 1: clock on")
    #expect(asked.requests.last == .set(1, settings))
    (settings.hasClock, settings.hasClockOut) = (false, true)
    #expect(words(ask(harness, "/device/set", "1", "clock-out", "on")) == "Keys MIDI 1: clock-out on")
    #expect(asked.requests.last == .set(1, settings))
    harness.control.devices.table.set(1, settings)
    #expect(words([ask(harness, "/device/list")[1]]).hasSuffix("\tclock-out on\t"))
    harness.control.devices.table.set(1, DeviceSettings())
    harness.control.devices.table.detach(client: nil)
    #expect(words(ask(harness, "/device/forget", "2")) == "Keys DAW is forgotten")
    #expect(asked.requests.last == .forget(2))
  }

  @Test("what cannot be done is refused with the reason") func refused() {
    let harness = harness()
    for (given, why) in [
      (["/device/allow"], "takes a device"), (["/device/allow", "Nobody"], "1 Keys MIDI 1; 2 Keys DAW"),
      (["/device/set", "1", "clock"], "takes a device, what to set"),
      (["/device/set", "1", "colour", "red"], "sets one of play, mpe"),
      (["/device/set", "1", "parts", "9"], "takes for parts"),
      (["/device/forget", "1"], "is plugged in"),
    ] as [([String], String)] {
      harness.transport.answers = []
      harness.surface.receive(
        given[0], given.dropFirst().map { .string($0) }, from: shell, over: harness.transport, now: 0)
      let text = words(harness.transport.answers)
      #expect(text.contains(why), "\(given): \(text)")
    }
    #expect(asked.requests.isEmpty)
  }

  @Test("/clock/source takes auto, own, song and a device, and shows the device's name")
  func clockSource() {
    let harness = harness()
    _ = ask(harness, "/clock/source", "own")
    _ = ask(harness, "/clock/source", "1")
    _ = ask(harness, "/clock/source", "nobody")
    _ = ask(harness, "/clock/source", "song")
    _ = ask(harness, "/clock/source", "auto")
    #expect(asked.requests == [.follow(.own), .follow(.device(1)), .follow(.song), .follow(.auto)])
    #expect(words(ask(harness, "/clock/source")) == "auto")
    harness.control.devices.table.follow(.device(1))
    #expect(words(ask(harness, "/clock/source")) == "Keys MIDI 1")
  }

  @Test("A tablet is told of a clock that another hand has chosen")
  func clockSourceIsTold() {
    let player = Player.connected()
    player.control.devices.table.follow(.own)
    player.pass(milliseconds: 200)
    #expect(player.shown["/clock/source"] == .string("own"))
  }

  @Test("A device that is forgotten is not the chosen clock any more")
  func forgottenClock() {
    var table = DeviceTable()
    let address = Device.Address(client: 20, port: 0)
    _ = table.attach(PortIdentity(client: "Keys", port: "Keys"), at: address)
    table.follow(.device(1))
    table.detach(address)
    #expect(table.forget(1) && table.clock == .auto)
  }
}
