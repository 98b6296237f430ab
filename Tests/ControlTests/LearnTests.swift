import MIDI
import Parameters
import Presets
import Scenes
import Synth
import Testing
@testable import Control

/// An instrument with a keyboard that is plugged in, and what reads its MIDI.
final class BoundKeyboard: RequestHandler {
  let instrument: Instrument
  var table = DeviceTable()
  var lamps: [(message: LampMessage, at: Int64)] = []
  var now: Int64 = 1_000_000_000
  let place = Device.Address(client: 20, port: 0)
  let id: Int
  var number = 0

  init() {
    instrument = Instrument(link: Link(.initial), library: .none, log: { _ in })
    id = table.attach(PortIdentity(client: "Keys", port: "Keys MIDI 1"), at: place).id
    table.play(place, as: 3)
    instrument.devices.table = table
    instrument.devices.handler = self
  }

  @discardableResult
  func handle(_ request: DeviceRequest) -> String? {
    switch request {
    case .set(let id, let settings): table.set(id, settings)
    case .forget(let id): _ = table.forget(id)
    case .bindAll(let bindings): table.bind(bindings)
    case .follow(let clock): table.follow(clock)
    case .restore(let text): table.restore(DeviceTable(reading: text))
    case .show(let messages): lamps += messages.map { ($0, now) }
    }
    instrument.devices.table = table
    return nil
  }

  var bindings: [Binding] { table[id]?.settings.bindings ?? [] }

  func bind(_ binding: Binding) {
    var settings = table[id]?.settings ?? DeviceSettings()
    settings.bind(binding)
    handle(.set(id, settings))
  }

  func set(_ name: String, _ value: String) {
    var settings = table[id]?.settings ?? DeviceSettings()
    _ = settings.set(name, to: value)
    handle(.set(id, settings))
  }

  /// Turns a control to a number 0…127, a hundredth of a second later.
  func turn(_ kind: Binding.Kind = .controller, _ number: UInt16 = 21, _ value: Int) {
    now += 10_000_000
    instrument.bindings.take(
      Movement(source: 3, channel: 0, kind, number, MIDIValue(UInt32(value), bits: 7)), now: now)
  }

  /// Lets so many milliseconds pass.
  func wait(_ milliseconds: Int64) {
    for _ in 0..<milliseconds {
      now += 1_000_000
      _ = instrument.bindings.updateLamps(now)
    }
  }

  func knob(_ address: String) -> ParameterID {
    Parameters.Address(address, focus: 0)?.knob ?? ParameterID(row: 0, part: 0)
  }
  subscript(address: String) -> Float { instrument.stage.scene[knob(address)] }
}

@Suite("Learning") struct LearnTests {
  @Test("Learning binds a touched fader to a turned control, and unlearning removes the binding")
  func learnAndUnlearn() {
    let keys = BoundKeyboard()
    keys.instrument.learning.press(now: keys.now)
    #expect(keys.instrument.learning.state == 1 && keys.instrument.learning.text == "touch a fader")
    let isTaken = keys.instrument.learning.touch("/filter/cutoff/hz", now: keys.now)
    #expect(!isTaken && keys.instrument.learning.text == "filter cutoff…")
    for value in 60...70 { keys.turn(.controller, 21, value) }
    #expect(keys.bindings == [Binding(.controller, 21, channel: 0, to: "/filter/cutoff", .pickup)])
    #expect(keys.instrument.learning.text == "cc 21: cutoff")
    // It goes on until it is ended.
    #expect(keys.instrument.learning.state == 1)
    keys.now += 1_000_000_000
    keys.instrument.learning.pressUnlearn(now: keys.now)
    keys.turn(.controller, 21, 3)
    #expect(keys.bindings.isEmpty && keys.instrument.learning.state == 2)
    keys.instrument.learning.press(now: keys.now + 1_000_000_000)
    #expect(keys.instrument.learning.state == 0 && keys.instrument.learning.text.isEmpty)
  }

  @Test("Touching a fader while unlearning removes all of its bindings, but not those of another part")
  func unlearnByTouch() {
    let keys = BoundKeyboard()
    keys.bind(Binding(.controller, 21, to: "/filter/cutoff", .pickup))
    keys.bind(Binding(.controller, 22, to: "/filter/cutoff", .pickup))
    keys.bind(Binding(.controller, 23, to: "/part/2/filter/cutoff", .pickup))
    _ = try? keys.instrument.bindings.bind("any", "cc 30 any jump 0 1 7 /filter/cutoff")
    keys.instrument.learning.pressUnlearn(now: keys.now)
    #expect(keys.instrument.learning.text == "touch to forget")
    let isTaken = keys.instrument.learning.touch("/filter/cutoff", now: keys.now)
    #expect(!isTaken && keys.instrument.learning.text == "3 forgotten")
    #expect(keys.bindings.map(\.number) == [23] && keys.table.bindings.isEmpty)
  }

