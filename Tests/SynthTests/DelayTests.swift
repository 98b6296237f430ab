import EngineHarness
import Glibc
import Testing
@testable import Scenes
@testable import Synth

/// The delay: where its echoes are and how loud, and what becomes of them when something changes.
@Suite("The delay") struct DelayTests {
  private static let rate = 48_000.0

  /// A delay with its knobs, in ticks of 16 frames.
  private final class Playing {
    var delay: Delay
    var now: DelayKnobs
    var chosen: DelayKnobs
    var tempo: Float = 2
    let rate: Double

    init(rate: Double = DelayTests.rate, _ set: (inout DelayKnobs) -> Void) {
      (delay, self.rate) = (Delay(rate: rate), rate)
      chosen = DelayKnobs()
      (chosen.time, chosen.highpass, chosen.lowpass) = (0.01, 20, 20_000)
      set(&chosen)
      now = chosen
      delay.snap(&now, tempo: tempo)
    }

    deinit { delay.deallocate() }

    /// What comes out for a signal, with ticks cut into pieces of these lengths.
    func play(_ left: [Float], _ right: [Float]? = nil, cuts: [Int] = [16]) -> (left: [Float], right: [Float])
    {
      let share = Float(1 - exp(-16 / (Double(Smoothed.seconds) * rate)))
      let aim = { (_: Int) in
        self.follow(share)
        self.delay.aim(&self.now, &self.chosen, tempo: self.tempo, frames: 16)
      }
      return playInTicks(left, right ?? left, cuts: cuts, aim: aim) { delay.process($0, $1, frames: $2) }
    }

    private func follow(_ share: Float) {
      for path in [\DelayKnobs.time, \.feedback, \.highpass, \.lowpass, \.saturation] {
        now[keyPath: path] += (chosen[keyPath: path] - now[keyPath: path]) * share
      }
    }
  }

  private static func noise(_ count: Int, seed: UInt32 = 1) -> [Float] {
    var words = seed
    return (0..<count).map { _ in
      words = words &* 1_664_525 &+ 1_013_904_223
      return Float(Int32(bitPattern: words)) / 4_294_967_296
    }
  }

  private static func sine(_ hertz: Double, _ count: Int) -> [Float] {
    (0..<count).map { Float(0.5 * sin(2 * .pi * hertz / rate * Double($0))) }
  }

  private static func impulse(_ count: Int, _ level: Float = 0.25) -> [Float] {
    (0..<count).map { $0 == 0 ? level : 0 }
  }

  /// The frames of what is louder than a hundredth.
  private static func echoes(_ x: [Float]) -> [Int] { x.indices.filter { x[$0].magnitude > 0.01 } }

  @Test(
    "Echoes are on their exact frames, at the levels that the feedback gives",
    arguments: [(0.001, 0), (0.001, 3), (0.01, 0), (0.0125, 1), (0.03, 2), (0.02, 3)] as [(Float, Float)])
  func echoTimes(_ knobs: (time: Float, ratio: Float)) {
    let playing = Playing {
      ($0.time, $0.ratio, $0.feedback) = (knobs.time, knobs.ratio, 0.6)
    }
    let y = playing.play(Self.impulse(4_096))
    let ratios: [Float] = [1, 0.75, 0.6666667, 0.5]
    let ratio = ratios[Int(knobs.ratio)]
    for (side, factor) in [(y.left, Float(1)), (y.right, ratio)] {
      let frames = Int((knobs.time * 48_000 * factor).rounded())
      let expected = (1...5).map { $0 * frames }.filter { $0 < 4_096 }
      #expect(Array(Self.echoes(side).prefix(expected.count)) == expected)
      for (number, frame) in expected.enumerated() {
        #expect(abs(side[frame] - 0.25 * pow(0.6, Float(number))) < 0.001)
      }
    }
  }

