import EngineHarness
import MIDI
import Scenes
import Synth
import Testing

/// Which channels are whose.
@Suite("An MPE zone") struct MPEZoneTests {
  /// The channels that manage each of the sixteen, all as players count them.
  private func homes(_ keyboard: MPEKeyboard) -> [Int] {
    (0..<16 as Range<UInt8>).map { Int(keyboard.decoder.zoneManager(of: $0, source: 0)) + 1 }
  }

  // swift-format-ignore
  @Test("takes from the other what it needs", arguments: [
    ([(1, 15)],                   [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]),
    ([(16, 15)],                  [16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16]),
    ([(1, 7), (16, 7)],           [1, 1, 1, 1, 1, 1, 1, 1, 16, 16, 16, 16, 16, 16, 16, 16]),
    ([(1, 3), (16, 2)],           [1, 1, 1, 1, 5, 6, 7, 8, 9, 10, 11, 12, 13, 16, 16, 16]),
    ([(1, 10), (16, 7)],          [1, 1, 1, 1, 1, 1, 1, 1, 16, 16, 16, 16, 16, 16, 16, 16]),
    ([(16, 10), (1, 10)],         [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 16, 16, 16, 16, 16]),
    ([(16, 5), (1, 14)],          [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 16]),
    ([(1, 15), (16, 1)],          [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 16, 16]),
    ([(1, 7), (16, 7), (1, 0)],   [1, 2, 3, 4, 5, 6, 7, 8, 16, 16, 16, 16, 16, 16, 16, 16]),
    ([(1, 127)],                  [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]),
    ([(2, 5), (15, 5), (8, 1)],   [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]),
  ] as [([(UInt8, UInt8)], [Int])])
  func sizes(asked: [(UInt8, UInt8)], homes expected: [Int]) {
    let keyboard = MPEKeyboard(members: nil)
    for (manager, members) in asked { keyboard.zone(members, manager: manager) }
    #expect(homes(keyboard) == expected)
    // The engine has them the same: a note is held by the pedal of its manager, and by no other.
    for channel in 1...16 as ClosedRange<UInt8> {
      keyboard.controller(64, 127, on: UInt8(expected[Int(channel) - 1]))
      keyboard.press(60, on: channel)
      keyboard.lift(60, on: channel)
      keyboard.player.play(1_200)
      #expect(keyboard.player.voices == 1, "\(channel)")
      keyboard.controller(64, 0, on: UInt8(expected[Int(channel) - 1]))
      keyboard.player.play(1_200)
      #expect(keyboard.player.voices == 0, "\(channel)")
    }
  }

  @Test("is of one source, and ends with it")
  func sources() {
    let keyboard = MPEKeyboard()
    #expect(keyboard.decoder.zoneManager(of: 4, source: 1) == 4)
    keyboard.send(0xFF)
    #expect(homes(keyboard) == Array(1...16))
    keyboard.zone(15)
    let on: [UInt8] = [0xF0, 0x7E, 0x7F, 9, 1, 0xF7]
    for byte in on {
      guard let message = keyboard.decoder.read(exclusive: byte, source: 0) else { continue }
      for index in 0..<message.count {
        if let event = message.event(index, source: 0, frame: 0) { keyboard.player.link.midi.push(event) }
      }
    }
    #expect(homes(keyboard) == Array(1...16))
    keyboard.bend(2, on: 2, range: 2)
    keyboard.press(69, on: 2)
    #expect(abs(keyboard.heard() - 2) < 0.005)
  }

  @Test("plays the parts that hear its manager, and ends where nothing else does")
  func parts() {
    var scene = Scene.with(MPEKeyboard.sine)
    scene[0].strip.channel = 2
    scene[1].strip.on = 1
    scene[1].strip.channel = 1
    scene[1].patch = scene[0].patch
    let keyboard = MPEKeyboard()
    keyboard.player.link.scene.publish(scene)
    keyboard.press(69, on: 2)
    #expect(keyboard.voices == 1)
    scene[1].strip.on = 0
    keyboard.player.link.scene.publish(scene)
    keyboard.press(69, on: 3)
    keyboard.press(69, on: 2)
    #expect(keyboard.voices == 1)
    keyboard.controller(123, 0, on: 2)
    #expect(keyboard.voices == 1)
    keyboard.controller(123, 0, on: 1)
    #expect(keyboard.voices == 0)
  }

