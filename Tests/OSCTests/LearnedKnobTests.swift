import CLiblo
import Control
import Layout
import MIDI
import OSC
import Parameters
import Scenes
import Scratch
import Storage
import System
import Testing

/// The keyboards of an instrument, as whoever reads MIDI keeps them: in the text that the database holds.
private final class Keyboards: RequestHandler {
  let instrument: ServedInstrument
  private var table: DeviceTable
  private var next: UInt8 = 20

  init(_ instrument: ServedInstrument) {
    self.instrument = instrument
    table = DeviceTable(reading: instrument.control.library.documents.text(.devices) ?? "")
    instrument.control.devices.handler = self
    show()
  }

  func handle(_ request: DeviceRequest) -> String? {
    if case .set(let id, let settings) = request { table.set(id, settings) }
    show()
    return nil
  }

  private func show() {
    instrument.control.devices.table = table
    instrument.control.library.documents.save(text: table.text, .devices)
  }

  /// Plugs in a keyboard, where the kernel has a place; its source.
  func plug(serial: String, path: String) -> UInt8 {
    next += 1
    let place = Device.Address(client: next, port: 0)
    _ = table.attach(
      PortIdentity(client: "Keys", port: "Keys MIDI 1", usb: "1:2", serial: serial, path: path), at: place)
    let taken = Set(table.devices.compactMap(\.source))
    let source = (0..<16).first { !taken.contains($0) } ?? 0
    table.play(place, as: source)
    show()
    return source
  }

  /// Pulls all of them out.
  func unplug() {
    table.detach(client: nil)
    show()
  }

  /// Turns a knob from a number to another.
  func turn(_ source: UInt8, _ from: Int, _ to: Int) {
    for value in stride(from: from, through: to, by: from <= to ? 1 : -1) {
      let place = MIDIValue(UInt32(value), bits: 7)
      instrument.control.bindings.take(Movement(source: source, .controller, 21, place), now: monotonic())
    }
  }
}

/// A fader of the tablet and a knob of a keyboard are made one, as a player does it.
struct LearnedKnobTests {
  /// What the tablet's own controls send, as the layout has them.
  private static let controls = TouchOSC.root(.tablet, replyPort: 9).all

  /// A finger on a control of the layout, at a value of 0…1.
  private func touch(_ name: String, _ value: Float, _ tablet: Tablet) throws {
    let control = try #require(Self.controls.first { $0.name == name && !$0.messages.isEmpty })
    let message = try #require(control.messages.first { !$0.triggers.isEmpty })
    tablet.send(message.address) { raw in
      for argument in message.arguments {
        if case .constant(let constant, _) = argument {
          lo_message_add_int32(raw, Int32(constant) ?? 0)
        } else {
          lo_message_add_float(raw, value)
        }
      }
    }
    tablet.settle()
  }

  @Test("A knob that was learned is known after an unplugging and after a restart")
  func learned() throws {
    let folder = Folder()
    for start in 0..<3 {
      let instrument = try ServedInstrument(database: folder.database)
      let tablet = try Tablet(instrument)
      let keyboards = Keyboards(instrument)
      let one = keyboards.plug(serial: "A", path: start == 1 ? "1-2" : "1-1")
      let two = keyboards.plug(serial: "B", path: start == 1 ? "1-1" : "1-2")
      if start == 0 {
        try touch("/learn", 1, tablet)
        #expect(tablet.ask("/learn/text") == .string("touch a fader"))
        try touch("/filter/cutoff", 0.5, tablet)
        #expect(tablet.ask("/learn/text") == .string("filter cutoff…"))
        keyboards.turn(one, 60, 64)
        #expect(tablet.ask("/learn/text") == .string("cc 21: cutoff"))
        #expect(tablet.ask("/bindings") == .int(1))
        instrument.run(300)
        try touch("/learn", 1, tablet)
        instrument.run(300)
        try touch("/learn", 1, tablet)
        #expect(tablet.ask("/learn/state") == .int(0))
        keyboards.unplug()
        #expect(keyboards.plug(serial: "B", path: "1-1") == 0)
        #expect(keyboards.plug(serial: "A", path: "1-2") == 1)
      }
      let (mine, other) = start == 0 ? (UInt8(1), UInt8(0)) : (one, two)
      try touch("/filter/cutoff", 0.5, tablet)
      // The other keyboard's knob of that number is bound to nothing.
      keyboards.turn(other, 0, 127)
      let before = tablet.ask("/filter/cutoff")
      #expect(before == .float(0.5), "start \(start)")
      keyboards.turn(mine, 0, 127)
      #expect(tablet.ask("/filter/cutoff") == .float(1), "start \(start)")
      instrument.run(50)
      #expect(instrument.control.finish(within: 60))
    }
  }

  @Test("A recall and a finger on the tablet are picked up, without a jump")
  func pickedUp() throws {
    let instrument = try ServedInstrument()
    let tablet = try Tablet(instrument)
    let keyboards = Keyboards(instrument)
    let keys = keyboards.plug(serial: "A", path: "1-1")
    try touch("/learn", 1, tablet)
    try touch("/filter/cutoff", 0.5, tablet)
    keyboards.turn(keys, 60, 70)
    let row = try #require(Table.rows.first { $0.address == "/filter/cutoff" })
    func way() -> Float { row.kind.fader(value: instrument.knob("/filter/cutoff") ?? 0) }
    var largest: Float = 0
    for (round, place) in [0.3, 0.9, 0, 1, 0.62].enumerated() as EnumeratedSequence<[Float]> {
      instrument.control.set(
        ParameterID(row: Table.rows.firstIndex { $0.address == "/filter/cutoff" } ?? 0, part: 0),
        to: row.kind.value(fader: place) ?? 0)
      if round == 3 { try touch("/filter/cutoff", place, tablet) }
      var last = way()
      for (from, to) in [(70, 127), (127, 0), (0, 127), (127, 70)] {
        for value in stride(from: from, through: to, by: from < to ? 1 : -1) {
          keyboards.turn(keys, value, value)
          largest = max(largest, abs(way() - last))
          last = way()
        }
      }
    }
    #expect(largest > 0 && largest <= 1.0 / 63 + 1e-4)
  }
}