  @Test(
    "The shortest and the longest delay time are exact to the frame at any sample rate",
    arguments: [22_050.0, 44_100, 192_000])
  func timeLimits(_ rate: Double) {
    let shortest = Playing(rate: rate) { ($0.time, $0.ratio, $0.feedback) = (0.001, 3, 0) }
    let y = shortest.play(Self.impulse(512))
    #expect(Self.echoes(y.left) == [Int((0.001 * rate).rounded())])
    #expect(Self.echoes(y.right) == [max(20, Int((0.0005 * rate).rounded()))])
    if rate > 50_000 { return }
    let longest = Playing(rate: rate) { ($0.time, $0.feedback) = (2, 0) }
    let z = longest.play(Self.impulse(Int(2 * rate) + 16))
    #expect(Self.echoes(z.left) == [Int(2 * rate)])
    print("delay: \(longest.delay.bytes) bytes at \(rate) Hz")
  }

  @Test(
    "A synced echo is late by one note length, halved as often as needed to fit into 2 s",
    arguments: [(2, 12, 12_000), (3, 12, 8_000), (2, 14, 24_000), (2, 1, 96_000), (5, 13, 4_800)]
      as [(Float, Int, Int)])
  func syncedEchoes(_ knobs: (tempo: Float, note: Int, frames: Int)) {
    // By name, so that the table may grow.
    let beats = NoteLength.beats(Float(knobs.note))
    var frames = Double(beats / knobs.tempo) * Self.rate
    while frames > 96_000 { frames /= 2 }
    let playing = Playing { ($0.time, $0.sync) = (0.5, Float(knobs.note)) }
    playing.tempo = knobs.tempo
    playing.delay.snap(&playing.now, tempo: knobs.tempo)
    let y = playing.play(Self.impulse(Int(frames) + 64))
    #expect(Self.echoes(y.left) == [Int(frames.rounded())], "\(NoteLength.names[knobs.note])")
  }

  @Test("Ping-pong echoes begin on the left and alternate between the sides") func pingPongSides() {
    let playing = Playing { ($0.time, $0.feedback, $0.pingPong) = (0.01, 0.5, 1) }
    let y = playing.play(Self.impulse(2_048), Self.impulse(2_048, 0.15))
    #expect(Self.echoes(y.left) == [480, 1_440])
    #expect(Self.echoes(y.right) == [960, 1_920])
    for (side, frame, level) in [(y.left, 480, 0.2), (y.right, 960, 0.1), (y.left, 1_440, 0.05)] {
      #expect(abs(Double(side[frame]) / level - 1) < 0.02)
    }
  }

  /// At the most feedback echoes grow, and stay under what the saturation allows, whatever comes in. Their mean, which is
  /// taken out, may be as large as they are.
  @Test(
    "At 110 % feedback, echoes ring on within the level that the saturation allows",
    arguments: [(0, 2), (0.5, 0.5), (1, 0.125)] as [(Float, Float)])
  func maximumFeedback(_ knobs: (saturation: Float, most: Float)) {
    let playing = Playing { ($0.time, $0.feedback, $0.saturation) = (0.005, 1.1, knobs.saturation) }
    let x = Self.noise(24_000)
    let y = playing.play(x)
    let after = playing.play([Float](repeating: 0, count: 24_000)).left
    let loud = playing.play(Self.noise(9_600).map { $0 * 1e30 }, Array(x.prefix(9_600)))
    print(
      "delay: 110 %, saturation \(knobs.saturation): peak \(y.left.peak), rings on at \(after.suffix(4_800).peak)"
    )
    #expect(y.left.peak <= knobs.most * 1.5 && y.left.peak > knobs.most * 0.5)
    #expect(loud.left.peak <= knobs.most * 2 && loud.right.peak <= knobs.most * 2)
    #expect(after.suffix(4_800).peak > knobs.most * 0.1)
    #expect(after.allSatisfy { $0.isFinite })
  }

  @Test("With the high-pass off, a DC offset still does not circulate in the feedback") func feedbackDC() {
    let playing = Playing { ($0.time, $0.feedback) = (0.005, 1) }
    _ = playing.play([Float](repeating: 0.5, count: 24_000))
    let after = playing.play([Float](repeating: 0, count: 48_000)).left.suffix(4_800)
    #expect(abs(after.reduce(0, +) / 4_800) < 0.01)
  }

