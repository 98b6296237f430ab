import EngineHarness
import Glibc
import Testing
@testable import Scenes
@testable import Synth

/// Envelopes, each stage against its formula.
@Suite("Envelopes") struct EnvelopeTests {
  private static let tick = Float(Limits.controlFrames) / 48_000

  /// One envelope in lane 3, tick by tick.
  private final class Envelope {
    let curves = UnsafeMutablePointer<EnvelopeCurves>.allocate(capacity: 1)
    var lanes = EnvelopeLanes()
    private var ends = true
    private var last: Float = 0

    init(_ knobs: EnvelopeKnobs) {
      curves.initialize(to: EnvelopeCurves(knobs, seconds: EnvelopeTests.tick))
      lanes.start(3, curves)
    }

    deinit { curves.deallocate() }

    var stage: Int { Int(lanes.stage[3]) }
    var level: Double { Double(lanes.to[3]) }

    func advance(_ share: Float = 1, speed: Float? = nil) {
      let elapsed: Float = 1
      if let speed {
        lanes.advance(elapsed: elapsed, share: share, speed: Lanes(repeating: speed))
      } else {
        lanes.advance(elapsed: elapsed, share: share)
      }
      lanes.endFalls()
      if ends { ends = lanes.endStages(curves, passed: last, share: share) }
      last = share
    }

    func enter(_ stage: Int) {
      lanes.enter(3, stage, curves)
      ends = true
    }

    /// Ticks until it has left a stage.
    func ticks(in stage: Int) -> Int {
      var ticks = 0
      while self.stage == stage && ticks < 1_000_000 {
        advance()
        ticks += 1
      }
      return ticks
    }
  }

  private static func knobs(
    _ attack: Float, _ decay: Float, _ sustain: Float, _ release: Float, curve: Float = 0
  ) -> EnvelopeKnobs {
    var knobs = EnvelopeKnobs()
    (knobs.attack, knobs.decay, knobs.sustain, knobs.release) = (attack, decay, sustain, release)
    knobs.curve = curve
    return knobs
  }

  /// A way from 0 to 1 by h halvings.
  private static func way(_ x: Double, _ h: Double) -> Double {
    abs(h) < 0.05 ? x : (1 - exp2(-h * x)) / (1 - exp2(-h))
  }

  /// What is left of a fall after a part x of its time with a curve above 0: two exponentials, the first one down to
  /// -30 dB, towards a little below 0.
  private static func bowed(
    _ x: Double, _ curve: Double, halvings: Double = 9.96578428, below: Double = 0
  ) -> Double {
    let (fast, knee) = (halvings * (1 + 2 * curve), pow(10, -1.5) + below)
    let first = log2((1 + below) / knee) / fast
    if x < first { return (1 + below) * exp2(-fast * x) - below }
    return knee * exp2(-fast / (1 + 4 * curve) * (x - first)) - below
  }

  /// Attack, decay and release against the family of curves, from bent the other way over straight lines to sharper ones.
  @Test(
    "Attack, decay and release follow the formula of their curve within 0.001",
    arguments: [-1, -0.75, -0.5, -0.25, 0, 0.5, 1] as [Float], [0.01, 0.3, 2] as [Float])
  func stageCurves(_ curve: Float, _ seconds: Float) {
    let envelope = Envelope(Self.knobs(seconds, seconds, 0.4, seconds, curve: curve))
    func bent(_ h: Double) -> Double { (curve < -0.5 ? min(h, 4) : h) * (1 + 2 * Double(curve)) }
    var ticks = 0
    // A tick before the end, where either stage is right.
    let count = Int(seconds / Self.tick) - 1
    var worst = (attack: 0.0, decay: 0.0, release: 0.0)
    while ticks < count {
      ticks += 1
      envelope.advance()
      let x = Double(Float(ticks) * Self.tick / seconds)
      worst.attack = max(worst.attack, abs(envelope.level - Self.way(x, bent(2.11547722))))
    }
    _ = envelope.ticks(in: EnvelopeStage.attack)
    #expect(envelope.level == 1)
    for step in 1...count where envelope.stage == EnvelopeStage.decay {
      envelope.advance()
      let x = Double(Float(step) * Self.tick / seconds)
      let fallen = curve < 0 ? 0.999 * Self.way(x, bent(9.96578428)) : 1 - Self.bowed(x, Double(curve))
      worst.decay = max(worst.decay, abs(envelope.level - (1 - 0.6 * fallen)))
    }
    for _ in 0..<(10 * count) { envelope.advance() }
    #expect(abs(envelope.level - 0.4) < 1e-3)
    let start = envelope.level
    envelope.enter(EnvelopeStage.release)
    for step in 1...count {
      envelope.advance()
      let x = Double(Float(step) * Self.tick / seconds)
      let bowed = Self.bowed(x, Double(curve), halvings: 9.82842519, below: 1e-4)
      let left = curve <= 0 ? 1 - 0.999 * Self.way(x, bent(9.82842519)) : bowed
      worst.release = max(worst.release, abs(envelope.level - start * left))
    }
    // Measured 4e-4, of a release of 2 s that is bent the other way.
    #expect(worst.attack < 1e-3 && worst.decay < 1e-3 && worst.release < 1e-3, "\(worst)")
    // No other lane has moved.
    #expect(envelope.lanes.to[2] == 0 && envelope.lanes.to[4] == 0)
  }

