import Glibc
import Parameters
import Testing
@testable import Scenes
@testable import Synth

@Suite("Pedals") struct PedalTests {
  private let short = Scene.with([("/amp/release", 0.005)])

  @Test("The sostenuto pedal holds only the keys that are down when the pedal is pressed")
  func sostenutoCatch() {
    let player = Player(short)
    player.press(60)
    player.press(62)
    player.play(64)
    player.send(.sostenuto, value: 1)
    player.press(64)
    player.play(64)
    for key in [60, 64] { player.lift(key) }
    #expect(player.held() == [60, 62])
    // What is struck again while it is down is not caught again by the values that a half pedal sends.
    player.send(.sostenuto, value: 0.7)
    player.press(65)
    player.play(64)
    player.send(.sostenuto, value: 0.9)
    player.lift(65)
    #expect(player.held() == [60, 62])
    player.send(.sostenuto, value: 0)
    #expect(player.held() == [62])
    player.lift(62)
    #expect(player.held() == [])
  }

  @Test("A note held by sustain and sostenuto sounds until both pedals are up") func bothPedals() {
    let player = Player(short)
    player.press(60)
    player.play(64)
    player.send(.sostenuto, value: 1)
    player.send(.sustain, value: 1)
    player.lift(60)
    #expect(player.held() == [60])
    player.send(.sostenuto, value: 0)
    #expect(player.held() == [60])
    // It catches no key that only the other holds.
    player.send(.sostenuto, value: 1)
    player.send(.sustain, value: 0)
    #expect(player.held() == [])
  }

  @Test("The second sustain pedal, CC 69, holds notes as CC 64 does, until neither is down")
  func theSecondSustainPedalHoldsAsTheFirst() {
    let player = Player(short)
    player.send(.sustain2, value: 1)
    player.press(60)
    player.lift(60, at: 100)
    player.play(2_000)
    #expect(player.held() == [60])
    player.send(.sustain, value: 1)
    player.send(.sustain2, value: 0)
    #expect(player.held() == [60])
    player.send(.sustain2, source: 1, target: 3, value: 1)
    player.send(.sustain, value: 0)
    #expect(player.held() == [60])
    player.send(.resetControllers, source: 1, target: 3)
    #expect(player.held() == [])
  }

  @Test(
    "All notes off leaves the notes that a pedal holds; all sound off ends every note",
    arguments: [Float(0), 2])
  func allNotesOffWaitsForThePedal(mode: Float) {
    let player = Player(.with([("/amp/release", 0.005), ("/play/mode", mode)]))
    for pedal in [Event.Kind.sustain, .sostenuto] {
      player.press(60)
      player.play(64)
      player.send(pedal, value: 1)
      player.send(.allNotesOff)
      player.play(64)
      #expect(player.voices == 1)
      player.send(.allNotesOff, target: 1)
      player.send(.noteOff, note: 60)
      player.play(2_000)
      #expect(player.voices == 1)
      player.send(pedal, value: 0)
      player.play(2_000)
      #expect(player.voices == 0)
      player.press(60)
      player.send(.allNotesOff)
      player.play(2_000)
      #expect(player.voices == 0)
      player.send(pedal, value: 1)
      player.press(60)
      player.send(.allSoundOff)
      player.play(2_000)
      #expect(player.voices == 0)
      player.send(pedal, value: 0)
    }
  }

  /// RP-015: the pressure on each key too.
  @Test("Reset all controllers clears the key pressure of its own device only") func resetKeyPressure() {
    let player = Player(short)
    player.press(60)
    player.press(61, source: 1)
    player.play(64)
    player.send(.keyPressure, value: 1)
    player.send(.keyPressure, source: 1, note: 61, value: 1)
    player.send(.resetControllers)
    player.play(64)
    let pressures = player.voiceNumbers.map { player.engine.note($0).pressure }
    #expect(pressures == [0, 1])
  }

  @Test("Another device's sostenuto pedal holds notes only on its channel and while it is connected")
  func otherDevicePedal() {
    var scene = short
    scene[0].strip.channel = 1
    let player = Player(scene)
    player.press(60)
    player.play(64)
    player.send(.sostenuto, source: 1, target: 5, value: 1)
    player.lift(60)
    #expect(player.held() == [])
    player.press(60)
    player.play(64)
    player.send(.sostenuto, source: 1, value: 1)
    player.lift(60)
    #expect(player.held() == [60])
    player.send(.sourceGone, source: 1)
    #expect(player.held() == [])
  }

  @Test("A sustain or sostenuto pedal pressed during the release of a note does not hold the note")
  func pedalInRelease() {
    let player = Player(.with([("/amp/release", 2)]))
    player.press(60)
    player.lift(60, at: 100)
    player.play(640)
    player.send(.sustain, value: 1)
    player.send(.sostenuto, value: 1)
    #expect(player.held() == [] && player.voices == 1)
  }

  @Test(
    "The soft pedal lowers level and velocity of the next notes, not of those that sound",
    arguments: [Float(0), 0.7])
  func softPedal(velocity: Float) {
    func peak(_ messages: (Player) -> Void) -> Float {
      let player = Player(.with([("/osc/1/wave", 0), ("/amp/velocity", velocity)]))
      messages(player)
      player.press(60)
      player.play(100)
      player.send(.soft, value: 1)
      player.play(9_600)
      return 20 * log10(player.left.peak)
    }
    let plain = peak { _ in }
    let soft = peak { $0.send(.soft, value: 1) }
    let half = peak { $0.send(.soft, source: 1, value: 0.5) }
    let reset = peak {
      $0.send(.soft, value: 1)
      $0.send(.resetControllers)
    }
    // 20 % less is 1.9 dB, and a quarter less velocity of 0.8 is 2.6 dB more where velocity counts.
    #expect((plain - soft - (velocity == 0 ? 1.94 : 4.56)).magnitude < 0.1, "\(plain - soft)")
    #expect((plain - half - (velocity == 0 ? 0.92 : 2.3)).magnitude < 0.2, "\(plain - half)")
    #expect(reset == plain)
  }
}
