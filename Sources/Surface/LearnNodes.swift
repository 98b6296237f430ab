import Control

// What the controls of keyboards are bound to.

extension Node {
  private static let number = ArgumentType.string("a number of /bindings")

  // swift-format-ignore
  static let learning: [Node] = [
    .trigger("/learn", .instrument, "Begins to learn: touch a fader, a switch, or next, previous, tap or panic, then turn a knob or press a button of a keyboard, which moves it from then on; a second press has what is touched or turned lose its bindings, a third one ends that, and so do thirty seconds.") { $0.instrument.learning.press(now: $0.now) },
    .trigger("/unlearn", .instrument, "Has what is touched or turned lose its bindings; a second press ends that.") { $0.instrument.learning.pressUnlearn(now: $0.now) },
    .display("/learn/state", .instrument, .int(0...2), "1 while a control is to be bound, 2 while one is to lose its bindings.") { instrument, _, _ in .int(instrument.learning.state) },
    .display("/learn/text", .instrument, .string(), "What is to be done next to learn, or what was learned.") { instrument, _, _ in .string(instrument.learning.text) },
    .question("/bindings", [], "Answers with how many bindings there are, and each as /bindings/<n>, n from 0: its number from 1, the device, the control, the address, how it moves that, and the ends of the way, with tabs between.") { instrument, _ in
      let lines = instrument.bindings.catalog
      return [OSCMessage("/bindings", .int(lines.count))] + lines.enumerated().map { OSCMessage("/bindings/\($0)", .string($1)) }
    },
    .question("/bindings/add", [.string("a device of /device/list, or any"), .string("a control and what it moves")], "Binds a control, by kind (cc, nrpn, note, keypressure, pressure, bend, program), number, channel or any, mode, low, high, bits and address, as 'cc 21 any pickup 0 1 7 /filter/cutoff'; answers with a sentence, as those that follow.", changes: true) { instrument, words in
      guard words.count == 2 else { throw Refusal("takes a device, and a control with what it moves") }
      return [OSCMessage("/bindings/add", .string(try instrument.bindings.bind(words[0], words[1])))]
    },
    .question("/bindings/set", [number, .string("mode, low, high or channel"), .string("a value")], "Sets how a control moves what it is bound to: mode jump, pickup or scale for what has ends, twos, offset, sign or signreversed for an endless knob, toggle, cycle or press for a button; low and high 0…1, the ends of its way, low above high for the other direction; channel 1…16 or any.", changes: true) { instrument, words in
      guard words.count == 3 else { throw Refusal("takes a number, what to set, and a value") }
      return [OSCMessage("/bindings/set", .string(try instrument.bindings.set(words[0], words[1], to: words[2])))]
    },
    .question("/bindings/remove", [number], "Removes a binding.", changes: true) { instrument, words in
      guard words.count == 1 else { throw Refusal("takes a number") }
      return [OSCMessage("/bindings/remove", .string(try instrument.bindings.remove(words[0])))]
    },
  ]
}
