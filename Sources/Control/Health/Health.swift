import Scenes
import Synth
import System

/// The health of the instrument: reads the audio thread's counters once a second and evaluates them. Control thread.
public final class Health {
  /// The counters at one time.
  struct Moment {
    var frames: UInt64 = 0
    var busy: UInt64 = 0
    var xruns: UInt64 = 0
    var dropped: UInt64 = 0
    var faults: UInt64 = 0
    var shed: UInt64 = 0
    var keys: UInt64 = 0
    var time: Int64 = 0
  }

  let link: Link
  /// The card that plays, for people. Set by the owner of the audio output.
  public var playing: () -> String = { "nothing" }
  /// Whether the output waits for a card. Set by the owner of the audio output.
  public var waitsForCard: () -> Bool = { false }

  /// The version of MIDI that is read from keyboards, 2 or 1; 0 without a sequencer. Set by the owner of the
  /// sequencer.
  public var midi: () -> Int = { 0 }

  /// The folder of presets and session. Set by its owner.
  public var state = ""
  /// The TCP port of the page; 0 while it is off, taken or not permitted.
  public var webPort = 0
  /// The UDP port that receives OSC; 0 if it is in use by another program or not permitted.
  public var oscPort = 0
  /// The number of OSC messages and answers that were dropped because a queue was full.
  public var oscDropped = 0

  /// The share of its time that the audio thread spends rendering, in percent. It changes in steps of five, so that
  /// displays do not flicker.
  public private(set) var load = 0
  /// The number of sounding voices, updated once a second.
  public private(set) var voices = 0
  /// The maximum number of voices.
  public private(set) var limit = Limits.voices
  /// The number of late blocks since startup was complete.
  public private(set) var xruns = 0
  /// Whether keys were played in the last second.
  public private(set) var plays = false
  /// The problems, as sentences; empty when all is well.
  public var complaint: String { (problems() + faults).joined(separator: "; ") }
  /// The problems reported by notices. Set by the instrument.
  var problems: () -> [String] = { [] }

  /// The temperature of the processor, degrees Celsius; nil if it is unknown. Set by the owner of the thermometer.
  public var temperature: () -> Int? = { nil }
  /// The figures of the last hour.
  public private(set) var history = HealthHistory()

  /// The output meters.
  var levels = OutputLevels()
  /// The peak of each part after its mixer strip, in decibels of full scale, measured while the monitor has viewers;
  /// otherwise -60. It falls by 20 dB a second.
  public var partPeaks: [Double] { levels.parts.map(\.level) }

  // The problems found in the counters.
  private var faults: [String] = []
  // The counters of the last minute, one entry a second, the newest last. The first is a minute old, or of the start.
  private var minute: [Moment] = []
  private var loggedAt = Int64.min / 2
  private var isAdvancing = true
  // When the counters were first read.
  private var startedAt: Int64?
  /// Blocks that were late during startup, before anything was played.
  private var (early, earlyLast) = (UInt64(0), UInt64(0))

  /// The time between two readings, nanoseconds.
  static let interval: Int64 = 1_000_000_000
  /// The maximum duration of startup, nanoseconds: late blocks during this time are not counted.
  static let startTime: Int64 = 3_000_000_000
  /// How long a problem is shown, nanoseconds.
  static let window: Int64 = 60_000_000_000
  /// The minimum time between two lines of the log, nanoseconds.
  static let calm: Int64 = 60_000_000_000

  /// The health of the instrument that shares `link`.
  package init(_ link: Link) { self.link = link }

  /// True if there is no problem.
  public var isWell: Bool { complaint.isEmpty }

