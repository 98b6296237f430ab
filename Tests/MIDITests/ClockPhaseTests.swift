import MIDI
import Testing
@testable import Scenes

@Suite("The phase of a MIDI clock") struct ClockPhaseTests {
  private static let begin = 1.0

  /// Milliseconds by which steps are late, with a clock that starts at one second and beats at a constant tempo.
  private func deviations(_ followed: FollowedClock, perMinute: Double) -> [Double] {
    followed.steps.filter { Double($0.frame) / FollowedClock.rate >= Self.begin + 4 }.map {
      (Double($0.frame) / FollowedClock.rate - Self.begin - $0.beat * 60 / perMinute) * 1_000
    }
  }

  private func mean(_ numbers: [Double]) -> Double { numbers.reduce(0, +) / Double(max(numbers.count, 1)) }

  @Test("is kept for half an hour of jitter of 2 ms", arguments: [40.0, 119.97, 123.4, 240])
  func halfAnHour(_ perMinute: Double) {
    var followed = FollowedClock(seed: 7)
    followed.receive(.start, at: Self.begin - 0.01)
    _ = followed.tick(Int(30 * 24 * perMinute), perMinute: perMinute, from: Self.begin, jitter: 2)
    let late = deviations(followed, perMinute: perMinute)
    let average = mean(late)
    let rms = mean(late.map { ($0 - average) * ($0 - average) }).squareRoot()
    let worst = late.map(abs).max() ?? .infinity
    let tenth = late.count / 10
    let creep = mean(Array(late.suffix(tenth))) - mean(Array(late.prefix(tenth)))
    print("clock at \(perMinute): late \(average) ms, RMS \(rms), at most \(worst), creep \(creep)")
    #expect(late.count > Int(4 * 29 * perMinute))
    #expect(abs(average) < 1 && rms < 0.3 && worst < 3 && abs(creep) < 0.1)
    #expect(followed.clock.line.jumps == 1, "the start")
    let steps = followed.steps.filter { $0.frame > FollowedClock.frame(Self.begin + 0.003) }
    let gaps = zip(steps.dropFirst(), steps).map { $0.beat - $1.beat }
    #expect(gaps.allSatisfy { $0 == 0.25 }, "no step twice, none left out")
  }

  @Test("is caught within a beat of a change of tempo", arguments: [0.0, 2])
  func change(_ jitter: Double) {
    var (worst, atBeat) = ((beat: 0.0, two: 0.0), [Double]())
    for seed in UInt64(1)...50 {
      var followed = FollowedClock(seed: seed)
      followed.receive(.start, at: Self.begin - 0.01)
      let next = followed.tick(2_400, perMinute: 120, from: Self.begin, jitter: jitter)
      _ = followed.tick(96, perMinute: seed % 2 == 0 ? 126 : 114, from: next, jitter: jitter)
      let perMinute = seed % 2 == 0 ? 126.0 : 114
      for step in followed.steps {
        let due = next + (step.beat - 100) * 60 / perMinute
        let late = abs(Double(step.frame) / FollowedClock.rate - due) * 1_000
        if (101..<101.5).contains(step.beat) { atBeat.append(late * late) }
        if (101..<103.5).contains(step.beat) { worst.beat = max(worst.beat, late) }
        if (102..<103.5).contains(step.beat) { worst.two = max(worst.two, late) }
      }
      #expect(followed.clock.line.jumps == 1)
    }
    let rms = mean(atBeat).squareRoot()
    print(
      "5 % with \(jitter) ms of jitter: \(rms) ms RMS a beat later, \(worst.beat) ms off after a beat, \(worst.two) after two"
    )
    // A beat is 500 ms: 25 ms would be the deviation a beat later of a line that does not follow.
    #expect(worst.beat < (jitter > 0 ? 5 : 0.1) && worst.two < (jitter > 0 ? 3 : 0.1))
    #expect(rms < (jitter > 0 ? 1.2 : 0.05))
  }

  @Test("is that of the first pulse after start")
  func start() {
    for isTicking in [false, true] {
      var followed = FollowedClock()
      if isTicking { _ = followed.tick(100, perMinute: 120, from: 0.3) }
      let first = 0.3 + 100.0 / 48
      followed.receive(.start, at: first - 0.004)
      let before = followed.events.count
      _ = followed.tick(240, perMinute: 120, from: first)
      #expect(followed.events[before].kind == .clockStart && followed.events[before].beat == 0)
      #expect(abs(followed.events[before].frame - FollowedClock.frame(first)) <= 1)
      #expect(followed.steps.contains { abs($0.frame - FollowedClock.frame(first)) <= 1 && $0.beat == 0 })
      #expect(abs(followed.clock.line.beat(at: FollowedClock.frame(first + 4.75)) - 9.5) < 1e-3)
      #expect(followed.clock.isRunning)
    }
  }

