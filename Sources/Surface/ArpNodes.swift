import Control
import Synth

// The arpeggiators of the parts, beside their knobs.

extension Node {
  static let arps: [Node] = playedSteps + arpKeys + heldKeys + clearing

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
  private static let clearing: [Node] = [
    .trigger("/arp/clear", .part, "Takes all keys out of the arpeggio, latched or down; its step ends at its gate.") { $0.instrument.arpeggios.clear(part: $0.part, at: $0.moment ?? $0.now) },
  ]
}
