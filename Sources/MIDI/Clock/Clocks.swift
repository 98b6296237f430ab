import Scenes
import System

/// The MIDI clocks of all sources. The first one that ticks is followed until it stops: it leads the beat line of the
/// engine, and the control thread gets its tempo and commands.
public struct Clocks {
  /// A command of a sequencer, which the next pulse carries out.
  private enum Pending { case start, resume }

  private var follower = ClockFollower()
  /// The source that is followed, from its first pulse on; nil for none.
  public private(set) var source: UInt8?
  // The time of its last pulse.
  private var last: Int64 = 0
  // The difference between a pulse's position in the song or on the beat line and its number; nil until it is known.
  private var shift: Int?
  private var sinceAnchor = 0
  // Whether the source has started and not stopped.
  private var isPlaying = false
  private var pending: (source: UInt8, Pending)?
  // The position of the next pulse after a command, in pulses from the beginning of the song; nil when unknown.
  private var position: (source: UInt8, pulse: Int)?
  // The last source that was started or moved while another was followed: whether it plays, and the position of its next
  // pulse, if that is known. If it is followed later, its song goes on there.
  private var waiting: (source: UInt8, isPlaying: Bool, pulse: Int?)?

  /// Pulses between two anchors, and pulses of a sixteenth.
  private static let (anchorPulses, perSixteenth) = (6, 6)

  /// No clock yet.
  public init() {}

  /// Handles a message that a source sent at a time in nanoseconds and that takes effect at `frame`, where the beat
  /// line is at `beat`. Calls `play` with the events for the engine and for the control thread, in order. While the
  /// clock of another source is followed, nothing is played.
  public mutating func receive(
    _ message: ClockMessage, source: UInt8, frame: Int64, at moment: Int64, beat: () -> Double = { 0 },
    play: (Event) -> Void
  ) {
    func command(_ command: SongCommand) {
      play(Event(frame: frame, kind: .songCommand, source: source, note: command.rawValue))
    }
    if !mayLead(source, at: moment) { return wait(source, message) }
    if let waiting, waiting.source == source, message != .tick || waiting.isPlaying {
      self.waiting = nil
      if [.tick, .resume].contains(message), let pulse = waiting.pulse {
        let sixteenths = Float(pulse) / Float(Self.perSixteenth)
        play(Event(frame: frame, kind: .songPosition, source: source, value: sixteenths))
        position = (source, pulse)
      }
      if message == .tick {
        command(.resume)
        pending = (source, .resume)
      }
    }
    switch message {
    case .tick: tick(source, frame, moment, beat, play)
    case .start:
      command(.start)
      (pending, position) = ((source, .start), (source, 0))
    case .resume:
      command(.resume)
      pending = (source, .resume)
    case .stop:
      command(.stop)
      // A second stop, or a position since the first, leaves the position where it is.
      if self.source == source, position?.source != source, let shift {
        position = (source, follower.number + shift + 1)
      }
      (pending, isPlaying) = (nil, false)
      play(Event(frame: frame, kind: .clockStop, source: source))
    case .position(let sixteenths):
      play(Event(frame: frame, kind: .songPosition, source: source, value: Float(sixteenths)))
      position = (source, sixteenths * Self.perSixteenth)
    }
  }

  /// Forgets the clock of a source that has ended, or is not to be followed. Returns true if it was followed: the
  /// engine must then get `clockGone`.
  public mutating func forget(_ source: UInt8) -> Bool {
    if pending?.source == source { pending = nil }
    if waiting?.source == source { waiting = nil }
    if position?.source == source { position = nil }
    if self.source != source { return false }
    leave()
    return true
  }

  /// The time at which the clock counts as gone if it does not tick; nil if none is followed.
  public var due: Int64? { source == nil ? nil : last + ClockFollower.pause + 1 }

  /// Stops following the clock if its last pulse is too long before a time in nanoseconds. Returns its source; nil if
  /// the clock is still followed. Its song position stays, because some sequencers send no pulses while they are
  /// stopped.
  public mutating func silent(at moment: Int64) -> UInt8? {
    guard let source, moment - last > ClockFollower.pause else { return nil }
    leave()
    return source
  }

  private mutating func leave() { (source, follower, shift, isPlaying) = (nil, ClockFollower(), nil, false) }

  private func mayLead(_ source: UInt8, at moment: Int64) -> Bool {
    self.source == nil || self.source == source || moment - last > ClockFollower.pause
  }

  /// Remembers what a source that is not followed says of its song.
  private mutating func wait(_ source: UInt8, _ message: ClockMessage) {
    let (_, isPlaying, pulse) = waiting.flatMap { $0.source == source ? $0 : nil } ?? (source, false, nil)
    switch message {
    case .start: waiting = (source, true, 0)
    case .resume: waiting = (source, true, pulse)
    case .position(let sixteenths): waiting = (source, isPlaying, sixteenths * Self.perSixteenth)
    case .tick where isPlaying: waiting = (source, true, pulse.map { $0 + 1 })
    case .stop where isPlaying: waiting = (source, false, pulse)
    case .tick, .stop: break
    }
  }