  @Test(
    "A release falls by 60 dB in its set time within 2 %, from any level, and then ends",
    arguments: [0.005, 0.05, 0.3, 2, 20] as [Float], [0, 0.02, 0.3, 1] as [Float])
  func releaseTime(_ seconds: Float, _ curve: Float) {
    for sustain in [1, 0.3, 0.02] as [Float] { release(seconds, sustain, curve) }
  }

  private func release(_ seconds: Float, _ sustain: Float, _ curve: Float) {
    let envelope = Envelope(Self.knobs(0.001, 0.005, sustain, seconds, curve: curve))
    for _ in 0..<1_000 { envelope.advance() }
    let start = envelope.level
    envelope.enter(EnvelopeStage.release)
    var (ticks, before) = (0.0, start)
    while envelope.level > start * 0.001 {
      before = envelope.level
      envelope.advance()
      ticks += 1
    }
    // Where it passed within the last tick.
    let part = log(before / (start * 0.001)) / log(before / max(envelope.level, 1e-9))
    let measured = (ticks - 1 + part) * Double(Self.tick)
    // Measured 0.999 to 1.003 at curve 0.
    #expect(abs(measured / Double(seconds) - 1) < 0.02, "\(measured) of \(seconds) s, curve \(curve)")
    while envelope.level > 0 {
      envelope.advance()
      ticks += 1
    }
    // It goes on as fast as it was at the end.
    #expect(ticks * Double(Self.tick) < (curve == 0 ? 1.4 : 1.7) * Double(seconds) + 0.001)
  }

  @Test(
    "An attack of a whole number of control ticks lasts that number of ticks despite rounding",
    arguments: [3, 6, 15, 30, 150, 1_500, 30_000])
  func wholeTicks(_ ticks: Int) {
    let envelope = Envelope(Self.knobs(Float(ticks) / 3_000, 1, 0.5, 1))
    // One of 20,000 for what a Float loses in so many steps.
    #expect(abs(envelope.ticks(in: EnvelopeStage.attack) - ticks) <= ticks / 20_000)
  }

  @Test(
    "At the end of its set time a decay is within 2 % of the level of its curve",
    arguments: [0.005, 0.3, 20] as [Float], [0, 0.02, 0.3, 1] as [Float])
  func decayTime(_ seconds: Float, _ curve: Float) {
    let envelope = Envelope(Self.knobs(0.001, seconds, 0, 1, curve: curve))
    _ = envelope.ticks(in: EnvelopeStage.attack)
    let ticks = Int(seconds / Self.tick)
    for _ in 0..<ticks { envelope.advance() }
    let expected = Self.bowed(Double(ticks) * Double(Self.tick / seconds), Double(curve))
    #expect(abs(envelope.level / expected - 1) < 0.02)
  }

