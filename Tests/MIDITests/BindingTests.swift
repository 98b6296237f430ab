import Scenes
import Testing
@testable import MIDI

@Suite("Bindings as text") struct BindingTests {
  @Test(
    "are read from text and written back unchanged",
    arguments: [
      "cc 21 any pickup 0.0 1.0 7 /filter/cutoff", "cc 7 1 jump 1.0 0.25 14 /part/3/level",
      "nrpn 16383 16 scale 0.0 1.0 14 /delay/mix", "note 36 10 toggle 0.0 1.0 7 /drive/on",
      "bend 0 any offset 0.0 1.0 7 /osc/1/tune", "program 5 any press 0.0 1.0 7 /preset/next",
      "note 36 any cycle 0.0 0.5 7 /play/mode 3",
    ])
  func roundTrip(line: String) {
    #expect(Binding(line)?.text == line)
  }

  @Test(
    "are refused if a word is unknown or a number is out of range",
    arguments: [
      "", "cc", "cc 128 any jump 0 1 7 /a", "nrpn 16384 any jump 0 1 7 /a", "cc 1 0 jump 0 1 7 /a",
      "cc 1 17 jump 0 1 7 /a", "cc 1 any leap 0 1 7 /a", "cc 1 any jump 0 2 7 /a", "cc 1 any jump nan 1 7 /a",
      "cc 1 any jump 0 1 8 /a", "cc 1 any jump 0 1 7 a", "knob 1 any jump 0 1 7 /a",
      "cc -1 any jump 0 1 7 /a",
      "cc 1 any jump 0 1 7 /a b", "cc 1 any jump 0 1 7 /a 0", "cc 1 any jump 0 1 7 /a 3 4",
    ])
  func refusals(line: String) {
    #expect(Binding(line) == nil)
  }

  @Test("are stored with their device, one for each control") func keptWithDevice() {
    var table = DeviceTable()
    let device = table.attach(PortIdentity(client: "Keys", port: "out"), at: .init(client: 20, port: 0))
    var settings = DeviceSettings()
    settings.bind(Binding(.controller, 21, channel: 0, to: "/filter/cutoff", .pickup))
    settings.bind(Binding(.controller, 22, channel: 0, to: "/filter/cutoff", .pickup))
    // The same control once more.
    settings.bind(Binding(.controller, 21, channel: 0, to: "/delay/mix", .jump))
    table.set(device.id, settings)
    table.bind([Binding(.note, 36, to: "/panic", .press)])
    let read = DeviceTable(reading: table.text)
    #expect(read[device.id]?.settings.bindings == settings.bindings && settings.bindings.count == 2)
    #expect(read.bindings == table.bindings && read.text == table.text)
  }

  @Test("are limited to the latest 256, per device and for all devices") func latestKept() {
    var table = DeviceTable()
    let all = (0..<300 as Range<UInt16>).map { Binding(.parameter, $0, to: "/filter/cutoff", .jump) }
    table.bind(all)
    #expect(table.bindings == all.suffix(DeviceSettings.mostBindings))
    let revision = table.revision
    table.bind(table.bindings)
    #expect(table.revision == revision)
    var settings = DeviceSettings()
    for binding in all { settings.bind(binding) }
    #expect(settings.bindings == all.suffix(DeviceSettings.mostBindings))
  }

  @Test("are looked up for the connected device first, and otherwise for any device") func precedence() {
    var table = DeviceTable()
    let place = Device.Address(client: 20, port: 0)
    let device = table.attach(PortIdentity(client: "Keys", port: "out"), at: place)
    table.bind([
      Binding(.controller, 21, to: "/delay/mix", .jump), Binding(.controller, 22, to: "/panic", .press),
    ])
    var settings = DeviceSettings()
    settings.bind(Binding(.controller, 21, channel: 2, to: "/filter/cutoff", .jump))
    table.set(device.id, settings)
    func targets(_ number: UInt16, _ channel: UInt8) -> [String] {
      let movement = Movement(source: 3, channel: channel, .controller, number, MIDIValue(raw: 0))
      return table.bindings(of: movement).map(\.binding.target)
    }
    // It is not there.
    #expect(targets(21, 2).isEmpty)
    table.play(place, as: 3)
    #expect(targets(21, 2) == ["/filter/cutoff"] && targets(21, 0) == ["/delay/mix"])
    #expect(targets(22, 9) == ["/panic"] && targets(23, 0).isEmpty)
  }

