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
