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