  @Test(
    "decode the steps of an endless encoder by the coding of their mode",
    arguments: [
      (.twos, [(1, 1), (5, 5), (127, -1), (123, -5), (0, 0)]),
      (.offset, [(65, 1), (63, -1), (64, 0), (70, 6)]),
      (.sign, [(1, 1), (65, -1), (69, -5), (64, 0), (0, 0)]),
      (.signReversed, [(1, -1), (65, 1), (67, 3), (0, 0), (64, 0)]), (.jump, [(1, 0), (127, 0)]),
    ] as [(Binding.Mode, [(Int, Int)])])
  func relativeSteps(mode: Binding.Mode, steps: [(Int, Int)]) {
    for (number, count) in steps { #expect(mode.steps(UInt8(number)) == count, "\(mode) \(number)") }
  }
}

@Suite("Movements") struct MovementTests {
  private func read(
    _ reader: borrowing MIDIDecoder, _ bytes: [(UInt8, UInt8, UInt8)], every interval: Int64 = 1_000_000
  ) -> [Movement] {
    var now: Int64 = 1_000_000_000
    var found: [Movement] = []
    for bytes in bytes {
      now += interval
      guard let message = ChannelMessage(status: bytes.0, bytes.1, bytes.2) else { continue }
      if let movement = reader.read(message, source: 3, at: now).movement { found.append(movement) }
    }
    return found
  }

  @Test("Controllers, notes, programs, pressure and bend are read as movements") func controlKinds() {
    let reader = MIDIDecoder()
    let found = read(
      reader, [(0xB2, 21, 100), (0x90, 60, 90), (0x80, 60, 64), (0xC1, 5, 0), (0xD0, 30, 0), (0xE0, 0, 64)])
    #expect(found.map(\.kind) == [.controller, .note, .note, .program, .pressure, .bend])
    #expect(found.map(\.number) == [21, 60, 60, 5, 0, 0] && found.map(\.channel) == [2, 0, 0, 1, 0, 0])
    #expect(found.map { $0.value.sevenBits } == [100, 90, 0, 127, 30, 64])
  }

  @Test("Bank select, data entry, parameter numbers and channel mode messages are not movements")
  func excludedControllers() {
    for number in [0, 32, 6, 38, 96, 97, 98, 99, 100, 101, 120, 121, 123, 127] as [UInt8] {
      #expect(read(MIDIDecoder(), [(0xB0, number, 5)]).isEmpty, "\(number)")
    }
  }

  @Test("A lower half that follows its upper half at once is read as a movement of the same control")
  func pairedHalves() {
    let reader = MIDIDecoder()
    let found = read(reader, [(0xB0, 20, 64), (0xB0, 52, 1), (0xB0, 20, 65), (0xB0, 52, 2), (0xB0, 20, 66)])
    #expect(found.map(\.number) == [20, 20, 20, 20, 20])
    #expect(found.map(\.isFine) == [false, true, false, true, false])
    // From the third time on the lower half is waited for.
    #expect(found.map(\.isCoarse) == [false, false, false, false, true])
    #expect(found[1].value.fourteenBits == 64 << 7 | 1)
    // Alone it refines what has come.
    let last = read(reader, [(0xB0, 52, 99)])
    #expect(last.first?.number == 20 && last.first?.value.fourteenBits == 66 << 7 | 99)
  }

  @Test("A controller from 33 to 63 that does not follow its upper half at once is its own control")
  func loneLowerHalf() {
    let reader = MIDIDecoder()
    let found = read(reader, [(0xB0, 52, 1), (0xB0, 20, 64), (0xB0, 52, 2)], every: 100_000_000)
    #expect(found.map(\.number) == [52, 20, 52] && found.allSatisfy { !$0.isFine && !$0.isCoarse })
  }

  @Test("Data entry for an NRPN, but not for an RPN, is a movement of that parameter") func nrpnMovement() {
    let reader = MIDIDecoder()
    let found = read(
      reader,
      [
        (0xB0, 99, 2), (0xB0, 98, 5), (0xB0, 6, 64), (0xB0, 38, 3), (0xB0, 101, 0), (0xB0, 100, 0),
        (0xB0, 6, 12),
      ])
    #expect(found.map(\.kind) == [.parameter, .parameter] && found.map(\.number) == [261, 261])
    #expect(found.last?.value.fourteenBits == 64 << 7 | 3 && found.map(\.isFine) == [false, true])
    reader.forget(3)
    #expect(read(reader, [(0xB0, 6, 1)]).isEmpty)
  }
}
