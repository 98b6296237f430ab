import Scenes
import Testing
@testable import MIDI

/// A keyboard at a socket.
private func keyboard(_ serial: String, _ path: String, index: Int = 0, usb: String = "1235:0102")
  -> PortIdentity
{
  PortIdentity(client: "Keys", port: "Keys MIDI 1", index: index, usb: usb, serial: serial, path: path)
}

private func program(_ client: String, _ port: String = "out") -> PortIdentity {
  PortIdentity(client: client, port: port)
}

/// Plugs in at a place that was never used, as the kernel does.
private struct Plugs {
  var table = DeviceTable()
  private var next: UInt8 = 20

  init(_ table: DeviceTable = DeviceTable()) { self.table = table }

  mutating func plug(_ port: PortIdentity) -> (id: Int, place: Device.Address) {
    next += 1
    let place = Device.Address(client: next, port: UInt8(port.index))
    return (table.attach(port, at: place).id, place)
  }
}

@Suite("Devices that come again") struct DeviceTableTests {
  @Test("are known by their serial numbers, whatever sockets they are in") func serial() {
    var plugs = Plugs()
    let (one, first) = plugs.plug(keyboard("A", "1-1"))
    let (two, second) = plugs.plug(keyboard("B", "1-2"))
    #expect(one != two)
    plugs.table.detach(first)
    plugs.table.detach(second)
    // Swapped.
    let swapped = [plugs.plug(keyboard("B", "1-1")).id, plugs.plug(keyboard("A", "1-2")).id]
    #expect(swapped == [two, one])
  }

  @Test(
    "twins without serial numbers, or with one for both, are known by their sockets",
    arguments: ["", "000000", "0", "S1"])
  func twins(serial: String) {
    var plugs = Plugs()
    let (one, first) = plugs.plug(keyboard(serial, "1-1"))
    let (two, second) = plugs.plug(keyboard(serial, "1-2"))
    #expect(one != two)
    plugs.table.detach(first)
    plugs.table.detach(second)
    // In the other order, and after a restart.
    plugs = Plugs(DeviceTable(reading: plugs.table.text))
    let again = [plugs.plug(keyboard(serial, "1-2")).id, plugs.plug(keyboard(serial, "1-1")).id]
    #expect(again == [two, one])
  }

  @Test("one without a serial number is known by its name in another socket") func moved() {
    var plugs = Plugs()
    let (one, place) = plugs.plug(keyboard("", "1-1"))
    plugs.table.detach(place)
    let found1 = plugs.plug(keyboard("", "1-3")).id
    #expect(found1 == one)
  }

  @Test("another one of the model in the same socket is another one") func replaced() {
    var plugs = Plugs()
    let (one, place) = plugs.plug(keyboard("A", "1-1"))
    plugs.table.detach(place)
    let other = plugs.plug(keyboard("B", "1-1"))
    #expect(other.id != one)
    plugs.table.detach(other.place)
    let found2 = plugs.plug(keyboard("A", "1-1")).id
    #expect(found2 == one)
  }

  @Test("another model in the same socket, by the same name, is another one") func otherModel() {
    var plugs = Plugs()
    let (one, place) = plugs.plug(keyboard("", "1-1"))
    plugs.table.detach(place)
    let found3 = plugs.plug(keyboard("", "1-1", usb: "0582:0001")).id
    #expect(found3 != one)
  }

  @Test("the ports of one are told apart, also where kernels name them alike") func ports() {
    var plugs = Plugs()
    let (keys, first) = plugs.plug(keyboard("A", "1-1"))
    let (daw, second) = plugs.plug(keyboard("A", "1-1", index: 1))
    #expect(keys != daw && plugs.table.shared.isEmpty)
    plugs.table.detach(first)
    plugs.table.detach(second)
    let found4 = plugs.plug(keyboard("A", "1-4", index: 1)).id
    #expect(found4 == daw)
    let found5 = plugs.plug(keyboard("A", "1-4")).id
    #expect(found5 == keys)
  }

  @Test("programs are known by their names, and twins in the order in which they come") func programs() {
    var plugs = Plugs()
    let (one, first) = plugs.plug(program("Synth"))
    let (two, second) = plugs.plug(program("Synth"))
    let (three, _) = plugs.plug(program("Other"))
    #expect(Set([one, two, three]).count == 3)
    plugs.table.detach(first)
    let found6 = plugs.plug(program("Synth")).id
    #expect(found6 == one)
    plugs.table.detach(client: nil)
    let found7 = plugs.plug(program("Synth")).id
    #expect(found7 == one)
    let found8 = plugs.plug(program("Synth")).id
    #expect(found8 == two)
    _ = second
  }

