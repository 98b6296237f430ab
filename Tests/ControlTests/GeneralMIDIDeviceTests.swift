import MIDI
import Parameters
import Presets
import Scenes
import Scratch
import Synth
import Testing
@testable import Control

/// A keyboard that says that it is one of General MIDI, as the control thread hears it.
@Suite("A device of General MIDI") final class GeneralMIDIDeviceTests {
  private static let systemOn: [UInt8] = [0xF0, 0x7E, 0x7F, 9, 1, 0xF7]
  private static let systemOff: [UInt8] = [0xF0, 0x7E, 0x7F, 9, 2, 0xF7]
  private let folder = Folder()
  private let instrument: Instrument
  private let decoder = MIDIDecoder()

  /// Part 1 hears every channel, part 2 that of drums, part 3 only channel 3.
  init() {
    for (number, name) in ["One", "Two", "Three"].enumerated() {
      folder.file("factory/0\(number + 1)-x.txt", "pipit preset 1\nname \(name)\n")
    }
    folder.file("factory/kit.txt", "pipit preset 1\nname Kit\n")
    folder.file("factory/gm.txt", "pipit programs 1\n2 Three\n3 One\ndrums Kit\n")
    let library = Library(database: nil, factory: folder.path + "/factory") { Issue.record("\($0)") }
    instrument = Instrument(link: Link(.initial, kit: library.kit), library: library, log: { _ in })
    for (part, channel) in [(1, Float(10)), (2, 3)] {
      instrument.writer.stage.scene[part].strip.on = 1
      instrument.writer.stage.scene[part].strip.channel = channel
    }
  }

  private func send(_ bytes: [UInt8], source: UInt8 = 3) {
    for byte in bytes {
      guard let message = decoder.read(exclusive: byte, source: source) else { continue }
      for index in 0..<message.count {
        if let event = message.event(index, source: source, frame: 0) { instrument.link.commands.push(event) }
      }
    }
    _ = instrument.update(0)
  }

  private func program(_ program: UInt8, channel: UInt8 = 0, source: UInt8 = 3) {
    instrument.link.commands.push(
      Event(frame: 0, kind: .program, source: source, target: channel, note: program))
    _ = instrument.update(0)
  }

  private func names() -> [String] { (0..<3).map { instrument.presets.origins[$0].name } }

  @Test("gives the drums' part the kit, and has General MIDI's programs until it says otherwise, or has gone")
  func programs() {
    let start = names()
    send(Self.systemOn)
    #expect(names() == [start[0], "Kit", start[2]])
    program(1)
    program(2, channel: 2)
    #expect(names() == ["One", "Kit", "One"], "the last one reaches part 1 too, which hears all channels")
    program(1, channel: 9)
    #expect(names()[1] == "Kit")
    // Another keyboard has pipit's.
    program(1, source: 4)
    #expect(names() == ["Two", "Kit", "One"])
    send(Self.systemOff)
    program(2)
    #expect(names() == ["Three", "Kit", "One"])
    program(0, channel: 9)
    #expect(names() == ["One", "One", "One"])
    send(Self.systemOn)
    instrument.link.commands.push(Event(frame: 0, kind: .sourceGone, source: 3))
    program(1)
    #expect(names()[0] == "Two")
  }

  @Test("leaves the parts' sounds where none is on channel 10, or hears no programs")
  func withoutDrums() {
    let start = names()
    instrument.writer.stage.scene[1].strip.on = 0
    send(Self.systemOn)
    program(1, channel: 9)
    #expect(names() == start)
    instrument.writer.stage.scene[1].strip.on = 1
    instrument.writer.stage.scene[1].input.received.program = 0
    send(Self.systemOn)
    #expect(names() == start)
  }

  @Test("has its drums where its channel 10 is set to be heard")
  func routed() {
    var table = DeviceTable()
    let place = Device.Address(client: 20, port: 0)
    let device = table.attach(PortIdentity(client: "Keys", port: "out"), at: place)
    table.play(place, as: 3)
    var settings = DeviceSettings()
    settings.routes = ChannelRoutes("10:3") ?? ChannelRoutes()
    table.set(device.id, settings)
    instrument.devices.table = table
    let start = names()
    send(Self.systemOn)
    #expect(names() == [start[0], start[1], "Kit"])
  }
}
