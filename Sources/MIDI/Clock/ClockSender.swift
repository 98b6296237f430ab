import Scenes
import System

/// Converts the beat line to the messages of a MIDI clock, each with the frame at which it is due.
///
/// Pulse k is due with the first frame that is not before beat k/24. The pulses are counted, so a change of tempo
/// leaves none out and sends none twice. They continue while the transport is stopped. If the transport begins at
/// beat 0, start is sent before pulse 0. If it begins elsewhere, the song position of the next sixteenth and continue
/// are sent before the pulse of that sixteenth. If the line jumps while the transport runs, stop is sent, and then
/// one of both.
public struct ClockSender {
  /// A message and its frame.
  public struct Message: Sendable {
    /// The message to send.
    public let message: ClockMessage
    /// The frame it belongs to; start, position and continue have that of the pulse that follows.
    public let frame: Int64
    /// The song position of a pulse that begins a sixteenth while the transport runs; nil for other messages.
    public let sixteenth: Int?
    /// The state before this message, for taking it back.
    public let before: State
  }

  /// The state of the sender.
  public struct State: Sendable {
    fileprivate var clock: BeatClock?
    // The next pulse, and the pulse before which the receivers are to begin; nil when they have, or are not to.
    fileprivate var pulse = 0
    fileprivate var begin: (pulse: Int, isStart: Bool)?
    fileprivate var isPlaying = false
    // Whether no clock was followed yet.
    fileprivate var isNew = true
    // The number of the next change of the clock that is to be followed.
    fileprivate var change = 0
    // The frame up to which everything was sent.
    fileprivate var frame: Int64 = 0
  }
  /// A change of the clock that takes effect at a frame.
  private struct Change {
    let (number, frame): (Int, Int64)
    let clock: BeatClock
  }

  private var state = State()
  private var observed: BeatClock?
  // Changes in the order of their numbers. Those that were followed stay for a second: messages are taken back, changes
  // are not.
  private var changes: [Change] = []
  private var nextChange = 0

  /// Pulses of a beat and of a sixteenth.
  private static let (perBeat, perSixteenth) = (24, 6)
  /// Sixteenths after which song positions begin again at 0: 1,024 bars of four quarters.
  private static let positions = 16_384
  /// Beats by which a line may deviate from the one before without being a jump: where it begins, and where it is
  /// followed.
  private static let slack = (begin: 0.02, here: 0.25)
  /// Beats after beat 0 within which the transport still begins with start, because the sender may look late.
  private static let startSlack = 0.1

  /// A sender that has sent nothing.
  public init() {}

  /// Whether the receivers run.
  public var isPlaying: Bool { state.isPlaying }

  /// Observes the beat clock. Returns the frame from which it differs from the last one; nil if it does not.
  public mutating func observe(_ clock: BeatClock) -> Int64? {
    guard let observed else {
      self.observed = clock
      return state.frame
    }
    let isOtherLine = clock.line.frame != observed.line.frame || !clock.line.isSame(as: observed.line)
    let isSwitched = clock.switched != observed.switched || clock.plays != observed.plays
    if !isOtherLine && !isSwitched { return nil }
    self.observed = clock
    // A line of another engine has no frames in common with this one.
    if clock.line.rate != observed.line.rate { return state.frame }
    return min(isOtherLine ? clock.line.frame : .max, isSwitched ? clock.switched : .max)
  }

  /// Follows the clock that was observed last, from a frame on. Nothing may have been sent beyond that frame
  /// (`takeBack`).
  public mutating func follow(from frame: Int64) {
    guard let observed else { return }
    let frame = max(frame, state.frame)
    let oldest = frame - Int64(clamping: observed.line.rate)
    // It includes the changes that were to follow.
    changes.removeAll { $0.number < state.change ? $0.frame < oldest : $0.frame > frame }
    change(to: observed, at: frame)
  }

  private mutating func change(to clock: BeatClock, at frame: Int64) {
    changes.append(Change(number: nextChange, frame: frame, clock: clock))
    nextChange += 1
  }

  /// The next change that is to be followed.
  private var coming: Change? { changes.first { $0.number >= state.change } }

  /// Takes back what was sent after a frame: a message, if there was one, and all that followed it. Changes of the clock
  /// that are known stay known.
  public mutating func takeBack(to frame: Int64, _ message: Message?) {
    if let message { state = message.before }
    state.frame = min(state.frame, frame)
  }

