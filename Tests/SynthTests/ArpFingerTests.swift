import Testing
@testable import Scenes
@testable import Synth

/// Mono, legato and MPE: rule M.
@Suite("Arpeggios in mono, legato and MPE") struct ArpFingerTests {
  @Test("In mono and legato, an arpeggio never holds more than one voice") func monoVoice() {
    for gate in [0.5, 1, 1.5] as [Float] {
      for mode in [1, 2] as [Float] {
        let spy = ArpSpy([("/play/mode", mode), ("/arp/gate", gate)])
        spy.press(60, 64, 67)
        for _ in 0..<30 {
          spy.run(331)
          let voices = spy.player.voiceNumbers.filter { spy.engine.note($0).isHeld }
          #expect(voices.count <= 1)
        }
        #expect(spy.takeKeys().prefix(4) == [60, 64, 67, 60])
        spy.lift(60, 64, 67)
        spy.run(9_000)
        #expect(spy.player.voiceNumbers.isEmpty && spy.engine.played[0].pointee.stack.count == 0)
      }
    }
  }

  private func mpe(_ knobs: [(String, Float)] = []) -> ArpSpy {
    let spy = ArpSpy(knobs)
    spy.player.send(.mpeZone, note: 15)
    spy.run(1)
    return spy
  }

  private func sounding(_ spy: ArpSpy) -> [Note] {
    spy.player.voiceNumbers.map { spy.engine.note($0) }.filter { $0.isHeld }
  }

  @Test("In every mode, a step has the bend, pressure and timbre of its own MPE key", arguments: 0..<12)
  func stepExpression(mode: Int) {
    let spy = mpe([("/arp/mode", Float(mode)), ("/arp/gate", 0.9)])
    for (channel, key) in [(UInt8(1), 60), (2, 64)] {
      spy.player.send(.bend, target: channel, value: Float(channel) / 10)
      spy.player.send(.pressure, target: channel, value: Float(channel) / 5)
      spy.player.send(.timbre, target: channel, value: Float(channel) / 3)
      spy.press(key, target: channel)
    }
    var fingers: Set<UInt8> = []
    for _ in 0..<100 {
      spy.run(331)
      #expect(sounding(spy).count <= 1 || ArpMode.allCases[mode] == .chord)
      for note in sounding(spy) {
        fingers.insert(note.target)
        #expect(note.key == (note.target == 1 ? 60 : 64) && note.finger.bend == Float(note.target) / 10)
        #expect(note.finger.pressure == Float(note.target) / 5)
        #expect(note.finger.timbre == Float(note.target) / 3)
      }
    }
    #expect(spy.strokes.count > 15 && fingers == [1, 2])
  }

  @Test("MPE bend moves the step of a held key and is frozen once the key is latched") func latchedBend() {
    let spy = mpe([("/arp/latch", 1), ("/arp/gate", 0.9)])
    spy.player.send(.bend, target: 1, value: 0.1)
    spy.press(60, target: 1)
    spy.run(100)
    spy.player.send(.bend, target: 1, value: 0.3)
    spy.run(1)
    #expect(sounding(spy).map(\.finger.bend) == [0.3])
    spy.lift(60, target: 1)
    spy.player.send(.bend, target: 1, value: -1)
    spy.run(1)
    #expect(sounding(spy).map(\.finger.bend) == [0.3])
    spy.run(2_000)
    #expect(sounding(spy).map(\.finger.bend) == [0.3])
  }

  @Test("The same key on two MPE member channels sounds as one voice") func sharedPitch() {
    let spy = mpe([("/arp/gate", 1.5)])
    spy.press(60, target: 1)
    spy.press(60, target: 2)
    for _ in 0..<20 {
      spy.run(500)
      #expect(sounding(spy).count == 1)
    }
    spy.lift(60, target: 2)
    spy.run(4_000)
    #expect(sounding(spy).map(\.target) == [1])
    spy.lift(60, target: 1)
    spy.run(9_000)
    #expect(sounding(spy).isEmpty)
  }

  @Test("Channel and key pressure of 0 do not end an arpeggio") func zeroPressure() {
    let spy = ArpSpy()
    spy.press(60)
    spy.run(to: 2_100)
    spy.player.send(.pressure, value: 0)
    spy.player.send(.keyPressure, note: 60, value: 0)
    spy.run(to: 8_001)
    #expect(spy.strokes.count == 5)
  }

  @Test("Key pressure reaches the steps of its key in each octave") func octavePressure() {
    let spy = ArpSpy([("/arp/octaves", 2), ("/arp/gate", 0.9)])
    spy.press(60)
    spy.run(to: 2_100)
    spy.player.send(.keyPressure, note: 60, value: 0.4)
    spy.run(1)
    #expect(sounding(spy).map(\.key) == [72] && sounding(spy).map(\.pressure) == [0.4])
    spy.run(2_000)
    #expect(sounding(spy).map(\.key) == [60] && sounding(spy).map(\.pressure) == [0.4])
  }
}