  @Test("Each echo passes the filters once more and loses 3 dB at their cutoff") func filteredEchoes() {
    for (hertz, set) in [(200.0, \DelayKnobs.highpass), (4_000, \.lowpass)] {
      let playing = Playing {
        ($0.time, $0.feedback) = (0.1, 1)
        $0[keyPath: set] = Float(hertz)
      }
      // A burst that is faded, so that only the tone itself is counted.
      let burst = Self.sine(hertz, 4_000).enumerated().map {
        $1 * Float(pow(sin(.pi * Double($0) / 4_000), 2))
      }
      let y = playing.play(burst + [Float](repeating: 0, count: 14_400)).left
      func power(_ echo: Int) -> Double {
        y[(4_800 * echo)..<(4_800 * echo + 4_700)].reduce(0) { $0 + Double($1) * Double($1) }
      }
      let dry = burst.reduce(0) { $0 + Double($1) * Double($1) }
      let (first, second) = (10 * log10(power(1) / dry), 10 * log10(power(2) / power(1)))
      print("delay: \(hertz) Hz through its filter \(first) dB, and again \(second) dB")
      #expect(abs(first + 3) < 0.5 && abs(second + 3) < 0.5)
    }
  }

  /// What is further than 500 Hz from a tone, which a tape may take an octave from where it was, in dB of it.
  private static func beside(_ x: [Float], from low: Double, to high: Double) -> Double {
    let spectrum = Spectrum(x, size: 16_384)
    let tone = spectrum.power(from: low, to: high)
    return 10 * log10((spectrum.power(from: 20, to: 24_000) - tone) / tone)
  }

  /// The time jumps under a tone, as a tape and as a fade, and by what only fades: no sample is over the tone, and nothing
  /// is heard far from it.
  @Test(
    "A change of time, ratio, ping-pong or sync causes no peak and no click above -60 dB",
    arguments: 0..<8)
  func timeChange(_ change: Int) {
    let playing = Playing {
      $0.time = change == 1 ? 0.2 : 0.05
      $0.change = change < 2 ? 0 : 1
      if change == 7 { $0.sync = 17 }
    }
    // So quiet that nothing is bent.
    let x = Self.sine(1_000, 12_000).map { $0 * 0.1 }
    _ = playing.play(x)
    let before = playing.play(x)
    switch change {
    case 0, 2: playing.chosen.time = 0.2
    case 1: playing.chosen.time = 0.05
    case 3: playing.chosen.time = 0.0101
    case 4: (playing.chosen.ratio, playing.chosen.change) = (2, 0)
    case 5: playing.chosen.pingPong = 1
    case 6: playing.chosen.sync = 17
    default: playing.tempo = 2.23
    }
    let after = playing.play(x)
    for (a, b) in [(before.left, after.left), (before.right, after.right)] {
      let y = a.suffix(4_384) + b
      let tape = change < 2
      let rest = Self.beside(Array(y), from: tape ? 350 : 600, to: tape ? 2_200 : 1_400)
      print("delay: change \(change): peak \(y.map(\.magnitude).max() ?? 0), beside the tone \(rest) dB")
      #expect((y.map(\.magnitude).max() ?? 0) < 0.0505)
      #expect(rest < -60)
    }
  }

  @Test("In tape mode, a shorter time raises the pitch by at most an octave, a longer one lowers it")
  func tapeBend() {
    let playing = Playing { $0.time = 0.5 }
    let x = Self.sine(1_000, 48_000)
    _ = playing.play(x)
    playing.chosen.time = 0.1
    let up = playing.play(Array(x.prefix(19_200))).left
    _ = playing.play(Array(x.prefix(14_400)))
    playing.chosen.time = 0.5
    let down = playing.play(Array(x.prefix(28_800))).left
    let (high, low) = (
      Array(up[4_800..<9_600]).pitch(rate: Self.rate), Array(down[4_800..<9_600]).pitch(rate: Self.rate)
    )
    print("delay: a tape bends 1 kHz to \(high) and \(low) Hz")
    #expect(high > 1_900 && high < 2_010)
    #expect(low < 520 && low > 495)
    // And arrives at the sample.
    _ = playing.play([Float](repeating: 0, count: 48_000))
    let y = playing.play(Self.impulse(24_064)).left
    #expect(Self.echoes(y) == [24_000])
  }