  @Test(
    "A looped envelope repeats after its attack and decay times within 3 control ticks",
    arguments: [0.3, 1] as [Float])
  func loopPeriod(_ curve: Float) {
    var knobs = Self.knobs(0.02, 0.1, 0, 0.05, curve: curve)
    knobs.loop = 1
    let envelope = Envelope(knobs)
    for _ in 0..<5 {
      let ticks = envelope.ticks(in: EnvelopeStage.attack) + envelope.ticks(in: EnvelopeStage.decay)
      #expect(abs(ticks - Int(0.12 / Self.tick)) <= 3)
    }
  }

  @Test(
    "A released tone falls by 60 dB in its release time within 2 %",
    arguments: [0.1, 0.5, 1.5], [0, 1] as [Float])
  func audibleRelease(_ seconds: Double, _ curve: Float) {
    let player = Player(
      .with([
        ("/osc/1/wave", 0), ("/filter/cutoff", 20_000), ("/amp/attack", 0.001), ("/amp/velocity", 0),
        ("/amp/release", Float(seconds)), ("/amp/curve", curve),
      ]))
    player.press(81)
    player.play(9_600)
    let loud = Array(player.left[4_800...]).peak
    player.release(81)
    player.play(Int(seconds * 60_000))
    let last = player.left.lastIndex { abs($0) >= loud * 0.001 } ?? 0
    let measured = Double(last - 9_600) / 48_000
    print("release: \(measured / seconds) of \(seconds) s")
    // Measured 0.995 to 0.999: to the last crest of the tone that is loud enough.
    #expect(abs(measured / seconds - 1) < 0.02, "\(measured) s")
  }

  @Test("The envelope of a stolen voice fades below 0.01 in 4 ms") func stolenVoice() {
    let envelope = Envelope(Self.knobs(0.001, 1, 1, 5))
    for _ in 0..<100 { envelope.advance() }
    envelope.enter(EnvelopeStage.fade)
    // The tick that it is stolen in counts.
    for _ in 1..<Int(0.004 / Self.tick) {
      #expect(envelope.level > 0)
      envelope.advance()
    }
    #expect(envelope.level < 0.01)
  }

  /// Measured 3e-7.
  @Test(
    "A control tick that an event splits leads to the same envelope level as a whole one",
    arguments: [-1, -0.5, 0, 1] as [Float])
  func splitTick(_ curve: Float) {
    let knobs = Self.knobs(0.02, 1, 0.5, 1, curve: curve)
    let (whole, pieces) = (Envelope(knobs), Envelope(knobs))
    for _ in 0..<20 {
      whole.advance()
      pieces.advance(0.25)
      pieces.advance(0.75)
    }
    #expect(abs(whole.level - pieces.level) < 2e-6)
  }

  @Test(
    "An envelope at speed 2 moves as far in one control tick as at speed 1 in two",
    arguments: [-1, -0.5, 0, 1] as [Float])
  func doubleSpeed(_ curve: Float) {
    let knobs = Self.knobs(0.1, 1, 0.5, 1, curve: curve)
    let (whole, fast) = (Envelope(knobs), Envelope(knobs))
    for _ in 0..<100 {
      whole.advance()
      whole.advance()
      fast.advance(1, speed: 2)
      #expect(abs(whole.level - fast.level) < 1e-4)
    }
  }

  /// As fast as eight routes can make it, it comes to its end and not beyond numbers, from any stage.
  @Test(
    "Speeds from 1e-12 to 1e12 keep an envelope between 0 and 1 in every stage",
    arguments: [-1, 0, 1] as [Float], [EnvelopeStage.attack, EnvelopeStage.decay, EnvelopeStage.release])
  func extremeSpeeds(_ curve: Float, _ stage: Int) {
    for time: Float in [0.0005, 0.3] {
      let envelope = Envelope(Self.knobs(time, time, 0, time, curve: curve))
      envelope.enter(stage)
      for speed: Float in [1, 1_000, 1e12, 1e-12, 1e12] {
        envelope.advance(1, speed: speed)
        #expect((0...1).contains(envelope.level), "at speed \(speed), \(time) s")
      }
    }
  }