  @Test(
    "is the player's where the player wants it, whatever the device says or is",
    arguments: [
      (MPESetting.lower(15), 15, 1), (.lower(7), 8, 1), (.upper(15), 1, 16), (.upper(2), 14, 16),
      (.lower(15, range: 24), 2, 1),
    ] as [(MPESetting, UInt8, UInt8)])
  func settings(setting: MPESetting, member: UInt8, manager: UInt8) {
    let keyboard = MPEKeyboard(members: nil)
    keyboard.choose(setting)
    for step in 0..<5 {
      switch step {
      case 1: keyboard.zone(0, manager: manager)
      case 2: keyboard.zone(3, manager: 17 - manager)
      case 3: keyboard.send(0xFF)
      case 4: keyboard.player.send(.sourceGone)
      default: break
      }
      keyboard.bend(-24, on: member, range: setting == .lower(15, range: 24) ? 24 : 48)
      keyboard.press(81, on: member)
      keyboard.bend(1, on: manager, range: 2)
      #expect(abs(keyboard.heard() + 11) < 0.005, "\(step)")
      keyboard.lift(81, on: member)
      #expect(keyboard.voices == 0)
    }
    keyboard.choose(.auto)
    #expect(homes(keyboard) == Array(1...16))
    keyboard.bend(2, on: member, range: 2)
    keyboard.press(69, on: member)
    #expect(abs(keyboard.heard() - 2) < 0.005)
    keyboard.choose(setting)
    #expect(keyboard.voices == 0)
  }

  @Test("is there again for an engine that has lost what it knew")
  func again() {
    let keyboard = MPEKeyboard()
    keyboard.parameter(0, 24, on: 3)
    keyboard.player.send(.sourceGone)
    for event in keyboard.decoder.zoneEvents(of: 0, frame: 0) { keyboard.player.link.midi.push(event) }
    keyboard.bend(12, on: 7, range: 24)
    keyboard.press(57, on: 7)
    #expect(abs(keyboard.heard()) < 0.005)
  }

  @Test("is told of, or that there is none, to an engine that may have had others")
  func events() {
    func words(_ events: [Event]) -> [String] {
      events.map { "\($0.kind) \($0.target) \($0.note) \(Int($0.value))" }
    }
    let decoder = MIDIDecoder()
    #expect(words(decoder.choose(.auto, source: 0, frame: 0)) == ["mpeZone 0 0 0", "mpeZone 15 0 0"])
    #expect(decoder.zoneEvents(of: 0, frame: 0).isEmpty)
    #expect(
      words(decoder.choose(.upper(3, range: 24), source: 0, frame: 0)) == [
        "mpeZone 0 0 24", "mpeZone 15 3 24",
      ])
    let zone = ["mpeZone 0 0 24", "mpeZone 15 3 24", "bendRange 15 0 2", "bendRange 14 0 24"]
    #expect(words(decoder.zoneEvents(of: 0, frame: 0)) == zone)
    #expect(decoder.zoneEvents(of: 1, frame: 0).isEmpty)
  }

  @Test("outlives the engine, which another card has another of")
  func engines() {
    let keyboard = MPEKeyboard()
    keyboard.player.play(64)
    keyboard.player.engine.deinitialize(count: 1)
    keyboard.player.engine.initialize(to: Engine(rate: 48_000, link: keyboard.player.link))
    keyboard.bend(-24, on: 2)
    keyboard.press(81, on: 2)
    #expect(abs(keyboard.heard() + 12) < 0.005)
  }

  @Test("is written in words")
  func words() {
    for text in [
      "off", "auto", "lower", "upper", "lower-1", "lower-14", "upper-7", "lower-15-24", "upper-3-96",
    ] {
      #expect(MPESetting(text)?.description == text)
    }
    #expect(MPESetting("lower-15") == .lower(15) && MPESetting("lower-15-48") == .lower(15))
    for text in [
      "", "on", "lower-0", "lower-16", "lower-", "off-3", "auto-1", "lower-7-0", "lower-7-97", "lower-7-7-7",
      "Lower", "-",
    ] {
      #expect(MPESetting(text) == nil)
    }
  }
}
