import EngineHarness
import Parameters
import Testing
@testable import Scenes
@testable import Synth

/// A silent scene with the click on, at full scale.
private func scene(_ knobs: [(String, Float)] = []) -> Scene {
  .with([("/click/on", 1), ("/click/level", 0)] + knobs)
}

/// The first frames of the strokes in samples: behind silence. The first sample of a stroke is 0.
private func strokes(_ samples: [Float]) -> [Int] {
  var (frames, silent) = ([Int](), 1_000)
  for (frame, sample) in samples.enumerated() {
    if sample == 0 {
      silent += 1
    } else {
      if silent > 16 { frames.append(frame - 1) }
      silent = 0
    }
  }
  return frames
}

@Suite("The click") struct ClickTests {
  @Test(
    "strikes each beat at the formula's frame, accented on the first of a bar, at every rate, tempo and block",
    arguments: [(22_050.0, 37), (44_100, 1_024), (48_000, 64), (96_000, 128), (192_000, 8_192)])
  func frames(rate: Double, block: Int) {
    for (tempo, beats) in [(20, 2), (61, 3), (123.4, 4), (187.3, 12), (300, 5)] as [(Float, Float)] {
      let player = Player(scene([("/tempo", tempo), ("/click/beats", beats)]), rate: rate)
      player.play(Int(rate) * 4, block: block)
      let sound = ClickSound(rate: rate)
      defer { sound.deallocate() }
      var expected = [Float](repeating: 0, count: player.left.count + sound.frames)
      var beat = 0
      while true {
        let frame = Int((Double(beat) * rate / Double(tempo / 60) - 1e-5).rounded(.up))
        if frame >= player.left.count { break }
        for i in 0..<sound.frames { expected[frame + i] += sound[beat % Int(beats) == 0][i] }
        beat += 1
      }
      #expect(player.left == Array(expected.prefix(player.left.count)), "\(tempo)")
      #expect(player.right == player.left)
    }
  }

  /// Starts, stops, jumps, tempo changes and taps at odd frames, in the order of their frames.
  private func restless(block: Int) -> [Float] {
    let player = Player(scene([("/tempo", 150)]))
    let source: UInt8 = 2
    let beat = Event.clock
    let events: [Event] = [
      Event(frame: 30_001, kind: .clockStop), Event(frame: 52_345, kind: .clockContinue),
      beat(.clockStart, 3.99, 0, 70_003), beat(.clockStart, 0, 0, 90_017),
      Event(frame: 100_001, kind: .clockTap), Event(frame: 125_119, kind: .clockTap),
      Event(frame: 150_007, kind: .clockCountIn, value: 6),
      Event(frame: 330_011, kind: .clockTempo, source: source, value: 777.7),
      beat(.clockBeat, 100.2, source, 340_003), beat(.clockBeat, 110.3, source, 380_007),
      beat(.clockBeat, 111, source, 380_900), Event(frame: 440_003, kind: .clockGone, source: source),
    ]
    for event in events { player.link.midi.push(event) }
    player.play(500_000, block: block)
    return player.left
  }

  @Test("has the same bits whatever the block is, through jumps, starts, stops, taps and changes of tempo")
  func blocks() {
    let bits = restless(block: 64).bits
    for block in [1_000, 37, 8_192] {
      let same = isSame(restless(block: block).bits, bits)
      #expect(same, "\(block)")
    }
  }

  @Test("begins on the frame of a start, pauses with a stop, and goes on with the beat line")
  func startAndStop() {
    let player = Player(scene())
    player.link.midi.push(.clock(.clockStart, beat: 0, source: 0, frame: 10_007))
    player.link.midi.push(Event(frame: 60_000, kind: .clockStop))
    player.link.midi.push(Event(frame: 110_000, kind: .clockContinue))
    player.play(160_000, block: 100)
    #expect(strokes(player.left) == [0, 10_007, 34_007, 58_007, 130_007, 154_007])
  }