  @Test(
    "All three envelopes are at 0 in a lane whose voice has ended or moved to another lane",
    arguments: ["amp", "filter", "env/3"])
  func freeLanes(_ envelope: String) {
    let player = Player(
      .with([
        ("/amp/release", 0.001), ("/\(envelope)/attack", 0.01), ("/\(envelope)/curve", -1),
        ("/filter/amount", 48), ("/env/3/pitch", 12),
      ]))
    let notes = 40..<56
    for note in notes { player.press(note) }
    player.play(64)
    // While they rise, the second eight move to the lanes of the first.
    for note in notes.prefix(8) { player.release(note) }
    player.play(1_000)
    player.press(60)
    player.play(10_000)
    #expect(player.voices == 9)
    for lane in 0..<Limits.lanes where !player.engine.isSounding(lane) {
      let (group, lane) = (lane / Limits.lanesPerGroup, lane % Limits.lanesPerGroup)
      let state = player.engine.groups[group].block.state.pointee
      let levels = [state.envelope, state.filterEnvelope, state.envelope3].map { $0.to[lane] }
      #expect(levels == [0, 0, 0], "lane \(lane) of group \(group)")
    }
  }

  @Test("Delay, attack and hold last their set times within one control tick") func delayAndHold() {
    var knobs = Self.knobs(0.01, 0.1, 0, 0.1)
    (knobs.delay, knobs.hold) = (0.05, 0.02)
    let envelope = Envelope(knobs)
    #expect(abs(envelope.ticks(in: EnvelopeStage.delay) - Int(0.05 / Self.tick)) <= 1 && envelope.level == 0)
    #expect(abs(envelope.ticks(in: EnvelopeStage.attack) - Int(0.01 / Self.tick)) <= 1)
    #expect(abs(envelope.ticks(in: EnvelopeStage.hold) - Int(0.02 / Self.tick)) <= 1 && envelope.level == 1)
    #expect(envelope.stage == EnvelopeStage.decay)
  }

  @Test(
    "A held envelope loops through attack, hold and decay, and ends when it is released",
    arguments: [-0.5, 0] as [Float])
  func heldLoop(_ curve: Float) {
    var knobs = Self.knobs(0.02, 0.1, 0, 0.05, curve: curve)
    (knobs.loop, knobs.hold) = (1, 0.03)
    let envelope = Envelope(knobs)
    let period = Int(0.15 / Self.tick)
    for _ in 0..<5 {
      let ticks =
        envelope.ticks(in: EnvelopeStage.attack) + envelope.ticks(in: EnvelopeStage.hold)
        + envelope.ticks(in: EnvelopeStage.decay)
      #expect(abs(ticks - period) <= 3)
    }
    envelope.enter(EnvelopeStage.release)
    for _ in 0..<period { envelope.advance() }
    #expect(envelope.level == 0)
  }

  @Test("The third envelope with 12 semitones of pitch decays from an octave up to the played pitch")
  func envelopePitch() {
    let tone: [(String, Float)] = [("/osc/1/wave", 0), ("/filter/cutoff", 20_000), ("/amp/velocity", 0)]
    let player = Player(.with(tone + [("/env/3/pitch", 12), ("/env/3/decay", 0.2), ("/env/3/sustain", 0)]))
    player.press(69)
    player.play(48_000)
    #expect(abs(Array(player.left[24_000...]).pitch(rate: 48_000) - 440) < 0.2)
    // 0.02 s after the peak an eighth of 60 dB has gone: half of the octave.
    #expect(abs(Array(player.left[480..<1_440]).pitch(rate: 48_000) - 440 * exp2(0.55)) < 40)
  }

  @Test("At full velocity a speed amount of one octave halves the attack time of the envelope")
  func velocitySpeed() {
    func level(_ velocity: Float, speed: Float, at frame: Int) -> Float {
      let player = Player(
        .with([
          ("/osc/1/wave", 0), ("/filter/cutoff", 20_000), ("/amp/velocity", 0), ("/amp/attack", 0.5),
          ("/amp/speed", speed),
        ]))
      player.press(93, velocity: velocity)
      player.play(frame)
      return Array(player.left[(frame - 96)...]).peak
    }
    #expect(abs(level(1, speed: 1, at: 9_600) / level(1, speed: 0, at: 19_200) - 1) < 0.02)
    #expect(abs(level(1, speed: -1, at: 19_200) / level(1, speed: 0, at: 9_600) - 1) < 0.02)
    #expect(abs(level(0.5, speed: 2, at: 9_600) / level(1, speed: 1, at: 9_600) - 1) < 0.02)
  }
}
