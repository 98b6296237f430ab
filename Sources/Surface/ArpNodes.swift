import Control
import Parameters
import Synth

// The arpeggiators and sequences of the parts, beside their knobs.

extension Node {
  private static let step = ArgumentType.string("NOTE VELOCITY GATE RATCHET, and tie; or rest")

  static let arps: [Node] = playedSteps + arpKeys + heldKeys + sequences

  private static let playedSteps: [Node] = shown(
    "/arp/at", "Step of the part in focus that sounds, from 1; 0 while none is played."
  ) { $0.arpeggios.step }
  private static let arpKeys: [Node] = shown(
    "/arp/keys", "Keys in the arpeggio of the part in focus."
  ) { $0.arpeggios.keyCount }
  private static let heldKeys: [Node] = shown(
    "/arp/held", "Keys of them that are up, and that the latch or the pedal holds."
  ) { $0.arpeggios.heldCount }

  // swift-format-ignore
  private static let sequences: [Node] = [
    .trigger("/arp/clear", .part, "Takes all keys out of the arpeggio, latched or down; its step ends at its gate.") { $0.instrument.arpeggios.clear(part: $0.part, at: $0.moment ?? $0.now) },
    Node("/sequence/step/<n>", numbers: 1...StepSequence.mostSteps, .sound, [step], "Step <n> of the sequence: semitones from the key -60…60, velocity 0…127, gate 2…200 %, strokes 1…4.", read: { instrument, part, number in .string(instrument.sequenceStep(number - 1, part: part).text) }, write: { try $0.setStep() }),
  ]
}

extension Request {
  /// Sets a step of a sequence.
  fileprivate func setStep() throws {
    guard let step = SequenceStep(arguments.first?.words ?? "") else {
      throw Refusal("takes " + SequenceStep.expected, not: arguments.first)
    }
    instrument.set(step: target.number - 1, of: part, to: step)
  }
}