  @Test("stays where a stop leaves it, and continues with the next pulse; a song position moves it")
  func positions() {
    var followed = FollowedClock()
    followed.receive(.start, at: 0.99)
    var next = followed.tick(100, perMinute: 120, from: 1)
    followed.receive(.stop, at: next - 0.005)
    #expect(!followed.clock.isRunning)
    next = followed.tick(50, perMinute: 120, from: next)
    // A second stop changes nothing.
    followed.receive(.stop, at: next - 0.007)
    followed.receive(.resume, at: next - 0.005)
    followed.receive(.tick, at: next)
    #expect(followed.clock.isRunning)
    #expect(abs(followed.clock.line.beat(at: FollowedClock.frame(next)) - 100.0 / 24) < 1e-4)
    next = followed.tick(50, perMinute: 120, from: next + 1.0 / 48)
    followed.receive(.position(64), at: next - 0.005)
    followed.receive(.tick, at: next)
    #expect(abs(followed.clock.line.beat(at: FollowedClock.frame(next)) - 16) < 1e-4)
    followed.receive(.stop, at: next + 0.001)
    followed.receive(.position(8), at: next + 0.002)
    next = followed.tick(30, perMinute: 120, from: next + 1.0 / 48)
    #expect(abs(followed.clock.line.beat(at: FollowedClock.frame(next)) - 16 - 31.0 / 24) < 1e-3, "not yet")
    followed.receive(.resume, at: next - 0.001)
    followed.receive(.tick, at: next)
    #expect(abs(followed.clock.line.beat(at: FollowedClock.frame(next)) - 2) < 1e-4)
  }

  @Test("is found although the clock says nothing while it stands")
  func silent() {
    var followed = FollowedClock()
    followed.receive(.start, at: 0.99)
    var next = followed.tick(120, perMinute: 120, from: 1)
    followed.receive(.stop, at: next - 0.005)
    #expect(followed.clocks.silent(at: Int64(next * 1e9) + 400_000_000) == nil)
    #expect(followed.clocks.silent(at: Int64(next * 1e9) + 500_000_000) == 1 && followed.clocks.due == nil)
    next += 3
    followed.receive(.resume, at: next - 0.001)
    followed.receive(.tick, at: next)
    #expect(abs(followed.clock.line.beat(at: FollowedClock.frame(next)) - 5) < 1e-4)
  }

  @Test("of a clock that is met while it runs is that of the nearest pulse: nothing jumps")
  func joined() {
    var followed = FollowedClock()
    followed.clock.follow(sceneTempo: 100, frame: 0)
    let next = followed.tick(480, perMinute: 100, from: 0.987)
    #expect(followed.clock.line.jumps == 0 && followed.clock.leader == 1)
    let pulse = followed.clock.line.beat(at: FollowedClock.frame(next)) * 24
    #expect(abs(pulse - pulse.rounded()) < 0.01)
  }

  @Test("is not lost with pulses, nor when some come late and together")
  func lost() {
    var followed = FollowedClock()
    followed.receive(.start, at: 0.99)
    var next = followed.tick(960, perMinute: 120, from: 1, jitter: 1, without: [200, 300, 301, 302, 640])
    #expect(abs(followed.clock.line.beat(at: FollowedClock.frame(next)) - 40) < 0.003)
    for _ in 0..<6 { followed.receive(.tick, at: next + 5.0 / 48) }
    next = followed.tick(474, perMinute: 120, from: next + 6.0 / 48, jitter: 1)
    #expect(abs(followed.clock.line.beat(at: FollowedClock.frame(next)) - 60) < 0.003)
    #expect(followed.clock.line.jumps == 1)
    for perMinute in [60.0, 41, 110, 240] { next = followed.tick(240, perMinute: perMinute, from: next) }
    #expect(abs(followed.clock.line.beat(at: FollowedClock.frame(next)) - 100) < 0.003)
  }

  @Test("stays through stalls of a busy machine, whose pulses come late and catch up one by one")
  func stalls() {
    let period = 60.0 / 120 / 24
    for seed in 1...60 {
      var followed = FollowedClock(seed: UInt64(seed))
      followed.receive(.start, at: 0.99)
      var resumes = 0.0
      for pulse in 0..<1_440 {
        let due = 1 + Double(pulse) * period
        if pulse % 96 == 95 { resumes = due + (1.25 + 1.25 * followed.deviation()) * period }
        // After a stall each pulse takes a third of a period more, until the sender has caught up.
        followed.receive(.tick, at: max(due, resumes), jitter: 0.5)
        resumes += period / 3
      }
      let beat = followed.clock.line.beat(at: FollowedClock.frame(1 + 1_440 * period))
      #expect(abs(beat - 60) < 0.01, "seed \(seed): at beat \(beat)")
      #expect(followed.clock.line.jumps == 1)
    }
  }

  @Test("goes on when the clock has gone, at its tempo")
  func flywheel() {
    var followed = FollowedClock()
    followed.receive(.start, at: 0.99)
    let next = followed.tick(960, perMinute: 133, from: 1, jitter: 1)
    let source = followed.clocks.silent(at: Int64((next + 0.6) * 1e9))
    #expect(source == 1)
    let gone = Event(frame: 0, kind: .clockGone, source: 1)
    followed.clock.follow(gone, frame: FollowedClock.frame(next + 0.6))
    #expect(abs(followed.clock.line.beat(at: FollowedClock.frame(next + 60)) - 40 - 133) < 0.02)
    #expect(followed.clock.leader == BeatClock.noLeader && followed.clock.line.jumps == 1)
  }

  @Test("follows a tempo that rises and falls all the time")
  func ramp() {
    var followed = FollowedClock(seed: 3)
    followed.receive(.start, at: 0.99)
    var (time, worst) = (1.0, 0.0)
    for pulse in 0..<9_600 {
      followed.receive(.tick, at: time, jitter: 2)
      if pulse > 100 {
        worst = max(worst, abs(followed.clock.line.beat(at: FollowedClock.frame(time)) * 24 - Double(pulse)))
      }
      // 110 to 130 and back within 16 beats.
      let phase = Double(pulse % 384) / 192
      time += 60 / (24 * (110 + 20 * (phase < 1 ? phase : 2 - phase)))
    }
    print("a tempo between 110 and 130: \(worst * 21) ms off at most")
    #expect(worst * 21 < 12 && followed.clock.line.jumps == 1)
  }
}