  @Test("strikes no beat twice and skips none while a jittery clock corrects the line")
  func corrections() {
    let player = Player(scene())
    let source: UInt8 = 1
    player.link.midi.push(Event(frame: 0, kind: .clockTempo, source: source, value: 120))
    player.link.midi.push(.clock(.clockStart, beat: 0, source: source, frame: 0))
    var random = RandomNumbers()
    for pulse in 1..<480 {
      let jitter = Int64(random.next() * 500) - 250
      player.link.midi.push(
        .clock(.clockBeat, beat: Double(pulse) / 24, source: source, frame: Int64(pulse * 1_000) + jitter))
    }
    player.play(475_000)
    let frames = strokes(player.left)
    #expect(frames.count == 20)
    for (beat, frame) in frames.enumerated() { #expect(abs(frame - beat * 24_000) < 300, "\(beat) \(frame)") }
  }

  @Test("counts bars before a start, though it is off, and the transport runs from the frame of beat 0")
  func countIn() {
    for (isOn, expected) in [
      (0, [5_001, 29_001, 53_001, 77_001, 101_001, 125_001]),
      (1, [0, 5_001, 29_001, 53_001, 77_001, 101_001, 125_001, 149_001, 173_001]),
    ] as [(Float, [Int])] {
      let player = Player(scene([("/click/on", isOn), ("/click/beats", 3)]))
      player.link.midi.push(Event(frame: 5_001, kind: .clockCountIn, value: 6))
      player.play(149_001, block: 256)
      #expect(!player.link.beatClock.now.isRunning && player.link.beatClock.now.countIn == 6)
      player.play(1)
      let now = player.link.beatClock.now
      #expect(now.isRunning && now.countIn == 0 && now.line.beat(at: 149_001) == 0)
      player.play(40_000, block: 256)
      #expect(strokes(player.left) == expected)
    }
  }

  @Test("A count-in ends with a stop, and at once when a clock begins to lead")
  func endedCountIn() {
    for (kind, runs) in [(Event.Kind.clockStop, false), (.clockContinue, true), (.clockTempo, true)] {
      let player = Player(scene([("/click/on", 0)]))
      player.link.midi.push(Event(frame: 0, kind: .clockCountIn, value: 8))
      player.link.midi.push(Event(frame: 30_000, kind: kind, source: 4, value: 120))
      player.play(240_000)
      #expect(strokes(player.left) == [0, 24_000])
      #expect(player.link.beatClock.now.isRunning == runs && player.link.beatClock.now.countIn == 0)
      #expect(abs(player.link.beatClock.now.line.beat(at: 240_000) - 10) < 1e-6)
    }
  }

  @Test("A stroke has no corners, and nothing above 6 kHz", arguments: [22_050.0, 48_000, 192_000])
  func sound(rate: Double) {
    let sound = ClickSound(rate: rate)
    defer { sound.deallocate() }
    for isAccent in [false, true] {
      let samples: [Float] = (0..<sound.frames).map { sound[isAccent][$0] }
      #expect(samples.peak <= 1 && samples.peak > 0.9)
      let slope = Float(2 * Double.pi * 1_760 / rate)
      #expect(samples.largestStep < slope && samples.largestCorner < 1.1 * slope * slope)
      let rest = [Float](repeating: 0, count: (Spectrum.size - samples.count) / 2)
      let spectrum = Spectrum(rest + samples + rest + [0], rate: rate)
      // Measured 9e-11 of the loudest bin: -100 dB.
      let above = spectrum.power.dropFirst(Int(6_000 / spectrum.bin)).max() ?? 1
      #expect(above < 2e-10 * (spectrum.power.max() ?? 0))
    }
  }

  @Test("stays within full scale over a loud sound, and changes its limiter not at all")
  func loud() {
    let knobs: [(String, Float)] = [
      ("/amp/level", 12), ("/level", 6), ("/master/level", 6), ("/click/level", 0),
    ]
    func play(_ on: Float) -> Player {
      let player = Player(.with(knobs + [("/click/on", on)]))
      for note in [40, 52, 64] { player.press(note, velocity: 1) }
      player.play(50_000)
      return player
    }
    let (with, without) = (play(1), play(0))
    #expect(with.left.peak == 1 && without.left.peak < 1)
    let between = 2_000..<24_000
    #expect(isSame(Array(with.left[between]).bits, Array(without.left[between]).bits))
  }
}