  /// The messages up to a frame, in order. After a gap of a second the pulses in it are left out.
  public mutating func messages(to end: Int64) -> [Message] {
    var found: [Message] = []
    if let clock = state.clock, end - state.frame > Int64(clamping: clock.line.rate) {
      let last = coming == nil ? clock : changes.last?.clock ?? clock
      (state.change, state.clock) = (nextChange, nil)
      change(to: last, at: end)
    }
    while true {
      let due = state.clock.map { $0.line.frame(of: Double(state.pulse) / Double(Self.perBeat)) }
      if let next = coming, next.frame <= min(end, due ?? .max) {
        adopt(next.clock, at: next.frame, &found)
        state.change = next.number + 1
        continue
      }
      guard let due, due <= end else { break }
      pulse(at: due, &found)
    }
    state.frame = max(state.frame, end)
    return found
  }

  /// Sends a pulse, after the start or continue message that begins with it.
  private mutating func pulse(at frame: Int64, _ found: inout [Message]) {
    let frame = max(frame, state.frame)
    if let begin = state.begin, state.pulse >= begin.pulse {
      if begin.isStart {
        add(.start, frame, &found)
      } else {
        add(.position(sixteenth), frame, &found)
        add(.resume, frame, &found)
      }
      (state.begin, state.isPlaying) = (nil, true)
    }
    let begins = state.isPlaying && state.pulse % Self.perSixteenth == 0
    add(.tick, frame, sixteenth: begins ? sixteenth : nil, &found)
    state.pulse += 1
    state.frame = frame
  }

  /// The song position of the next pulse, which begins a sixteenth.
  private var sixteenth: Int {
    let number = Self.quotient(state.pulse, Self.perSixteenth) % Self.positions
    return number < 0 ? number + Self.positions : number
  }

  private mutating func adopt(_ clock: BeatClock, at frame: Int64, _ found: inout [Message]) {
    let beat = clock.line.beat(at: frame)
    let isJump =
      state.clock.map {
        $0.line.rate != clock.line.rate || $0.line.jumps != clock.line.jumps
          || abs($0.line.beat(at: clock.line.frame) - clock.line.beat(at: clock.line.frame))
            > Self.slack.begin
          || abs($0.line.beat(at: frame) - beat) > Self.slack.here
      } ?? true
    let isFirst = state.clock == nil
    let isNew = state.isNew
    state.isNew = false
    if state.isPlaying && (isJump || !clock.plays) {
      add(.stop, frame, &found)
      state.isPlaying = false
    }
    state.clock = clock
    if isJump {
      state.pulse = Int(
        clamping: (beat * Double(Self.perBeat) - 1e-3).rounded(.up), to: -1_000_000_000...1_000_000_000)
    }
    if !clock.plays { return state.begin = nil }
    // A transport that runs already does not begin: receivers that are to join it do so one by one.
    if isNew { return state.isPlaying = true }
    if state.isPlaying || (!isJump && state.begin != nil) { return }
    if isJump, !isFirst, (-Self.slack.begin...Self.startSlack).contains(beat) {
      (state.pulse, state.begin) = (0, (0, true))
    } else {
      let next = Self.quotient(state.pulse + Self.perSixteenth - 1, Self.perSixteenth) * Self.perSixteenth
      state.begin = (next, false)
    }
  }

  private func add(
    _ message: ClockMessage, _ frame: Int64, sixteenth: Int? = nil, _ found: inout [Message]
  ) {
    found.append(Message(message: message, frame: frame, sixteenth: sixteenth, before: state))
  }

  /// The quotient, rounded down.
  private static func quotient(_ number: Int, _ divisor: Int) -> Int {
    number >= 0 ? number / divisor : -((-number + divisor - 1) / divisor)
  }
}

extension BeatClock {
  /// Whether the transport was started and runs.
  fileprivate var plays: Bool { isRunning && hasStarted }
}

extension BeatLine {
  /// Whether another line that begins at the same frame is the same.
  fileprivate func isSame(as other: BeatLine) -> Bool {
    let later = frame + Int64(clamping: rate)
    return jumps == other.jumps && rate == other.rate && beat(at: frame) == other.beat(at: frame)
      && beat(at: later) == other.beat(at: later)
  }
}