  @Test("one that is there is not taken for another") func twice() {
    var plugs = Plugs()
    let (one, place) = plugs.plug(keyboard("A", "1-1"))
    let found9 = plugs.table.attach(keyboard("A", "1-1"), at: place).id
    #expect(found9 == one)
    #expect(plugs.table.devices.count == 1)
  }

  @Test("one that is renamed stays the same, or becomes the one that has the name") func renamed() {
    var plugs = Plugs()
    let (one, place) = plugs.plug(program("Bluetooth"))
    plugs.table.play(place, as: 3)
    let renamed = plugs.table.attach(program("Stage Keys"), at: place)
    #expect(renamed.id == one && renamed.identity.client == "Stage Keys" && renamed.source == 3)
    #expect(plugs.table.devices.count == 1)
    // It is known by its new name from now on.
    plugs.table.detach(place)
    let (again, second) = plugs.plug(program("Stage Keys"))
    #expect(again == one)
    plugs.table.detach(second)
    // Another that comes without its name, and is told to be the first.
    let (other, third) = plugs.plug(program("Bluetooth"))
    plugs.table.play(third, as: 5)
    #expect(other != one)
    let found = plugs.table.attach(program("Stage Keys"), at: third)
    #expect(found.id == one && found.source == 5 && found.address == third)
    #expect(plugs.table[other]?.address == nil && plugs.table[other]?.source == nil)
  }

  @Test("keep what was set for them over a restart") func settings() {
    var plugs = Plugs()
    let (one, _) = plugs.plug(keyboard("A", "1-1"))
    _ = plugs.plug(program("Synth: one\n two"))
    var settings = DeviceSettings()
    (settings.isAllowed, settings.hasClock, settings.hasFeedback) = (false, true, true)
    (settings.mpe, settings.hasClockOut) = (.lower(15), true)
    settings.routes = ChannelRoutes("2:1,3 10:-") ?? ChannelRoutes()
    plugs.table.set(one, settings)
    let text = plugs.table.text
    let read = DeviceTable(reading: text)
    #expect(read.text == text && read[one]?.settings == settings && read[one]?.address == nil)
    #expect(read.devices.count == 2 && read[one]?.identity == keyboard("A", "1-1"))
  }

  @Test("text of a newer pipit, or none, does no harm") func strange() {
    #expect(DeviceTable(reading: "").devices.isEmpty)
    // The number of the next device would be none.
    for id in [Int.max, Int(Int32.max), 0, -1] {
      var odd = DeviceTable(reading: "pipit devices 1\ndevice 3\nclient A\ndevice \(id)\nclient B\n")
      #expect(odd.devices.map(\.id) == [3])
      #expect(odd.attach(PortIdentity(client: "C", port: "C"), at: .init(client: 20, port: 0)).id == 4)
    }
    #expect(DeviceTable(reading: "pipit cards 1\ndevice 1").devices.isEmpty)
    let read = DeviceTable(
      reading:
        "pipit devices 2\nclient Lost\nfuture x\ndevice 3\nclient Keys\nset colour red\nset clock on\nindex x\n"
    )
    #expect(
      read.devices.count == 1 && read[3]?.identity.client == "Keys" && read[3]?.settings.hasClock == true)
  }

  @Test("a table never grows beyond its size, and keeps those that something was set for") func size() {
    var plugs = Plugs()
    let (kept, place) = plugs.plug(program("Kept"))
    var settings = DeviceSettings()
    settings.hasClock = true
    plugs.table.set(kept, settings)
    plugs.table.detach(place)
    for number in 0..<200 {
      let (_, place) = plugs.plug(program("Program \(number)"))
      plugs.table.detach(place)
    }
    #expect(plugs.table.devices.count == DeviceTable.mostDevices && plugs.table[kept]?.settings == settings)
  }

  @Test("are found by number, by name, and by its beginning") func find() {
    var plugs = Plugs()
    let (keys, _) = plugs.plug(keyboard("A", "1-1"))
    let (synth, place) = plugs.plug(program("Synth", "Synth out"))
    let (twin, _) = plugs.plug(program("Synth", "Synth out"))
    #expect(plugs.table.find("\(keys)")?.id == keys && plugs.table.find("keys")?.id == keys)
    // Which of two is not said, until one of them is gone.
    #expect(plugs.table.find("Synth out") == nil && plugs.table.find("nobody") == nil)
    plugs.table.detach(place)
    #expect(plugs.table.find("synth OUT")?.id == twin)
    let forgotten = [synth, keys, 99].map { plugs.table.forget($0) }
    #expect(forgotten == [true, false, false])
  }
}

