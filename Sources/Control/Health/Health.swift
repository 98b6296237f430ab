import Synth
import System

/// The health of the instrument: reads the audio thread's counters once a second and judges them. Control thread.
public final class Health {
  /// Counters at one moment.
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
  /// The card that plays, for people. Set by whoever starts the output.
  public var playing: () -> String = { "nothing" }
  /// Whether the output waits for a card. Set by whoever starts the output.
  public var waitsForCard: () -> Bool = { false }

  /// The version of MIDI that keyboards are read with, 2 or 1; 0 without a sequencer. Set by whoever starts the sequencer.
  public var midi: () -> Int = { 0 }

  /// The folder of presets and session. Set by whoever opened it.
  public var state = ""
  /// The UDP port that hears OSC; 0 as long as it is taken or not permitted.
  public var oscPort = 0
  /// Messages over OSC, and answers, that were dropped since there was no room for them.
  public var oscDropped = 0

  /// The share of its time that the audio thread spends rendering, in percent. It moves in steps of five, so that
  /// what shows it is still while nothing happens.
  public private(set) var load = 0
  /// Voices that sound, once a second.
  public private(set) var voices = 0
  /// Voices that may sound.
  public private(set) var limit = Limits.voices
  /// Blocks that came too late since everything had started.
  public private(set) var xruns = 0
  /// Whether keys were played in the last second.
  public private(set) var plays = false
  /// The problems, as sentences; empty when all is well.
  public var complaint: String { (problems() + faults).joined(separator: "; ") }
  /// The problems that notices tell of. Set by the instrument.
  var problems: () -> [String] = { [] }

  /// The output meters.
  var levels = OutputLevels()

  // The problems that the counters show.
  private var faults: [String] = []
  // The last minute, one moment a second, the newest last.
  private var minute: [Moment] = []
  private var loggedAt = Int64.min / 2
  private var isAdvancing = true
  // When the counters were first read, and blocks that were late while everything started and nothing was played yet.
  private var startedAt: Int64?
  private var (early, earlyLast) = (UInt64(0), UInt64(0))

  /// Between two readings, nanoseconds.
  static let interval: Int64 = 1_000_000_000
  /// How long a start may take, nanoseconds: blocks that are late meanwhile are not counted.
  static let startTime: Int64 = 3_000_000_000
  /// Between two lines of the log.
  static let calm: Int64 = 60_000_000_000

  /// The health of what `link` joins.
  package init(_ link: Link) { self.link = link }

  /// True when nothing is wrong.
  public var isWell: Bool { complaint.isEmpty }

  /// Reads the counters if a second has passed. True when what surfaces show has changed; `log` takes a line,
  /// one a minute at most, when something went wrong.
  func update(_ now: Int64, log: (String) -> Void) -> Bool {
    if let last = minute.last, now - last.time < Health.interval { return false }
    let moment = read(now)
    let last = minute.last
    minute.append(moment)
    if minute.count > 61 { minute.removeFirst() }
    if let last { isAdvancing = moment.frames != last.frames }

    let before = (load, voices, limit, xruns, plays)
    if let last {
      let share = Double(moment.busy &- last.busy) / Double(now - last.time) * 100
      if abs(share - Double(load)) >= 5 { load = Int((share / 5).rounded()) * 5 }
      plays = moment.keys != last.keys
    }
    voices = Int(link.meters[.voices])
    limit = Int(link.meters[.limit])
    xruns = Int(moment.xruns)

    let events = events()
    faults = states() + events
    if !events.isEmpty, now - loggedAt >= Health.calm {
      loggedAt = now
      log(.warning("in the last minute: " + events.joined(separator: "; ")))
    }
    return before != (load, voices, limit, xruns, plays)
  }

  /// Seconds since a block last came too late; -1 when none has.
  var sinceXrun: Double {
    let last = link.meters[.lastXrun]
    return last == earlyLast ? -1 : Double(monotonic() - Int64(last)) * 1e-9
  }

  /// When it wants to look again.
  var next: Int64 { (minute.last?.time ?? Int64.min / 2) + Health.interval }

  private func read(_ now: Int64) -> Moment {
    let meters = link.meters
    let start = startedAt ?? now
    startedAt = start
    if now - start <= Health.startTime { (early, earlyLast) = (meters[.xruns], meters[.lastXrun]) }
    return Moment(
      frames: meters[.frames], busy: meters[.busy], xruns: meters[.xruns] &- early, dropped: link.dropped,
      faults: meters[.faults], shed: meters[.shed], keys: link.midi.taken, time: now)
  }

  // MARK: - What is wrong

  /// What is wrong now and lasts.
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

  /// A few wait at any moment while faders move.
  private static let retiredLimit = 16

  /// What went wrong in the last minute.
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
  /// Events that found their ring full.
  var dropped: UInt64 { midi.dropped + control.dropped + commands.dropped }
}