  @Test(
    "A malformed binding is refused with an error that quotes the wrong word",
    arguments: [
      ("cd 21 any pickup 0 1 7 /filter/cutoff", "cd"), ("cc 128 any pickup 0 1 7 /filter/cutoff", "128"),
      ("cc 21 17 pickup 0 1 7 /filter/cutoff", "17"), ("cc 21 any pick 0 1 7 /filter/cutoff", "pick"),
      ("cc 21 any pickup 2 1 7 /filter/cutoff", "2"), ("cc 21 any pickup 0 -1 7 /filter/cutoff", "-1"),
      ("cc 21 any pickup 0 1 8 /filter/cutoff", "8"),
      ("cc 21 any pickup 0 1 7 /filter/cutof", "/filter/cutof"),
      ("cc 21 any pickup 0 1 7 filter/cutoff", "filter/cutoff"),
    ])
  func wrongWord(line: String, word: String) {
    let keys = BoundKeyboard()
    var refusal = ""
    do { _ = try keys.instrument.bindings.bind("any", line) } catch { refusal = "\(error)" }
    #expect(refusal.contains("not \"\(word)\""), "\(refusal)")
    do { _ = try keys.instrument.bindings.bind("any", "cc 21 any") } catch { refusal = "\(error)" }
    #expect(refusal.contains("takes eight words, not 3"), "\(refusal)")
    do { _ = try keys.instrument.bindings.bind("Moog", "cc 21 any pickup 0 1 7 /filter/cutoff") } catch {
      refusal = "\(error)"
    }
    #expect(refusal.contains("\"Moog\""), "\(refusal)")
    do { _ = try keys.instrument.bindings.remove("7") } catch { refusal = "\(error)" }
    #expect(refusal.contains("\"7\""), "\(refusal)")
  }

  @Test("Learning ends by itself after 30 seconds") func timeout() {
    let keys = BoundKeyboard()
    keys.instrument.learning.press(now: keys.now)
    _ = keys.instrument.update(keys.now + 29_000_000_000)
    #expect(keys.instrument.learning.state == 1)
    _ = keys.instrument.update(keys.now + 30_000_000_000)
    #expect(keys.instrument.learning.state == 0)
  }

  @Test("A second press of Learn within 50 ms is ignored as a duplicated packet") func duplicatedPacket() {
    let keys = BoundKeyboard()
    keys.instrument.learning.press(now: keys.now)
    keys.instrument.learning.press(now: keys.now + 50_000_000)
    #expect(keys.instrument.learning.state == 1)
  }

  @Test("While learning, a touched button does not act, but panic, faders and notes still do")
  func touchedActions() {
    let keys = BoundKeyboard()
    keys.instrument.learning.press(now: keys.now)
    let taken = ["/preset/next", "/tempo/tap", "/panic", "/filter/cutoff", "/note/60"].map {
      keys.instrument.learning.touch($0, now: keys.now)
    }
    #expect(taken == [true, true, false, false, false])
  }

  @Test("Four presses of a bound button tap a tempo of 150 bpm, and a bound note triggers panic")
  func boundButtons() {
    let keys = BoundKeyboard()
    keys.bind(Binding(.controller, 64, to: "/tempo/tap", .press))
    keys.bind(Binding(.note, 36, to: "/panic", .press))
    let before = keys.instrument.link.control.taken
    for beat in 0..<4 {
      keys.now = 1_000_000_000 + Int64(beat) * 400_000_000
      keys.turn(.controller, 64, 127)
      keys.turn(.controller, 64, 0)
    }
    #expect(abs(keys["/tempo"] - 150) < 0.5)
    keys.turn(.note, 36, 100)
    keys.turn(.note, 36, 0)
    var kinds: [Event.Kind] = []
    while let event = keys.instrument.link.control.peek()?.pointee {
      kinds.append(event.kind)
      keys.instrument.link.control.drop()
    }
    // Each tap also moves the beat.
    #expect(kinds == Array(repeating: .clockTap, count: 4) + [.panic] && before == 0)
  }

  @Test("A binding without a part number moves the knob of the part in focus only") func partInFocus() {
    let keys = BoundKeyboard()
    keys.bind(Binding(.controller, 21, to: "/filter/cutoff", .jump))
    keys.bind(Binding(.controller, 22, to: "/part/3/filter/cutoff", .jump))
    keys.instrument.focus = 4
    keys.turn(.controller, 21, 0)
    keys.turn(.controller, 22, 0)
    let parts = (1...8).filter { keys["/part/\($0)/filter/cutoff"] == 20 }
    #expect(parts == [3, 5])
  }

