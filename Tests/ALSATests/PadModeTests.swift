import MIDI
import Scenes
import System
import Testing
@testable import ALSA

/// What the MIDI thread does with the pads of a controller that has a file.
@Suite("Pads with a file") struct PadModeTests {
  private let one = MIDIBench.one
  private let two = MIDIBench.two
  private static let text = """
    device Keys 20*
    hello F0 00 01 F7
    hello F0 00 02 F7
    bye F0 00 03 F7
    channel 1
    pad note 60 /setup/next
    pad cc 91 /setup/previous
    """
  private static let (hello, bye): ([[UInt8]], [[UInt8]]) = (
    [[0xF0, 0, 1, 0xF7], [0xF0, 0, 2, 0xF7]], [[0xF0, 0, 3, 0xF7]]
  )

  private func bench(_ text: String = PadModeTests.text) throws -> MIDIBench {
    var table = DeviceTable()
    table.use([try PadMap(reading: text, name: "mine.txt")])
    let bench = try #require(MIDIBench(devices: table))
    bench.plug(one)
    bench.plug(two)
    #expect(bench.read() && bench.read())
    return bench
  }

  @Test("are sent the messages of the file once when the controller comes, before the first light")
  func hello() throws {
    let bench = try bench()
    #expect(bench.alsa.messages == Self.hello && bench.alsa.reached == [one])
    #expect(bench.log.contains("MIDI: the pads of Keys 20 MIDI 1 do what mine.txt says"))
    bench.sequencer.send(60, 21, isNote: true, channel: 6, to: one)
    bench.read()
    bench.set(two) { $0.hasFeedback = true }
    bench.read()
    #expect(
      bench.alsa.sent == ["exclusive to 20:0", "exclusive to 20:0", "note 60 21 on 6 to 20:0"])
    bench.alsa.unplug(one)
    bench.read()
    bench.plug(one)
    bench.read()
    #expect(bench.alsa.messages == Self.hello + Self.hello)
  }

  @Test("play no notes, and tell the control thread; other notes, channels and devices play") func plays()
    throws
  {
    let bench = try bench()
    for (status, place) in [(0x90, one), (0xB0, one)] as [(UInt8, Device.Address)] {
      let number: UInt8 = status == 0x90 ? 60 : 91
      bench.send(status, number, 100, from: place)
      bench.send(status, number, 0, from: place)
    }
    bench.send(0xA0, 60, 90)
    bench.read()
    #expect(bench.voices == 0 && bench.takeEvents().isEmpty)
    let movements = bench.sequencer.takeMovements()
    #expect(movements.filter { $0.kind == .note }.map { $0.value.raw > 0 } == [true, false])
    #expect(movements.filter { $0.kind == .controller }.map(\.value.sevenBits) == [100, 0])
    bench.send(0x90, 61, 100)
    bench.send(0x90, 60, 100, from: two)
    bench.read()
    #expect(bench.voices == 2 && bench.sequencer.takeMovements().isEmpty)
  }

  @Test("that are turned off play again, in the controller's own mode; a note that is held then ends")
  func off() throws {
    let bench = try bench()
    bench.set(one) { $0.hasPads = false }
    bench.read()
    #expect(bench.alsa.messages == Self.hello + Self.bye && bench.alsa.left == [one])
    bench.send(0x90, 60, 100)
    bench.read()
    #expect(bench.voices == 1)
    bench.set(one) { $0.hasPads = true }
    bench.read()
    bench.read(after: 20_000_000)
    #expect(bench.alsa.messages == Self.hello + Self.bye + Self.hello && bench.voices == 0)
    bench.set(one) { $0.isAllowed = false }
    bench.read()
    #expect(bench.alsa.messages.last == Self.bye.last && bench.alsa.messages.count == 6)
  }

  @Test("get the controller's own mode back when pipit ends") func bye() throws {
    let bench = try bench()
    bench.reader.endPadModes()
    bench.reader.endPadModes()
    #expect(bench.alsa.messages == Self.hello + Self.bye)
  }

  @Test("keep the way to the device when its feedback or clock is turned off") func output() throws {
    let bench = try bench()
    bench.set(one) { ($0.hasFeedback, $0.hasClockOut) = (true, true) }
    bench.read()
    bench.set(one) { ($0.hasFeedback, $0.hasClockOut) = (false, false) }
    bench.read()
    #expect(bench.alsa.left.isEmpty && bench.alsa.messages == Self.hello)
  }

  @Test(
    "of every file of the package can be pressed", arguments: ["launchpad-mini-mk3.txt", "apc-mini-mk2.txt"])
  func package(file: String) throws {
    let folder = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let bytes = try readFile("/\(folder)/presets/pads/\(file)", limit: PadMap.mostBytes)
    let text = String(decoding: bytes, as: UTF8.self)
    let map = try PadMap(reading: text, name: file)
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("port") }.joined(separator: "\n")
    let bench = try bench(lines + "\ndevice Keys 20*\n")
    #expect(bench.alsa.messages == map.hello)
    for pad in map.pads {
      let status = (pad.kind == .note ? 0x90 : 0xB0) | (pad.channel ?? 0)
      bench.send(status, UInt8(pad.number), 127)
      bench.send(status, UInt8(pad.number), 0)
      bench.read(after: 100_000_000)
      let values = bench.sequencer.takeMovements().filter { pad.isMoved(by: $0) }.map { $0.value.raw > 0 }
      #expect(values == [true, false], "line \(pad.line)")
    }
    #expect(bench.voices == 0)
  }
}
