import Synth

/// The steps of a song in order of time, with a current position. It has no clock: times are microseconds from the
/// start of the song.
public struct SongPlayback: Sendable {
  /// A step of a song.
  public enum Step: Sendable {
    /// An event; its frame is its time.
    case event(Event)
    /// A tempo, quarter notes per minute.
    case tempo(Float)
  }

  private struct Moment {
    let time: Int64
    let step: Step
  }

  // In order of time.
  private let moments: [Moment]
  private var index = 0

  /// The length of the song.
  public let length: Int64

  /// A song at its beginning, played by `source`.
  public init(_ song: Song, source: UInt8) {
    length = Int64((song.length * 1e6).rounded(.up))
    var moments: [Moment] = []
    var tempos = song.tempos[...]
    for event in song.events(rate: 1e6, source: source) {
      while let tempo = tempos.first, Int64(tempo.seconds * 1e6) <= event.frame {
        moments.append(Moment(time: Int64(tempo.seconds * 1e6), step: .tempo(tempo.perMinute)))
        tempos.removeFirst()
      }
      moments.append(Moment(time: event.frame, step: .event(event)))
      if let timbre = event.timbre { moments.append(Moment(time: event.frame, step: .event(timbre))) }
    }
    for tempo in tempos {
      moments.append(Moment(time: Int64(tempo.seconds * 1e6), step: .tempo(tempo.perMinute)))
    }
    self.moments = moments
  }

  /// The time of the next step; nil at the end.
  public var next: Int64? { index < moments.count ? moments[index].time : nil }

  /// The time of a position in quarter notes from the beginning, no later than the end.
  public func time(quarters: Double) -> Int64 {
    var (time, perMinute, left) = (0.0, 120.0, quarters)
    for moment in moments {
      guard case .tempo(let next) = moment.step else { continue }
      let passing = (Double(moment.time) - time) * perMinute / 60e6
      if passing > left { break }
      (time, perMinute, left) = (Double(moment.time), Double(next), left - passing)
    }
    return Int64(max(0, min(time + left * 60e6 / perMinute, Double(length))))
  }

  /// Removes and returns the next step with its time, if it is due at `time`.
  public mutating func take(by time: Int64) -> (time: Int64, step: Step)? {
    guard index < moments.count, moments[index].time <= time else { return nil }
    defer { index += 1 }
    return (moments[index].time, moments[index].step)
  }

  /// Moves to a time. Returns the steps that set wheels, pedals, knobs, programs and tempo to their values at that
  /// time. Notes that began before are not played.
  public mutating func seek(to time: Int64) -> [Step] {
    var latest: [Int: Int] = [:]
    index = 0
    while index < moments.count, moments[index].time < time {
      if let key = Self.stateKey(moments[index].step) { latest[key] = index }
      index += 1
    }
    return latest.values.sorted().map { moments[$0].step }
  }

  /// A number for the state that a step sets; nil for a note.
  private static func stateKey(_ step: Step) -> Int? {
    guard case .event(let event) = step else { return -1 }
    let kind = Int(event.kind.rawValue) << 16 | Int(event.target) << 8
    switch event.kind {
    case .noteOn, .noteOff, .keyPressure, .notePitch, .noteGain, .glideFrom: return nil
    // The number is a value here: a channel has one program and one zone setting.
    case .program, .mpeZone: return kind
    default: return kind | Int(event.note)
    }
  }
}