  /// Reads the counters if a second has passed. Returns true if the displayed values have changed. `log` receives a
  /// line about a new problem, one a minute at most.
  func update(_ now: Int64, log: (String) -> Void) -> Bool {
    if let last = minute.last, now - last.time < Health.interval { return false }
    let moment = read(now)
    let last = minute.last
    minute.append(moment)
    while minute.count > 2, now - minute[1].time >= Health.window { minute.removeFirst() }
    if let last { isAdvancing = moment.frames != last.frames }

    let before = (load, voices, limit, xruns, plays)
    if let last {
      let share = Double(moment.busy &- last.busy) / Double(now - last.time) * 100
      if abs(share - Double(load)) >= 5 { load = Int(clamping: (share / 5).rounded(), to: 0...1_000) * 5 }
      plays = moment.keys != last.keys
    }
    voices = Int(link.meters[.voices])
    limit = Int(link.meters[.limit])
    xruns = Int(moment.xruns)

    history.take(
      busy: moment.busy, xruns: moment.xruns, voices: voices, temperature: temperature(), time: now)

    let events = events()
    faults = states() + events
    if !events.isEmpty, now - loggedAt >= Health.calm {
      loggedAt = now
      let isFull = now - minute[0].time >= Health.window
      log(.warning((isFull ? "in the last minute: " : "since the start: ") + events.joined(separator: "; ")))
    }
    return before != (load, voices, limit, xruns, plays)
  }

  /// Seconds since the last late block; -1 if there was none.
  var sinceXrun: Double {
    let last = link.meters[.lastXrun]
    return last == earlyLast ? -1 : Double(monotonic() - Int64(last)) * 1e-9
  }

  /// The time of the next reading.
  var next: Int64 { (minute.last?.time ?? Int64.min / 2) + Health.interval }

  private func read(_ now: Int64) -> Moment {
    let meters = link.meters
    let start = startedAt ?? now
    startedAt = start
    if now - start <= Health.startTime { (early, earlyLast) = (meters[.xruns], meters[.lastXrun]) }
    return Moment(
      frames: meters[.frames], busy: meters[.busy], xruns: meters[.xruns] &- early, dropped: link.dropped,
      faults: meters[.faults], shed: meters[.shed], keys: meters[.strokes], time: now)
  }

  // MARK: - Problems

  /// Problems that persist, such as a missing sound card.
  private func states() -> [String] {
    var states: [String] = []
    if minute.count > 1 && !isAdvancing { states.append("the audio thread stands still") }
    if waitsForCard() { states.append("there is no sound card") }
    if link.meters[.frames] > 0 && link.meters[.realtime] == 0 {
      states.append("the audio thread has no real-time priority")
    }
    if link.scene.retiredCount > Health.retiredLimit {
      states.append("\(link.scene.retiredCount) old scenes wait to be freed")
    }
    return states
  }

  /// A few retired scenes wait at any time while faders move.
  private static let retiredLimit = 16

  /// Problems of the last minute, or since the start.
  private func events() -> [String] {
    guard let first = minute.first, let last = minute.last else { return [] }
    var events: [String] = []
    func add(_ count: UInt64, _ one: String, _ several: String) {
      if count > 0 { events.append(count == 1 ? "1 \(one)" : "\(count) \(several)") }
    }
    add(last.xruns &- first.xruns, "block was too late", "blocks were too late")
    add(last.dropped &- first.dropped, "event was dropped", "events were dropped")
    add(last.faults &- first.faults, "time the sound was NaN", "times the sound was NaN")
    add(
      last.shed &- first.shed, "voice was more than the machine can play",
      "voices were more than the machine can play")
    return events
  }
}

extension Link {
  /// Events that were dropped because their ring was full.
  var dropped: UInt64 { midi.dropped + control.dropped + commands.dropped + meters[.songDropped] }
}

/// The figures of the last hour, one reading every fifteen seconds, in two kilobytes. A value type; the caller passes
/// the time.
public struct HealthHistory: Sendable {
  /// The figures of fifteen seconds.
  public struct Reading: Sendable, Equatable {
    /// The share of its time that the audio thread spent rendering, percent.
    public var load: UInt8 = 0
    /// The most voices at once.
    public var voices: UInt8 = 0
    /// Late blocks.
    public var late: UInt16 = 0
    /// The temperature of the processor at the end, degrees Celsius; nil if it is unknown.
    public var temperature: Int16?
  }

