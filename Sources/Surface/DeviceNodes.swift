import Control

// The keyboards: which there are, and what is set for them. Who asks is answered, and told nothing else.

extension Node {
  private static let device = ArgumentType.string("a number or a name of /device/list")

  // swift-format-ignore
  static let devices: [Node] = [
    .question("/device/list", [], "Answers with how many keyboards and other MIDI devices are known, and each as /device/list/<n>, n from 0: its number, whether it is played, its name, what it is known by, which parts hear it, and what was set for it, with tabs between.") { instrument, _ in
      let lines = instrument.devices.catalog
      return [OSCMessage("/device/list", .int(lines.count))] + lines.enumerated().map { OSCMessage("/device/list/\($0)", .string($1)) }
    },
    .question("/device/allow", [device], "Has a device played, whatever is known of it; answers with a sentence, as those that follow.", changes: true) { instrument, words in [OSCMessage("/device/allow", .string(try instrument.devices.set(try oneDevice(words), "play", to: "on")))] },
    .question("/device/deny", [device], "Leaves a device alone.", changes: true) { instrument, words in [OSCMessage("/device/deny", .string(try instrument.devices.set(try oneDevice(words), "play", to: "off")))] },
    .question("/device/set", [device, .string("play, mpe, clock, feedback or parts"), .string("a value")], "Sets something for a device: play on, off or auto, which leaves the ports for a DAW alone; mpe auto, off or lower; clock on, when the tempo is to follow it; feedback on, when its lamps are to show what its controllers move; parts 1,3 when these hear it, 2:1,3 for channel 2 alone, - for none, auto for those that answer to the channel.", changes: true) { instrument, words in
      guard words.count == 3 else { throw Refusal("takes a device, what to set, and a value") }
      return [OSCMessage("/device/set", .string(try instrument.devices.set(words[0], words[1], to: words[2])))]
    },
    .question("/device/forget", [device], "Forgets a device that is not there, and what was set for it.", changes: true) { instrument, words in [OSCMessage("/device/forget", .string(try instrument.devices.forget(try oneDevice(words))))] },
  ]

  private static func oneDevice(_ words: [String]) throws -> String {
    guard words.count == 1 else { throw Refusal("takes a device") }
    return words[0]
  }
}