  @Test(
    "A jump of feedback, filter or saturation under a tone causes no peak and no click",
    arguments: [
      (\DelayKnobs.feedback, 0, 0.9), (\.feedback, 0.9, 0), (\.highpass, 20, 1_000), (\.highpass, 1_000, 20),
      (\.lowpass, 20_000, 1_000), (\.lowpass, 1_000, 20_000), (\.saturation, 0, 1), (\.saturation, 1, 0),
    ] as [(WritableKeyPath<DelayKnobs, Float> & Sendable, Float, Float)])
  func knobJump(_ knob: (path: WritableKeyPath<DelayKnobs, Float> & Sendable, from: Float, to: Float)) {
    let playing = Playing {
      ($0.time, $0.feedback) = (0.01, 0.3)
      $0[keyPath: knob.path] = knob.from
    }
    // So quiet that the saturation bends but little.
    let x = Self.sine(1_000, 9_600).map { $0 * 0.01 }
    _ = playing.play(x)
    let before = playing.play(x).left
    playing.chosen[keyPath: knob.path] = knob.to
    let after = playing.play(x).left + playing.play(x).left
    let y = Array(before.suffix(2_384)) + after
    let rest = Self.beside(y, from: 600, to: 1_400)
    print("delay: jump \(knob.from)...\(knob.to): beside the tone \(rest) dB, peak \(y.peak)")
    let most = max(Array(before.suffix(960)).peak, Array(after.suffix(960)).peak)
    #expect(y.peak <= most * 1.01)
    // What a high-pass holds when it is opened is let go slowly: not a click, but low.
    #expect(rest < (knob.path == \.highpass ? -55 : -60))
  }

  @Test("The delay has the same bits however a control tick is split", arguments: [22_050.0, 48_000])
  func anySplit(_ rate: Double) {
    let (x, y) = (Self.noise(1_600), Self.noise(1_600, seed: 7))
    func bits(_ cuts: [Int]) -> [UInt32] {
      let playing = Playing(rate: rate) {
        ($0.time, $0.ratio, $0.feedback, $0.saturation) = (0.001, 3, 0.7, 0.5)
      }
      var all: [Float] = []
      let changes: [(inout DelayKnobs) -> Void] = [
        { $0.time = 0.02 }, { $0.pingPong = 1 }, { ($0.change, $0.time) = (1, 0.005) },
        { ($0.highpass, $0.lowpass) = (500, 3_000) }, { ($0.feedback, $0.saturation) = (1.1, 0) },
      ]
      for change in changes {
        let out = playing.play(x, y, cuts: cuts)
        all += out.left + out.right
        change(&playing.chosen)
      }
      return all.bits
    }
    let whole = bits([16])
    for cuts in [[1], [5, 11], [8], [3, 9, 4], [15, 1]] {
      let same = isSame(bits(cuts), whole)
      #expect(same, "\(cuts)")
    }
  }

  @Test("A cleared delay is silent, and then has the same bits as a new one") func clearedMemory() {
    let x = Self.noise(4_800)
    let playing = Playing(rate: 22_050) { ($0.time, $0.feedback) = (0.05, 1.1) }
    _ = playing.play(x)
    playing.chosen.time = 0.03
    _ = playing.play(x)
    var calls = 1
    while !playing.delay.clearPiece() { calls += 1 }
    playing.now = playing.chosen
    playing.delay.snap(&playing.now, tempo: 2)
    let silent = playing.play([Float](repeating: 0, count: 4_800))
    #expect(silent.left.peak == 0 && silent.right.peak == 0)
    while !playing.delay.clearPiece() { calls += 1 }
    playing.delay.snap(&playing.now, tempo: 2)
    let again = playing.play(x)
    let new = Playing(rate: 22_050) { ($0.time, $0.feedback) = (0.03, 1.1) }.play(x)
    print("delay: forgotten in \(calls) calls")
    let same = isSame((again.left + again.right).bits, (new.left + new.right).bits)
    #expect(same)
  }
}
