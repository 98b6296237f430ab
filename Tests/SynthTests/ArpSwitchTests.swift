import Scratch
import Testing
@testable import Scenes
@testable import Synth

/// Arpeggiator, chord memory and sequence switched at random while keys are held: nothing hangs.
@Suite("Arpeggiator, chord memory and sequence switched under held keys") struct ArpSwitchTests {
  @Test("No note hangs after 1,500 random keys, switches and transport events", arguments: 0..<40)
  func randomEvents(seed: UInt64) {
    var random = SeededRandom(1_000 + seed)
    func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
    let spy = ArpSpy([("/chord/1", 4), ("/chord/2", 7), ("/chord/strum", 0.01), ("/arp/gate", 1.1)])
    spy.edit { scene in
      for step in 0..<16 {
        scene[0].patch.sequence[step] = SequenceStep(
          note: step - 8, velocity: step * 8, gate: 30 + 10 * step, ratchet: 1 + step % 4,
          isTie: step % 5 == 4)
      }
    }
    spy.player.send(.mpeZone, source: 1, note: 15, value: 48)
    for _ in 0..<1_500 {
      let (source, key) = (below(2), 58 + below(9))
      let channel = UInt8(source == 0 ? 0 : 1 + below(3))
      switch below(40) {
      case 0..<12: spy.press(key, source: source, target: channel)
      case 12..<24: spy.lift(key, source: source, target: channel)
      case 24..<26: spy.pedal(below(2) == 0, source: source)
      case 26: spy.set("/arp/on", Float(below(2)), recalls: below(2) == 0)
      case 27: spy.set("/chord/on", Float(below(2)), recalls: below(2) == 0)
      case 28: spy.set("/sequence/mode", Float(below(3)), recalls: below(2) == 0)
      case 29: spy.set("/arp/latch", Float(below(3)))
      case 30: spy.set("/arp/pedal", Float(below(3)))
      case 31: spy.set("/play/mode", Float(below(3)))
      case 32: spy.set("/arp/sync", Float(below(22)))
      case 33: spy.set("/arp/step/\(1 + below(16))", Float(below(8)))
      case 34: spy.player.send([.clockStop, .clockStart, .clockContinue][below(3)])
      case 35:
        spy.player.link.midi.push(
          Event.clock(.clockBeat, beat: Double(below(99)), source: 0, frame: Int64(spy.now)))
      case 36: spy.player.send([.sourceGone, .panic, .allSoundOff, .allNotesOff][below(4)], source: source)
      case 37: spy.player.send([.mono, .poly, .resetControllers][below(3)], source: source)
      case 38: spy.player.send(.clockTempo, value: Float(40 + below(300)))
      default: spy.edit { $0[0].strip.channel = Float(below(2)) }
      }
      spy.run(1 + below(400))
    }
    spy.edit { $0[0].strip.channel = 0 }
    spy.set("/sequence/mode", 0)
    spy.set("/arp/latch", 0)
    spy.set("/arp/sync", 15)
    for source in 0..<2 {
      spy.pedal(false, source: source)
      for channel in 0..<4 {
        for key in 58..<67 { spy.lift(key, source: source, target: UInt8(channel)) }
      }
      spy.run(1)
    }
    // The longest gate of a step of eight bars.
    spy.player.send(.clockTempo, value: 1_000)
    spy.run(400_000)
    #expect(spy.player.voiceNumbers.isEmpty && spy.held.isEmpty)
    #expect(spy.engine.arps.used == 0 && spy.engine.arps.busy == 0)
    #expect(spy.engine.played[0].pointee.stack.count == 0 && spy.player.link.meters[.faults] == 0)
  }

  @Test("Switching a part off ends its latched arpeggio") func partOff() {
    let spy = ArpSpy([("/arp/latch", 1)])
    spy.press(60)
    spy.run(100)
    spy.lift(60)
    spy.run(100)
    spy.edit { $0[0].strip.on = 0 }
    spy.run(9_000)
    #expect(spy.held.isEmpty && spy.strokes.count == 1)
  }
}
