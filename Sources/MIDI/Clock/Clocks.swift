import Synth

/// The clocks of all sources: the first that ticks is followed until it stands still.
public struct Clocks {
  private var follower = ClockFollower()
  private var source: UInt8?
  private var last: Int64 = 0

  /// No clock yet.
  public init() {}

  /// A source has sent a message at a time in nanoseconds. What the control thread is to do about it; nil for nothing.
  public mutating func receive(_ message: ClockMessage, source: UInt8, frame: Int64, at moment: Int64)
    -> Event?
  {
    switch message {
    case .tick:
      if self.source != source {
        if self.source != nil, moment - last <= ClockFollower.pause { return nil }
        (self.source, follower) = (source, ClockFollower())
      }
      last = moment
      return follower.tick(at: moment).map { Event(frame: frame, kind: .tempo, source: source, value: $0) }
    case .start:
      return Event(frame: frame, kind: .songCommand, source: source, note: SongCommand.start.rawValue)
    case .resume:
      return Event(frame: frame, kind: .songCommand, source: source, note: SongCommand.resume.rawValue)
    case .stop:
      return Event(frame: frame, kind: .songCommand, source: source, note: SongCommand.stop.rawValue)
    case .position(let sixteenths):
      return Event(frame: frame, kind: .songPosition, source: source, value: Float(sixteenths))
    }
  }

  /// Forgets the clock of a source that has ended, or is not to be followed.
  public mutating func forget(_ source: UInt8) {
    if self.source == source { self = Clocks() }
  }
}