  @Test("Bindings are listed with their numbers, by which each binding can be changed and removed")
  func bindingList() throws {
    let keys = BoundKeyboard()
    _ = try keys.instrument.bindings.bind("any", "cc 20 any jump 0 1 7 /delay/mix")
    _ = try keys.instrument.bindings.bind("keys", "cc 21 1 pickup 0 1 7 /filter/cutoff")
    #expect(
      keys.instrument.bindings.catalog == [
        "1\tany\tcc 20\t/delay/mix\tjump\t0.0 to 1.0",
        "2\tKeys MIDI 1\tcc 21 on channel 1\t/filter/cutoff\tpickup\t0.0 to 1.0",
      ])
    _ = try keys.instrument.bindings.set("2", "mode", to: "scale")
    _ = try keys.instrument.bindings.set("2", "low", to: "1")
    _ = try keys.instrument.bindings.set("1", "high", to: "0.5")
    #expect(keys.bindings.first?.mode == .scale && keys.bindings.first?.low == 1)
    #expect(keys.table.bindings.first?.high == 0.5)
    for (number, name, value) in [
      ("0", "mode", "jump"), ("3", "mode", "jump"), ("x", "low", "0"), ("1", "mode", "x"),
    ] {
      #expect(throws: DeviceError.self) { try keys.instrument.bindings.set(number, name, to: value) }
    }
    #expect(throws: DeviceError.self) {
      try keys.instrument.bindings.bind("any", "cc 20 any jump 0 1 7 /sync")
    }
    #expect(throws: DeviceError.self) {
      try keys.instrument.bindings.bind("nobody", "cc 20 any jump 0 1 7 /delay/mix")
    }
    _ = try keys.instrument.bindings.remove("1")
    _ = try keys.instrument.bindings.remove("1")
    #expect(keys.instrument.bindings.catalog.isEmpty)
  }

  /// Where the hand is when the keyboard comes again nobody knows.
  @Test("A control in pickup mode has to pick up its knob again after its keyboard is reconnected")
  func reconnected() {
    let keys = BoundKeyboard()
    keys.bind(Binding(.controller, 21, to: "/filter/cutoff", .pickup))
    for value in 0...127 { keys.turn(.controller, 21, value) }
    #expect(keys["/filter/cutoff"] == 20_000)
    keys.table.detach(keys.place)
    keys.instrument.devices.table = keys.table
    _ = keys.table.attach(PortIdentity(client: "Keys", port: "Keys MIDI 1"), at: keys.place)
    keys.table.play(keys.place, as: 3)
    keys.instrument.devices.table = keys.table
    keys.turn(.controller, 21, 10)
    keys.turn(.controller, 21, 20)
    #expect(keys["/filter/cutoff"] == 20_000)
  }
}

@Suite("Lamps of controls") struct LampTests {
  private func keyboard() -> BoundKeyboard {
    let keys = BoundKeyboard()
    keys.bind(Binding(.controller, 21, channel: 0, to: "/filter/cutoff", .pickup))
    return keys
  }

  private func sweep(_ keys: BoundKeyboard, _ milliseconds: Int) {
    for step in 0..<milliseconds {
      keys.instrument.set(keys.knob("/filter/cutoff"), to: 100 + Float(step) * 10)
      keys.wait(1)
    }
  }

  @Test("are not updated unless the feedback setting of the device is on") func feedbackOff() {
    let keys = keyboard()
    sweep(keys, 500)
    #expect(keys.lamps.isEmpty)
  }

