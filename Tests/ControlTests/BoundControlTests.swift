import MIDI
import Parameters
import Presets
import Scenes
import Testing
@testable import Control

/// Controls of a keyboard that are bound, from the movement to the knob, the lamp and the sound.
@Suite("A bound control") struct BoundControlTests {
  private let keys = BoundKeyboard()

  private func way(_ address: String) -> Float {
    Table.rows[keys.knob(address).row].kind.fader(value: keys[address])
  }

  private func set(_ address: String, way: Float) {
    let knob = keys.knob(address)
    keys.instrument.set(knob, to: Table.rows[knob.row].kind.value(fader: way) ?? 0)
  }

  private func binding(_ line: String) throws -> Binding { try #require(Binding(line)) }

  @Test("A knob that stands at its end is picked up by a hand that comes to that end", arguments: [0, 127])
  func end(number: Int) throws {
    keys.bind(try binding("cc 21 any pickup 0 1 7 /filter/cutoff"))
    set("/filter/cutoff", way: number == 0 ? 0 : 1)
    let back = number == 0 ? [100, 40, 0, 30] : [30, 100, 127, 90]
    for value in back.prefix(2) { keys.turn(.controller, 21, value) }
    #expect(way("/filter/cutoff") == (number == 0 ? 0 : 1))
    for value in back.suffix(2) { keys.turn(.controller, 21, value) }
    #expect(abs(way("/filter/cutoff") - MIDIValue(UInt32(back[3]), bits: 7).unit) < 1e-3)
  }

  @Test("The first touch takes no knob that stands more than half a step away")
  func firstTouch() throws {
    keys.bind(try binding("cc 21 any pickup 0 1 7 /filter/cutoff"))
    for (number, isTaken) in [(67, false), (62, false), (65, false), (64, true)] {
      set("/filter/cutoff", way: 0.5)
      keys.table.detach(keys.place)
      keys.instrument.devices.table = keys.table
      _ = keys.table.attach(PortIdentity(client: "Keys", port: "Keys MIDI 1"), at: keys.place)
      keys.table.play(keys.place, as: 3)
      keys.instrument.devices.table = keys.table
      keys.turn(.controller, 21, number)
      #expect(abs(way("/filter/cutoff") - 0.5) < 1e-3)
      // Away from the knob, so that it is not passed.
      keys.turn(.controller, 21, number < 64 ? 20 : 100)
      #expect((abs(way("/filter/cutoff") - 0.5) > 0.1) == isTaken, "\(number)")
    }
  }

  @Test("A button with a lamp that says only its press turns on and off, however soon after the lamp")
  func lampButton() throws {
    keys.bind(try binding("note 36 any toggle 0 1 7 /drive/on"))
    keys.bind(try binding("cc 64 any toggle 0 1 7 /part/1/mute"))
    keys.set("feedback", "on")
    keys.wait(400)
    for (kind, number, address) in [
      (Binding.Kind.note, 36, "/drive/on"), (.controller, 64, "/part/1/mute"),
    ] as [(Binding.Kind, UInt16, String)] {
      for press in 1...5 {
        let before = keys.lamps.count
        keys.turn(kind, number, 127)
        #expect(keys[address] == Float(press % 2), "\(address) \(press)")
        keys.wait(400)
        // What the button has said itself it shows already.
        let told = keys.lamps.dropFirst(before).filter { $0.message.number == number }
        #expect(told.map(\.message.value) == (press % 2 == 1 ? [] : [0]), "\(address) \(press)")
      }
    }
    // Somebody else switches it: the lamp follows, and the button turns it the other way.
    keys.instrument.set(keys.knob("/drive/on"), to: 0)
    keys.wait(400)
    #expect(keys.lamps.last.map { $0.message.number == 36 && $0.message.value == 0 } == true)
    keys.turn(.note, 36, 127)
    #expect(keys["/drive/on"] == 1)
  }

  @Test("A soft stroke on a pad presses as a hard one does, and its release does not")
  func pads() throws {
    keys.bind(try binding("note 36 any toggle 0 1 7 /drive/on"))
    for (velocity, isOn) in [(1, 1), (0, 1), (20, 0), (0, 0), (127, 1), (0, 1)] as [(Int, Float)] {
      keys.turn(.note, 36, velocity)
      #expect(keys["/drive/on"] == isOn, "\(velocity)")
    }
  }

  @Test("A button that was unplugged while it was down presses again")
  func unplugged() throws {
    keys.bind(try binding("cc 64 any toggle 0 1 7 /drive/on"))
    keys.turn(.controller, 64, 100)
    #expect(keys["/drive/on"] == 1)
    keys.table.detach(keys.place)
    keys.instrument.devices.table = keys.table
    _ = keys.table.attach(PortIdentity(client: "Keys", port: "Keys MIDI 1"), at: keys.place)
    keys.table.play(keys.place, as: 3)
    keys.instrument.devices.table = keys.table
    keys.turn(.controller, 64, 127)
    #expect(keys["/drive/on"] == 0)
  }

  @Test("A press goes between the ends of the binding, whichever is higher")
  func ends() throws {
    for (low, high) in [(0.2, 0.4), (0.9, 0.6)] as [(Float, Float)] {
      keys.bind(try binding("cc 64 any toggle \(low) \(high) 7 /filter/resonance"))
      keys.instrument.set(keys.knob("/filter/resonance"), to: low)
      for press in 1...4 {
        keys.turn(.controller, 64, 127)
        keys.turn(.controller, 64, 0)
        #expect(abs(keys["/filter/resonance"] - (press % 2 == 1 ? high : low)) < 1e-4)
      }
    }
    // The second to the fourth of seven waves.
    for ends in ["0.17 0.5", "0.5 0.17"] {
      keys.bind(try binding("cc 64 any cycle \(ends) 7 /osc/1/wave"))
      keys.instrument.set(keys.knob("/osc/1/wave"), to: 1)
      var seen: [Float] = []
      for _ in 0..<4 {
        keys.turn(.controller, 64, 127)
        keys.turn(.controller, 64, 0)
        seen.append(keys["/osc/1/wave"])
      }
      #expect(seen == [2, 3, 1, 2], "\(ends)")
    }
  }

  @Test("One click of an endless knob is one whole number, a fast turn as many as it says")
  func clicks() throws {
    keys.bind(try binding("cc 21 any twos 0 1 7 /osc/1/octave"))
    keys.instrument.set(keys.knob("/osc/1/octave"), to: -3)
    var seen: [Float] = []
    for _ in 0..<7 {
      keys.turn(.controller, 21, 1)
      seen.append(keys["/osc/1/octave"])
    }
    #expect(seen == [-2, -1, 0, 1, 2, 3, 3])
    keys.turn(.controller, 21, 126)
    #expect(keys["/osc/1/octave"] == 1)
    keys.bind(try binding("cc 22 any twos 0 1 7 /filter/resonance"))
    keys.turn(.controller, 22, 5)
    #expect(abs(keys["/filter/resonance"] - 5.0 / 127) < 1e-4)
    keys.bind(try binding("cc 23 any twos 0.5 0.25 7 /filter/track"))
    keys.instrument.set(keys.knob("/filter/track"), to: 0.5)
    for _ in 0..<200 { keys.turn(.controller, 23, 1) }
    #expect(abs(keys["/filter/track"] - 0.25) < 1e-4)
  }

  @Test("Of a control of fourteen bits the whole value counts, not the half that comes first")
  func fine() throws {
    keys.bind(try binding("cc 7 any jump 0 1 14 /filter/resonance"))
    func move(_ value: UInt32, coarse: Bool) {
      var movement = Movement(source: 3, channel: 0, .controller, 7, MIDIValue(value, bits: coarse ? 7 : 14))
      (movement.isFine, movement.isCoarse) = (!coarse, coarse)
      keys.now += 1_000_000
      keys.instrument.bindings.take(movement, now: keys.now)
    }
    move(64 << 7, coarse: false)
    #expect(keys["/filter/resonance"] == 0.5)
    move(100, coarse: true)
    #expect(keys["/filter/resonance"] == 0.5)
    move(100 << 7 | 3, coarse: false)
    #expect(abs(keys["/filter/resonance"] - MIDIValue(100 << 7 | 3, bits: 14).unit) < 1e-5)
  }

  @Test("Buttons step through the presets forward and back, of the part in focus or the one that is named")
  func presets() throws {
    for name in ["A", "B", "C"] { try keys.instrument.presets.save(part: 0, named: name) }
    keys.instrument.presets.recall(try #require(keys.instrument.library.named("B")), part: 0)
    keys.instrument.presets.recall(try #require(keys.instrument.library.named("B")), part: 1)
    keys.bind(try binding("note 36 any press 0 1 7 /preset/previous"))
    keys.bind(try binding("note 37 any press 0 1 7 /part/2/preset/next"))
    keys.bind(try binding("program 5 any press 0 1 7 /part/2/preset/previous"))
    func names() -> [String] { (0..<2).map { keys.instrument.presets.name(part: $0) } }
    keys.turn(.note, 36, 100)
    keys.turn(.note, 36, 0)
    #expect(names() == ["A", "B"])
    keys.turn(.note, 37, 100)
    #expect(names() == ["A", "C"])
    for _ in 0..<2 { keys.turn(.program, 5, 127) }
    #expect(names() == ["A", "A"])
    keys.turn(.program, 6, 127)
    #expect(names() == ["A", "A"])
    keys.instrument.focus = 1
    keys.turn(.note, 36, 100)
    #expect(names() == ["A", "C"])
  }

  @Test(
    "A control is bound to one thing for all devices; of a device's bindings the one that is meant is removed"
  )
  func list() throws {
    _ = try keys.instrument.bindings.bind("any", "cc 20 any jump 0 1 7 /delay/mix")
    _ = try keys.instrument.bindings.bind("any", "cc 20 any jump 0 1 7 /reverb/mix")
    _ = try keys.instrument.bindings.bind("any", "cc 20 2 jump 0 1 7 /chorus/mix")
    #expect(keys.table.bindings.map(\.target) == ["/reverb/mix", "/chorus/mix"])
    for (number, target) in [(21, "/filter/cutoff"), (22, "/filter/track"), (23, "/filter/drive")] {
      _ = try keys.instrument.bindings.bind("keys", "cc \(number) any jump 0 1 7 \(target)")
    }
    _ = try keys.instrument.bindings.remove("4")
    #expect(keys.bindings.map(\.target) == ["/filter/cutoff", "/filter/drive"])
    _ = try keys.instrument.bindings.set("4", "mode", to: "scale")
    #expect(keys.bindings.map(\.mode) == [.jump, .scale])
    _ = try keys.instrument.bindings.remove("2")
    #expect(keys.table.bindings.map(\.target) == ["/reverb/mix"])
    _ = try keys.instrument.bindings.remove("3")
    #expect(keys.bindings.map(\.target) == ["/filter/cutoff"])
    // Number 2 is the first of the device.
    #expect(
      keys.instrument.bindings.catalog.count == 2 && keys.instrument.bindings.catalog[1].hasPrefix("2\tKeys"))
  }

  @Test("The ends of a binding to a choice are those of the choices that there were, until they are set anew")
  func choices() throws {
    _ = try keys.instrument.bindings.bind("any", "note 36 any cycle 0 1 7 /play/mode")
    #expect(keys.table.bindings.map(\.choices) == [3])
    _ = try keys.instrument.bindings.bind("any", "note 36 any cycle 0 1 7 /play/mode 2")
    #expect(keys.instrument.bindings.catalog[0].hasSuffix("0.0 to 0.5"))
    _ = try keys.instrument.bindings.set("1", "mode", to: "toggle")
    #expect(keys.table.bindings.map(\.choices) == [3] && keys.table.bindings.map(\.high) == [0.5])
    _ = try keys.instrument.bindings.set("1", "high", to: "1")
    #expect(keys.table.bindings.map(\.text) == ["note 36 any toggle 0.0 1.0 7 /play/mode 3"])
  }

  @Test(
    "A lamp shows the way between the ends of its binding, reversed where they are, on the channel heard last"
  )
  func lamps() throws {
    keys.set("feedback", "on")
    keys.bind(try binding("cc 21 any jump 1 0 7 /filter/resonance"))
    keys.bind(try binding("cc 22 any jump 0.5 1 7 /filter/track"))
    keys.bind(try binding("cc 23 any jump 0 1 14 /amp/sustain"))
    func lamp(_ number: UInt16) -> Int? {
      keys.wait(300)
      return keys.lamps.last { $0.message.number == number }.map { Int($0.message.value) }
    }
    for (value, shown) in [(0, 127), (1, 0), (0.5, 64), (0.25, 95), (0.75, 32)] as [(Float, Int)] {
      keys.instrument.set(keys.knob("/filter/resonance"), to: value)
      #expect(lamp(21).map { abs(($0 >> 7) - shown) <= 1 } == true, "\(value)")
    }
    for (value, shown) in [(0.75, 64), (0.5, 0), (1, 127), (0.1, 0)] as [(Float, Int)] {
      keys.instrument.set(keys.knob("/filter/track"), to: value)
      #expect(lamp(22).map { $0 >> 7 } == shown, "\(value)")
    }
    for (value, shown) in [(0.5, 8_192), (0, 0), (1, 16_383)] as [(Float, Int)] {
      keys.instrument.set(keys.knob("/amp/sustain"), to: value)
      #expect(lamp(23) == shown, "\(value)")
    }
    #expect(keys.lamps.filter { $0.message.number == 23 }.allSatisfy { $0.message.isFine })
    #expect(keys.lamps.allSatisfy { $0.message.channel == 0 })
    // The control is heard on channel 6.
    keys.now += 10_000_000
    keys.instrument.bindings.take(
      Movement(source: 3, channel: 5, .controller, 21, MIDIValue(10, bits: 7)), now: keys.now)
    keys.instrument.set(keys.knob("/filter/resonance"), to: 0.5)
    _ = lamp(21)
    #expect(keys.lamps.last { $0.message.number == 21 }?.message.channel == 5)
  }

  @Test("Only the devices that are to be told of it are sent lamps")
  func othersLamps() throws {
    let other = keys.table.attach(
      PortIdentity(client: "Pads", port: "Pads"), at: Device.Address(client: 24, port: 0))
    keys.table.play(Device.Address(client: 24, port: 0), as: 4)
    var settings = DeviceSettings()
    settings.bind(try binding("cc 30 any jump 0 1 7 /filter/resonance"))
    keys.table.set(other.id, settings)
    keys.instrument.devices.table = keys.table
    keys.set("feedback", "on")
    keys.bind(try binding("cc 21 any jump 0 1 7 /filter/resonance"))
    keys.instrument.set(keys.knob("/filter/resonance"), to: 0.7)
    keys.wait(300)
    #expect(Set(keys.lamps.map(\.message.device)) == [keys.place])
  }

  @Test("The loop is told when a lamp that waits for the hand is due")
  func wake() throws {
    keys.set("feedback", "on")
    keys.bind(try binding("cc 21 any pickup 0 1 7 /filter/resonance"))
    keys.wait(300)
    #expect(keys.instrument.bindings.updateLamps(keys.now) == nil)
    keys.turn(.controller, 21, 100)
    keys.instrument.set(keys.knob("/filter/resonance"), to: 0.3)
    let next = keys.instrument.bindings.updateLamps(keys.now)
    #expect(next == keys.now + 200_000_000)
    let count = keys.lamps.count
    _ = keys.instrument.bindings.updateLamps(next ?? 0)
    #expect(keys.lamps.count == count + 1)
  }
}

/// While something is learned.
@Suite("Learning goes on") struct LearningPaceTests {
  private let keys = BoundKeyboard()
  private let second: Int64 = 1_000_000_000

  @Test("as long as something is done at least every thirty seconds, and wakes the loop when it ends")
  func prolonged() {
    keys.instrument.learning.press(now: keys.now)
    for _ in 0..<3 {
      keys.now += 25 * second
      _ = keys.instrument.update(keys.now)
      _ = keys.instrument.learning.touch("/filter/cutoff", now: keys.now)
      #expect(keys.instrument.learning.state == 1)
    }
    _ = keys.instrument.update(keys.now + 1)
    #expect(keys.instrument.update(keys.now + 100_000_000).map { $0 <= keys.now + 30 * second } == true)
    _ = keys.instrument.update(keys.now + 30 * second - 1)
    #expect(keys.instrument.learning.state == 1)
    _ = keys.instrument.update(keys.now + 30 * second)
    #expect(keys.instrument.learning.state == 0 && keys.instrument.learning.text.isEmpty)
    keys.instrument.learning.pressUnlearn(now: keys.now + 40 * second)
    keys.bind(Binding(.controller, 21, to: "/filter/cutoff", .jump))
    keys.now += 65 * second
    keys.turn(.controller, 21, 5)
    _ = keys.instrument.update(keys.now + 29 * second)
    #expect(keys.instrument.learning.state == 2 && keys.instrument.learning.text == "1 forgotten")
  }

  @Test("and bound controls act until a fader is touched, then none acts until one is learned")
  func acting() {
    keys.bind(Binding(.controller, 21, channel: 0, to: "/filter/resonance", .jump))
    keys.instrument.learning.press(now: keys.now)
    keys.turn(.controller, 21, 127)
    #expect(keys["/filter/resonance"] == 1 && keys.instrument.learning.state == 1)
    _ = keys.instrument.learning.touch("/filter/track", now: keys.now)
    for value in [20, 40] { keys.turn(.controller, 21, value) }
    #expect(keys["/filter/resonance"] == 1 && keys["/filter/track"] == 0.5)
    keys.turn(.controller, 21, 60)
    // It is another's now.
    #expect(keys.bindings.map(\.target) == ["/filter/track"])
    keys.turn(.controller, 21, 0)
    #expect(keys["/filter/resonance"] == 1)
  }

  @Test("and a control of two halves is learned as one of fourteen bits")
  func fine() {
    keys.instrument.learning.press(now: keys.now)
    _ = keys.instrument.learning.touch("/filter/resonance", now: keys.now)
    for value in [1_000, 2_000, 3_000] as [UInt32] {
      for isFine in [false, true] {
        var movement = Movement(
          source: 3, channel: 2, .controller, 7,
          isFine ? MIDIValue(value, bits: 14) : MIDIValue(value >> 7, bits: 7))
        (movement.isFine, movement.isCoarse) = (isFine, !isFine)
        keys.now += 1_000_000
        keys.instrument.bindings.take(movement, now: keys.now)
      }
    }
    var expected = Binding(.controller, 7, channel: 2, to: "/filter/resonance", .pickup)
    expected.isFine = true
    #expect(keys.bindings == [expected])
  }
}
