import Testing
@testable import Scenes
@testable import Synth

/// What happens at one frame, and what overlaps: rules B and D. A step has 2,000 frames.
@Suite("Overlapping and simultaneous events of arpeggios") struct ArpLegatoTests {
  private func attacks(_ spy: ArpSpy) -> Bool {
    spy.player.voiceNumbers.contains { voice in
      let lane = spy.engine.lane(voice)
      return spy.engine.group(of: voice).block.state.pointee.envelope.rises(lane)
    }
  }

  private func glides(_ spy: ArpSpy) -> Bool {
    spy.player.voiceNumbers.contains { spy.engine.group(of: $0).modulators.gliding != 0 }
  }

  /// A whole gate ends before the next stroke, so the envelope begins anew; a longer one is slurred.
  @Test(
    "In legato, a gate of 100 % restarts the envelope and a gate of 125 % does not",
    arguments: [Float(1), 1.25])
  func slurredSteps(gate: Float) {
    let spy = ArpSpy([
      ("/play/mode", 2), ("/arp/gate", gate), ("/amp/attack", 0.01), ("/amp/decay", 0.01),
      ("/amp/sustain", 0.3),
    ])
    spy.press(60, 64)
    for step in 0..<6 {
      spy.run(to: step * 2_000 + 100)
      #expect(attacks(spy) == (step == 0 || gate == 1), "step \(step)")
      spy.run(to: step * 2_000 + 1_900)
      #expect(!attacks(spy), "step \(step)")
    }
    #expect(spy.frames == [0, 2_000, 4_000, 6_000, 8_000, 10_000])
  }

  @Test(
    "With glide only in legato, steps glide only if the gate is longer than a step",
    arguments: [Float(0.9), 1.25])
  func glidingSteps(gate: Float) {
    let spy = ArpSpy([
      ("/play/mode", 2), ("/arp/gate", gate), ("/play/glide", 0.1), ("/play/glidewhen", 1),
    ])
    spy.press(48, 60)
    for step in 0..<6 {
      spy.run(to: step * 2_000 + 1_000)
      #expect(glides(spy) == (step > 0 && gate > 1), "step \(step)")
    }
    #expect(spy.takeKeys() == [48, 60, 48, 60, 48, 60])
  }

  /// The first note has ended when the pedal comes down at its last frame; the second is held.
  @Test("A step that ends in the frame of a pedal press is not sustained") func endBeforePedal() {
    let spy = ArpSpy([("/arp/pedal", 1)])
    spy.press(60, 64)
    spy.run(to: 1_000)
    #expect(spy.held == [60])
    spy.pedal(true)
    spy.run(to: 1_001)
    #expect(spy.held.isEmpty && spy.ends.map(\.frame) == [1_000])
    spy.run(to: 3_500)
    #expect(spy.held == [64])
  }

  @Test("Keys released in the frame of a step do not play the step") func releaseBeforeStep() {
    let spy = ArpSpy()
    spy.press(60, 64)
    spy.run(to: 2_000)
    spy.lift(60, 64)
    spy.run(to: 6_000)
    #expect(spy.frames == [0])
  }

  @Test("A pedal press in the frame of a step latches a key that is released in the same frame")
  func latchBeforeStep() {
    let spy = ArpSpy()
    spy.press(60)
    spy.run(to: 2_000)
    spy.pedal(true)
    spy.lift(60)
    spy.run(to: 4_001)
    #expect(spy.frames == [0, 2_000, 4_000])
  }
}
