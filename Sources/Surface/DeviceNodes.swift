import Control

// MIDI devices and their settings, as queries, which cause no feedback; and the choice of the clock that the beat
// follows.

extension Node {
  private static let device = ArgumentType.string("a number or a name of /device/list")

  // swift-format-ignore
  static let devices: [Node] = [
    .query("/device/list", [], "Answers with the number of known MIDI devices, and each as /device/list/<n>, n from 0. Fields separated by tabs: number, whether it is played, name, identity, parts that listen to it, settings, file of its pads.") { instrument, _ in
      let lines = instrument.devices.catalog
      return [OSCMessage("/device/list", .int(lines.count))] + lines.enumerated().map { OSCMessage("/device/list/\($0)", .string($1)) }
    },
    .query("/device/allow", [device], "Connects a device, whatever its kind. Answers with a sentence.", changes: true) { instrument, words in [OSCMessage("/device/allow", .string(try instrument.devices.set(try oneDevice(words), "play", to: "on")))] },
    .query("/device/deny", [device], "Ignores a device. Answers with a sentence.", changes: true) { instrument, words in [OSCMessage("/device/deny", .string(try instrument.devices.set(try oneDevice(words), "play", to: "off")))] },
    .query("/device/set", [device, .string("play, mpe, clock, clock-out, feedback, pads or parts"), .string("a value")], "Sets a device: play on, off or auto; mpe auto, off or lower; clock on or off; clock-out on or off; feedback on or off; pads on or off, by the file of its model; parts 1,3, for channel 2 alone 2:1,3, none -, by channel auto. Answers with a sentence.", changes: true) { instrument, words in
      guard words.count == 3 else { throw Refusal("takes a device, what to set, and a value") }
      return [OSCMessage("/device/set", .string(try instrument.devices.set(words[0], words[1], to: words[2])))]
    },
    .query("/device/forget", [device], "Forgets an absent device and its settings. Answers with a sentence.", changes: true) { instrument, words in [OSCMessage("/device/forget", .string(try instrument.devices.forget(try oneDevice(words))))] },
    .setting("/clock/source", .instrument, .string("auto, own, song, or a number or a name of /device/list"), "Clock that the beat follows: auto for any device with clock on, or else a song that plays; own for none; song; or one device. Songs go by the beat too: one that does not lead follows it.", read: { instrument, _, _ in .string(instrument.devices.clockSource) }, write: { try $0.chooseClock() }),
  ]

  private static func oneDevice(_ words: [String]) throws -> String {
    guard words.count == 1 else { throw Refusal("takes a device") }
    return words[0]
  }
}

extension Request {
  fileprivate func chooseClock() throws {
    switch arguments.first {
    case .string(let words): try instrument.devices.follow(clock: words)
    case .number(let number) where number >= 1 && number < 1e9:
      try instrument.devices.follow(clock: "\(Int(clamping: number))")
    default: throw Refusal("takes auto, own, song or a device", not: arguments.first)
    }
  }
}

// Bindings of the controls of MIDI devices, and learning them.

extension Node {
  private static let number = ArgumentType.string("a number of /bindings")

  // swift-format-ignore
  static let learning: [Node] = [
    .trigger("/learn", .instrument, "Learns a binding: touch a fader, switch or button, then move a control of a MIDI device. A second press unlearns instead; a third or thirty seconds cancel.") { $0.instrument.learning.press(now: $0.now) },
    .trigger("/unlearn", .instrument, "Removes the bindings of the address touched or the control moved next. A second press cancels.") { $0.instrument.learning.pressUnlearn(now: $0.now) },
    .display("/learn/state", .instrument, .int(0...2), "1 while learning, 2 while unlearning.") { instrument, _, _ in .int(instrument.learning.state) },
    .display("/learn/text", .instrument, .string(), "The next step of learning, or its result.") { instrument, _, _ in .string(instrument.learning.text) },
    .query("/bindings", [], "Answers with the number of bindings, and each as /bindings/<n>, n from 0. Fields separated by tabs: number from 1, device, control, address, mode, ends of the range.") { instrument, _ in
      let lines = instrument.bindings.catalog
      return [OSCMessage("/bindings", .int(lines.count))] + lines.enumerated().map { OSCMessage("/bindings/\($0)", .string($1)) }
    },
    .query("/bindings/add", [.string("a device of /device/list, or any"), .string("a control and what it moves")], "Binds a control: kind (cc, nrpn, note, keypressure, pressure, bend, program), number, channel or any, mode, low, high, bits, address, as 'cc 21 any pickup 0 1 7 /filter/cutoff'. Answers with a sentence.", changes: true) { instrument, words in
      guard words.count == 2 else { throw Refusal("takes a device, and a control with what it moves") }
      return [OSCMessage("/bindings/add", .string(try instrument.bindings.bind(words[0], words[1])))]
    },
    .query("/bindings/set", [number, .string("mode, low, high or channel"), .string("a value")], "Changes a binding: mode jump, pickup or scale; for endless knobs twos, offset, sign or signreversed; for buttons toggle, cycle or press; low and high 0…1, reversed if low is above high; channel 1…16 or any. Answers with a sentence.", changes: true) { instrument, words in
      guard words.count == 3 else { throw Refusal("takes a number, what to set, and a value") }
      return [OSCMessage("/bindings/set", .string(try instrument.bindings.set(words[0], words[1], to: words[2])))]
    },
    .query("/bindings/remove", [number], "Removes a binding. Answers with a sentence.", changes: true) { instrument, words in
      guard words.count == 1 else { throw Refusal("takes a number") }
      return [OSCMessage("/bindings/remove", .string(try instrument.bindings.remove(words[0])))]
    },
  ]
}