  /// The time of one reading, nanoseconds.
  public static let interval: Int64 = 15_000_000_000
  /// The number of readings in an hour.
  static let mostReadings = 240

  // A ring: the oldest is at `start` once it is full.
  private var ring: [Reading] = []
  private var start = 0
  // The counters at the beginning of the current reading, and the most voices since.
  private var begun: (busy: UInt64, xruns: UInt64, time: Int64)?
  private var voices = 0

  /// An empty history. All of its memory is allocated here.
  init() { ring.reserveCapacity(HealthHistory.mostReadings) }

  /// The readings, the oldest first.
  public var readings: [Reading] { Array(ring[start...] + ring[..<start]) }

  /// Adds the counters of the audio thread at a time.
  /// - Parameters:
  ///   - busy: Nanoseconds spent rendering, since the start.
  ///   - xruns: Late blocks, since the start.
  ///   - time: CLOCK_MONOTONIC.
  mutating func take(busy: UInt64, xruns: UInt64, voices: Int, temperature: Int?, time: Int64) {
    self.voices = max(self.voices, voices)
    guard let begun else { return begin(busy, xruns, voices, time) }
    let passed = time - begun.time
    if passed < HealthHistory.interval { return }
    // The counters start again from 0 with a new audio thread.
    let spent = busy >= begun.busy ? Double(busy - begun.busy) : 0
    let late = xruns >= begun.xruns ? xruns - begun.xruns : 0
    add(
      Reading(
        load: UInt8(clamping: (spent / Double(passed) * 100).rounded()),
        voices: UInt8(clamping: self.voices), late: UInt16(clamping: late),
        temperature: temperature.map { Int16(clamping: $0) }))
    begin(busy, xruns, voices, time)
  }

  private mutating func begin(_ busy: UInt64, _ xruns: UInt64, _ voices: Int, _ time: Int64) {
    begun = (busy, xruns, time)
    self.voices = voices
  }

  private mutating func add(_ reading: Reading) {
    if ring.count < HealthHistory.mostReadings { return ring.append(reading) }
    ring[start] = reading
    start = (start + 1) % HealthHistory.mostReadings
  }
}

/// Reads health and meters at their own intervals, tells surfaces about changes, and posts notices about the number
/// of voices. Control thread.
final class HealthWatch {
  private let writer: SceneWriter
  private let health: Health
  private let notices: NoticeBoard
  // A reduced voice limit is logged once a minute at most, and its end only if its beginning was logged.
  private var loggedLimits = RateLimiter(burst: 1, perSecond: 1.0 / 60)
  private var logsLimit = false

  init(_ writer: SceneWriter, _ health: Health, _ notices: NoticeBoard) {
    (self.writer, self.health, self.notices) = (writer, health, notices)
  }

  /// Reads the health. Returns the time of the next call.
  func updateHealth(_ now: Int64) -> Int64? {
    // Frees old effects whose tails have ended, and those of an engine that started at another rate.
    writer.link.scene.service()
    let limit = health.limit
    if health.update(now, log: notices.log) { writer.changed(.health) }
    if health.limit < Limits.voices {
      // A machine that was interrupted for a moment is not too slow; interruptions may repeat.
      let why = health.load < 50 ? "the machine was held up" : "too much for this machine"
      if limit == Limits.voices { logsLimit = loggedLimits.take(now) }
      let words = limit == Limits.voices ? nil : notices[.voices]?.text.split(separator: ":").first
      notices.post(
        "\(words ?? why[...]): it plays \(health.limit) voices at most", about: .voices, .state,
        log: limit == Limits.voices && logsLimit ? nil : "")
    } else if limit < Limits.voices {
      notices.post("all \(Limits.voices) voices can play again", about: .voices, log: logsLimit ? nil : "")
    }
    return health.next
  }

  /// Reads the output meters. Returns the time of the next call.
  func updateLevels(_ now: Int64) -> Int64? {
    if health.levels.update(writer.link, now) { writer.changed(.levels) }
    return health.levels.next
  }
}