  private mutating func tick(
    _ source: UInt8, _ frame: Int64, _ moment: Int64, _ beat: () -> Double, _ play: (Event) -> Void
  ) {
    if self.source != source || moment - last > ClockFollower.pause {
      if let former = self.source, former != source {
        play(Event(frame: frame, kind: .clockGone, source: former))
      }
      leave()
      self.source = source
    }
    last = moment
    let begins = pending?.source == source
    // Some sequencers begin a new series of pulses when they start.
    if begins, !follower.continues(at: moment) { (follower, shift) = (ClockFollower(), nil) }
    let shown = follower.tick(at: moment)
    if begins { begin(source, frame, play) } else { move(source) }
    lead(source, frame, moment, beat, play)
    if let shown { play(Event(frame: frame, kind: .tempo, source: source, value: shown)) }
  }

  /// The first pulse after start or continue: the beat begins with it.
  private mutating func begin(_ source: UInt8, _ frame: Int64, _ play: (Event) -> Void) {
    (pending, isPlaying) = (nil, true)
    guard let position, position.source == source else {
      return play(Event(frame: frame, kind: .clockContinue, source: source))
    }
    self.position = nil
    shift = position.pulse - follower.number
    play(.clock(.clockStart, beat: Self.beat(Double(position.pulse)), source: source, frame: frame))
  }

  /// A song position while the sequencer plays counts from the next pulse on. Otherwise it waits for the start.
  private mutating func move(_ source: UInt8) {
    guard isPlaying, let position, position.source == source else { return }
    (self.position, shift, sinceAnchor) = (nil, position.pulse - follower.number, Self.anchorPulses)
  }

  /// Tells the engine tempo and position: in pairs, so that a new tempo does not interrupt a correction.
  private mutating func lead(
    _ source: UInt8, _ frame: Int64, _ moment: Int64, _ beat: () -> Double, _ play: (Event) -> Void
  ) {
    sinceAnchor += 1
    guard let tempo = follower.tempo, follower.isSettling || sinceAnchor >= Self.anchorPulses else { return }
    sinceAnchor = 0
    let position = follower.position(at: moment)
    // A clock that already runs does not tell its position: it is assumed at the pulse that is nearest to the beat
    // line.
    let shift = self.shift ?? Int(clamping: (beat() * Double(ClockFollower.perBeat) - position).rounded())
    self.shift = shift
    play(Event(frame: frame, kind: .clockTempo, source: source, value: Float(tempo)))
    var event = Event.clock(
      .clockBeat, beat: Self.beat(position + Double(shift)), source: source, frame: frame)
    // The beat line catches up sooner with a clock whose tempo has just changed.
    if follower.isSettling { event.target = 1 }
    play(event)
  }

  private static func beat(_ pulse: Double) -> Double { pulse / Double(ClockFollower.perBeat) }
}

/// A message of a MIDI clock.
public enum ClockMessage: Sendable, Equatable {
  /// A pulse; 24 of them are a quarter note.
  case tick
  /// Start from the beginning.
  case start
  /// Continue from the current position.
  case resume
  case stop
  /// The song position, in sixteenths from the beginning, 0…16,383.
  case position(Int)

  /// The message for a status byte; nil for a byte that is not a clock message. `data` is the song position, lower
  /// half first.
  @_noLocks
  public init?(status: UInt8, _ lower: UInt8 = 0, _ upper: UInt8 = 0) {
    switch status {
    case 0xF2: self = .position(Int(lower & 127) | Int(upper & 127) << 7)
    case 0xF8: self = .tick
    case 0xFA: self = .start
    case 0xFB: self = .resume
    case 0xFC: self = .stop
    default: return nil
    }
  }
}

/// The source of the beat that the beat line follows.
public enum ClockChoice: Hashable, Sendable {
  /// The clock of any device that has `clock` on, or else that of a song that plays, or else the instrument's own.
  case auto
  /// The instrument's own.
  case own
  /// The beat of a song that plays, otherwise the instrument's own.
  case song
  /// The device with a number, regardless of its setting `clock`.
  case device(Int)

  /// The text: `auto`, `own`, `song` or the number of a device.
  public var text: String {
    switch self {
    case .auto: "auto"
    case .own: "own"
    case .song: "song"
    case .device(let id): "\(id)"
    }
  }

  /// Reads the format of `text`; nil for any other.
  public init?(_ text: String) {
    switch text {
    case "auto": self = .auto
    case "own": self = .own
    case "song": self = .song
    default:
      guard let id = Int(text), id > 0 else { return nil }
      self = .device(id)
    }
  }
}