@Suite("Settings of a device") struct DeviceSettingsTests {
  @Test(
    "are set by words, and say what was set",
    arguments: [
      ("play", "off"), ("play", "on"), ("mpe", "lower"), ("mpe", "off"), ("mpe", "upper-7"), ("mpe", "auto"),
      ("clock", "on"), ("clock-out", "on"), ("feedback", "on"),
      ("parts", "1,3"), ("parts", "-"), ("parts", "2:1,3 10:-"), ("parts", "1:8"),
    ])
  func words(name: String, value: String) {
    var settings = DeviceSettings()
    let isSet = settings.set(name, to: value)
    #expect(isSet && settings[name] == value && settings.text == "\(name) \(value)")
    #expect(settings != DeviceSettings())
    let isUsual = settings.set(name, to: DeviceSettings()[name] ?? "")
    #expect(isUsual && settings == DeviceSettings() && settings.text.isEmpty)
  }

  @Test(
    "wrong words set nothing",
    arguments: [
      ("play", "yes"), ("mpe", "upper-16"), ("clock", "auto"), ("parts", ""), ("parts", "9"),
      ("parts", "17:1"),
      ("parts", "1:2:3"), ("parts", "1,,2"), ("parts", "0"), ("parts", ":1"), ("colour", "red"), ("", ""),
    ])
  func wrong(name: String, value: String) {
    var settings = DeviceSettings()
    let isSet = settings.set(name, to: value)
    #expect(!isSet && settings == DeviceSettings())
  }

  @Test("take the settings of a stored table, and stay attached and played") func restored() throws {
    var kept = Plugs()
    let (id, place) = kept.plug(keyboard("A", "1-1"))
    var settings = DeviceSettings()
    let isSet = settings.set("clock", to: "on")
    #expect(isSet)
    kept.table.set(id, settings)
    kept.table.detach(place)
    _ = kept.plug(keyboard("Z", "1-9"))
    var plugs = Plugs()
    let (other, first) = plugs.plug(keyboard("C", "1-3"))
    let (_, second) = plugs.plug(keyboard("A", "1-2"))
    plugs.table.play(second, as: 4)
    plugs.table.play(first, as: nil, reason: "no keyboard")
    plugs.table.set(other, settings)
    let revision = plugs.table.revision
    plugs.table.restore(DeviceTable(reading: kept.table.text))
    #expect(plugs.table.revision > revision)
    let device = try #require(plugs.table[second])
    #expect(device.id == id && device.source == 4 && device.settings["clock"] == "on")
    let unknown = try #require(plugs.table[first])
    #expect(unknown.reason == "no keyboard" && unknown.settings == DeviceSettings())
    #expect(plugs.table.devices.map(\.identity.serial).sorted() == ["A", "C", "Z"])
    #expect(plugs.table.devices.filter { $0.address != nil }.count == 2)
  }

  @Test("routes name the parts of each channel") func routes() {
    let routes = ChannelRoutes("2:1,3 10:-")
    #expect(routes?[1] == 0b101 && routes?[9] == 0 && routes?[0] == nil)
    let all = ChannelRoutes("8")
    #expect((0..<16).allSatisfy { all?[$0] == 1 << 7 })
  }

  @Test("the choice of clock decides which device may lead, and is stored with the table")
  func clockChoice() {
    var table = DeviceTable()
    let device = table.attach(PortIdentity(client: "A", port: "A"), at: Device.Address(client: 20, port: 0))
    var clocked = device
    clocked.settings.hasClock = true
    #expect(table.mayLead(clocked) && !table.mayLead(device))
    for choice in [ClockChoice.own, .song, .device(device.id), .device(device.id + 1)] {
      table.follow(choice)
      #expect(table.mayLead(device) == (choice == .device(device.id)))
      #expect(table.mayLead(clocked) == (choice == .device(device.id)))
      #expect(DeviceTable(reading: table.text).clock == choice)
    }
    for text in ["", "0", "-1", "AUTO", "1.5"] { #expect(ClockChoice(text) == nil) }
  }
}
