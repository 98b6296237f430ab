import Control

// The wavetables that can be chosen.

extension Node {
  static let wavetables: [Node] = [
    Node(
      "/wavetable/list", .instrument, [],
      "Answers with the number of wavetables, those of the folder wavetables last, and the name of each as "
        + "/wavetable/list/<n>, n from 0.",
      list: { instrument in
        instrument.wavetables.learnNames()
        let names = instrument.wavetables.names
        return [OSCMessage("/wavetable/list", .int(names.count))]
          + names.enumerated().map { OSCMessage("/wavetable/list/\($0)", .string($1)) }
      })
  ]
}