  @Test("follow their knob at most 30 times a second, and end at its last value") func rateLimit() {
    let keys = keyboard()
    keys.set("feedback", "on")
    sweep(keys, 1_000)
    keys.wait(100)
    #expect(keys.lamps.count > 20 && keys.lamps.count <= 33)
    for (one, next) in zip(keys.lamps, keys.lamps.dropFirst()) {
      #expect(next.at - one.at >= 33_000_000 && one.message.value != next.message.value)
    }
    let way = Table.rows[keys.knob("/filter/cutoff").row].kind.normalized(keys["/filter/cutoff"])
    let last = keys.lamps.last?.message
    let value = MIDIValue(UInt32(last?.value ?? 0) >> 7, bits: 7)
    #expect(abs(value.unit - way) <= 0.5 / 63)
    #expect(
      last?.device == keys.place && last?.number == 21 && last?.channel == 0 && last?.kind == .controller)
    // Nothing more to say.
    let count = keys.lamps.count
    keys.wait(1_000)
    #expect(keys.lamps.count == count)
  }

  @Test("ask for another update until the last value is sent, even if nothing else wakes the thread")
  func lastValueSent() throws {
    let keys = keyboard()
    keys.set("feedback", "on")
    var next: Int64?
    for step in 0..<10 {
      keys.instrument.set(keys.knob("/filter/cutoff"), to: 100 + Float(step) * 1_000)
      keys.now += 1_000_000
      next = keys.instrument.bindings.updateLamps(keys.now)
    }
    var calls = 0
    while let due = next, calls < 10 {
      keys.now = max(due, keys.now + 1)
      next = keys.instrument.bindings.updateLamps(keys.now)
      calls += 1
    }
    #expect(next == nil && calls >= 1)
    let way = Table.rows[keys.knob("/filter/cutoff").row].kind.normalized(9_100)
    let value = MIDIValue(UInt32(keys.lamps.last?.message.value ?? 0) >> 7, bits: 7)
    #expect(abs(value.unit - way) <= 0.5 / 63)
  }

  @Test("are not updated while a hand turns the control, nor for about 200 ms afterwards") func underHand() {
    let keys = keyboard()
    keys.set("feedback", "on")
    keys.wait(300)
    keys.lamps = []
    // A hand that does not hold the knob yet turns, while the knob is elsewhere.
    for value in 0..<40 {
      keys.turn(.controller, 21, value)
      _ = keys.instrument.bindings.updateLamps(keys.now)
    }
    #expect(keys.lamps.isEmpty)
    keys.wait(190)
    #expect(keys.lamps.isEmpty)
    keys.wait(50)
    #expect(keys.lamps.count == 1)
  }

  @Test("move no knob if the device echoes each value that is sent to the device") func deviceEcho() {
    let keys = keyboard()
    keys.bind(Binding(.controller, 21, channel: 0, to: "/filter/cutoff", .jump))
    keys.set("feedback", "on")
    keys.wait(300)
    // A device that sends back everything that it is sent, rounded to its 127 steps.
    var sent = keys.lamps.count
    keys.instrument.set(keys.knob("/filter/cutoff"), to: 1234.5)
    for _ in 0..<2_000 {
      keys.wait(1)
      for lamp in keys.lamps.dropFirst(sent) { keys.turn(.controller, 21, Int(lamp.message.value >> 7)) }
      sent = keys.lamps.count
    }
    #expect(keys["/filter/cutoff"] == 1234.5 && sent == 2)
  }

  /// What is sent to an endless knob may be the number of a step.
  @Test("of endless encoders never cause a step of the encoder to be mistaken for an echo")
  func endlessEncoder() {
    let keys = keyboard()
    keys.bind(Binding(.controller, 21, channel: 0, to: "/filter/cutoff", .twos))
    keys.set("feedback", "on")
    keys.instrument.set(keys.knob("/filter/cutoff"), to: 20)
    keys.wait(300)
    let step = Table.rows[keys.knob("/filter/cutoff").row].kind.step
    for _ in 0..<60 {
      keys.turn(.controller, 21, 1)
      keys.wait(230)
    }
    let way = Table.rows[keys.knob("/filter/cutoff").row].kind.normalized(keys["/filter/cutoff"])
    #expect(abs(way - 60 * step) < 1e-3 && keys.lamps.count > 50)
  }

  @Test("show the binding of their own device rather than a binding for any device") func ownBinding() {
    let keys = keyboard()
    keys.set("feedback", "on")
    _ = try? keys.instrument.bindings.bind("any", "cc 21 any jump 0 1 7 /delay/mix")
    _ = try? keys.instrument.bindings.bind("any", "cc 22 any jump 0 1 7 /delay/mix")
    keys.wait(500)
    #expect(keys.lamps.map(\.message.number).sorted() == [21, 22])
    keys.instrument.set(keys.knob("/delay/mix"), to: 1)
    keys.wait(500)
    #expect(keys.lamps.dropFirst(2).map(\.message.number) == [22])
  }

  @Test("are sent their values again when the device is reconnected") func reconnected() {
    let keys = keyboard()
    keys.set("feedback", "on")
    keys.wait(100)
    #expect(keys.lamps.count == 1)
    keys.table.detach(keys.place)
    keys.instrument.devices.table = keys.table
    keys.wait(100)
    _ = keys.table.attach(PortIdentity(client: "Keys", port: "Keys MIDI 1"), at: keys.place)
    keys.table.play(keys.place, as: 3)
    keys.instrument.devices.table = keys.table
    keys.wait(100)
    #expect(keys.lamps.count == 2)
  }
}
