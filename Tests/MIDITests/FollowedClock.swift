import MIDI
@testable import Scenes
@testable import Synth

/// A beat line that follows the clock of a sequencer, whose pulses come early or late: what the engine makes of the
/// events, without an engine.
struct FollowedClock {
  var clocks = Clocks()
  var clock = BeatClock(rate: FollowedClock.rate)
  /// The events for the engine, in order.
  private(set) var events: [Event] = []
  /// The frame and the beat of each step of a sixteenth that was played.
  private(set) var steps: [(frame: Int64, beat: Double)] = []
  // The next step, the jump of the line for which it holds, and the frame up to which steps were played.
  private var step = 0
  private var jumps: UInt32 = 0
  private var last: Int64 = 0
  private var random: UInt64
  private var latest: Int64 = 0

  static let rate = 48_000.0

  init(seed: UInt64 = 1) { random = seed }

  static func frame(_ seconds: Double) -> Int64 { Int64(seconds * rate) }

  /// The milliseconds by which a pulse is late, from -1 to 1.
  mutating func deviation() -> Double {
    random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(random >> 11) / Double(1 << 52) - 1
  }

  /// A message comes at a time in seconds, late by up to `jitter` milliseconds either way.
  mutating func receive(
    _ message: ClockMessage, at seconds: Double, jitter: Double = 0, source: UInt8 = 1
  ) {
    let moment = max(latest, Int64((seconds + deviation() * jitter / 1_000) * 1e9))
    latest = moment
    let frame = Int64(Double(moment) * Self.rate / 1e9)
    play(to: frame)
    var clock = clock
    var new: [Event] = []
    let line = clock.line
    clocks.receive(
      message, source: source, frame: frame, at: moment, beat: { line.beat(at: frame) },
      play: { event in
        if !event.kind.isForControl { new.append(event) }
      })
    for event in new { clock.follow(event, frame: event.frame) }
    self.clock = clock
    events += new
  }

  /// Plays the steps before a frame, by the line as it is now.
  mutating func play(to frame: Int64) {
    if jumps != clock.line.jumps {
      jumps = clock.line.jumps
      step = Int((clock.line.beat(at: last) * 4 - 1e-6).rounded(.up))
    }
    while clock.line.frame(of: Double(step) / 4) < frame {
      steps.append((max(last, clock.line.frame(of: Double(step) / 4)), Double(step) / 4))
      step += 1
    }
    last = max(last, frame)
  }

  /// Pulses of a constant tempo from a time in seconds on. Returns the time of the next one.
  mutating func tick(
    _ count: Int, perMinute: Double, from seconds: Double, jitter: Double = 0, without lost: Set<Int> = []
  ) -> Double {
    for pulse in 0..<count where !lost.contains(pulse) {
      receive(.tick, at: seconds + Double(pulse) * 60 / (24 * perMinute), jitter: jitter)
    }
    return seconds + Double(count) * 60 / (24 * perMinute)
  }
}
